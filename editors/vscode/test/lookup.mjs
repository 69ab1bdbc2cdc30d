// Which `lockstep` is started: src/server.ts in plain Node.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Returns a list of `{ name, ok, detail }`. */
export async function testLookup({ extension, folder }) {
  rmSync(folder, { recursive: true, force: true });
  const { buildSync } = createRequire(path.join(extension, "package.json"))("esbuild");
  const outfile = path.join(folder, "server.mjs");
  buildSync({ entryPoints: [path.join(extension, "src/server.ts")], outfile, format: "esm", bundle: true, platform: "node" });
  const { findServer } = await import(pathToFileURL(outfile).href);

  const program = (name, mode = 0o755) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
    chmodSync(file, mode);
    return file;
  };
  const chosen = program("chosen/lockstep");
  const bundled = program("with/server/lockstep", 0o644);
  const onPath = program("bin/lockstep");
  const withServer = path.join(folder, "with");
  const withoutServer = path.join(folder, "without");
  const found = (command, origin) => ({ kind: "found", command, origin });

  const cases = {
    "the setting wins": () => assert.deepEqual(findServer(chosen, withServer), found(chosen, "setting")),
    "a setting that names no program is an error, not passed over": () => {
      for (const setting of ["/no/such/program", folder, "lockstep", path.join(folder, "server.mjs")]) {
        assert.deepEqual(findServer(setting, withServer), { kind: "wrongSetting", setting });
      }
    },
    "the bundled program is next, and made executable": () => {
      assert.deepEqual(findServer("", withServer), found(bundled, "bundled"));
      assert.equal(statSync(bundled).mode & 0o111, 0o111);
    },
    "then the PATH, of which relative entries do not count": () => {
      const before = [process.env.PATH, process.cwd()];
      process.chdir(folder);
      process.env.PATH = ["bin", "", path.dirname(onPath)].join(path.delimiter);
      const server = findServer("", withoutServer);
      process.env.PATH = "bin";
      const none = findServer("", withoutServer);
      [process.env.PATH] = before;
      process.chdir(before[1]);
      assert.deepEqual(server, found(onPath, "path"));
      assert.deepEqual(none, { kind: "missing" });
    },
  };
  return Object.entries(cases).map(([name, run]) => {
    try {
      run();
      return { name, ok: true, detail: "" };
    } catch (error) {
      return { name, ok: false, detail: error.message };
    }
  });
}
