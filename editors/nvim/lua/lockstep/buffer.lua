--- What is set in every buffer of P or IceT: the two languages write comments and names the same way.

local M = {}

--- For `ftplugin/`.
---@param language 'p'|'icet'
function M.set_up(language)
  if vim.b.did_ftplugin then
    return
  end
  vim.b.did_ftplugin = 1
  vim.bo.commentstring = '// %s'
  vim.bo.comments = 's1:/*,mb:*,ex:*/,://'
  vim.bo.iskeyword = '@,48-57,_'
  vim.bo.suffixesadd = '.' .. language
  vim.opt_local.formatoptions:remove('t')
  vim.opt_local.formatoptions:append('croql')
  vim.b.undo_ftplugin = 'setlocal commentstring< comments< iskeyword< suffixesadd< formatoptions<'
  -- Without its parser a buffer has the server's colours only; `:checkhealth lockstep` says so.
  if pcall(vim.treesitter.start, 0, language) then
    vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | lua vim.treesitter.stop()'
  end
end

--- For `indent/`.
function M.set_up_indent()
  if vim.b.did_indent then
    return
  end
  vim.b.did_indent = 1
  vim.bo.indentexpr = "v:lua.require'lockstep.indent'.expr()"
  vim.bo.indentkeys = '0{,0},0),0],!^F,o,O,e'
  vim.b.undo_indent = 'setlocal indentexpr< indentkeys<'
end

return M
