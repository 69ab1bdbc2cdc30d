--- Checks of running tests, with the server.

local harness = require('harness')
local traces = require('traces')
local settings, BUGGY, server_check, lua, command, lines = harness.settings, harness.BUGGY, harness.server_check, harness.lua, harness.command, harness.lines
local equal, contains, wait, open, attached, go_to = harness.equal, harness.contains, harness.wait, harness.open, harness.attached, harness.go_to
local findings, quickfix, drawn = harness.findings, harness.quickfix, harness.drawn

--- Opens a file of the project with the bug.
local function open_buggy(path)
  open(BUGGY .. '/' .. path)
  wait('the server to attach', attached)
end

--- Goes to a test and waits until the server knows it: it has a lens then.
local function go_to_test(name)
  go_to('test ' .. name, name)
  wait('the lens of ' .. name, function()
    return drawn():find('Run', 1, true)
  end)
end

--- Runs a command about the test under the cursor until the lens above it says what is wanted.
local function until_lens(line, text)
  command(line)
  return wait('the lens to say ' .. text, function()
    local now = drawn()
    return now:find(text, 1, true) and now
  end)
end

server_check(':Lockstep run finds the bug of the test under the cursor, where it happens, and :Lockstep trace shows its run', function()
  open_buggy('PTst/Tests.p')
  go_to_test('tcCrashingClients')
  until_lens('Lockstep run', 'refuted')
  wait('what it ended in', function()
    return lua([[return vim.fn.execute('messages')]]):find('tcCrashingClients: refuted', 1, true)
  end)
  command('Lockstep trace')
  wait('the trace', function()
    return lua('return vim.bo.filetype') == 'lockstep-trace'
  end)
  traces.check()
  -- It went to the assertion last.
  local found = wait('the finding', function()
    local now = findings()
    return #now > 0 and now
  end)
  equal(found[1].code, 'LS3001', 'the code')
  contains(found[1].message, 'a write was accepted after a newer one', 'the message')
  contains(found[1].text, 'assert reply.lease.epoch >= newestWrite', 'what is underlined')
end)

