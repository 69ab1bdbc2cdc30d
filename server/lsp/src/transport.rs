//! Messages of the client as events. Nothing here may wait for anything but the answer to a request, and no analysis runs here:
//! every handler posts its event before its first `.await`, which keeps the client's order.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{LanguageServer, LspService, Server};

use crate::commands::Wanted;
use crate::event::{Cancel, CancelOnDrop, Event, Typed};
use crate::handlers;
use crate::input;
use crate::snapshot::Snapshot;
use crate::state;

/// How many requests can be under way. Each only waits, so this is about memory; with the default of four, a cancel would wait
/// behind the requests it is meant for.
const CONCURRENCY: usize = 1024;
/// What people wait for while they type. It cannot be refused because they do: they would see nothing until they stop.
const FOLLOW_TYPING: [&str; 2] = ["textDocument/completion", "textDocument/signatureHelp"];
const COMMAND: &str = "workspace/executeCommand";
/// Bytes between the reader of standard input and tower-lsp.
const BUFFER: usize = 64 * 1024;

pub(crate) async fn serve(version: &'static str) -> bool {
    let was_shut_down = Arc::new(AtomicBool::new(false));
    let flag = was_shut_down.clone();
    let service = LspService::build(|client| Transport { events: state::start(client, version), was_shut_down: flag })
        .custom_method("lockstep/tests", Transport::tests)
        .custom_method("lockstep/explain", Transport::explain)
        .custom_method("lockstep/sequentialization", Transport::sequentialization)
        .custom_method("lockstep/diagram", Transport::diagram)
        .custom_method("lockstep/run", Transport::run)
        .custom_method("lockstep/cancel", Transport::cancel)
        .custom_method("lockstep/trace", Transport::trace)
        .custom_method("lockstep/stats", Transport::stats)
        .custom_method("window/workDoneProgress/cancel", Transport::cancel_progress)
        .custom_method("$/setTrace", Transport::set_trace)
        .custom_method(input::UNREADABLE, Transport::unreadable);
    #[cfg(debug_assertions)]
    let service = service.custom_method("lockstep/panic", Transport::panic);
    let (service, socket) = service.finish();
    let (messages, looked_over) = tokio::io::duplex(BUFFER);
    // Ends with the process: nobody can be told that reading has failed.
    tokio::spawn(input::pass_on(tokio::io::BufReader::new(tokio::io::stdin()), looked_over));
    Server::new(messages, tokio::io::stdout(), socket).concurrency_level(CONCURRENCY).serve(service).await;
    was_shut_down.load(Ordering::Acquire)
}

struct Transport {
    events: Sender<Event>,
    was_shut_down: Arc<AtomicBool>,
}

impl Transport {
    /// The state thread ends only with the process: there is nobody to tell if it has.
    fn post(&self, event: Event) {
        let _ = self.events.send(event);
    }

    async fn ask<P: Send + 'static, R: Send + 'static>(
        &self,
        method: &'static str,
        document: Option<Uri>,
        params: P,
        handler: fn(&Snapshot, &P) -> Result<R>,
    ) -> Result<R> {
        let (reply, answer) = oneshot::channel();
        let cancel = Arc::new(Cancel::default());
        let guard = CancelOnDrop(cancel.clone());
        self.post(Event::Request(Box::new(Typed {
            method,
            document,
            asked_about: None,
            follows_typing: FOLLOW_TYPING.contains(&method),
            params,
            handler,
            reply: Some(reply),
            cancel,
        })));
        let answer = answer.await;
        drop(guard);
        answer.unwrap_or_else(|_| Err(Error::internal_error()))
    }

    async fn tests(&self, _: Option<Value>) -> Result<handlers::Tests> {
        self.ask("lockstep/tests", None, (), |snapshot, ()| handlers::tests(snapshot)).await
    }

    async fn explain(&self, params: handlers::ExplainParams) -> Result<handlers::Explained> {
        self.ask("lockstep/explain", None, params, handlers::explain).await
    }

    async fn sequentialization(&self, params: handlers::SequentializationParams) -> Result<handlers::Sequentialization> {
        let document = Some(params.uri.clone());
        self.ask("lockstep/sequentialization", document, params, handlers::sequentialization).await
    }

    async fn diagram(&self, params: handlers::DiagramParams) -> Result<handlers::DrawnDiagram> {
        let document = Some(params.uri.clone());
        self.ask("lockstep/diagram", document, params, handlers::diagram).await
    }

