// The tests of the Emacs package, in a real Emacs: node editors/emacs/test/run.mjs --server PATH/TO/lockstep [--emacs PATH]
//
// test.el is run twice: with the server, where every check must pass, and with a server that says nothing, where every check that is about
// the server must fail. Exits with 0 if both hold, 3 if there is no Emacs here and none could be fetched.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { emacs } from './emacses.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../../..');
const TARGET = join(ROOT, 'target/editors/emacs');
/** The exit code if there is no Emacs to test in. */
const SKIPPED = 3;
/** For one that hangs. */
const LIMIT_SECONDS = 600;

const { values: options } = parseArgs({ options: { server: { type: 'string' }, emacs: { type: 'string' } } });
if (!options.server) {
  console.error('usage: node editors/emacs/test/run.mjs --server PATH [--emacs PATH]');
  process.exit(2);
}
mkdirSync(TARGET, { recursive: true });
const program = options.emacs ?? fetched();
const start = Date.now();
const real = await tries();
const silent = await run('silent');
const ok = report();
console.log(`${ok ? 'passed' : 'FAILED'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
process.exit(ok ? 0 : 1);

function fetched() {
  try {
    return emacs(TARGET);
  } catch (error) {
    console.error(`skipped: no Emacs could be fetched (${error.message}); --emacs PATH names one`);
    process.exit(SKIPPED);
  }
}

/** Again if something failed: on a busy machine an answer can be too late. All failures are printed. */
async function tries() {
  for (let left = 1; ; left--) {
    const result = await run('server');
    const failed = result.checks.filter(({ ok }) => !ok);
    if (left === 0 || (failed.length === 0 && !result.problem)) return result;
    console.log(`again: ${result.problem ?? ''}`);
    for (const { name, detail } of failed) console.log(`  FAIL ${name}: ${detail}`);
  }
}

/** One run of test.el. */
async function run(kind) {
  const scratch = mkdtempSync(join(tmpdir(), 'lockstep-emacs-'));
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  if (kind === 'server') {
    symlinkSync(resolve(options.server), join(bin, 'lockstep'));
  } else {
    const quiet = join(ROOT, 'editors/nvim/test/silent-server.mjs');
    writeFileSync(join(bin, 'lockstep'), `#!/bin/sh\nexec '${process.execPath}' '${quiet}'\n`, { mode: 0o755 });
  }
  project(scratch);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: scratch, LOCKSTEP_TEST: scratch, LOCKSTEP_KIND: kind };
  for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) env[`XDG_${name}_HOME`] = join(scratch, name.toLowerCase());
  const words = ['-Q', '--batch', '-L', resolve(HERE, '..'), '-l', join(HERE, 'test.el')];
  const child = spawn(program, words, { env, cwd: scratch, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (output += data));
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_SECONDS * 1000);
  await new Promise(done => child.on('close', done));
  clearTimeout(timer);
  writeFileSync(join(TARGET, `${kind}.log`), output);
  try {
    return JSON.parse(readFileSync(join(scratch, 'result.json'), 'utf8'));
  } catch {
    return { version: program, problem: `test.el did not finish:\n${output}`, checks: [] };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The sample project, a copy with a mistake, one with a bug, and a Pascal program that is called .p too. */
function project(scratch) {
  for (const name of ['lease', 'broken', 'buggy']) cpSync(join(ROOT, 'tests/programs/p/lease'), join(scratch, name), { recursive: true });
  cpSync(join(ROOT, 'tests/programs/icet/ping_sym.icet'), join(scratch, 'ping.icet'));
  change(join(scratch, 'broken/PSrc/Client.p'), 'roundsLeft = given.rounds;', 'roundsLeft = given.mayCrash;');
  change(join(scratch, 'buggy/PSrc/Store.p'), 'write.lease.epoch >= newestEpoch', 'write.lease.epoch > 0');
  mkdirSync(join(scratch, 'pascal'));
  cpSync(join(ROOT, 'editors/nvim/test/filetype/pascal/program.p'), join(scratch, 'pascal/program.p'));
}

function change(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`the sample project has changed: there is no \`${from}\``);
  writeFileSync(file, text.replace(from, to));
}

/** Prints how it went, and whether the silent server was seen through. */
function report() {
  console.log(`Emacs ${real.version}`);
  for (const { name, ok, detail } of real.checks) console.log(`  ${ok ? 'ok  ' : 'FAIL'} ${name}${ok ? '' : `: ${detail}`}`);
  const blind = silent.checks.filter(check => check.server && check.ok);
  const broken = silent.checks.filter(check => !check.server && !check.ok);
  const seen = silent.checks.filter(check => check.server && !check.ok).length;
  for (const { name } of blind) console.log(`  FAIL passes against a silent server: ${name}`);
  for (const { name } of broken) console.log(`  FAIL fails without a server, though it needs none: ${name}`);
  for (const { problem } of [real, silent]) if (problem) console.log(`  FAIL ${problem}`);
  console.log(`  against a silent server: ${seen} of ${seen + blind.length} checks about the server fail, as they must`);
  return real.checks.length > 0 && real.checks.every(({ ok }) => ok) && blind.length + broken.length === 0 && seen > 0 && !real.problem && !silent.problem;
}
