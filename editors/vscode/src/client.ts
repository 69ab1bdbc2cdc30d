// The connection to the server: its options, and what happens when the server goes away.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type CloseHandlerResult,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  type StaticFeature,
} from "vscode-languageclient/node";
import { explanationOf } from "./documents.js";

const PROGRAMS = ["p", "icet"].flatMap((language) => [
  { language, scheme: "file" },
  { language, scheme: "untitled" },
]);
/** Project files stay what they are for everybody else: XML. */
const SELECTOR = [...PROGRAMS, { pattern: "**/*.pproj", scheme: "file" }];

export function createClient(
  command: string,
  output: vscode.LogOutputChannel,
  trace: vscode.LogOutputChannel,
  onGivenUp: () => void,
): LanguageClient {
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    outputChannel: output,
    traceOutputChannel: trace,
    // Errors of single requests go to the log: nobody who types wants a pop-up for a failed hover.
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: () => settings(),
    synchronize: { configurationSection: "lockstep" },
    errorHandler: new RestartAFewTimes(onGivenUp),
    initializationFailedHandler: (error) => {
      output.error(`The server did not initialize: ${error.message}`);
      return false;
    },
    markdown: { isTrusted: false, supportHtml: false },
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => next(uri, linkCodes(diagnostics)),
      provideDiagnostics: async (document, previous, token, next) => {
        const report = await next(document, previous, token);
        if (report?.kind === "full") {
          linkCodes(report.items);
        }
        return report;
      },
      provideCompletionItem: async (document, position, context, token, next) => {
        for (;;) {
          const { version } = document;
          const items = await next(document, position, context, token);
          // A server may refuse a question that was overtaken by an edit. Who types fast still wants the list.
          if (items || token.isCancellationRequested || document.version === version) {
            return items;
          }
        }
      },
    },
  };
  return new QuietClient("lockstep", "Lockstep", { command, args: ["lsp"] }, options);
}

/** Writes to the log what the library would also pop up: this extension says itself when the server is given up. */
class QuietClient extends LanguageClient {
  /** The server lays out programs only. An offer to lay out XML would compete with that of other extensions. */
  protected override registerBuiltinFeatures(): void {
    super.registerBuiltinFeatures();
    for (const method of ["textDocument/formatting", "textDocument/rangeFormatting", "textDocument/onTypeFormatting"]) {
      const feature = this.getFeature(method as "textDocument/formatting") as unknown as StaticFeature;
      const initialize = feature.initialize.bind(feature);
      feature.initialize = (capabilities) => initialize(capabilities, PROGRAMS);
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** What the server is told at its start; later changes reach it by `workspace/didChangeConfiguration`. */
function settings(): object {
  const section = vscode.workspace.getConfiguration("lockstep");
  const chosen = Object.fromEntries(["allow", "lens", "inlayHints", "onSave", "run", "explore"].map((name) => [name, section.get(name)]));
  // The library would register the server's commands beside ours, and fail.
  return { ...chosen, ownCommands: true };
}

/** Makes the code of each finding a link to its explanation. */
function linkCodes(diagnostics: vscode.Diagnostic[]): vscode.Diagnostic[] {
  for (const diagnostic of diagnostics) {
    if (typeof diagnostic.code === "string") {
      diagnostic.code = { value: diagnostic.code, target: explanationOf(diagnostic.code) };
    }
  }
  return diagnostics;
}

const CRASHES = 4;
const MINUTES = 3;

/** Restarts a server that went away, but not again and again: the text stays editable without one. */
export class RestartAFewTimes implements ErrorHandler {
  private crashes: number[] = [];

  constructor(private readonly onGivenUp: () => void) {}

  error(): { action: ErrorAction; handled: boolean } {
    return { action: ErrorAction.Continue, handled: true };
  }

  closed(): CloseHandlerResult {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < MINUTES * 60_000), now];
    if (this.crashes.length < CRASHES) {
      return { action: CloseAction.Restart, handled: true };
    }
    this.onGivenUp();
    return { action: CloseAction.DoNotRestart, handled: true };
  }
}
