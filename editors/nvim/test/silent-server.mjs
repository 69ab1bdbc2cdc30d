// The negative control: a server that promises everything and says nothing. A check that passes against it checks nothing.

const PROMISES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2, save: true },
  completionProvider: { triggerCharacters: ['.'] },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['('] },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  codeActionProvider: true,
  codeLensProvider: {},
  callHierarchyProvider: true,
  inlayHintProvider: true,
  documentLinkProvider: {},
  renameProvider: { prepareProvider: true },
  foldingRangeProvider: true,
  semanticTokensProvider: { full: true, range: true, legend: { tokenTypes: ['class'], tokenModifiers: [] } },
};

let input = Buffer.alloc(0);
process.stdin.on('data', chunk => {
  input = Buffer.concat([input, chunk]);
  for (let message; (message = next()); ) {
    if (message.method === 'initialize') {
      const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { capabilities: PROMISES } });
      process.stdout.write(`Content-Length: ${Buffer.byteLength(answer)}\r\n\r\n${answer}`);
    } else if (message.method === 'exit') {
      process.exit(0);
    }
  }
});
process.stdin.on('end', () => process.exit(0));

/** Takes the next whole message from the input, if there is one. */
function next() {
  const head = input.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/Content-Length: (\d+)/i.exec(input.subarray(0, head).toString())?.[1]);
  const end = head + 4 + length;
  if (input.length < end) return undefined;
  const message = JSON.parse(input.subarray(head + 4, end).toString());
  input = input.subarray(end);
  return message;
}
