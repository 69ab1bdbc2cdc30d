// The diagram of what is at the cursor, beside the source: the states of a machine, or who sends what to whom. The server draws it; the page
// is webview/diagram.ts. It follows the cursor and the text. While the text is broken, the last picture of the same thing stays.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import style from "../../../server/diagram/src/svg/diagram.css";
import type { FromPage, ToPage, View } from "./diagram/said.js";
import { type DrawnDiagram, diagramRequest } from "./protocol.js";

/** So long nobody has moved or typed before the diagram follows. */
const PAUSE = 120;
/** How often is asked again when the text has changed meanwhile. */
const TRIES = 5;

/** Where the cursor was last in a P file. */
interface Source {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

export class Diagrams implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private source: Source | undefined;
  private view: View = "auto";
  /** What is shown. */
  private shown: DrawnDiagram | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** Counts what was asked: an answer to an earlier question is not shown. */
  private asked = 0;
  private readonly registrations = [
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
    vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => (document.languageId === "p" ? this.schedule() : undefined)),
  ];

  constructor(
    private readonly folder: vscode.Uri,
    private readonly client: () => LanguageClient | undefined,
  ) {}

  /** Opens the diagram beside the active editor. */
  async show(): Promise<void> {
    this.follow(vscode.window.activeTextEditor);
    if (this.source === undefined) {
      void vscode.window.showInformationMessage("Lockstep: open a P file to see its diagrams.");
      return;
    }
    if (this.panel !== undefined) {
      this.panel.reveal(undefined, true);
      return;
    }
    const code = vscode.Uri.joinPath(this.folder, "dist");
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [code], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel("lockstep.diagram", "Diagram", column, options);
    this.panel = panel;
    panel.webview.onDidReceiveMessage((said: FromPage) => this.hear(said));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
    });
    panel.webview.html = await this.page(panel.webview, vscode.Uri.joinPath(code, "diagram.js"));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.registrations.forEach((registration) => registration.dispose());
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId === "p" && editor.document.uri.scheme === "file") {
      this.source = { uri: editor.document.uri, position: editor.selection.active };
      this.schedule();
    }
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.panel !== undefined) {
      this.timer = setTimeout(() => void this.refresh(TRIES), PAUSE);
    }
  }

  private tell(said: ToPage): void {
    void this.panel?.webview.postMessage(said);
  }

  private async refresh(tries: number): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    try {
      const drawn = await this.ask("picture");
      if (drawn !== undefined && asked === this.asked) {
        this.learn(drawn);
      }
    } catch (error) {
      if (asked !== this.asked) {
        return;
      }
      // Mostly because the text has changed meanwhile.
      if (tries > 0) {
        this.timer = setTimeout(() => void this.refresh(tries - 1), 2 * PAUSE);
      } else if (this.shown === undefined) {
        this.tell({ kind: "wrong", why: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  private async ask(format: "picture" | "file"): Promise<DrawnDiagram | undefined> {
    const client = this.client();
    if (this.source === undefined || !client?.isRunning()) {
      return undefined;
    }
    const { uri, position } = this.source;
    const asked = { uri: client.code2ProtocolConverter.asUri(uri), position: client.code2ProtocolConverter.asPosition(position) };
    return client.sendRequest(diagramRequest, { ...asked, view: this.view, format });
  }

  private learn(drawn: DrawnDiagram): void {
    const { shown } = this;
    const isSame = shown?.kind === drawn.kind && shown.title === drawn.title;
    const title = titleOf(drawn);
    const current = drawn.current ?? undefined;
    if (this.panel !== undefined) {
      this.panel.title = title;
    }
    if (drawn.isBroken && shown !== undefined && isSame && !shown.isBroken) {
      this.tell({ kind: "show", title, note: "a syntax error: this is how it was before" });
      return;
    }
    const note = drawn.isBroken ? "a syntax error: something may be missing" : "";
    this.shown = drawn;
    const picture = shown?.content === drawn.content ? {} : { picture: drawn.content };
    this.tell({ kind: "show", title, note, ...picture, ...(current === undefined ? {} : { current }) });
  }

  private async hear(said: FromPage): Promise<void> {
    switch (said.kind) {
      case "ready":
        this.shown = undefined;
        return this.refresh(TRIES);
      case "view":
        this.view = said.view;
        return this.refresh(TRIES);
      case "go":
        return this.go(said.place, said.takesFocus);
      case "export":
        return this.export();
    }
  }

  /** Shows a place in the source, beside the diagram. */
  private async go(place: number, takesFocus: boolean): Promise<void> {
    const location = this.shown?.places[place];
    const client = this.client();
    if (location === undefined || client === undefined) {
      return;
    }
    const { uri, range } = client.protocol2CodeConverter.asLocation(location);
    const start = new vscode.Range(range.start, range.start);
    await vscode.window.showTextDocument(uri, {
      viewColumn: this.columnFor(uri),
      preserveFocus: !takesFocus,
      preview: true,
      selection: start,
    });
  }

  /** Where the document is shown already, else where another text is, else beside the diagram. */
  private columnFor(document: vscode.Uri): vscode.ViewColumn {
    const own = this.panel?.viewColumn;
    const others = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined && viewColumn !== own);
    const same = others.find((editor) => editor.document.uri.toString() === document.toString());
    const beside = own === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
    return (same ?? others[0])?.viewColumn ?? beside;
  }

  private async export(): Promise<void> {
    const drawn = await this.ask("file").catch(() => undefined);
    if (drawn === undefined || this.source === undefined) {
      return;
    }
    const defaultUri = vscode.Uri.joinPath(this.source.uri, "..", `${drawn.title}.svg`);
    const target = await vscode.window.showSaveDialog({ title: "Export Diagram", defaultUri, filters: { SVG: ["svg"] } });
    if (target !== undefined) {
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(drawn.content));
      vscode.window.setStatusBarMessage(`Lockstep: written to ${vscode.workspace.asRelativePath(target)}`, 4000);
    }
  }

  private async page(webview: vscode.Webview, script: vscode.Uri): Promise<string> {
    const file = vscode.Uri.joinPath(this.folder, "media", "diagram.html");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return text
      .replaceAll("{{nonce}}", randomBytes(16).toString("hex"))
      .replace("{{picture}}", () => style)
      .replace("{{script}}", () => webview.asWebviewUri(script).toString());
  }
}

function titleOf({ kind, title }: DrawnDiagram): string {
  return kind === "flow" ? `event flow of ${title}` : `${kind} ${title}`;
}
