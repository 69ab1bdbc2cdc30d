// Makes lockstep-VERSION.vsix in this folder:
//
//   node package.mjs --server PATH/TO/lockstep [--target linux-x64] [--out FILE]
//
// The server becomes part of the package; `--target` marks the package for one platform. Without `--server` the package
// is for every platform and looks for `lockstep` in its setting and on the PATH.

import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(here, "package.json"), "utf8"));
const { values } = parseArgs({
  options: { server: { type: "string" }, target: { type: "string" }, out: { type: "string" } },
});

const server = path.join(here, "server");
rmSync(server, { recursive: true, force: true });
if (values.server !== undefined) {
  const isWindows = values.target?.startsWith("win32") ?? process.platform === "win32";
  const program = path.join(server, isWindows ? "lockstep.exe" : "lockstep");
  mkdirSync(server);
  copyFileSync(values.server, program);
  chmodSync(program, 0o755);
}
npm("run", "--silent", "check");
npm("run", "--silent", "build");
const out = path.resolve(values.out ?? path.join(here, `lockstep-${version}.vsix`));
const target = values.target === undefined ? [] : ["--target", values.target];
npm("exec", "--", "vsce", "package", "--no-dependencies", "--allow-missing-repository", "--out", out, ...target);

function npm(...args) {
  const { status } = spawnSync("npm", args, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}
