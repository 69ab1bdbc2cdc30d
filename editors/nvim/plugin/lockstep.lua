if vim.g.loaded_lockstep then
  return
end
vim.g.loaded_lockstep = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_echo({ { 'lockstep needs Neovim 0.10 or newer', 'WarningMsg' } }, true, {})
  return
end

vim.api.nvim_create_user_command('Lockstep', function(call)
  require('lockstep.command').run(call.fargs)
end, {
  nargs = '*',
  desc = 'Lockstep, the server for P and IceT',
  complete = function(typed, line)
    return require('lockstep.command').complete(typed, line)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('lockstep', {}),
  callback = function(event)
    require('lockstep.client').on_attach(event.data.client_id, event.buf)
  end,
})

require('lockstep.client').enable()
