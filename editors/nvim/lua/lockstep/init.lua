--- Lockstep for Neovim: what users call. Everything works without a call of `setup`.

local M = {}

--- See |lockstep-setup|. Can be called again at any time: servers that run are told.
---@param options? table Some of the fields of `lockstep.Options`.
function M.setup(options)
  require('lockstep.options').set(options)
  require('lockstep.client').send_options()
end

--- A few words for a status line; empty where no server looks after the buffer.
---@param bufnr? integer
---@return string
function M.status(bufnr)
  local client = require('lockstep.client')
  local server = vim.lsp.get_clients({ name = 'lockstep', bufnr = bufnr or 0 })[1]
  if not server then
    return ''
  end
  local status = client.status(server.id)
  if not status then
    return 'Lockstep: starting'
  elseif status.state == 'working' then
    return 'Lockstep: ' .. (status.message ~= '' and status.message or 'working')
  elseif status.errors + status.warnings == 0 then
    return 'Lockstep: no findings'
  end
  return ('Lockstep: %dE %dW'):format(status.errors, status.warnings)
end

return M
