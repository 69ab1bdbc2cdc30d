// The item in the status bar: what the server does, and a menu.

import * as vscode from "vscode";
import type { ServerStatus } from "./protocol.js";

export type Status =
  | { readonly state: "starting" | "stopped" | "missing" }
  | ServerStatus;

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("lockstep.status", vscode.StatusBarAlignment.Left, 0);

  constructor() {
    this.item.name = "Lockstep";
    this.item.command = "lockstep.showMenu";
    this.show({ state: "starting" });
    this.item.show();
  }

  get text(): string {
    return `${this.item.text}: ${String(this.item.tooltip)}`;
  }

  /** Never shows a tick: that nothing was found so far is not a proof. */
  show(status: Status): void {
    const { text, tooltip, isBad } = describe(status);
    this.item.text = text;
    this.item.tooltip = `Lockstep: ${tooltip}`;
    this.item.backgroundColor = isBad ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  }

  dispose(): void {
    this.item.dispose();
  }
}

function describe(status: Status): { text: string; tooltip: string; isBad: boolean } {
  switch (status.state) {
    case "starting":
      return { text: "$(sync~spin) Lockstep", tooltip: "the server is starting", isBad: false };
    case "working":
      return { text: "$(sync~spin) Lockstep", tooltip: status.message || "working", isBad: false };
    case "ready":
      return { text: "$(symbol-event) Lockstep", tooltip: counts(status), isBad: false };
    case "stopped":
      return { text: "$(debug-disconnect) Lockstep", tooltip: "the server is not running", isBad: true };
    case "missing":
      return { text: "$(debug-disconnect) Lockstep", tooltip: "the program lockstep was not found", isBad: true };
  }
}

function counts({ message, projects, errors, warnings }: ServerStatus): string {
  const numbers = [count(projects, "project"), count(errors, "error"), count(warnings, "warning")].join(", ");
  return message === "" ? numbers : `${message}\n${numbers}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The menu behind the item. */
export async function showMenu(): Promise<void> {
  const entries = [
    { label: "$(refresh) Restart server", command: "lockstep.restart" },
    { label: "$(output) Show output", command: "lockstep.showOutput" },
    { label: "$(pulse) Run doctor", command: "lockstep.doctor" },
    { label: "$(question) Explain a code...", command: "lockstep.explainCode" },
    { label: "$(library) Open a sample...", command: "lockstep.openSample" },
    { label: "$(book) Open walkthrough", command: "lockstep.openWalkthrough" },
  ];
  const chosen = await vscode.window.showQuickPick(entries, { title: "Lockstep" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}