server_check('a lens opens the run', function()
  open_buggy('PTst/Tests.p')
  go_to_test('tcCrashingClients')
  until_lens('Lockstep run tcCrashingClients', 'Show trace')
  lua([[
    vim.ui.select = function(items, options, done)
      for index, item in ipairs(items) do
        if options.format_item(item):find('Show trace') then return done(item, index) end
      end
    end
    vim.lsp.codelens.run()
  ]])
  wait('the trace', function()
    return lua('return vim.bo.filetype') == 'lockstep-trace'
  end)
  contains(lines()[#lines()], 'a write was accepted after a newer one', 'the last line')
end)

server_check(':Lockstep explore says another verdict than :Lockstep run, and both stand in the list of tests', function()
  open_buggy('PTst/Tests.p')
  equal(lua([[return vim.fn.getcompletion('Lockstep explore tcO', 'cmdline')]]), { 'tcOneClient' }, 'the completion')
  go_to_test('tcOneClient')
  until_lens('Lockstep run tcOneClient', 'sampled')
  until_lens('Lockstep explore', 'exhausted')
  command('Lockstep tests')
  wait('the verdict in the list', function()
    return lua('return vim.bo.buftype') == 'quickfix' and vim.iter(quickfix()):any(function(line)
      return vim.startswith(line, 'Tests.p: tcOneClient: exhausted')
    end)
  end)
end)

server_check(':Lockstep cancel ends a search, which decides nothing', function()
  local file = settings.scratch .. '/endless/Endless.p'
  vim.fn.mkdir(vim.fs.dirname(file), 'p')
  vim.fn.writefile({
    'event eMore;',
    'machine Counts {',
    '    var n: int;',
    '    start state Counting {',
    '        entry { send this, eMore; }',
    '        on eMore do { n = n + 1 + choose(3); send this, eMore; }',
    '    }',
    '}',
    'test tcEndless [main=Counts]: { Counts };',
  }, file)
  open(file)
  wait('the server to attach', attached)
  go_to_test('tcEndless')
  until_lens('Lockstep explore', 'running')
  local lens = until_lens('Lockstep cancel', 'unknown')
  contains(lens, 'cancelled', 'the lens')
  command('messages clear')
  command('Lockstep cancel')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('nothing is running', 1, true)
  end)
end)

--- Lets a small client of the protocol take the part of nvim-dap, and asks something of its session.
local function session(code, ...)
  return lua('local session = require("dap").session() ' .. code, ...)
end

server_check('the debugger is started as nvim-dap is told, steps there and back, and goes to a step', function()
  lua('package.preload.dap = loadfile(...)', settings.tests .. '/dap_client.lua')
  local trace = BUGGY .. '/bug.trace.json'
  command('Lockstep debug ' .. trace)
  wait('the first stop', function()
    return session('assert(not session.problem, session.problem) return #session.stops > 0')
  end)
  equal(session('return session.stops[1].reason'), 'entry', 'the first stop')
  local places = { session('return session:place()') }
  for _ = 1, 5 do
    places[#places + 1] = session('return session:go("stepIn")')
  end
  equal(session('return session:go("stepBack")'), places[5], 'one step back')
  equal(session('return session:go("stepIn")'), places[6], 'one step on')
  equal(session('return session:go("continue")'), 'Safety.p:40', 'the bug')
  equal(session('return session.stops[#session.stops].reason'), 'exception', 'why it stops')
  equal(session('return session:go("reverseContinue")'), places[1], 'the beginning')
  -- To a step, which has the number that the trace shows.
  local stops = session('return #session.stops')
  command('Lockstep step 7')
  wait('the step', function()
    return session('return #session.stops') > stops
  end)
  equal(session('return session:ask("lockstep/steps").current'), 7, 'the step')
  lua([[
    vim.ui.select = function(items, options, done)
      _G.offered = options.format_item(items[3])
      done(items[3], 3)
    end
  ]])
  command('Lockstep step')
  wait('the chosen step', function()
    return session('return session:ask("lockstep/steps").current') == 3
  end)
  contains(lua('return _G.offered'), '3. ', 'what is offered')
  session('session:close()')
  command('Lockstep step 1')
  contains(lua([[return vim.fn.execute('messages')]]), 'no run is gone through just now', 'the message')
  lua('package.preload.dap, package.loaded.dap = nil, nil')
end)

server_check('the debugger stops at lines and events, and goes through all of a run if asked', function()
  lua('package.preload.dap = loadfile(...)', settings.tests .. '/dap_client.lua')
  local trace = BUGGY .. '/bug.trace.json'
  local store = BUGGY .. '/PSrc/Store.p'
  local row = vim.iter(vim.fn.readfile(store)):enumerate():find(function(_, line)
    return line:find('write.lease.epoch > 0', 1, true) ~= nil
  end)
  -- As `continue()` of nvim-dap does with what it was told of.
  lua([[
    local row, store, trace = ...
    require('lockstep.dap').register()
    local dap = require('dap')
    dap.breakpoints = { source = { path = store }, lines = { { line = row } }, names = { { name = 'eLeaseGranted' } } }
    vim.fn.input = function() return trace end
    dap.run(vim.tbl_extend('force', dap.configurations.p[1], { stopOnEntry = false, all = true }))
  ]], row, store, trace)
  wait('the first stop', function()
    return session('assert(not session.problem, session.problem) return #session.stops > 0')
  end)
  equal(session('return session.stops[1].reason'), 'function breakpoint', 'why it stops first')
  local function until_store(way)
    for _ = 1, 100 do
      if session('return session:go(...)', way) == 'Store.p:' .. row then
        return true
      end
    end
  end
  assert(until_store('continue'), 'it does not stop in the store')
  equal(session('return session.stops[#session.stops].reason'), 'breakpoint', 'why it stops')
  -- All of the run: so many moments as the command line shows.
  local last = 0
  for _, line in ipairs(vim.fn.readfile(BUGGY .. '/bug.all.txt')) do
    last = tonumber(line:match('^%s*(%d+)  ')) or last
  end
  equal(session('return #session:ask("lockstep/steps").steps'), last, 'the number of steps')
  session('session:close()')
  lua('package.preload.dap, package.loaded.dap = nil, nil')
end)

server_check('a test that is not there is told', function()
  open_buggy('PTst/Tests.p')
  command('Lockstep run tcNone')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('there is no test `tcNone`', 1, true)
  end)
  command('normal! gg')
  command('Lockstep run')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('there is no test under the cursor', 1, true)
  end)
end)
