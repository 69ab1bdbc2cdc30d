//! What the two sides can do.

use lockstep_base::Encoding;
use lockstep_ide::{TOKEN_MODIFIERS, TOKEN_TYPES};
use tower_lsp::ls_types::*;

use crate::handlers::PROJECT_TRIGGERS;
use crate::settings::Settings;

/// What the client can do, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientSupport {
    pub(crate) encoding: Encoding,
    pub(crate) watches_files: bool,
    pub(crate) asks_for_settings: bool,
    pub(crate) shows_progress: bool,
    /// Whether it can be asked to ask for findings again.
    pub(crate) refreshes_findings: bool,
    /// The same for lenses.
    pub(crate) refreshes_lenses: bool,
    /// The same for notes between the words.
    pub(crate) refreshes_hints: bool,
    /// Whether it knows snippets: texts with places to fill in.
    pub(crate) expands_snippets: bool,
    /// Whether it can be asked to open a file.
    pub(crate) shows_documents: bool,
}

impl Default for ClientSupport {
    fn default() -> Self {
        Self {
            encoding: Encoding::Utf16,
            watches_files: false,
            asks_for_settings: false,
            shows_progress: false,
            refreshes_findings: false,
            refreshes_lenses: false,
            refreshes_hints: false,
            expands_snippets: false,
            shows_documents: false,
        }
    }
}

impl ClientSupport {
    pub(crate) fn of(capabilities: &ClientCapabilities) -> Self {
        let offered = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let offers = |kind: &PositionEncodingKind| offered.is_some_and(|offered| offered.contains(kind));
        // UTF-8 is what texts are kept in; UTF-16 is what everyone must be able to do.
        let encoding = match () {
            () if offers(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            () if offers(&PositionEncodingKind::UTF32) && !offers(&PositionEncodingKind::UTF16) => Encoding::Utf32,
            () => Encoding::Utf16,
        };
        let workspace = capabilities.workspace.as_ref();
        let watches_files = workspace
            .and_then(|workspace| workspace.did_change_watched_files.as_ref())
            .is_some_and(|watching| watching.dynamic_registration == Some(true));
        Self {
            encoding,
            watches_files,
            asks_for_settings: workspace.is_some_and(|workspace| workspace.configuration == Some(true)),
            refreshes_findings: workspace
                .and_then(|workspace| workspace.diagnostics.as_ref())
                .is_some_and(|findings| findings.refresh_support == Some(true)),
            refreshes_lenses: workspace
                .and_then(|workspace| workspace.code_lens.as_ref())
                .is_some_and(|lenses| lenses.refresh_support == Some(true)),
            refreshes_hints: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref())
                .is_some_and(|hints| hints.refresh_support == Some(true)),
            expands_snippets: capabilities
                .text_document
                .as_ref()
                .and_then(|documents| documents.completion.as_ref()?.completion_item.as_ref())
                .is_some_and(|items| items.snippet_support == Some(true)),
            shows_documents: capabilities
                .window
                .as_ref()
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|showing| showing.support),
            shows_progress: capabilities.window.as_ref().is_some_and(|window| window.work_done_progress == Some(true)),
        }
    }
}

pub(crate) fn server(version: &str, encoding: Encoding, settings: &Settings, has_own_commands: bool) -> InitializeResult {
    let encoding = match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    let characters = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect());
    let triggers = [&[".", ",", " "], PROJECT_TRIGGERS.as_slice()].concat();
    let completion = CompletionOptions { trigger_characters: characters(&triggers), ..CompletionOptions::default() };
    let signature = SignatureHelpOptions {
        trigger_characters: characters(&["(", ","]),
        retrigger_characters: None,
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    let rename = RenameOptions { prepare_provider: Some(true), work_done_progress_options: WorkDoneProgressOptions::default() };
    let tokens = SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TOKEN_TYPES.iter().map(|name| SemanticTokenType::new(name)).collect(),
            token_modifiers: TOKEN_MODIFIERS.iter().map(|name| SemanticTokenModifier::new(name)).collect(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    let actions =
        CodeActionOptions { code_action_kinds: Some(crate::handlers::ACTION_KINDS.to_vec()), ..CodeActionOptions::default() };
    let folders = WorkspaceServerCapabilities {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(OneOf::Left(true)),
        }),
        file_operations: Some(WorkspaceFileOperationsServerCapabilities {
            will_rename: Some(FileOperationRegistrationOptions { filters: project_entries() }),
            ..WorkspaceFileOperationsServerCapabilities::default()
        }),
    };
    let pull = settings.diagnostics.is_pull().then(|| {
        DiagnosticServerCapabilities::Options(DiagnosticOptions {
            identifier: Some("lockstep".to_owned()),
            inter_file_dependencies: true,
            workspace_diagnostics: false,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })
    });
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(completion),
        signature_help_provider: Some(signature),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(rename)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".to_owned(),
            more_trigger_character: characters(&[";", "\n"]),
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(tokens)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        diagnostic_provider: pull,
        // VS Code's library would register these beside the extension's own, and fail.
        execute_command_provider: (!has_own_commands).then(crate::commands::advertised),
        workspace: Some(folders),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo { name: "lockstep".to_owned(), version: Some(version.to_owned()) };
    InitializeResult { capabilities, server_info: Some(info), ..InitializeResult::default() }
}

/// What a project file can name: files, other project files, and folders.
fn project_entries() -> Vec<FileOperationFilter> {
    let filter = |glob: &str, matches| FileOperationFilter {
        scheme: Some("file".to_owned()),
        pattern: FileOperationPattern { glob: glob.to_owned(), matches: Some(matches), options: None },
    };
    vec![filter("**/*.{p,pproj}", FileOperationPatternKind::File), filter("**", FileOperationPatternKind::Folder)]
}
