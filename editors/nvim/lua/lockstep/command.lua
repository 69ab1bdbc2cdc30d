--- `:Lockstep` and its subcommands.

local client = require('lockstep.client')
local options = require('lockstep.options')

local M = {}

--- The code of the finding under the cursor, else of the first one in its line.
---@return string?
local function code_at_cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local found
  for _, finding in ipairs(vim.diagnostic.get(0, { lnum = row - 1 })) do
    local covers = finding.col <= column and (finding.end_lnum > row - 1 or column < finding.end_col)
    if finding.code and (covers or not found) then
      found = tostring(finding.code)
      if covers then
        break
      end
    end
  end
  return found
end

--- Markdown with every paragraph in one line, so that the window breaks it where it ends.
---@param markdown string
---@return string[]
local function paragraphs(markdown)
  local lines, in_code, in_paragraph = {}, false, false
  for _, line in ipairs(vim.split(markdown, '\n', { trimempty = true })) do
    local is_fence = line:find('^```') ~= nil
    local is_prose = not in_code and not is_fence and line:find('^[%w`(*_"]') ~= nil
    if is_prose and in_paragraph then
      lines[#lines] = lines[#lines] .. ' ' .. line
    else
      lines[#lines + 1] = line
    end
    in_paragraph = is_prose
    in_code = in_code ~= is_fence
  end
  return lines
end

--- Shows what a code means in a floating window.
---@param code? string
local function explain(code)
  code = code and code:upper() or code_at_cursor()
  local server = client.of()
  if not code then
    vim.notify('lockstep: explain which code? There is no finding in this line', vim.log.levels.WARN)
  elseif not server then
    vim.notify('lockstep: no server is running', vim.log.levels.WARN)
  else
    client.call(server, 'request', 'lockstep/explain', { code = code }, function(err, result)
      if err or not result then
        vim.notify('lockstep: ' .. (err and err.message or code .. ' is not a code'), vim.log.levels.WARN)
        return
      end
      local lines = paragraphs(result.markdown)
      local _, window = vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'lockstep.explain', max_width = 90 })
      vim.wo[window].linebreak = true
    end)
  end
end

--- Lays the buffer out.
local function format()
  local server = client.of()
  if not server then
    vim.notify('lockstep: no server is running', vim.log.levels.WARN)
    return
  end
  -- Neovim gives up after a second, which a large file can take on a busy machine.
  vim.lsp.buf.format({ id = server.id, timeout_ms = 10000 })
end

---@return string[]
local function codes()
  local seen = {}
  for _, finding in ipairs(vim.diagnostic.get()) do
    if finding.source == 'lockstep' and finding.code then
      seen[tostring(finding.code)] = true
    end
  end
  local list = vim.tbl_keys(seen)
  table.sort(list)
  return list
end

---@param number integer
---@param word string
---@return string
local function count(number, word)
  return ('%d %s%s'):format(number, word, number == 1 and '' or 's')
end

--- Which servers run, for what, and how they are.
---@return string[]
function M.info()
  local lines = { 'command: ' .. table.concat(options.current.cmd, ' ') }
  for _, server in ipairs(client.all()) do
    local status = client.status(server.id)
    lines[#lines + 1] = ('server %d: %s'):format(server.id, server.root_dir or 'files without a folder')
    if status then
      local counts = { count(status.projects, 'project'), count(status.errors, 'error'), count(status.warnings, 'warning') }
      lines[#lines + 1] = ('  %s: %s'):format(status.state, table.concat(counts, ', '))
    end
  end
  if #lines == 1 then
    lines[2] = 'no server is running'
  end
  return lines
end

---@class lockstep.Subcommand
---@field run fun(argument?: string)
---@field complete? fun(): string[]

--- The names of tests, if a server knows them.
---@return string[]
local function tests()
  return require('lockstep.runs').names()
end

---@type table<string, lockstep.Subcommand>
M.subcommands = {
  cancel = {
    run = function(name)
      require('lockstep.runs').cancel(name)
    end,
    complete = tests,
  },
  debug = {
    run = function(name)
      require('lockstep.runs').debug(name)
    end,
    complete = tests,
  },
  diagram = {
    run = function(how)
      require('lockstep.diagram').show(how)
    end,
    complete = function()
      return { 'svg' }
    end,
  },
  explain = { run = explain, complete = codes },
  explore = {
    run = function(name)
      require('lockstep.runs').run('explore', name)
    end,
    complete = tests,
  },
  fmt = { run = format },
  info = {
    run = function()
      vim.api.nvim_echo({ { table.concat(M.info(), '\n') } }, true, {})
    end,
  },
  log = {
    run = function()
      local log = vim.lsp.log
      vim.cmd.tabedit(vim.fn.fnameescape(log and log.get_filename and log.get_filename() or vim.lsp.get_log_path()))
    end,
  },
  restart = {
    run = function()
      client.disable(client.enable)
    end,
  },
  run = {
    run = function(name)
      require('lockstep.runs').run('run', name)
    end,
    complete = tests,
  },
  seq = {
    run = function()
      require('lockstep.sequential').open()
    end,
  },
  start = { run = client.enable },
  step = {
    run = function(number)
      require('lockstep.dap').step(number)
    end,
  },
  stop = {
    run = function()
      client.disable()
    end,
  },
  tests = {
    run = function()
      require('lockstep.tests').open()
    end,
  },
  trace = {
    run = function(name)
      require('lockstep.runs').trace(name)
    end,
    complete = tests,
  },
}

---@param arguments string[]
function M.run(arguments)
  local name = arguments[1] or 'info'
  local subcommand = M.subcommands[name]
  if subcommand then
    subcommand.run(arguments[2])
  else
    vim.notify(('lockstep: there is no subcommand `%s`; see :help :Lockstep'):format(name), vim.log.levels.ERROR)
  end
end

--- For the command line: subcommands, then what the subcommand takes.
---@param typed string The word being typed.
---@param line string All of the command line.
---@return string[]
function M.complete(typed, line)
  local name = line:match('Lockstep%s+(%S+)%s')
  local choices = vim.tbl_keys(M.subcommands)
  if name then
    local subcommand = M.subcommands[name]
    choices = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  table.sort(choices)
  return vim.tbl_filter(function(choice)
    return vim.startswith(choice, typed)
  end, choices)
end

return M
