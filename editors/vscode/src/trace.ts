// The output channel with the conversation between editor and server.

import * as vscode from "vscode";

/**
 * The client library writes its trace at the level `Trace` and asks the channel's level whether to. Levels of channels
 * are hard to find in the editor, so this channel derives its level from the setting `lockstep.trace.server`.
 */
export function createTraceChannel(subscriptions: vscode.Disposable[]): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel("Lockstep Trace", { log: true });
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  subscriptions.push(
    channel,
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lockstep.trace.server")) {
        changed.fire(level());
      }
    }),
  );
  return Object.create(channel, {
    logLevel: { get: level },
    onDidChangeLogLevel: { value: changed.event },
    trace: { value: (message: string) => channel.info(message) },
  }) as vscode.LogOutputChannel;
}

export function isTracing(): boolean {
  return vscode.workspace.getConfiguration("lockstep").get("trace.server", "off") !== "off";
}

function level(): vscode.LogLevel {
  return isTracing() ? vscode.LogLevel.Trace : vscode.LogLevel.Info;
}
