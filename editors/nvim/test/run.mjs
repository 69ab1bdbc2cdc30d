// The tests of the Neovim plugin, in real Neovims: node editors/nvim/test/run.mjs --server PATH/TO/lockstep
//
// Each Neovim runs spec.lua twice: with the server, where every check must pass, and with a server that says nothing, where every check
// that is about the server must fail. Exits with 0 only if both hold for every Neovim; details are in target/editors/nvim/result.json.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { neovims } from './neovims.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../../..');
const TARGET = join(ROOT, 'target/editors/nvim');
const USAGE = `usage: node editors/nvim/test/run.mjs --server PATH [--nvim PATH]... [--only TEXT]

  --server  the program lockstep
  --nvim    a Neovim to run in; without it, two are fetched from Debian (0.10 and the newest)
  --only    only checks whose name contains this`;

/** The exit code if there is no Neovim to test in. */
const SKIPPED = 3;

/** One run of spec.lua takes some seconds; this is for one that hangs. */
const LIMIT_SECONDS = 900;

const { values: options } = parseArgs({
  options: { server: { type: 'string' }, nvim: { type: 'string', multiple: true }, only: { type: 'string' } },
});
if (!options.server) {
  console.error(USAGE);
  process.exit(2);
}

const start = Date.now();
mkdirSync(TARGET, { recursive: true });
if (spawnSync('cargo', ['xtask', 'nvim'], { cwd: ROOT, stdio: 'inherit' }).status !== 0) {
  console.error('the parsers could not be built: cargo xtask nvim failed');
  process.exit(1);
}
const programs = options.nvim?.map(path => resolve(path)) ?? fetched();
const runs = await Promise.all(programs.map(program => Promise.all([tries(program), run(program, 'silent')])));
const results = runs.map(([real, silent]) => report(real, silent));
const ok = results.every(result => result.ok);
const seconds = (Date.now() - start) / 1000;
writeFileSync(join(TARGET, 'result.json'), JSON.stringify({ ok, seconds, neovims: results }, undefined, 2));
console.log(`\n${ok ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
process.exit(ok ? 0 : 1);

/** Debian's Neovims; where they cannot be had, the tests are skipped, which is not a success. */
function fetched() {
  try {
    return neovims(TARGET);
  } catch (error) {
    console.error(`skipped: no Neovim could be fetched (${error.message}); --nvim PATH names one`);
    process.exit(SKIPPED);
  }
}

/**
 * Runs spec.lua with the server, and again in a new Neovim if something failed: on a busy machine an answer can be too late. The failures of
 * all tries are printed; it has passed if all checks pass in one of them.
 * @param {string} program
 */
async function tries(program) {
  for (let left = 2; ; left--) {
    const result = await run(program, 'server');
    const failed = result.checks.filter(check => !check.ok);
    if (left === 0 || (failed.length === 0 && !result.problem)) return result;
    console.log(`again: Neovim ${result.version}${result.problem ? `: ${result.problem}` : ''}`);
    for (const { name, detail } of failed) console.log(`  FAIL ${name}: ${detail}`);
  }
}

/**
 * One run of spec.lua.
 * @param {string} program
 * @param {'server' | 'silent'} kind
 * @returns {Promise<{ version: string, problem?: string, checks: { name: string, server: boolean, ok: boolean, detail?: string }[] }>}
 */
async function run(program, kind) {
  const scratch = mkdtempSync(join(tmpdir(), 'lockstep-nvim-'));
  // The plugin finds the server as it does at a user's: by its name, on PATH.
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  if (kind === 'server') {
    symlinkSync(resolve(options.server), join(bin, 'lockstep'));
  } else {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${join(HERE, 'silent-server.mjs')}'\n`;
    writeFileSync(join(bin, 'lockstep'), script, { mode: 0o755 });
  }
  cpSync(join(ROOT, 'tests/programs'), join(scratch, 'programs'), { recursive: true });
  cpSync(join(HERE, 'filetype'), join(scratch, 'filetype'), { recursive: true });
  plantBug(scratch);
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    HOME: scratch,
    XDG_CONFIG_HOME: join(scratch, 'config'),
    XDG_DATA_HOME: join(scratch, 'data'),
    XDG_STATE_HOME: join(scratch, 'state'),
    XDG_CACHE_HOME: join(scratch, 'cache'),
    LOCKSTEP_TEST: JSON.stringify({ program, kind, scratch, plugin: resolve(HERE, '..'), tests: HERE, only: options.only ?? '' }),
  };
  const child = spawn(program, ['--clean', '--headless', '-l', join(HERE, 'spec.lua')], { env, cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data));
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_SECONDS * 1000);
  await new Promise(done => child.on('close', done));
  clearTimeout(timer);
  try {
    return JSON.parse(readFileSync(join(scratch, 'result.json'), 'utf8'));
  } catch {
    return { version: program, problem: `spec.lua did not finish:\n${output}`, checks: [] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A copy of the sample project with a store that does not look at the age of a lease, and the trace of its bug. */
function plantBug(scratch) {
  const folder = join(scratch, 'buggy');
  cpSync(join(ROOT, 'tests/programs/p/lease'), folder, { recursive: true });
  const store = join(folder, 'PSrc/Store.p');
  const text = readFileSync(store, 'utf8');
  const broken = text.replace('write.lease.epoch >= newestEpoch', 'write.lease.epoch > 0');
  if (broken === text) throw new Error('the sample project has changed: there is no place for the bug');
  writeFileSync(store, broken);
  const lockstep = (...words) => spawnSync(resolve(options.server), words, { cwd: folder, encoding: 'utf8' }).stdout;
  lockstep('run', 'lease.pproj', 'tcCrashingClients', '--trace-out', 'bug.trace.json');
  // What the command line says about it.
  writeFileSync(join(folder, 'bug.txt'), lockstep('trace', 'view', 'bug.trace.json'));
  writeFileSync(join(folder, 'bug.all.txt'), lockstep('trace', 'view', '--all', 'bug.trace.json'));
}

/** Prints how a Neovim did, and whether the silent server was seen through. */
function report(real, silent) {
  console.log(`\nNeovim ${real.version}`);
  for (const { name, ok, detail } of real.checks) {
    console.log(`  ${ok ? 'ok  ' : 'FAIL'} ${name}${ok ? '' : `: ${detail}`}`);
  }
  const blind = silent.checks.filter(check => check.server && check.ok).map(check => check.name);
  const broken = silent.checks.filter(check => !check.server && !check.ok).map(check => check.name);
  const seen = silent.checks.filter(check => check.server && !check.ok).length;
  for (const name of blind) console.log(`  FAIL passes against a silent server: ${name}`);
  for (const name of broken) console.log(`  FAIL fails without a server, though it needs none: ${name}`);
  for (const { problem } of [real, silent]) if (problem) console.log(`  FAIL ${problem}`);
  console.log(`  against a silent server: ${seen} of ${seen + blind.length} checks about the server fail, as they must`);
  const failed = real.checks.filter(check => !check.ok).length;
  const ok = failed === 0 && real.checks.length > 0 && blind.length === 0 && broken.length === 0 && (seen > 0 || options.only) && !real.problem && !silent.problem;
  return { version: real.version, ok, passed: real.checks.length - failed, failed, checks: real.checks, silent: silent.checks };
}
