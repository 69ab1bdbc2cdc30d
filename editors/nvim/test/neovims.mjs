// The Neovims the tests run in: Debian's packages, unpacked beside the build. Nothing is installed and nothing needs root.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian releases: 13 has Neovim 0.10, unstable has the newest. */
const RELEASES = ['trixie', 'sid'];

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Programs that behave like `nvim`, one per release; fetched if they are not in `cache` yet.
 * @param {string} cache
 * @returns {string[]}
 */
export function neovims(cache) {
  return RELEASES.map(release => {
    const home = join(cache, release);
    const program = join(home, 'nvim');
    if (!existsSync(program)) {
      console.log(`fetching Neovim of Debian ${release}`);
      rmSync(home, { recursive: true, force: true });
      rmSync(`${home}.new`, { recursive: true, force: true });
      fetch(release, `${home}.new`);
      renameSync(`${home}.new`, home);
      writeFileSync(program, wrapper(home), { mode: 0o755 });
    }
    return program;
  });
}

/** Lets apt find the packages and what they need as if nothing were installed, then unpacks them. */
function fetch(release, home) {
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
  apt('install', '--yes', '--download-only', 'neovim');
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

/** Starts Neovim with the C library it came with; programs it starts get the machine's own. */
function wrapper(home) {
  const root = join(home, 'root');
  const libraries = readdirSync(join(root, 'usr/lib')).find(name => name.endsWith('-linux-gnu'));
  const loader = readdirSync(join(root, 'usr/lib', libraries)).find(name => name.startsWith('ld-linux'));
  return `#!/bin/sh
export VIMRUNTIME='${root}/usr/share/nvim/runtime'
exec '${root}/usr/lib/${libraries}/${loader}' --library-path '${root}/usr/lib/${libraries}' '${root}/usr/bin/nvim' "$@"
`;
}
