// Runs in the extension host, beside the extension under test. A folder with .vscode/probe.json gets the checks; the
// results go to the file named there.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Check, checks } from "./checks.js";

/** Time for what the editor does by itself, however short the server's time is. */
const CLIENT_TIMEOUT = 30_000;

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
  let settings: { report: string; timeout: number; isControl: boolean };
  try {
    settings = JSON.parse(readFileSync(path.join(folder, ".vscode/probe.json"), "utf8"));
  } catch {
    return;
  }
  const results: Result[] = [];
  const waiting: Promise<unknown>[] = [];
  for (const check of checks(folder, settings.timeout)) {
    const done = result(check, settings.timeout).then((one) => results.push(one));
    // A silent server makes every check wait until its time is up: then they may as well wait together.
    if (settings.isControl && check.isClientOnly !== true) {
      waiting.push(done);
    } else {
      await done;
    }
  }
  await Promise.all(waiting);
  writeFileSync(`${settings.report}.part`, JSON.stringify(results));
  renameSync(`${settings.report}.part`, settings.report);
}

async function result({ name, isClientOnly = false, run }: Check, timeout: number): Promise<Result> {
  const start = Date.now();
  const detail = await outcome(run, isClientOnly ? CLIENT_TIMEOUT : timeout);
  return { name, ok: detail === "", detail, milliseconds: Date.now() - start, isClientOnly };
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
