// Finds the program `lockstep`: the one the user named, else the one in this package, else the one on the PATH.

import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

export type Server =
  | { readonly kind: "found"; readonly command: string; readonly origin: "setting" | "bundled" | "path" }
  | { readonly kind: "wrongSetting"; readonly setting: string }
  | { readonly kind: "missing" };

export function findServer(setting: string, extensionPath: string): Server {
  if (setting !== "") {
    const command = setting.startsWith("~/") ? path.join(homedir(), setting.slice(2)) : setting;
    return path.isAbsolute(command) && isProgram(command)
      ? { kind: "found", command, origin: "setting" }
      : { kind: "wrongSetting", setting };
  }
  const program = process.platform === "win32" ? "lockstep.exe" : "lockstep";
  const bundled = path.join(extensionPath, "server", program);
  if (isFile(bundled)) {
    makeExecutable(bundled);
    return { kind: "found", command: bundled, origin: "bundled" };
  }
  // Relative entries of the PATH would let the folder at hand decide which program runs.
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(path.isAbsolute);
  const command = folders.map((folder) => path.join(folder, program)).find(isProgram);
  return command === undefined ? { kind: "missing" } : { kind: "found", command, origin: "path" };
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isFile(file);
  } catch {
    return false;
  }
}

/** Some ways to unpack an extension lose the permission to execute. */
function makeExecutable(file: string): void {
  if (!isProgram(file)) {
    try {
      chmodSync(file, 0o755);
    } catch {
      // Starting the server will say what is wrong.
    }
  }
}
