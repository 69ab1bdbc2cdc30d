-- For |vim.lsp.config()|, Neovim 0.11 and newer; what a user sets there for `lockstep` has precedence.
return require('lockstep.client').config()
