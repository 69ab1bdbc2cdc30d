--- Checks of what is shown of traces, from files and without a server; and of what runs.lua shares with them.

local harness = require('harness')
local settings, BUGGY, check, lua, keys, command = harness.settings, harness.BUGGY, harness.check, harness.lua, harness.keys, harness.command
local lines, equal, contains, wait, open = harness.lines, harness.equal, harness.contains, harness.wait, harness.open

local M = {}

--- The line of the trace that contains `text`, and its number.
function M.line(text)
  for row, line in ipairs(lines()) do
    if line:find(text, 1, true) then
      return line, row
    end
  end
  error(('the trace does not contain %q: %s'):format(text, table.concat(lines(), '\n'):sub(1, 600)), 0)
end

--- What the buffer with the run of the bug must be, whoever opened it.
function M.check()
  equal(lua('return vim.bo.filetype'), 'lockstep-trace', 'the file type')
  contains(lines()[1], 'tcCrashingClients: ', 'the first line')
  local failure = 'WritesAreFenced in Watching: this assertion does not hold: a write was accepted after a newer one'
  contains(lines()[#lines()], failure, 'the last line')
  equal(lua('return vim.fn.line(".")'), #lines(), 'the line of the cursor')
  M.line('state: Init -> Waiting')
  M.line('bug at PSpec/Safety.p:40 [LS3001]')
  -- From a message to its send, and to its handler.
  local _, row = M.line('takes eWrite(')
  command(tostring(row))
  keys('<CR>')
  wait('the send', function()
    return lua('return vim.fn.expand("%:t") .. vim.trim(vim.fn.getline("."))'):find('^Client.psend config.store, eWrite')
  end)
  command('wincmd p')
  equal(lua('return vim.bo.filetype'), 'lockstep-trace', 'the window before')
  keys('g<CR>')
  wait('the handler', function()
    return lua('return vim.fn.expand("%:t") .. vim.trim(vim.fn.getline("."))') == 'Store.pon eWrite do (write: tWrite) {'
  end)
  command('wincmd p')
  -- The failure leads to the assertion.
  keys('G<CR>')
  wait('the assertion', function()
    return lua('return vim.fn.expand("%:t") .. vim.trim(vim.fn.getline("."))'):find('^Safety.passert reply.lease.epoch >= newestWrite')
  end)
end

check('a trace file is shown moment by moment, leads to the source, and folds by decision', function()
  open(BUGGY .. '/PTst/Tests.p')
  command('Lockstep trace ' .. BUGGY .. '/bug.trace.json')
  M.check()
  command('wincmd p')
  local _, row = M.line('starts with (server')
  equal(lua('return { vim.fn.foldlevel(...), vim.fn.foldclosed(...) }', row), { 1, -1 }, 'the fold')
  command(row .. 'foldclose')
  equal(lua('return vim.fn.foldclosed(...)', row), row, 'the beginning of the fold')
  -- What the spec sees belongs to the same decision.
  contains(lines()[lua('return vim.fn.foldclosedend(...)', row)], 'pending: {}', 'the end of the fold')
end)

--- What a file has in it that the command line wrote.
local function said(name)
  return vim.fn.readfile(BUGGY .. '/' .. name)
end

--- What is shown, but for the line about where the run comes from.
local function shown()
  return vim.list_slice(lines(), 2)
end

check('a trace is told in the words of the command line, and all of it with a', function()
  command('Lockstep trace ' .. BUGGY .. '/bug.trace.json')
  equal(shown(), said('bug.txt'), 'the short run')
  contains(lines()[1], '(a: show all)', 'the first line')
  local all = said('bug.all.txt')
  assert(#all > #said('bug.txt'), 'nothing was left out')
  keys('a')
  wait('all of the run', function()
    return #shown() == #all
  end)
  equal(shown(), all, 'the whole run')
  contains(lines()[1], '(a: only what the bug needs)', 'the first line')
  equal(lua('return vim.fn.line(".")'), #lines(), 'the line of the cursor')
  equal(lua('return vim.fn.foldlevel(3)'), 1, 'the fold of what is new')
  -- It leads to the source as well.
  local _, row = M.line('takes eWrite(')
  command(tostring(row))
  keys('<CR>')
  wait('the send', function()
    return lua('return vim.fn.expand("%:t") .. vim.trim(vim.fn.getline("."))'):find('^Client.psend config.store, eWrite')
  end)
  command('wincmd p')
  keys('a')
  wait('the short run', function()
    return #shown() == #said('bug.txt')
  end)
end)

check('a run that repeats itself for ever says from where', function()
  local place = { path = 'a.p', line = 1, column = 1, endLine = 1, endColumn = 2 }
  local function moment(decision)
    return { actor = 0, decision = decision, what = { kind = 'null' }, place = place }
  end
  local story = { actors = { { name = 'A(1)', isSpec = false } }, moments = { moment(0), moment(1), moment(2) }, messages = {} }
  local file = {
    format = 'lockstep-trace',
    version = 1,
    test = 'tc',
    found = { by = 'a search', decisions = 3 },
    decisions = { {}, {}, {} },
    repeatsFrom = 1,
    story = story,
  }
  local path = settings.scratch .. '/loop.trace.json'
  vim.fn.writefile({ (vim.json.encode(file):gsub('"messages":{}', '"messages":[]')) }, path)
  command('Lockstep trace ' .. path)
  local _, row = M.line('-- from here on it repeats itself for ever --')
  contains(lines()[row + 1], '  2  A(1) has nothing to do', 'the line after it')
  keys('a')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('this is all that is kept', 1, true)
  end)
  keys('gg<CR>')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('no place in the source', 1, true)
  end)
end)

check('a file that is no trace is told so, and so is a missing nvim-dap', function()
  command('Lockstep trace ' .. settings.scratch .. '/result.trace.json')
  local path = settings.scratch .. '/none.trace.json'
  vim.fn.writefile({ '{}' }, path)
  -- An error that is said during a command is one of the command in Neovim 0.10.
  local _, problem = pcall(command, 'Lockstep trace ' .. path)
  contains(lua([[return vim.fn.execute('messages')]]) .. tostring(problem), 'is no trace', 'the message')
  command('Lockstep debug ' .. BUGGY .. '/bug.trace.json')
  contains(lua([[return vim.fn.execute('messages')]]), 'needs the plugin nvim-dap', 'the message')
end)

check('nvim-dap is told how to start the debugger', function()
  -- A stand-in for the plugin: what it is told is all that matters here.
  lua([[package.preload.dap = function() return { adapters = {}, configurations = {}, run = function(config) _G.ran = config end } end]])
  command('Lockstep debug ' .. BUGGY .. '/bug.trace.json')
  local session = lua('return { _G.ran.type, _G.ran.request, vim.fs.basename(_G.ran.trace), _G.ran.stopOnEntry }')
  equal(session, { 'lockstep', 'launch', 'bug.trace.json', true }, 'the session')
  local adapter = lua('return require("dap").adapters.lockstep')
  equal(adapter, { type = 'executable', command = 'lockstep', args = { 'dap' } }, 'the adapter')
  equal(lua('return #require("dap").configurations.p'), 1, 'the number of configurations')
  command('Lockstep debug ' .. BUGGY .. '/bug.trace.json')
  equal(lua('return #require("dap").configurations.p'), 1, 'their number after a second time')
  lua([[package.preload.dap, package.loaded.dap = nil, nil]])
end)

return M
