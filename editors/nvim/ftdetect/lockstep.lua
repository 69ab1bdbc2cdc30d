if vim.fn.has('nvim-0.10') == 1 then
  require('lockstep.filetype').register()
end