    /// Answered when it is known that the test can be run; what becomes of it is told by its record.
    async fn run(&self, params: handlers::RunParams) -> Result<Value> {
        let tests = self.ask("lockstep/run", None, params, handlers::prepare).await?;
        self.post(Event::Run(tests));
        Ok(serde_json::json!({}))
    }

    async fn cancel(&self, params: Option<handlers::CancelParams>) -> Result<handlers::CancelledRuns> {
        let params = params.unwrap_or_default();
        let items = self.ask("lockstep/cancel", None, params, handlers::cancel_items).await?;
        let (reply, answer) = oneshot::channel();
        self.post(Event::CancelRuns(items, reply));
        Ok(handlers::CancelledRuns { cancelled: answer.await.map_err(|_| Error::internal_error())? })
    }

    async fn trace(&self, params: handlers::TraceParams) -> Result<Option<handlers::ShownTrace>> {
        self.ask("lockstep/trace", None, params, handlers::trace).await
    }

    async fn stats(&self, _: Option<Value>) -> Result<Value> {
        self.ask("lockstep/stats", None, (), handlers::stats).await
    }

    /// Has the client open a page, and answers with where it is.
    async fn open<P: Send + 'static>(
        &self,
        params: P,
        page: fn(&Snapshot, &P) -> Result<handlers::Page>,
    ) -> Result<Option<LSPAny>> {
        let page = self.ask(COMMAND, None, params, page).await?;
        let path = lockstep_workspace::name(&page.path);
        self.post(Event::Open(page));
        Ok(Some(serde_json::json!({ "path": path })))
    }

    async fn unreadable(&self) -> Result<()> {
        Err(Error { message: "this message could not be read".into(), ..Error::parse_error() })
    }

    /// For the tests of what becomes of a panic.
    #[cfg(debug_assertions)]
    async fn panic(&self, _: Option<Value>) -> Result<()> {
        self.ask("lockstep/panic", None, (), |_, ()| panic!("as it was asked for")).await
    }

    async fn cancel_progress(&self, params: WorkDoneProgressCancelParams) {
        self.post(Event::CancelProgress(params.token));
    }

    async fn set_trace(&self, _: SetTraceParams) {}
}

/// Requests that are about a document: `name(params) -> result` is answered by the handler of that name.
macro_rules! requests {
    ($($name:ident, $method:literal, $params:ty => $result:ty, $document:expr;)*) => {
        $(async fn $name(&self, params: $params) -> Result<$result> {
            let document: fn(&$params) -> Option<&Uri> = $document;
            let document = document(&params).cloned();
            self.ask($method, document, params, handlers::$name).await
        })*
    };
}

fn at(params: &TextDocumentPositionParams) -> Option<&Uri> {
    Some(&params.text_document.uri)
}

