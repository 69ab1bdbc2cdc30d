--- Stands in for nvim-dap, which no registry of packages has: a client of the Debug Adapter Protocol that takes the tables that the plugin
--- hands to nvim-dap and does with them what nvim-dap does. An adapter that is a program is started; functions in a configuration are
--- called; all of the configuration is what the adapter is asked to launch.

local M = { adapters = {}, configurations = {} }

local Session = {}
Session.__index = Session

---@type table?
local current

function M.session()
  return current
end

--- Asks the adapter for something; `done` is given an error or what was answered.
function Session:request(command, arguments, done)
  self.sequence = self.sequence + 1
  self.waiting[self.sequence] = done or function() end
  local message = { seq = self.sequence, type = 'request', command = command, arguments = arguments }
  local body = vim.json.encode(message)
  self.input:write(('Content-Length: %d\r\n\r\n%s'):format(#body, body))
end

--- The same, and waits for what is answered.
function Session:ask(command, arguments)
  local problem, answer
  local is_answered = false
  self:request(command, arguments or vim.empty_dict(), function(err, body)
    problem, answer, is_answered = err, body, true
  end)
  vim.wait(30000, function()
    return is_answered
  end, 10)
  assert(is_answered, command .. ' was not answered')
  assert(not problem, problem and problem.message)
  return answer
end

--- Asks for something that goes to another place, and waits until the adapter says that it has stopped. Where it is: file and line.
function Session:go(command, arguments)
  local before = #self.stops
  self:ask(command, arguments or { threadId = self:thread() })
  vim.wait(30000, function()
    return #self.stops > before
  end, 10)
  assert(#self.stops > before, command .. ' does not stop')
  return self:place()
end

function Session:thread()
  return self.stops[#self.stops].threadId
end

---@return string
function Session:place()
  local frame = self:ask('stackTrace', { threadId = self:thread() }).stackFrames[1]
  return ('%s:%d'):format(vim.fs.basename(frame.source.path), frame.line)
end

--- What the adapter says by itself.
local events = {
  initialized = function(self)
    self:request('setBreakpoints', { source = self.breakpoints.source, breakpoints = self.breakpoints.lines })
    self:request('setFunctionBreakpoints', { breakpoints = self.breakpoints.names })
    local filters = {}
    for _, filter in ipairs(self.capabilities.exceptionBreakpointFilters or {}) do
      filters[#filters + 1] = filter.default and filter.filter or nil
    end
    self:request('setExceptionBreakpoints', { filters = filters })
    self:request('configurationDone', vim.empty_dict())
  end,
  stopped = function(self, body)
    self.stops[#self.stops + 1] = body
  end,
  terminated = function(self)
    self.is_over = true
  end,
}

function Session:hear(message)
  if message.type == 'event' then
    local act = events[message.event]
    return act and act(self, message.body)
  end
  local done = self.waiting[message.request_seq]
  self.waiting[message.request_seq] = nil
  done(not message.success and { message = message.message } or nil, message.body)
end

--- Takes apart what comes from the adapter.
function Session:read(data)
  self.unread = self.unread .. data
  while true do
    local length, from = self.unread:match('^Content%-Length: (%d+)\r\n\r\n()')
    if not length or #self.unread < from + length - 1 then
      return
    end
    local message = vim.json.decode(self.unread:sub(from, from + length - 1), { luanil = { object = true } })
    self.unread = self.unread:sub(from + length)
    vim.schedule(function()
      self:hear(message)
    end)
  end
end

function Session:close()
  self:ask('disconnect', { terminateDebuggee = true })
  current = nil
end

--- Breakpoints of the next session: `{ source = {...}, lines = {...}, names = {...} }`.
M.breakpoints = { source = { path = '/none.p' }, lines = {}, names = {} }

function M.run(given)
  local config = vim.tbl_map(function(value)
    return type(value) == 'function' and value() or value
  end, given)
  local adapter = assert(M.adapters[config.type], 'there is no adapter for ' .. config.type)
  assert(adapter.type == 'executable', 'only programs are started here')
  local self = setmetatable({
    config = config,
    input = assert(vim.uv.new_pipe()),
    output = assert(vim.uv.new_pipe()),
    sequence = 0,
    waiting = {},
    stops = {},
    unread = '',
    breakpoints = M.breakpoints,
    is_over = false,
  }, Session)
  current = self
  local options = { args = adapter.args, stdio = { self.input, self.output, nil } }
  assert(vim.uv.spawn(adapter.command, options, function()
    self.is_over = true
  end))
  self.output:read_start(function(_, data)
    if data then
      self:read(data)
    end
  end)
  local client = { clientID = 'neovim', clientName = 'neovim', adapterID = config.type, pathFormat = 'path' }
  client.columnsStartAt1, client.linesStartAt1, client.supportsVariableType = true, true, true
  self:request('initialize', client, function(err, capabilities)
    assert(not err, err and err.message)
    self.capabilities = capabilities
    self:request(config.request, config, function(problem)
      self.problem = problem and problem.message
    end)
  end)
end

return M
