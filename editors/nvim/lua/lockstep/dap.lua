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

--- The session of nvim-dap that goes through a trace.
---@return table?
local function session()
  local is_there, dap = pcall(require, 'dap')
  local running = is_there and dap.session() or nil
  if running and running.config.type == 'lockstep' then
    return running
  end
  vim.notify('lockstep: no run is gone through just now; `:Lockstep debug` does', vim.log.levels.WARN)
end

---@param running table
---@param step integer
local function go(running, step)
  running:request('lockstep/goToStep', { step = step }, function(err)
    if err then
      vim.notify('lockstep: ' .. (err.message or tostring(err)), vim.log.levels.ERROR)
    end
  end)
end

--- Goes to a step of the run that is gone through; without a number a person chooses.
---@param number? string
function M.step(number)
  local running = session()
  if not running then
    return
  elseif number then
    local step = tonumber(number)
    if not step then
      return vim.notify(('lockstep: `%s` is no number of a step'):format(number), vim.log.levels.ERROR)
    end
    return go(running, step)
  end
  running:request('lockstep/steps', vim.empty_dict(), function(err, answer)
    if err or not answer then
      return
    end
    local prompt = { prompt = ('Step (now %d)'):format(answer.current), format_item = function(one)
      return ('%d. %s'):format(one.step, one.text:gsub('\n.*', ''))
    end }
    vim.ui.select(answer.steps, prompt, function(one)
      if one then
        go(running, one.step)
      end
    end)
  end)
end

return M
