// The Neovims the tests run in: Debian's packages, unpacked beside the build.

import { fromDebian } from '../../debian.mjs';

/** Debian releases: 13 has Neovim 0.10, unstable has the newest. */
const RELEASES = ['trixie', 'sid'];

/**
 * Programs that behave like `nvim`, one per release; fetched if they are not in `cache` yet.
 * @param {string} cache
 * @returns {string[]}
 */
export function neovims(cache) {
  const script = (run, root) => `export VIMRUNTIME='${root}/usr/share/nvim/runtime'\n${run('usr/bin/nvim')} "$@"\n`;
  return RELEASES.map(release => fromDebian({ cache, release, packages: ['neovim'], program: 'nvim' }, script));
}
