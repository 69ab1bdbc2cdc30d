// The configuration for Helix, in a real Helix: node editors/helix/test/run.mjs --server PATH/TO/lockstep [--hx PATH]
//
// Helix has no mode without a terminal, so it gets one (`script`), and keys. What it does is seen in files: `:pipe-to` writes the selection to
// one. The same again against a server that says nothing, where every check about the server must fail. Exits with 3 if there is no Helix.

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fromDebian } from '../../debian.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../../..');
const TARGET = join(ROOT, 'target/editors/helix');
const SKIPPED = 3;

const { values: options } = parseArgs({ options: { server: { type: 'string' }, hx: { type: 'string' } } });
if (!options.server) {
  console.error('usage: node editors/helix/test/run.mjs --server PATH [--hx PATH]');
  process.exit(2);
}
mkdirSync(TARGET, { recursive: true });
const program = options.hx ?? fetched();
/** The machine's own Helix, or Debian's. */
function fetched() {
  for (const name of ['hx', 'helix']) if (spawnSync(name, ['--version']).status === 0) return name;
  try {
    const script = (run, root) => `export HELIX_RUNTIME="\${HELIX_RUNTIME:-${root}/usr/lib/hx/runtime}"\n${run('usr/lib/hx/hx')} "$@"\n`;
    return fromDebian({ cache: TARGET, release: 'trixie', packages: ['hx'], program: 'hx' }, script);
  } catch (error) {
    console.error(`skipped: no Helix could be fetched (${error.message}); --hx PATH names one`);
    process.exit(SKIPPED);
  }
}

async function run(kind, limit) {
  const scratch = mkdtempSync(join(tmpdir(), 'lockstep-helix-'));
  const env = prepare(scratch, kind);
  const results = [];
  for (const { name, isClientOnly = false, file, check } of checks) {
    let detail = '';
    const helix = file && new Helix(scratch, env, join(scratch, file), limit);
    try {
      await helix?.hasShown(/NOR/, 0, 30_000);
      await check(helix, { scratch, env });
    } catch (error) {
      detail = error.message;
    } finally {
      await helix?.stop();
    }
    results.push({ name, ok: detail === '', detail, isClientOnly });
  }
  rmSync(scratch, { recursive: true, force: true });
  return results;
}

/** A home with the configuration, the parsers and queries, and the server on PATH; the sample project with a mistake and a bad layout. */
function prepare(scratch, kind) {
  const bin = join(scratch, 'bin');
  const config = join(scratch, 'config/helix');
  for (const folder of [bin, config]) mkdirSync(folder, { recursive: true });
  if (kind === 'server') symlinkSync(resolve(options.server), join(bin, 'lockstep'));
  else writeFileSync(join(bin, 'lockstep'), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'editors/nvim/test/silent-server.mjs')}'\n`, { mode: 0o755 });
  cpSync(join(HERE, '../languages.toml'), join(config, 'languages.toml'));
  const made = spawnSync('cargo', ['xtask', 'helix', '--into', join(config, 'runtime')], { cwd: ROOT, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`cargo xtask helix failed:\n${made.stderr}`);
  for (const name of ['lease', 'broken']) cpSync(join(ROOT, 'tests/programs/p/lease'), join(scratch, name), { recursive: true });
  change(join(scratch, 'broken/PSrc/Client.p'), 'roundsLeft = given.rounds;', 'roundsLeft = given.mayCrash;');
  change(join(scratch, 'lease/PSrc/Store.p'), 'machine Store {', 'machine   Store   {');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: scratch, TERM: 'xterm-256color', COLORTERM: 'truecolor' };
  for (const name of ['CONFIG', 'DATA', 'STATE', 'CACHE']) env[`XDG_${name}_HOME`] = join(scratch, name.toLowerCase());
  return env;
}

function change(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`the sample project has changed: there is no \`${from}\``);
  writeFileSync(file, text.replace(from, to));
}

