// The entry point: starts the server and ties it to the editor's surfaces. Everything about the languages themselves
// is the server's business.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { newProject, openSample } from "./begin.js";
import { Charts } from "./charts.js";
import { createClient } from "./client.js";
import { Debugger } from "./debug.js";
import { Diagrams } from "./diagrams.js";
import { Documents, explanationOf } from "./documents.js";
import { codeAtCursor, problemsAsText } from "./problems.js";
import {
  explainRequest,
  type FoundTrace,
  type ItemArgument,
  type ShowReferences,
  statusChanged,
  testsChanged,
  type VerdictRecord,
  verdictsChanged,
} from "./protocol.js";
import { TestRuns } from "./runs.js";
import { SequentialDocuments } from "./sequential.js";
import { findServer, type Server } from "./server.js";
import { showMenu, StatusItem } from "./status.js";
import { StepsPanel } from "./steps.js";
import { TestList } from "./tests.js";
import { createTraceChannel, isTracing } from "./trace.js";

let extension: Extension | undefined;

/** What the extension's own tests look at. */
export interface Exports {
  readonly tests: vscode.TestController;
  readonly statusText: () => string;
}

export function activate(context: vscode.ExtensionContext): Exports {
  const started = new Extension(context);
  extension = started;
  // Not awaited: the editor does not wait for the server.
  void started.start();
  return { tests: started.tests.controller, statusText: () => started.status.text };
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}

