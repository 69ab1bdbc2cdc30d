// The sequentialization of an IceT program as a document beside its source: read-only, kept up to date, with the way back. Its address
// is `lockstep-seq:/name.icet?` and the address of the source.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Sequentialization, sequentializationRequest, type Verdicts } from "./protocol.js";

const SCHEME = "lockstep-seq";

/** What is shown in one document. */
export interface View {
  readonly uri: vscode.Uri;
  readonly source: vscode.Uri;
  /** How many steps are shown; all of them if there is no number. */
  step: number | undefined;
  shown: Sequentialization | undefined;
}

export class SequentialDocuments
  implements vscode.TextDocumentContentProvider, vscode.DefinitionProvider, vscode.Disposable
{
  private readonly views = new Map<string, View>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly showed = new vscode.EventEmitter<View>();
  /** A document shows something else, or is known to show the same. */
  readonly onDidShow = this.showed.event;
  private readonly closed = new vscode.EventEmitter<View>();
  readonly onDidClose = this.closed.event;
  private readonly registrations = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.languages.registerDefinitionProvider({ scheme: SCHEME }, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      const view = this.views.get(uri.toString());
      if (view !== undefined) {
        this.views.delete(uri.toString());
        this.closed.fire(view);
      }
    }),
  ];

  constructor(private readonly client: () => LanguageClient | undefined) {}

  /** Opens the document of a source, or of the one in the active editor. */
  async show(given?: string): Promise<void> {
    const active = vscode.window.activeTextEditor?.document;
    const source = given !== undefined ? vscode.Uri.parse(given) : active?.languageId === "icet" ? active.uri : undefined;
    if (source === undefined || source.scheme === SCHEME) {
      void vscode.window.showInformationMessage("Lockstep: open an IceT program to see it put in order.");
      return;
    }
    const name = source.path.slice(source.path.lastIndexOf("/") + 1);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: source.toString() });
    this.view(uri).step = undefined;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
  }

  /** Shows one rewrite step more or less in the document of the active editor, or the first visible one. */
  move(by: 1 | -1): void {
    const view = this.active();
    const steps = view?.shown?.steps.length;
    if (view === undefined || steps === undefined) {
      void vscode.window.showInformationMessage("Lockstep: open a sequentialization to go through its steps.");
      return;
    }
    this.goTo(view, (view.step ?? steps) + by);
    vscode.window.setStatusBarMessage(`Lockstep: step ${view.step ?? steps} of ${steps}`, 4000);
  }

  /** Shows what the first so many rewrite steps do. */
  goTo(view: View, wanted: number): void {
    const steps = view.shown?.steps.length ?? 0;
    const step = Math.min(steps, Math.max(0, wanted));
    view.step = step === steps ? undefined : step;
    this.changed.fire(view.uri);
  }

  /** What is shown in the active editor, or in the first visible one that shows a sequentialization. */
  active(): View | undefined {
    const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
    const uri = editors.find((editor) => editor?.document.uri.scheme === SCHEME)?.document.uri;
    return uri && this.view(uri);
  }

  columnOf(view: View): vscode.ViewColumn | undefined {
    const editors = vscode.window.visibleTextEditors;
    return editors.find(({ document }) => document.uri.toString() === view.uri.toString())?.viewColumn;
  }

  /** The server knows something else about a file. */
  learn({ uri }: Verdicts): void {
    const source = vscode.Uri.parse(uri).toString();
    for (const view of this.views.values()) {
      if (view.source.toString() === source) {
        this.changed.fire(view.uri);
      }
    }
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const view = this.view(uri);
    try {
      return (await this.ask(view)).text;
    } catch (error) {
      return `// ${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.LocationLink[]> {
    const view = this.view(document.uri);
    const source = vscode.workspace.textDocuments.find((open) => open.uri.toString() === view.source.toString());
    // White space in the source moves what the document comes from without changing the document.
    const isLate = view.shown === undefined || (source !== undefined && source.version !== view.shown.version);
    const shown = isLate ? await this.ask(view) : view.shown;
    const convert = this.client()?.protocol2CodeConverter;
    if (shown === undefined || convert === undefined) {
      return [];
    }
    const link = shown.links.find(({ range }) => range.start.line === position.line);
    if (link === undefined) {
      return [];
    }
    return link.targets.map((target) => ({
      originSelectionRange: convert.asRange(link.range),
      targetUri: view.source,
      targetRange: convert.asRange(target),
    }));
  }

  dispose(): void {
    this.registrations.forEach((registration) => registration.dispose());
    this.changed.dispose();
    this.showed.dispose();
    this.closed.dispose();
  }

  private view(uri: vscode.Uri): View {
    const key = uri.toString();
    const known = this.views.get(key);
    if (known !== undefined) {
      return known;
    }
    const view: View = { uri, source: vscode.Uri.parse(uri.query), step: undefined, shown: undefined };
    this.views.set(key, view);
    return view;
  }

  private async ask(view: View): Promise<Sequentialization> {
    const client = this.client();
    if (!client?.isRunning()) {
      throw new Error("The server is not running.");
    }
    const uri = client.code2ProtocolConverter.asUri(view.source);
    let step: number | undefined;
    // While somebody drags the slider, answers about steps that are past say nothing.
    do {
      step = view.step;
      view.shown = await client.sendRequest(sequentializationRequest, { uri, step });
    } while (step !== view.step);
    this.showed.fire(view);
    return view.shown;
  }
}
