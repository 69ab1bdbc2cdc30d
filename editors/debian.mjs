// Editors for the tests: packages of Debian, unpacked beside the build. Nothing is installed and nothing needs root.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * A program that behaves like the one of the package in a release of Debian; fetched if it is not in `cache` yet.
 * @param {{cache: string, release: string, packages: string[], program: string}} wanted
 * @param {(run: (binary: string) => string, root: string) => string} script what starts it: the command line of a binary of the
 *   package comes from `run`
 * @returns {string}
 */
export function fromDebian({ cache, release, packages, program }, script) {
  const home = join(cache, release);
  const started = join(home, program);
  if (!existsSync(started)) {
    console.log(`fetching ${packages[0]} of Debian ${release}`);
    rmSync(home, { recursive: true, force: true });
    rmSync(`${home}.new`, { recursive: true, force: true });
    fetch(release, packages, `${home}.new`);
    renameSync(`${home}.new`, home);
    const root = join(home, 'root');
    writeFileSync(started, `#!/bin/sh\n${script(loader(root), root)}`, { mode: 0o755 });
  }
  return started;
}

/** Lets apt find the packages and what they need as if nothing were installed, then unpacks them. */
function fetch(release, packages, home) {
  if (!existsSync(KEYRING)) throw new Error('this is no Debian: its keyring is missing');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'root']) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'status'), '');
  writeFileSync(join(home, 'sources.list'), `deb [signed-by=${KEYRING}] ${mirror()} ${release} main\n`);
  const settings = {
    'Dir::Etc::sourcelist': join(home, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State': home,
    'Dir::State::lists': join(home, 'lists'),
    'Dir::State::status': join(home, 'status'),
    'Dir::Cache': join(home, 'cache'),
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
    // The list of a release that moves is soon out of date where the clock or the mirror is behind.
    'Acquire::Check-Valid-Until': 'false',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const apt = (...words) => execFileSync('apt-get', ['-qq', ...options, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  apt('install', '--yes', '--download-only', ...packages);
  const archives = join(home, 'cache/archives');
  for (const file of readdirSync(archives).filter(name => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['--extract', join(archives, file), join(home, 'root')]);
  }
  for (const folder of ['cache', 'lists']) rmSync(join(home, folder), { recursive: true });
}

/** The mirror this machine's own apt uses. */
function mirror() {
  const format = '$(CREATED_BY) $(COMPONENT) $(RELEASE) $(REPO_URI)';
  const lines = execFileSync('apt-get', ['indextargets', '--format', format], { encoding: 'utf8' }).split('\n');
  const [, uri] = lines.map(line => /^Packages main [a-z]+ (.*)$/.exec(line)).find(Boolean) ?? [];
  if (!uri) throw new Error('apt knows no Debian mirror');
  return uri;
}

/** Starts a binary with the C library it came with; programs it starts get the machine's own. */
function loader(root) {
  const libraries = readdirSync(join(root, 'usr/lib')).find(name => name.endsWith('-linux-gnu'));
  const interpreter = readdirSync(join(root, 'usr/lib', libraries)).find(name => name.startsWith('ld-linux'));
  const folder = `${root}/usr/lib/${libraries}`;
  return binary => `exec '${folder}/${interpreter}' --library-path '${folder}' '${root}/${binary}'`;
}
