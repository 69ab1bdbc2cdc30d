// Charts of traces: an editor for trace files that draws them. The page itself is webview/page.ts; here is what it cannot do, which is
// to read files and to show places in the source.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import style from "../../../server/trace/src/chart/chart.css";
import { picture } from "./chart/picture.js";
import type { FromPage, ToPage, Wanted } from "./chart/said.js";
import { handlerPlace, type Place, readTrace, runOf, sendPlace, type Story, type TraceFile } from "./chart/story.js";
import { chooseTrace } from "./debug.js";
import { documentOf, selectionOf, type Sources } from "./places.js";

const VIEW = "lockstep.chart";

type Said<Kind extends FromPage["kind"]> = Extract<FromPage, { kind: Kind }>;

/** What the server knows about a trace file beyond what is in it. */
export interface KnownTrace {
  readonly item: string;
  readonly isStale: boolean;
  readonly sources: Sources;
}

/** A chart that is open. */
interface Open {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  file: TraceFile | undefined;
}

export class Charts implements vscode.CustomReadonlyEditorProvider, vscode.Disposable {
  private readonly open = new Set<Open>();
  private readonly known = new Map<string, KnownTrace>();
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly folder: vscode.Uri,
    private readonly debug: (trace: vscode.Uri, isAll: boolean) => unknown,
    private readonly log: (text: string) => void,
  ) {
    this.registration = vscode.window.registerCustomEditorProvider(VIEW, this, { supportsMultipleEditorsPerDocument: true });
  }

  /** Opens the chart of a trace file: the given one, the one in the active editor, or one that somebody chooses. */
  async show(given?: vscode.Uri): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = given ?? (active?.path.endsWith(".trace.json") ? active : await chooseTrace());
    if (uri !== undefined) {
      await vscode.commands.executeCommand("vscode.openWith", uri, VIEW);
    }
  }

  /** Opens the chart of a trace beside what is active. */
  async showBeside(uri: vscode.Uri, known: KnownTrace): Promise<void> {
    this.learn(uri, known);
    const already = [...this.open].find((one) => one.uri.fsPath === uri.fsPath);
    if (already === undefined) {
      await vscode.commands.executeCommand("vscode.openWith", uri, VIEW, { viewColumn: vscode.ViewColumn.Beside });
    } else {
      already.panel.reveal();
    }
  }

  /** Takes over what the server knows about a trace. */
  learn(uri: vscode.Uri, known: KnownTrace): void {
    this.known.set(uri.fsPath, known);
    for (const one of this.open) {
      if (one.uri.fsPath === uri.fsPath) {
        void this.load(one);
      }
    }
  }

  /** The items whose traces are open. */
  items(): Set<string> {
    const items = [...this.open].map(({ uri }) => this.known.get(uri.fsPath)?.item);
    return new Set(items.filter((item) => item !== undefined));
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const one: Open = { uri, panel, file: undefined };
    this.open.add(one);
    const code = vscode.Uri.joinPath(this.folder, "dist");
    panel.webview.options = { enableScripts: true, localResourceRoots: [code] };
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), "*.trace.json"));
    const changed = (file: vscode.Uri) => (file.fsPath === uri.fsPath ? void this.load(one) : undefined);
    const registrations = [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      panel.webview.onDidReceiveMessage((said: FromPage) => this.hear(one, said)),
    ];
    panel.onDidDispose(() => {
      this.open.delete(one);
      registrations.forEach((registration) => registration.dispose());
    });
    panel.webview.html = await this.page(panel.webview, vscode.Uri.joinPath(code, "chart.js"));
  }

  dispose(): void {
    this.registration.dispose();
  }

  private async hear(one: Open, said: FromPage): Promise<void> {
    switch (said.kind) {
      case "ready":
        return this.load(one);
      case "go":
        return this.go(one, said);
      case "export":
        return exportPicture(one, said);
      case "debug":
        await this.debug(one.uri, said.isAll);
        return;
      case "drawn":
        this.log(`A chart of ${said.moments} moments was drawn in ${said.milliseconds} ms.`);
        return;
    }
  }

  /** Reads the file and tells the page. */
  private async load(one: Open): Promise<void> {
    const tell = (said: ToPage) => one.panel.webview.postMessage(said);
    try {
      one.file = readTrace(new TextDecoder().decode(await vscode.workspace.fs.readFile(one.uri)));
      const isStale = this.known.get(one.uri.fsPath)?.isStale ?? false;
      await tell({ kind: "show", file: one.file, stale: isStale ? "stale: the program has changed since" : "" });
    } catch (error) {
      one.file = undefined;
      await tell({ kind: "wrong", why: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Shows a place in the source, beside the chart. */
  private async go({ uri, panel, file }: Open, { wanted, moment, isAll, takesFocus }: Said<"go">): Promise<void> {
    const place = file && placeOf(runOf(file, isAll).story, wanted, moment);
    if (place === undefined) {
      vscode.window.setStatusBarMessage("Lockstep: this moment has no place in the source", 4000);
      return;
    }
    const document = await documentOf(place, uri, this.known.get(uri.fsPath)?.sources ?? []);
    if (document === undefined) {
      void vscode.window.showWarningMessage(`Lockstep: ${place.path} is not to be found from here.`);
      return;
    }
    const text = await vscode.workspace.openTextDocument(document);
    await vscode.window.showTextDocument(text, {
      viewColumn: columnFor(document, panel.viewColumn),
      preserveFocus: !takesFocus,
      preview: true,
      selection: selectionOf(place, text),
    });
  }

  private async page(webview: vscode.Webview, script: vscode.Uri): Promise<string> {
    const file = vscode.Uri.joinPath(this.folder, "media", "chart.html");
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    return text
      .replaceAll("{{nonce}}", randomBytes(16).toString("hex"))
      .replace("{{picture}}", () => style)
      .replace("{{script}}", () => webview.asWebviewUri(script).toString());
  }
}

function placeOf(story: Story, wanted: Wanted, moment: number): Place | undefined {
  switch (wanted) {
    case "own":
      return story.moments[moment]?.place;
    case "send":
      return sendPlace(story, moment);
    case "handler":
      return handlerPlace(story, moment);
    case "bug":
      return story.bug?.place;
  }
}

/** Where the document is shown already, else where another text is, else beside the chart. */
function columnFor(document: vscode.Uri, chart: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const others = vscode.window.visibleTextEditors.filter(({ viewColumn }) => viewColumn !== undefined && viewColumn !== chart);
  const same = others.find((editor) => editor.document.uri.toString() === document.toString());
  const beside = chart === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  return (same ?? others[0])?.viewColumn ?? beside;
}

async function exportPicture({ uri, file }: Open, { filter, isAll }: Said<"export">): Promise<void> {
  if (file === undefined) {
    return;
  }
  const svg = picture(runOf(file, isAll), filter);
  const defaultUri = vscode.Uri.file(uri.fsPath.replace(/(\.trace)?\.json$/, ".svg"));
  const target = await vscode.window.showSaveDialog({ title: "Export Chart", defaultUri, filters: { SVG: ["svg"] } });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(svg));
    vscode.window.setStatusBarMessage(`Lockstep: written to ${vscode.workspace.asRelativePath(target)}`, 4000);
  }
}
