// Runs in the extension host, beside the extension under test. A folder with .vscode/probe.json gets the checks; the
// results go to the file named there.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { checks } from "./checks.js";

export interface Result {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly milliseconds: number;
  /** True of a check that has nothing to do with the server. */
  readonly isClientOnly: boolean;
}

export async function activate(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) {
    return;
  }
  let settings: { report: string; timeout: number };
  try {
    settings = JSON.parse(readFileSync(path.join(folder, ".vscode/probe.json"), "utf8"));
  } catch {
    return;
  }
  const results: Result[] = [];
  for (const { name, isClientOnly = false, run } of checks(folder, settings.timeout)) {
    const start = Date.now();
    const failure = await outcome(run, settings.timeout);
    results.push({ name, ok: failure === "", detail: failure, milliseconds: Date.now() - start, isClientOnly });
  }
  writeFileSync(`${settings.report}.part`, JSON.stringify(results));
  renameSync(`${settings.report}.part`, settings.report);
}

/** The empty text, or why it failed. A check that waits for ever fails too. */
async function outcome(run: () => Promise<void>, timeout: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${timeout} ms`), timeout);
  });
  const done = run().then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const failure = await Promise.race([done, late]);
  clearTimeout(timer);
  return failure;
}
