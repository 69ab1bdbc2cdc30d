// A slider through the rewrite steps of a sequentialization, below its document: the document follows the slider, and the slider
// follows the document. All of its page is `media/steps.html`.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { SequentialDocuments, View } from "./sequential.js";

/** What the page says: that it is there, or where the slider stands. */
type Said = { readonly isReady?: boolean; readonly step?: number };

export class StepsPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private view: View | undefined;
  private readonly registrations: vscode.Disposable[];

  constructor(
    private readonly documents: SequentialDocuments,
    private readonly folder: vscode.Uri,
  ) {
    this.registrations = [
      documents.onDidShow((view) => {
        if (view === this.view) {
          this.post(false);
        }
      }),
      documents.onDidClose((view) => {
        if (view === this.view) {
          this.panel?.dispose();
        }
      }),
    ];
  }

  /** Opens the slider of the document in the active editor, or of the first visible one. */
  async show(): Promise<void> {
    const view = this.documents.active();
    if (view === undefined) {
      void vscode.window.showInformationMessage("Lockstep: open a sequentialization to go through its steps.");
      return;
    }
    this.view = view;
    const title = `Steps of ${view.uri.path.slice(1)}`;
    if (this.panel !== undefined) {
      this.panel.title = title;
      this.panel.reveal();
      this.post(true);
      return;
    }
    const html = await this.page();
    const column = this.documents.columnOf(view) ?? vscode.ViewColumn.Beside;
    const panel = vscode.window.createWebviewPanel("lockstep.steps", title, column, {
      enableScripts: true,
      localResourceRoots: [],
    });
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.view = undefined;
    });
    panel.webview.onDidReceiveMessage((said: Said) => this.hear(said));
    panel.webview.html = html;
    // Beside the document it would take half of its width for one line.
    await vscode.commands.executeCommand("workbench.action.moveEditorToBelowGroup");
  }

  dispose(): void {
    this.registrations.forEach((registration) => registration.dispose());
    this.panel?.dispose();
  }

  private hear({ isReady, step }: Said): void {
    if (isReady === true) {
      this.post(true);
    } else if (this.view !== undefined && typeof step === "number") {
      this.documents.goTo(this.view, step);
    }
  }

  private post(isFirst: boolean): void {
    const steps = this.view?.shown?.steps ?? [];
    void this.panel?.webview.postMessage({ steps, step: this.view?.step ?? steps.length, isFirst });
  }

  private async page(): Promise<string> {
    const file = vscode.Uri.joinPath(this.folder, "media", "steps.html");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return text.replaceAll("{{nonce}}", randomBytes(16).toString("hex"));
  }
}
