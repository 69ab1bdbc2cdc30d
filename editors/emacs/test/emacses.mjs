// The Emacs the tests run in: the machine's own if it is new enough, else Debian's, unpacked beside the build.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fromDebian } from '../../debian.mjs';

/** eglot is part of Emacs from here on. */
const OLDEST = 29;

/**
 * A program that behaves like `emacs`; fetched if there is none here and none in `cache` yet.
 * @param {string} cache
 * @returns {string}
 */
export function emacs(cache) {
  const { stdout } = spawnSync('emacs', ['--version'], { encoding: 'utf8' });
  if (Number(/^GNU Emacs (\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= OLDEST) return 'emacs';
  const packages = ['emacs-nox', 'emacs-common', 'emacs-el', 'emacs-bin-common'];
  return fromDebian({ cache, release: 'trixie', packages, program: 'emacs' }, (run, root) => {
    const only = folder => join(folder, readdirSync(folder).find(name => /^[\d.]+$/.test(name)));
    const share = only(join(root, 'usr/share/emacs'));
    const libexec = only(join(root, 'usr/libexec/emacs'));
    const programs = join(libexec, readdirSync(libexec)[0]);
    const dump = readdirSync(programs).find(name => name.endsWith('.pdmp'));
    return `export EMACSLOADPATH='${share}/lisp' EMACSDATA='${share}/etc' EMACSDOC='${share}/etc' EMACSPATH='${programs}'
${run('usr/bin/emacs-nox')} --dump-file='${programs}/${dump}' "$@"
`;
  });
}
