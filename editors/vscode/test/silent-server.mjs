#!/usr/bin/env node
// A server that promises everything and does nothing: it answers `initialize` and `shutdown`, and ends. Tests that
// pass against it test nothing.

const capabilities = {
  textDocumentSync: { openClose: true, change: 2, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: ["."] },
  signatureHelpProvider: { triggerCharacters: ["(", ","] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  codeActionProvider: { codeActionKinds: ["quickfix"] },
  codeLensProvider: {},
  callHierarchyProvider: true,
  inlayHintProvider: true,
  documentLinkProvider: {},
  foldingRangeProvider: true,
  renameProvider: { prepareProvider: true },
  semanticTokensProvider: { legend: { tokenTypes: ["event"], tokenModifiers: [] }, full: true },
};

let input = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, end).toString())[1]);
    if (input.length < end + 4 + length) return;
    const message = JSON.parse(input.subarray(end + 4, end + 4 + length).toString());
    input = input.subarray(end + 4 + length);
    if (message.method === "initialize") answer(message.id, { capabilities });
    if (message.method === "shutdown") answer(message.id, null);
    if (message.method === "exit") process.exit(0);
  }
});
process.stdin.on("end", () => process.exit(0));

function answer(id, result) {
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
