// The debugger: steps through the run of a trace, forwards and backwards. It is the server's program that does it (`lockstep dap`).

import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./server.js";

const TYPE = "lockstep";
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

  /** Starts a session for a trace file: the given one, or one that somebody chooses. */
  async start(trace?: vscode.Uri): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = trace ?? (active?.path.endsWith(".trace.json") ? active : undefined) ?? (await chooseTrace());
    if (uri !== undefined) {
      const name = `Trace ${path.basename(uri.fsPath).replace(/(\.trace)?\.json$/, "")}`;
      const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
      await vscode.debug.startDebugging(folder, { type: TYPE, request: "launch", name, trace: uri.fsPath, stopOnEntry: true });
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
