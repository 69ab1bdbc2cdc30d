// The first minutes: a new project, and the samples that are part of the program.

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";

/** What `lockstep samples --json` lists. */
interface Samples {
  readonly samples: readonly { readonly name: string; readonly title: string }[];
}

const TEMPLATES = [
  { label: "client-server", description: "P: clients ask a server, which answers" },
  { label: "ring", description: "P: nodes on a ring elect a leader" },
  { label: "icet", description: "IceT: a coordinator and any number of workers" },
];

/** Copies a sample into a folder that is asked for, and opens the copy. */
export async function openSample(program: string): Promise<void> {
  const { samples } = JSON.parse(await call(program, ["samples", "--json"])) as Samples;
  const entries = samples.map(({ name, title }) => ({ label: name, description: title }));
  const chosen = await vscode.window.showQuickPick(entries, { title: "Open a sample of Lockstep", matchOnDescription: true });
  const parent = chosen && (await askForFolder(`Copy ${chosen.label} into this folder`));
  if (chosen === undefined || parent === undefined) {
    return;
  }
  await call(program, ["samples", chosen.label, "--to", parent]);
  await open(path.join(parent, chosen.label));
}

/** Makes a project below a folder that is asked for, and opens it. */
export async function newProject(program: string): Promise<void> {
  const template = await vscode.window.showQuickPick(TEMPLATES, { title: "New project: what to begin with" });
  const name = template && (await askForName());
  const parent = name && (await askForFolder(`Make ${name} in this folder`));
  if (template === undefined || name === undefined || parent === undefined) {
    return;
  }
  const folder = path.join(parent, name);
  await call(program, ["new", folder, "--template", template.label]);
  await open(folder);
}

function askForName(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "New project: its name",
    placeHolder: "Shop",
    // What P takes; the program says the rest.
    validateInput: (text) => (/^[A-Za-z_]\w*$/.test(text) ? undefined : "a letter or _, then letters, digits and _"),
  });
}

async function askForFolder(openLabel: string): Promise<string | undefined> {
  const options = { canSelectFiles: false, canSelectFolders: true, canSelectMany: false, openLabel, title: openLabel };
  return (await vscode.window.showOpenDialog(options))?.[0]?.fsPath;
}

/** In this window if it has nothing in it. */
async function open(folder: string): Promise<void> {
  const forceNewWindow = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), { forceNewWindow });
}

/** Runs the program; what it says when it fails is the error. */
function call(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 30_000 }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Error(stderr.trim().replace(/^error: /, "") || error.message));
      }
    });
  });
}
