// Texts the extension shows that are no files: explanations of codes (`lockstep:/LS0305.md`), and what the doctor says.
// Explanations have addresses of their own because the code of a finding is a link, and links may not run commands.

import * as vscode from "vscode";

const SCHEME = "lockstep";

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private report = "";
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly explain: (code: string) => Promise<string>) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const code = /^\/(LS\d{4})\.md$/.exec(uri.path)?.[1];
    return code === undefined ? this.report : this.explain(code);
  }

  /** Shows the report of the doctor. */
  async showReport(text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: "/doctor.txt" });
    this.report = text;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

/** The address of the explanation of a code. */
export function explanationOf(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${code}.md` });
}
