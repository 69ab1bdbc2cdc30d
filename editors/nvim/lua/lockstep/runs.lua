--- Running tests: `:Lockstep run`, `explore`, `cancel`, `trace` and `debug`, and the lenses that do the same. What becomes of a run is what
--- the server's records say; nothing is concluded here.

local client = require('lockstep.client')
local verdicts = require('lockstep.verdicts')

local M = {}

---@class lockstep.Chosen
---@field server vim.lsp.Client
---@field test lockstep.Test

--- Tests that were asked for here and have not ended, by server and id: their names.
---@type table<string, { name: string, has_begun: boolean }>
local asked = {}

---@param server_id integer
---@param id string
---@return string
local function key(server_id, id)
  return server_id .. ' ' .. id
end

local function say(text, level)
  vim.notify('lockstep: ' .. text, level or vim.log.levels.INFO)
end

--- Asks every server for its tests.
---@param done fun(found: lockstep.Chosen[])
local function all(done)
  local servers = client.all()
  if #servers == 0 then
    return say('no server is running', vim.log.levels.WARN)
  end
  local waiting, found = #servers, {}
  for _, server in ipairs(servers) do
    client.call(server, 'request', 'lockstep/tests', vim.empty_dict(), function(_, result)
      for _, test in ipairs(result and result.tests or {}) do
        found[#found + 1] = { server = server, test = test }
      end
      waiting = waiting - 1
      if waiting == 0 then
        done(found)
      end
    end)
  end
end

--- Whether a test is the one of this name, or, without a name, the one under the cursor.
---@param test lockstep.Test
---@param name? string
---@param uri string
---@param line integer
---@return boolean
local function is_meant(test, name, uri, line)
  if name then
    return test.name == name or test.base == name
  end
  return test.uri == uri and test.range.start.line <= line and line <= test.range['end'].line
end

--- Finds the cases of the test of a name, or of the one under the cursor; there is at least one.
---@param name? string
---@param done fun(meant: lockstep.Chosen[])
local function find(name, done)
  local uri, line = vim.uri_from_bufnr(0), vim.api.nvim_win_get_cursor(0)[1] - 1
  local near = client.of(0)
  all(function(found)
    local meant = vim.tbl_filter(function(one)
      return is_meant(one.test, name, uri, line)
    end, found)
    -- Another project may have a test of the same name: that of this buffer is meant.
    local own = vim.tbl_filter(function(one)
      return near ~= nil and one.server.id == near.id
    end, meant)
    meant = #own > 0 and own or meant
    if #meant == 0 then
      return say(name and ('there is no test `%s`'):format(name) or 'there is no test under the cursor', vim.log.levels.WARN)
    end
    done(meant)
  end)
end

--- Finds one case of a test; of several a person chooses.
---@param name? string
---@param done fun(chosen: lockstep.Chosen)
local function choose(name, done)
  find(name, function(meant)
    if #meant == 1 then
      return done(meant[1])
    end
    local prompt = { prompt = 'Which one?', format_item = function(one)
      local words = verdicts.words(one.server.id, one.test)
      return words and ('%s: %s'):format(one.test.name, words) or one.test.name
    end }
    vim.ui.select(meant, prompt, function(one)
      if one then
        done(one)
      end
    end)
  end)
end

--- Asks a server to run an item; what becomes of it is said when it has ended.
---@param server vim.lsp.Client
---@param item string
---@param mode 'run'|'explore'
local function start(server, item, mode)
  local one = { name = item:match('[^/]*$'), has_begun = false }
  asked[key(server.id, item)] = one
  client.call(server, 'request', 'lockstep/run', { item = item, mode = mode }, function(err)
    if err then
      asked[key(server.id, item)] = nil
      return say(('%s: %s'):format(one.name, err.message), vim.log.levels.ERROR)
    end
    -- A server that knows the result already has nothing to tell.
    vim.defer_fn(function()
      one.has_begun = true
      M.refresh(server.id)
    end, 3000)
  end)
end

--- Runs the test of a name or under the cursor, in all its cases.
---@param mode 'run'|'explore'
---@param name? string
function M.run(mode, name)
  find(name, function(meant)
    for _, chosen in ipairs(meant) do
      start(chosen.server, chosen.test.id, mode)
    end
  end)
end

--- Ends the run of a test, or all of them.
---@param name? string
function M.cancel(name)
  local function cancel(server, item)
    client.call(server, 'request', 'lockstep/cancel', item and { item = item } or vim.empty_dict(), function(err, result)
      if err then
        say(err.message, vim.log.levels.ERROR)
      elseif result and result.cancelled == 0 then
        say('nothing is running')
      end
    end)
  end
  if name then
    return find(name, function(meant)
      for _, chosen in ipairs(meant) do
        cancel(chosen.server, chosen.test.id)
      end
    end)
  end
  for _, server in ipairs(client.all()) do
    cancel(server)
  end
end

--- Asks for the run that refutes an item.
---@param server vim.lsp.Client
---@param item string
---@param done fun(found: lockstep.FoundTrace)
local function with_trace(server, item, done)
  client.call(server, 'request', 'lockstep/trace', { item = item }, function(err, found)
    if err then
      say(err.message, vim.log.levels.ERROR)
    elseif not found or found == vim.NIL then
      say('no run that goes wrong is known: `:Lockstep run` or `:Lockstep explore` looks for one', vim.log.levels.WARN)
    else
      done(found)
    end
  end)
end

---@param found lockstep.FoundTrace
local function show(found)
  require('lockstep.trace').open(found)
end

---@param found lockstep.FoundTrace
local function debug(found)
  require('lockstep.dap').debug(found.path)
end

--- A trace file that was named, as if a server had found it.
---@param name? string
---@return lockstep.FoundTrace?
local function file(name)
  if name and name:find('%.json$') and vim.fn.filereadable(name) == 1 then
    return { path = vim.fn.fnamemodify(name, ':p'), stale = false, sources = {} }
  end
end

--- Does something with the trace in a file, or of the test of a name or under the cursor.
---@param name? string
---@param act fun(found: lockstep.FoundTrace)
local function about_trace(name, act)
  local found = file(name)
  if found then
    return act(found)
  end
  choose(name, function(chosen)
    with_trace(chosen.server, chosen.test.id, act)
  end)
end

--- Shows what happened in the run that refutes a test.
---@param name? string
function M.trace(name)
  about_trace(name, show)
end

--- Steps through that run.
---@param name? string
function M.debug(name)
  about_trace(name, debug)
end

--- Says what became of the tests that were asked for here.
---@param server_id integer
function M.refresh(server_id)
  for id, record in pairs(verdicts.all(server_id)) do
    local one = asked[key(server_id, id)]
    if one and record.phase ~= 'idle' then
      one.has_begun = true
    elseif one and one.has_begun then
      asked[key(server_id, id)] = nil
      -- A bug is no error of the plugin: one that is told while Neovim waits for something else, such as completions, would end that.
      local is_fine = vim.tbl_contains({ 'proved', 'exhausted', 'sampled' }, record.verdict)
      local level = is_fine and vim.log.levels.INFO or vim.log.levels.WARN
      say(('%s: %s'):format(one.name, record.words), level)
    end
  end
end

--- The commands of lenses: each has one argument, `{ item }`.
---@type table<string, fun(command: { arguments: { item: string }[] }, context: { client_id: integer })>
M.commands = {}
for command, act in pairs({
  ['lockstep.runTest'] = function(server, item)
    start(server, item, 'run')
  end,
  ['lockstep.exploreTest'] = function(server, item)
    start(server, item, 'explore')
  end,
  ['lockstep.cancelTest'] = function(server, item)
    client.call(server, 'request', 'lockstep/cancel', { item = item }, function() end)
  end,
  ['lockstep.showTrace'] = function(server, item)
    with_trace(server, item, show)
  end,
  ['lockstep.debugTrace'] = function(server, item)
    with_trace(server, item, debug)
  end,
  ['lockstep.showVerdict'] = function()
    require('lockstep.tests').open()
  end,
}) do
  M.commands[command] = function(called, context)
    local given = (called.arguments or {})[1] or {}
    act(assert(vim.lsp.get_client_by_id(context.client_id)), given.item)
  end
end

--- The names of all tests, for the command line.
---@return string[]
function M.names()
  local names = {}
  for _, server in ipairs(client.all()) do
    local answer = client.call(server, 'request_sync', 'lockstep/tests', vim.empty_dict(), 1000, 0)
    for _, test in ipairs(answer and answer.result and answer.result.tests or {}) do
      names[test.name] = true
      names[test.base] = true
    end
  end
  return vim.tbl_keys(names)
end

return M
