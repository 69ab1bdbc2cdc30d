// Where a place of a trace is in this workspace. A trace names files as its project does, so the same trace can be looked at elsewhere.

import * as path from "node:path";
import * as vscode from "vscode";
import type { Place } from "./chart/story.js";

/** The documents that a server knows the files of a trace to be. */
export type Sources = readonly { readonly name: string; readonly uri: string }[];

/** The document of a place: the one the server names, else the first that is found from the trace, from the folders, or anywhere. */
export async function documentOf(place: Place, trace: vscode.Uri, sources: Sources): Promise<vscode.Uri | undefined> {
  const named = sources.find(({ name }) => name === place.path);
  if (named !== undefined) {
    return vscode.Uri.parse(named.uri);
  }
  if (path.isAbsolute(place.path)) {
    return vscode.Uri.file(place.path);
  }
  const folders = [...ancestors(trace), ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  for (const folder of folders) {
    const candidate = vscode.Uri.joinPath(folder, place.path);
    if (await exists(candidate)) {
      return candidate;
    }
  }
  const [found] = await vscode.workspace.findFiles(`**/${place.path}`, undefined, 1);
  return found;
}

/** A range of a document: lines and columns of places count from 1, and columns are characters rather than UTF-16 units. */
export function rangeOf({ line, column, endLine, endColumn }: Place, document: vscode.TextDocument): vscode.Range {
  const position = (line: number, column: number) => {
    const row = Math.min(line, document.lineCount) - 1;
    const before = [...document.lineAt(row).text].slice(0, column - 1).join("");
    return new vscode.Position(row, before.length);
  };
  return new vscode.Range(position(line, column), position(endLine, endColumn));
}

/** What is selected to show a place: all of it if it is in one line, else where it begins. */
export function selectionOf(place: Place, document: vscode.TextDocument): vscode.Range {
  const range = rangeOf(place, document);
  return range.isSingleLine ? range : new vscode.Range(range.start, range.start);
}

/** The folder of a file, and all above it. */
function ancestors(file: vscode.Uri): vscode.Uri[] {
  const folders = [];
  for (let folder = vscode.Uri.joinPath(file, ".."); ; folder = vscode.Uri.joinPath(folder, "..")) {
    folders.push(folder);
    if (folder.path === "/" || folder.path === vscode.Uri.joinPath(folder, "..").path) {
      return folders;
    }
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