class Extension {
  private readonly output = vscode.window.createOutputChannel("Lockstep", { log: true });
  private readonly trace: vscode.LogOutputChannel;
  readonly status = new StatusItem();
  private readonly documents = new Documents((code) => this.explanation(code));
  readonly tests = new TestList(() => this.client);
  private readonly sequential = new SequentialDocuments(() => this.client);
  private readonly steps: StepsPanel;
  private readonly debugger = new Debugger(() => this.server());
  private readonly runs = new TestRuns(this.tests, () => this.client, (item) => this.debugItem(item));
  private readonly charts: Charts;
  private readonly diagrams: Diagrams;
  private client: LanguageClient | undefined;
  private hasGivenUp = false;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.trace = createTraceChannel(context.subscriptions);
    this.steps = new StepsPanel(this.sequential, context.extensionUri);
    this.charts = new Charts(context.extensionUri, (trace, isAll) => this.debugger.start(trace, isAll), (text) => this.output.debug(text));
    this.diagrams = new Diagrams(context.extensionUri, () => this.client);
    context.subscriptions.push(this.diagrams);
    context.subscriptions.push(this.output, this.status, this.documents, this.sequential, this.steps);
    context.subscriptions.push(this.charts, this.debugger, this.runs, this.tests);
    const commands: Record<string, (...args: never[]) => unknown> = {
      "lockstep.restart": () => this.restart(),
      "lockstep.showOutput": () => this.output.show(),
      "lockstep.showMessages": () => this.showMessages(),
      "lockstep.showMenu": showMenu,
      "lockstep.explainCode": explain,
      "lockstep.copyDiagnostics": copyProblems,
      "lockstep.doctor": () => this.doctor(),
      "lockstep.openWalkthrough": () => this.openWalkthrough(),
      "lockstep.openSample": () => this.withProgram(openSample),
      "lockstep.newProject": () => this.withProgram(newProject),
      "lockstep.showSequentialization": (uri?: string) => this.sequential.show(typeof uri === "string" ? uri : undefined),
      "lockstep.showRewriteSteps": () => this.steps.show(),
      "lockstep.nextRewriteStep": () => this.sequential.move(1),
      "lockstep.previousRewriteStep": () => this.sequential.move(-1),
      "lockstep.runTest": ({ item }: ItemArgument) => this.runs.runItem(item, "run"),
      "lockstep.exploreTest": ({ item }: ItemArgument) => this.runs.runItem(item, "explore"),
      "lockstep.cancelTest": (given?: ItemArgument) => this.runs.cancel(given?.item),
      "lockstep.showTrace": ({ item }: ItemArgument) => this.showItem(item),
      "lockstep.debugTrace": (given?: ItemArgument | vscode.Uri) =>
        given !== undefined && "item" in given ? this.debugItem(given.item) : this.debugger.start(given),
      "lockstep.goToStep": () => this.debugger.goToStep(),
      "lockstep.showDiagram": () => this.diagrams.show(),
      "lockstep.openTrace": (uri?: vscode.Uri) => this.charts.show(uri),
      "lockstep.showVerdict": () => vscode.commands.executeCommand("workbench.view.testing.focus"),
      "lockstep.showReferences": (...args: ShowReferences) => this.showReferences(...args),
    };
    for (const [name, run] of Object.entries(commands)) {
      context.subscriptions.push(vscode.commands.registerCommand(name, run));
    }
    context.subscriptions.push(
      vscode.workspace.onDidChangeConfiguration(async (event) => {
        if (event.affectsConfiguration("lockstep.server.path")) {
          await this.restart();
        }
      }),
    );
  }

  /** Starts the server if there is one. Never fails: without a server, colours and brackets still work. */
  async start(): Promise<void> {
    const server = this.server();
    if (server.kind !== "found") {
      this.status.show({ state: "missing" });
      void this.offerHelp(server);
      return;
    }
    this.output.info(`Server: ${server.command} (${server.origin})`);
    this.status.show({ state: "starting" });
    this.hasGivenUp = false;
    const client = createClient(server.command, this.output, this.trace, () => void this.giveUp());
    this.client = client;
    client.onNotification(statusChanged, (status) => this.status.show(status));
    client.onNotification(testsChanged, () => this.refreshTests());
    client.onNotification(verdictsChanged, (verdicts) => {
      this.tests.learn(verdicts);
      this.runs.learn();
      this.sequential.learn(verdicts);
      void this.refreshCharts(verdicts.items);
    });
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.status.show({ state: "ready", message: "", projects: 0, errors: 0, warnings: 0 });
        void this.refreshTests();
      } else if (newState === State.Stopped || newState === State.StartFailed) {
        this.status.show({ state: "stopped" });
      }
    });
    try {
      await client.start();
    } catch (error) {
      this.output.error(`The server did not start: ${messageOf(error)}`);
      this.status.show({ state: "stopped" });
      void this.giveUp();
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.tests.forget();
    this.runs.forget();
    try {
      await client?.dispose();
    } catch (error) {
      this.output.warn(`The server did not stop in order: ${messageOf(error)}`);
    }
  }

  private async restart(): Promise<void> {
    await this.stop();
    await this.start();
    await this.refreshTests();
  }

  private server(): Server {
    const setting = vscode.workspace.getConfiguration("lockstep").get("server.path", "").trim();
    return findServer(setting, this.context.extensionPath);
  }

  private async refreshTests(): Promise<void> {
    try {
      await this.tests.refresh();
      this.runs.learn();
    } catch (error) {
      this.output.warn(`The list of tests is not to be had: ${messageOf(error)}`);
    }
  }

  private async offerHelp(server: Server): Promise<void> {
    const problem =
      server.kind === "wrongSetting"
        ? `Lockstep: the setting lockstep.server.path does not name a program: ${server.setting}`
        : "Lockstep: this package comes without the program lockstep, and there is none on the PATH.";
    const chosen = await vscode.window.showErrorMessage(problem, "Open Settings", "Try Again");
    if (chosen === "Open Settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "lockstep.server.path");
    } else if (chosen === "Try Again") {
      await this.restart();
    }
  }

  private async giveUp(): Promise<void> {
    if (this.hasGivenUp) {
      return;
    }
    this.hasGivenUp = true;
    const problem = "Lockstep: the server does not stay up and is not started again. You can go on editing without it.";
    const chosen = await vscode.window.showErrorMessage(problem, "Show Output", "Restart Server");
    if (chosen === "Show Output") {
      this.output.show();
    } else if (chosen === "Restart Server") {
      await this.restart();
    }
  }

  /** Opens the chart of the run that refutes an item. */
  private async showItem(item: string): Promise<void> {
    const found = await this.found(item);
    if (found !== undefined) {
      await this.charts.showBeside(vscode.Uri.file(found.path), { item, isStale: found.stale, sources: found.sources });
    }
  }

  /** Steps through the run that refutes an item. */
  private async debugItem(item: string): Promise<void> {
    const found = await this.found(item);
    if (found !== undefined) {
      await this.debugger.start(vscode.Uri.file(found.path));
    }
  }

  private async found(item: string): Promise<FoundTrace | undefined> {
    try {
      const found = await this.runs.trace(item);
      if (found === undefined) {
        void vscode.window.showInformationMessage("Lockstep: no run that goes wrong is known. Run or explore the test first.");
      }
      return found;
    } catch (error) {
      void vscode.window.showErrorMessage(`Lockstep: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Charts that are open follow what the server knows about their traces. */
  private async refreshCharts(records: readonly VerdictRecord[]): Promise<void> {
    const open = this.charts.items();
    for (const { id, phase } of records) {
      if (open.has(id) && phase === "idle") {
        const found = await this.runs.trace(id).catch(() => undefined);
        if (found !== undefined) {
          this.charts.learn(vscode.Uri.file(found.path), { item: id, isStale: found.stale, sources: found.sources });
        }
      }
    }
  }

  private async showMessages(): Promise<void> {
    this.trace.show();
    if (!isTracing()) {
      const chosen = await vscode.window.showInformationMessage("Lockstep: no messages are recorded.", "Record Them");
      if (chosen !== undefined) {
        const section = vscode.workspace.getConfiguration("lockstep");
        await section.update("trace.server", "verbose", vscode.ConfigurationTarget.Global);
      }
    }
  }

  private async explanation(code: string): Promise<string> {
    if (!this.client?.isRunning()) {
      return `# ${code}\n\nThe server is not running, so there is no explanation.\n`;
    }
    try {
      return (await this.client.sendRequest(explainRequest, { code })).markdown;
    } catch (error) {
      return `# ${code}\n\nThere is no explanation: ${messageOf(error)}\n`;
    }
  }

  private async doctor(): Promise<void> {
    const server = this.server();
    if (server.kind !== "found") {
      await this.offerHelp(server);
      return;
    }
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    const report = await run(server.command, ["doctor"], cwd);
    await this.documents.showReport(report);
  }

  /** Does something with the program, if there is one; what goes wrong is said. */
  private async withProgram(run: (program: string) => Promise<void>): Promise<void> {
    const server = this.server();
    if (server.kind !== "found") {
      await this.offerHelp(server);
      return;
    }
    try {
      await run(server.command);
    } catch (error) {
      void vscode.window.showErrorMessage(`Lockstep: ${messageOf(error)}`);
    }
  }

  private async openWalkthrough(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${this.context.extension.id}#start`);
  }

  private async showReferences(...[uri, position, locations]: ShowReferences): Promise<void> {
    const convert = this.client?.protocol2CodeConverter;
    await vscode.commands.executeCommand(
      "editor.action.showReferences",
      vscode.Uri.parse(uri),
      convert?.asPosition(position),
      locations.map((location) => convert?.asLocation(location)),
    );
  }
}

async function explain(given?: string): Promise<void> {
  const code = given ?? (await askForCode());
  if (code !== undefined) {
    // The manifest says that these documents open as a preview.
    await vscode.commands.executeCommand("vscode.open", explanationOf(code));
  }
}

async function askForCode(): Promise<string | undefined> {
  const value = await vscode.window.showInputBox({
    title: "Explain a code of Lockstep",
    value: codeAtCursor(),
    placeHolder: "LS0305",
    validateInput: (text) => (/^LS\d{4}$/i.test(text.trim()) ? undefined : "LS and four digits"),
  });
  return value?.trim().toUpperCase();
}

async function copyProblems(): Promise<void> {
  const text = problemsAsText();
  await vscode.env.clipboard.writeText(text);
  const message = text === "" ? "Lockstep: there are no problems to copy." : "Lockstep: problems copied.";
  vscode.window.setStatusBarMessage(message, 4000);
}

/** Runs a program and returns all it prints, and how it failed if it did. */
function run(command: string, args: string[], cwd: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve([stdout, stderr, error === null ? "" : error.message].filter((part) => part !== "").join("\n"));
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
