// The server's findings as lines of text, for mails and bug reports.

import * as vscode from "vscode";

const SEVERITIES = ["error", "warning", "info", "hint"];

export function problemsAsText(): string {
  return vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) =>
      diagnostics
        .filter(({ source }) => source === "lockstep")
        .map((diagnostic) => {
          const { line, character } = diagnostic.range.start;
          const place = `${vscode.workspace.asRelativePath(uri)}:${line + 1}:${character + 1}`;
          return `${place}: ${SEVERITIES[diagnostic.severity]}[${codeOf(diagnostic)}]: ${diagnostic.message}\n`;
        }),
    )
    .join("");
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : (code ?? ""));
}

/** The code of the finding at the cursor, else of the first one in the active file. */
export function codeAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return "";
  }
  const own = vscode.languages.getDiagnostics(editor.document.uri).filter(({ source }) => source === "lockstep");
  const chosen = own.find(({ range }) => range.contains(editor.selection.active)) ?? own[0];
  return chosen === undefined ? "" : codeOf(chosen);
}