impl LanguageServer for Transport {
    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        match Wanted::of(params)? {
            Wanted::Run(run) => {
                let tests = self.ask(COMMAND, None, run, handlers::prepare_named).await?;
                self.post(Event::RunAndTell(tests));
                Ok(None)
            }
            Wanted::Cancel(cancel) => Ok(serde_json::to_value(self.cancel(Some(cancel)).await?).ok()),
            Wanted::ShowTrace(trace) => self.open(trace, handlers::trace_page).await,
            Wanted::Explain(code) => self.open(code, handlers::explain_page).await,
        }
    }

    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let (reply, answer) = oneshot::channel();
        self.post(Event::Initialize(Box::new(params), reply));
        answer.await.map_err(|_| Error::internal_error())
    }

    async fn initialized(&self, _: InitializedParams) {
        self.post(Event::Initialized);
    }

    async fn shutdown(&self) -> Result<()> {
        self.was_shut_down.store(true, Ordering::Release);
        let (reply, is_done) = oneshot::channel();
        self.post(Event::Stop(reply));
        // What the state thread leaves behind is written before the client can end us.
        let _ = is_done.await;
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.post(Event::Opened(params));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.post(Event::Changed(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.post(Event::Closed(params));
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        self.post(Event::Saved);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.post(Event::Files(params.changes));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.post(Event::Folders(params.event));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.post(Event::Settings(params.settings));
    }

    requests! {
        goto_definition, "textDocument/definition", GotoDefinitionParams => Option<GotoDefinitionResponse>,
            |params| at(&params.text_document_position_params);
        goto_declaration, "textDocument/declaration", request::GotoDeclarationParams => Option<request::GotoDeclarationResponse>,
            |params| at(&params.text_document_position_params);
        goto_type_definition, "textDocument/typeDefinition",
            request::GotoTypeDefinitionParams => Option<request::GotoTypeDefinitionResponse>,
            |params| at(&params.text_document_position_params);
        goto_implementation, "textDocument/implementation",
            request::GotoImplementationParams => Option<request::GotoImplementationResponse>,
            |params| at(&params.text_document_position_params);
        references, "textDocument/references", ReferenceParams => Option<Vec<Location>>,
            |params| at(&params.text_document_position);
        document_highlight, "textDocument/documentHighlight", DocumentHighlightParams => Option<Vec<DocumentHighlight>>,
            |params| at(&params.text_document_position_params);
        hover, "textDocument/hover", HoverParams => Option<Hover>, |params| at(&params.text_document_position_params);
        completion, "textDocument/completion", CompletionParams => Option<CompletionResponse>,
            |params| at(&params.text_document_position);
        signature_help, "textDocument/signatureHelp", SignatureHelpParams => Option<SignatureHelp>,
            |params| at(&params.text_document_position_params);
        document_symbol, "textDocument/documentSymbol", DocumentSymbolParams => Option<DocumentSymbolResponse>,
            |params| Some(&params.text_document.uri);
        symbol, "workspace/symbol", WorkspaceSymbolParams => Option<WorkspaceSymbolResponse>, |_| None;
        prepare_rename, "textDocument/prepareRename", TextDocumentPositionParams => Option<PrepareRenameResponse>, at;
        rename, "textDocument/rename", RenameParams => Option<WorkspaceEdit>, |params| at(&params.text_document_position);
        formatting, "textDocument/formatting", DocumentFormattingParams => Option<Vec<TextEdit>>,
            |params| Some(&params.text_document.uri);
        range_formatting, "textDocument/rangeFormatting", DocumentRangeFormattingParams => Option<Vec<TextEdit>>,
            |params| Some(&params.text_document.uri);
        on_type_formatting, "textDocument/onTypeFormatting", DocumentOnTypeFormattingParams => Option<Vec<TextEdit>>,
            |params| at(&params.text_document_position);
        folding_range, "textDocument/foldingRange", FoldingRangeParams => Option<Vec<FoldingRange>>,
            |params| Some(&params.text_document.uri);
        selection_range, "textDocument/selectionRange", SelectionRangeParams => Option<Vec<SelectionRange>>,
            |params| Some(&params.text_document.uri);
        semantic_tokens_full, "textDocument/semanticTokens/full", SemanticTokensParams => Option<SemanticTokensResult>,
            |params| Some(&params.text_document.uri);
        semantic_tokens_range, "textDocument/semanticTokens/range", SemanticTokensRangeParams => Option<SemanticTokensRangeResult>,
            |params| Some(&params.text_document.uri);
        code_lens, "textDocument/codeLens", CodeLensParams => Option<Vec<CodeLens>>, |params| Some(&params.text_document.uri);
        code_action, "textDocument/codeAction", CodeActionParams => Option<CodeActionResponse>,
            |params| Some(&params.text_document.uri);
        inlay_hint, "textDocument/inlayHint", InlayHintParams => Option<Vec<InlayHint>>, |params| Some(&params.text_document.uri);
        prepare_call_hierarchy, "textDocument/prepareCallHierarchy", CallHierarchyPrepareParams => Option<Vec<CallHierarchyItem>>,
            |params| at(&params.text_document_position_params);
        incoming_calls, "callHierarchy/incomingCalls",
            CallHierarchyIncomingCallsParams => Option<Vec<CallHierarchyIncomingCall>>, |params| Some(&params.item.uri);
        outgoing_calls, "callHierarchy/outgoingCalls",
            CallHierarchyOutgoingCallsParams => Option<Vec<CallHierarchyOutgoingCall>>, |params| Some(&params.item.uri);
        document_link, "textDocument/documentLink", DocumentLinkParams => Option<Vec<DocumentLink>>,
            |params| Some(&params.text_document.uri);
        will_rename_files, "workspace/willRenameFiles", RenameFilesParams => Option<WorkspaceEdit>, |_| None;
        diagnostic, "textDocument/diagnostic", DocumentDiagnosticParams => DocumentDiagnosticReportResult,
            |params| Some(&params.text_document.uri);
    }
}
