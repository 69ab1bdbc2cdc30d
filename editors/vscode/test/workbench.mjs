// Starts the workbench of VS Code as a web server and opens folders in it with Chromium.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { nodeOf } from "./tools.mjs";

/** Quiet and the same on every machine. No folder is trusted: the extension has to work all the same. */
const SETTINGS = {
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "files.autoSave": "off",
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.colorTheme": "Default Dark Modern",
  "window.commandCenter": false,
  "chat.disableAIFeatures": true,
  "chat.commandCenter.enabled": false,
  "extensions.ignoreRecommendations": true,
  "editor.hover.delay": 100,
  "editor.minimap.enabled": false,
};

export class Workbench {
  /**
   * `folder` is created anew and holds everything this workbench writes; `machine` are settings of the remote machine,
   * where a path of a program belongs, `user` more settings of the user.
   */
  constructor({ tools, folder, extensions, machine = {}, user = {} }) {
    Object.assign(this, { tools, folder, extensions });
    rmSync(folder, { recursive: true, force: true });
    this.data = path.join(folder, "data");
    write(path.join(this.data, "User/settings.json"), JSON.stringify({ ...SETTINGS, ...user }));
    this.setMachine(machine);
    this.config = path.join(folder, "config.yaml");
    this.node = nodeOf(tools);
  }

  /** Changes the settings of the machine, also of a workbench that runs. */
  setMachine(settings) {
    write(path.join(this.data, "Machine/settings.json"), JSON.stringify(settings));
  }

  /** Installs packages (.vsix) into the folder of extensions. */
  install(...packages) {
    write(this.config, "auth: none\n");
    const args = packages.flatMap((file) => ["--install-extension", file]);
    const { status, stdout, stderr } = spawnSync(this.node, this.command(args), { env: this.environment(), encoding: "utf8" });
    if (status !== 0) throw new Error(`the extensions could not be installed:\n${stdout}${stderr}`);
  }

  async start() {
    this.port = await freePort();
    write(this.config, `bind-addr: 127.0.0.1:${this.port}\nauth: none\ncert: false\n`);
    const log = openSync(path.join(this.folder, "code-server.log"), "w");
    const flags = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
    this.process = spawn(this.node, this.command(flags), {
      env: this.environment(),
      stdio: ["ignore", log, log],
      detached: true,
    });
    await waitUntil(async () => (await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok, 30_000);
  }

  /** The address that shows a folder, with a file open in it if one is given. */
  address(folder, file) {
    const payload = file === undefined ? [] : [["openFile", `vscode-remote://127.0.0.1:${this.port}${path.join(folder, file)}`]];
    const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
    return `http://127.0.0.1:${this.port}/?${query}`;
  }

  stop() {
    try {
      // The whole group: the extension hosts are its children.
      process.kill(-this.process.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }

  command(args) {
    const entry = path.join(this.tools, "node_modules/code-server/out/node/entry.js");
    return [entry, "--config", this.config, "--user-data-dir", this.data, "--extensions-dir", this.extensions, ...args];
  }

  environment() {
    const { PATH, LANG = "C.UTF-8" } = process.env;
    return { PATH, LANG, HOME: this.folder, XDG_CONFIG_HOME: path.join(this.folder, "config") };
  }
}

/** A browser without a window. */
export async function startBrowser(tools, chromium, folder) {
  const { chromium: driver } = createRequire(path.join(tools, "package.json"))("playwright-core");
  return driver.launch({
    executablePath: chromium,
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: path.join(folder, "config") },
  });
}

export async function waitUntil(isDone, timeout, pause = 100) {
  const end = Date.now() + timeout;
  let last = "nothing came";
  while (Date.now() < end) {
    try {
      const value = await isDone();
      if (value) return value;
    } catch (error) {
      last = error.message;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`not within ${timeout} ms: ${last}`);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
