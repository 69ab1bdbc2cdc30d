//! Kinds of things as the protocol counts them.

use lockstep_ide::{CompletionKind, SymbolKind};
use tower_lsp::ls_types::{self as lsp, CompletionItemKind};

pub(super) fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Type => lsp::SymbolKind::STRUCT,
        SymbolKind::Enum => lsp::SymbolKind::ENUM,
        SymbolKind::EnumElement => lsp::SymbolKind::ENUM_MEMBER,
        SymbolKind::Event => lsp::SymbolKind::EVENT,
        SymbolKind::Interface => lsp::SymbolKind::INTERFACE,
        SymbolKind::Machine | SymbolKind::Spec => lsp::SymbolKind::CLASS,
        SymbolKind::Variable => lsp::SymbolKind::FIELD,
        SymbolKind::Constant => lsp::SymbolKind::CONSTANT,
        SymbolKind::Function | SymbolKind::Test => lsp::SymbolKind::FUNCTION,
        SymbolKind::State => lsp::SymbolKind::NAMESPACE,
        SymbolKind::Handler => lsp::SymbolKind::METHOD,
        SymbolKind::Module => lsp::SymbolKind::MODULE,
        SymbolKind::Proof => lsp::SymbolKind::BOOLEAN,
    }
}

pub(super) fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::Variable | CompletionKind::Parameter => CompletionItemKind::VARIABLE,
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Function | CompletionKind::Test => CompletionItemKind::FUNCTION,
        CompletionKind::Event => CompletionItemKind::EVENT,
        CompletionKind::EnumElement => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::State => CompletionItemKind::REFERENCE,
        CompletionKind::Machine | CompletionKind::Spec | CompletionKind::Process => CompletionItemKind::CLASS,
        CompletionKind::Type => CompletionItemKind::STRUCT,
        CompletionKind::Module => CompletionItemKind::MODULE,
        CompletionKind::Constant => CompletionItemKind::CONSTANT,
        CompletionKind::Proof | CompletionKind::Element => CompletionItemKind::PROPERTY,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Folder => CompletionItemKind::FOLDER,
    }
}
