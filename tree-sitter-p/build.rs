//! Compiles the two generated parsers. They are committed, so building needs a C compiler and nothing else.

fn main() {
    for grammar in ["p", "icet"] {
        let source = std::path::Path::new(grammar).join("src");
        let parser = source.join("parser.c");
        println!("cargo:rerun-if-changed={}", parser.display());
        cc::Build::new()
            .std("c11")
            .include(&source)
            .flag_if_supported("-Wno-unused")
            .flag_if_supported("-utf-8")
            .file(&parser)
            .compile(&format!("tree-sitter-{grammar}"));
    }
}