const checks = [
  {
    name: 'the configuration is read, and the queries are there',
    isClientOnly: true,
    check: async (_, { env }) => {
      const { stdout } = spawnSync(program, ['--health', 'p'], { env, encoding: 'utf8' });
      for (const line of ['lockstep: ', 'Highlight queries: ', 'Indent queries: ']) {
        const found = stdout.split('\n').find(text => text.includes(line)) ?? '';
        if (!found.includes('✓')) throw new Error(`hx --health p says: ${stdout}`);
      }
    },
  },
  {
    name: 'a finding is gone to',
    file: 'broken/PSrc/Client.p',
    check: helix => helix.until(']d', selection => selection === 'given.mayCrash'),
  },
  {
    name: 'a definition is found in another file',
    file: 'lease/PSrc/Client.p',
    check: helix => helix.until('gg/eLeaseRequest\rgd', selection => selection.includes('event eLeaseRequest'), '%'),
  },
  {
    name: 'a file is laid out',
    file: 'lease/PSrc/Store.p',
    check: helix => helix.until(':format\r', selection => /^machine Store \{/m.test(selection), '%'),
  },
  {
    name: 'the code actions of a test run it',
    file: 'lease/PTst/Tests.p',
    check: async (helix, { scratch }) => {
      // What is found out about a test is kept there; how it is said is not always drawn in one piece.
      const results = join(scratch, 'cache/lockstep/results');
      for (const end = Date.now() + helix.limit; Date.now() < end; ) {
        const before = helix.output.length;
        await helix.keys('\x1b\x1bgg/tcOneClient\r a');
        // A menu that comes late would get the keys of the next try.
        if (!(await helix.hasShown(/Run \(tcOneClient\)/, before, 5_000))) continue;
        await sleep(300);
        await helix.keys('\r');
        for (let left = 100; left > 0; left--) {
          if (existsSync(results) && readdirSync(results).length > 0) return;
          await sleep(50);
        }
      }
      throw new Error(`the screen ends in ${JSON.stringify(plain(helix.output).slice(-600))}`);
    },
  },
];

/** A Helix in a terminal. */
class Helix {
  constructor(scratch, env, file, limit) {
    this.limit = limit;
    this.selected = join(scratch, 'selected');
    this.output = '';
    rmSync(this.selected, { force: true });
    const command = `stty rows 40 cols 160; exec '${program}' '${file}'`;
    this.child = spawn('script', ['-qfec', command, '/dev/null'], { env, cwd: dirname(dirname(file)), stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', data => (this.output += data));
  }

  /** A key right behind Escape would be taken for one with Alt. */
  async keys(text) {
    for (const [at, part] of text.split('\x1b').entries()) {
      if (at > 0) {
        this.child.stdin.write('\x1b');
        await sleep(150);
      }
      this.child.stdin.write(part);
    }
  }

  /** Presses keys, then those that select something, and looks at the selection, until it is what is wanted. */
  async until(keys, isWanted, select = '') {
    let selection = '';
    for (const end = Date.now() + this.limit; Date.now() < end; ) {
      rmSync(this.selected, { force: true });
      await this.keys(`\x1b${keys}`);
      await sleep(300);
      await this.keys(`${select}:pipe-to cat > ${this.selected}\r`);
      for (let left = 20; left > 0 && !existsSync(this.selected); left--) await sleep(50);
      selection = existsSync(this.selected) ? readFileSync(this.selected, 'utf8') : '';
      if (isWanted(selection)) return;
    }
    throw new Error(`the selection is ${JSON.stringify(selection.slice(0, 200))}`);
  }

  /** Whether something comes to the screen that was not there `before`, within some time. */
  async hasShown(pattern, before, milliseconds) {
    for (const end = Date.now() + Math.min(milliseconds, this.limit); Date.now() < end; ) {
      if (pattern.test(plain(this.output.slice(before)))) return true;
      await sleep(50);
    }
    return false;
  }

  async stop() {
    await this.keys('\x1b:qa!\r');
    this.child.kill();
  }
}

/** What was written to a terminal, without what moves the cursor and sets colours. */
function plain(text) {
  return text.replaceAll(/\x1b\[[0-9;:?<>=]* ?[a-zA-Z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)/g, '');
}

const start = Date.now();
const real = await run('server', 30_000);
const silent = await run('silent', 2_000);
for (const { name, ok, detail } of real) console.log(`  ${ok ? 'ok  ' : 'FAIL'} ${name}${ok ? '' : `: ${detail}`}`);
const blind = silent.filter(({ ok, isClientOnly }) => ok && !isClientOnly);
for (const { name } of blind) console.log(`  FAIL passes against a silent server: ${name}`);
const ok = real.every(({ ok }) => ok) && blind.length === 0;
console.log(`${ok ? 'passed' : 'FAILED'} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
process.exit(ok ? 0 : 1);
