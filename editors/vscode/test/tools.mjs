// Installs what the tests need into a folder below target/, once: VS Code's workbench as a web server (code-server),
// the Node it wants, a driver for Chromium, and, by apt, Chromium itself. No step compiles anything.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const NPM = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** Why the tests cannot run on this machine. */
export class CannotRun extends Error {}

/** Returns the folder with the tools. */
export function installTools(folder) {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch)) {
    throw new CannotRun(`code-server and its Node are set up for Linux on x64 and arm64, not for ${process.platform} on ${process.arch}`);
  }
  const stamp = path.join(folder, "installed");
  const wanted = fingerprint(path.join(here, "package-lock.json"));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder;

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(path.join(here, file), path.join(folder, file));
  }
  console.log("installing code-server, Node and Playwright (about two minutes, once)");
  run("npm", ["ci", ...NPM], folder);
  // Its own packages are normally installed by scripts that also compile; without them all we use works.
  const workbench = path.join(folder, "node_modules/code-server/lib/vscode");
  for (const place of [workbench, path.join(workbench, "extensions")]) {
    run("npm", ["install", "--omit=dev", "--no-package-lock", ...NPM], place);
  }
  writeFileSync(stamp, wanted);
  return folder;
}

/** The Node that came with the tools. */
export function nodeOf(tools) {
  return path.join(tools, `node_modules/node-linux-${process.arch}/bin/node`);
}

/** Installs the packages that build the extension, beside its package.json as usual. */
export function installBuild(extension) {
  const stamp = path.join(extension, "node_modules/.lockstep");
  const wanted = fingerprint(path.join(extension, "package-lock.json"));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  run("npm", ["ci", ...NPM], extension);
  writeFileSync(stamp, wanted);
}

/** The path of Chromium, which apt installs if there is none. */
export function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const found = () => names.map(onPath).find((file) => file !== undefined);
  if (found() === undefined && onPath("apt-get") !== undefined) {
    console.log("installing chromium by apt");
    const packages = ["chromium", "fonts-dejavu-core", "fonts-noto-core"];
    const install = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
    const [command, ...args] = process.getuid() === 0 ? install : ["sudo", "-n", ...install];
    spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  }
  const chromium = found();
  if (chromium === undefined) throw new CannotRun("there is no Chromium, and apt could not install it");
  return chromium;
}

function onPath(name) {
  return process.env.PATH.split(path.delimiter).map((folder) => path.join(folder, name)).find(existsSync);
}

function fingerprint(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new CannotRun(`\`${command} ${args[0]}\` failed in ${cwd}`);
}
