if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1
vim.opt_local.wrap = false
vim.opt_local.foldmethod = 'expr'
vim.opt_local.foldexpr = "v:lua.require'lockstep.trace'.fold(v:lnum)"
vim.opt_local.foldtext = "v:lua.require'lockstep.trace'.fold_text()"
vim.opt_local.foldlevel = 99
vim.b.undo_ftplugin = 'setlocal wrap< foldmethod< foldexpr< foldtext< foldlevel<'
