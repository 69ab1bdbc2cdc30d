--- The debugger, for those who have nvim-dap: steps through the run of a trace, forwards and backwards. Nothing here loads nvim-dap
--- before it is asked for.

local client = require('lockstep.client')

local M = {}

--- Lets a person choose a trace file.
---@return string
local function ask()
  return vim.fn.input('Trace: ', vim.fn.getcwd() .. '/target/lockstep/', 'file')
end

--- Tells nvim-dap how to start the debugger, and what `continue()` offers in a buffer of P.
---@return table? # nvim-dap, if it is installed.
function M.register()
  local is_there, dap = pcall(require, 'dap')
  if not is_there then
    return nil
  end
  dap.adapters.lockstep = { type = 'executable', command = client.program(), args = { 'dap' } }
  local name = 'Lockstep: trace of a bug'
  local configurations = vim.tbl_filter(function(one)
    return one.name ~= name
  end, dap.configurations.p or {})
  table.insert(configurations, { type = 'lockstep', request = 'launch', name = name, trace = ask, stopOnEntry = true })
  dap.configurations.p = configurations
  return dap
end

--- Steps through the run of a trace file.
---@param path string
function M.debug(path)
  local dap = M.register()
  if not dap then
    return vim.notify('lockstep: stepping through a run needs the plugin nvim-dap; see :help lockstep-debug', vim.log.levels.WARN)
  end
  dap.run({ type = 'lockstep', request = 'launch', name = vim.fs.basename(path), trace = path, stopOnEntry = true })
end

return M
