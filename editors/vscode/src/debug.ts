// The debugger: steps through the run of a trace, forwards and backwards. It is the server's program that does it (`lockstep dap`).

import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./server.js";

const TYPE = "lockstep";
/** What the debugger says about the steps of its run. */
interface Steps {
  readonly steps: readonly { readonly step: number; readonly text: string; readonly path?: string; readonly line?: number }[];
  readonly current: number;
}

const WORD = /\b[A-Za-z_][A-Za-z0-9_]*\b/g;

export class Debugger
  implements vscode.DebugAdapterDescriptorFactory, vscode.DebugConfigurationProvider, vscode.InlineValuesProvider, vscode.Disposable
{
  private readonly registrations = [
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, this),
    vscode.debug.registerDebugConfigurationProvider(TYPE, this),
    vscode.languages.registerInlineValuesProvider({ language: "p" }, this),
  ];

  constructor(private readonly server: () => Server) {}

  /** Starts a session for a trace file, the given one or one that somebody chooses; `isAll` is its run as it was found. */
  async start(trace?: vscode.Uri, isAll = false): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = trace ?? (active?.path.endsWith(".trace.json") ? active : undefined) ?? (await chooseTrace());
    if (uri !== undefined) {
      const name = `Trace ${path.basename(uri.fsPath).replace(/(\.trace)?\.json$/, "")}`;
      const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
      await vscode.debug.startDebugging(folder, {
        type: TYPE,
        request: "launch",
        name,
        trace: uri.fsPath,
        stopOnEntry: true,
        ...(isAll ? { all: true } : {}),
      });
    }
  }

  /** Goes to a step of the run that is debugged; somebody chooses it. */
  async goToStep(): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== TYPE) {
      void vscode.window.showInformationMessage("Lockstep: no run is being debugged.");
      return;
    }
    const { steps, current } = (await session.customRequest("lockstep/steps")) as Steps;
    const entries = steps.map(({ step, text, path: file, line }) => {
      const [sentence = "", ...changes] = text.split("\n");
      const place = file === undefined ? "" : `${path.basename(file)}:${line}`;
      return { label: `${step}. ${sentence}`, description: place, detail: changes.join("; "), step };
    });
    const chosen = await choose(entries, current);
    if (chosen !== undefined) {
      await session.customRequest("lockstep/goToStep", { step: chosen });
    }
  }

  createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    const server = this.server();
    if (server.kind !== "found") {
      throw new Error("The program lockstep was not found.");
    }
    return new vscode.DebugAdapterExecutable(server.command, ["dap"]);
  }

  /** F5 without a configuration asks for a trace. */
  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const config = given.type === undefined ? { ...given, type: TYPE, request: "launch", name: "Trace", stopOnEntry: true } : given;
    const trace: unknown = config["trace"];
    if (typeof trace !== "string" || trace === "") {
      const chosen = await chooseTrace();
      return chosen && { ...config, trace: chosen.fsPath };
    }
    const isVariable = trace.startsWith("${");
    const isWhole = isVariable || path.isAbsolute(trace) || folder === undefined;
    return isWhole ? config : { ...config, trace: path.join(folder.uri.fsPath, trace) };
  }

  /** The names in what is seen above the line of the debugger; it says which of them it knows. */
  provideInlineValues(
    document: vscode.TextDocument,
    seen: vscode.Range,
    { stoppedLocation }: vscode.InlineValueContext,
  ): vscode.InlineValue[] {
    const values: vscode.InlineValue[] = [];
    const last = Math.min(stoppedLocation.end.line, document.lineCount - 1);
    for (let line = seen.start.line; line <= last; line += 1) {
      const text = document.lineAt(line).text.replace(/\/\/.*/, "");
      for (const { 0: name, index } of text.matchAll(WORD)) {
        values.push(new vscode.InlineValueVariableLookup(new vscode.Range(line, index, line, index + name.length), name, true));
      }
    }
    return values;
  }

  dispose(): void {
    this.registrations.forEach((registration) => registration.dispose());
  }
}

/** Lets somebody choose a step; the one where the debugger is comes first to mind. */
function choose(entries: readonly (vscode.QuickPickItem & { step: number })[], current: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<(typeof entries)[number]>();
    pick.title = "Go to Step";
    pick.placeholder = `now at step ${current}`;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.items = entries;
    pick.activeItems = entries.filter(({ step }) => step === current);
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.step);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** One of the trace files of the workspace, or one from elsewhere if there is none. */
export async function chooseTrace(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles("**/*.trace.json");
  if (found.length === 0) {
    const filters = { "Traces of Lockstep": ["json"] };
    return (await vscode.window.showOpenDialog({ title: "Choose a Trace", filters }))?.[0];
  }
  const entries = found.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri })).sort((a, b) => (a.label < b.label ? -1 : 1));
  return (await vscode.window.showQuickPick(entries, { title: "Choose a Trace" }))?.uri;
}
