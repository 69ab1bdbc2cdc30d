--- The checks, run by run.mjs with `nvim -l`.

local settings = vim.json.decode(vim.env.LOCKSTEP_TEST)
package.path = settings.tests .. '/?.lua;' .. package.path
local harness = require('harness')
local PATIENCE, LEASE, checks, check, server_check, start_neovim = harness.PATIENCE, harness.LEASE, harness.checks, harness.check, harness.server_check, harness.start_neovim
local stop_neovim, lua, keys, command, lines, set_lines = harness.stop_neovim, harness.lua, harness.keys, harness.command, harness.lines, harness.set_lines
local equal, contains, wait, reset, open, attached = harness.equal, harness.contains, harness.wait, harness.reset, harness.open, harness.attached
local open_lease, go_to, place, findings, float, quickfix = harness.open_lease, harness.go_to, harness.place, harness.findings, harness.float, harness.quickfix
local offered, includes, excludes, drawn = harness.offered, harness.includes, harness.excludes, harness.drawn

-- ---- Without the server ---------------------------------------------------------------------------------------------------------------

local function filetype_of(path)
  open(path)
  return lua('return vim.bo.filetype')
end

local function files(folder, pattern)
  return vim.fs.find(function(name)
    return name:find(pattern) ~= nil
  end, { path = folder, type = 'file', limit = math.huge })
end

check('P is told from Pascal and Progress by its text', function()
  for _, language in ipairs({ 'p', 'pascal', 'progress' }) do
    local samples = files(settings.scratch .. '/filetype/' .. language, '%.p$')
    assert(#samples > 0, 'there are no samples of ' .. language)
    for _, file in ipairs(samples) do
      equal(filetype_of(file), language, file:gsub('.*/filetype/', ''))
    end
  end
end)

check('every sample program is recognised', function()
  for _, file in ipairs(files(settings.scratch .. '/programs/p', '%.p$')) do
    equal(filetype_of(file), 'p', file)
  end
  equal(filetype_of(settings.scratch .. '/programs/icet/paxos.icet'), 'icet', 'the type of an IceT file')
  equal(filetype_of(LEASE .. '/lease.pproj'), 'xml', 'the type of a project file')
end)

check('an empty file is P beside a project or other P files only', function()
  equal(filetype_of(LEASE .. '/PSrc/New.p'), 'p', 'inside a project')
  equal(filetype_of(settings.scratch .. '/programs/p/New.p'), 'p', 'beside P files')
  equal(filetype_of(settings.scratch .. '/filetype/pascal/New.p'), 'progress', 'beside Pascal files')
end)

check('g:filetype_p decides', function()
  command('let g:filetype_p = "pascal"')
  local found = filetype_of(settings.scratch .. '/filetype/p/types.p')
  command('unlet g:filetype_p')
  equal(found, 'pascal', 'the file type')
end)

--- Captures of the highlight query under the cursor.
local function captures()
  return lua([[
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    vim.treesitter.get_parser(0):parse()
    return vim.tbl_map(function(capture) return capture.capture end, vim.treesitter.get_captures_at_pos(0, row - 1, column))
  ]])
end

check('tree-sitter colours P and IceT', function()
  for path, words in pairs({
    [LEASE .. '/PSrc/Client.p'] = { machine = 'keyword', Client = 'type', eLeaseGranted = 'constant', ['0'] = 'number' },
    [settings.scratch .. '/programs/icet/ping_sym.icet'] = { process = 'keyword', recv = 'keyword.coroutine', Hello = 'constructor' },
  }) do
    open(path)
    assert(lua('return vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil'), 'no colours in ' .. path)
    for word, capture in pairs(words) do
      command(([[call cursor(1, 1) | call search('\C\V\<%s\>', 'c')]]):format(word))
      -- Words of the comment at the top are not meant.
      while vim.tbl_contains(captures(), 'comment') do
        command(([[call search('\C\V\<%s\>')]]):format(word))
      end
      includes(captures(), capture, 'the captures of ' .. word)
    end
  end
end)

check('the parsers read every sample program, and every query loads', function()
  for _, file in ipairs(files(settings.scratch .. '/programs', '%.p$')) do
    open(file)
    -- This one is rejected on purpose.
    if not file:find('older_names') then
      equal(lua('return vim.treesitter.get_parser(0):parse()[1]:root():has_error()'), false, 'an error in ' .. file)
    end
  end
  for _, file in ipairs(files(settings.scratch .. '/programs', '%.icet$')) do
    open(file)
    equal(lua('return vim.treesitter.get_parser(0):parse()[1]:root():has_error()'), false, 'an error in ' .. file)
  end
  for _, language in ipairs({ 'p', 'icet' }) do
    for _, name in ipairs({ 'highlights', 'folds', 'indents', 'injections', 'locals' }) do
      equal(lua('return vim.treesitter.query.get(...) ~= nil', language, name), true, language .. '/' .. name)
    end
  end
end)

check('a program typed without indentation is indented as it was', function()
  for path, width in pairs({
    ['p/lease/PSrc/Client.p'] = 4,
    ['p/lease/PTst/Drivers.p'] = 4,
    ['p/ring_election.p'] = 4,
    ['p/sharded_counter.p'] = 2,
    ['icet/raft_election.icet'] = 2,
  }) do
    open(settings.scratch .. '/programs/' .. path)
    command('setlocal shiftwidth=' .. width)
    local before = lines()
    local flat = vim.tbl_map(function(line)
      -- Comments keep their indentation.
      return line:find('^%s*[%w{})]') and not line:find('%*/$') and vim.trim(line) or line
    end, before)
    assert(not vim.deep_equal(flat, before))
    set_lines(flat)
    command('silent normal! gg=G')
    equal(lines(), before, path)
  end
end)

require('traces')

check('comments are toggled with //', function()
  open(LEASE .. '/PSrc/Modules.p')
  go_to('module LeaseSystem')
  keys('gcc')
  wait('the comment', function()
    return lines()[2] == '// module LeaseSystem = { LeaseServer, Client, Store, Timer };'
  end)
end)

check(':Lockstep completes its subcommands and refuses others', function()
  local all = {
    'cancel', 'debug', 'diagram', 'explain', 'explore', 'fmt', 'info', 'log', 'restart', 'run', 'seq', 'start', 'step', 'stop', 'tests', 'trace',
  }
  equal(lua([[return vim.fn.getcompletion('Lockstep ', 'cmdline')]]), all, 'the completion')
  equal(lua([[return vim.fn.getcompletion('Lockstep re', 'cmdline')]]), { 'restart' }, 'the completion of re')
  local _, message = pcall(command, 'Lockstep nonsense')
  contains(message, 'there is no subcommand `nonsense`', 'the message')
end)

check('the help file has its tags', function()
  local tags = settings.scratch .. '/doc'
  vim.fn.mkdir(tags, 'p')
  vim.fn.writefile(vim.fn.readfile(settings.plugin .. '/doc/lockstep.txt'), tags .. '/lockstep.txt')
  command('helptags ' .. tags)
  command('set runtimepath+=' .. settings.scratch)
  for _, tag in ipairs({ 'lockstep', ':Lockstep', 'lockstep-setup', 'lockstep.status()', 'ft-p-plugin' }) do
    command('help ' .. tag)
    equal(lua([[return vim.fn.expand('%:t')]]), 'lockstep.txt', 'the help file of ' .. tag)
  end
  for _, line in ipairs(lines()) do
    assert(vim.fn.strdisplaywidth(line) <= 80, 'a line of the help file is too long: ' .. line)
    for link in line:gmatch('|([^|%s]+)|') do
      includes(lua('return vim.fn.getcompletion(..., "help")', link), link, 'the help for |' .. link .. '|')
    end
  end
end)

check('wrong options are refused in words', function()
  for _, case in ipairs({ { 'cmnd = {}', 'there is no such option' }, { 'allow = "LS1101"', 'expected a table, got a string' } }) do
    local message = lua(('return select(2, pcall(require("lockstep").setup, { %s }))'):format(case[1]))
    contains(message, case[2], 'the error')
  end
end)

check('a missing program is told once, in words', function()
  lua([[
    _G.told, _G.notify = {}, vim.notify_once
    vim.notify_once = function(message) table.insert(_G.told, message) end
    require('lockstep').setup({ cmd = { 'no-such-program', 'lsp' } })
  ]])
  command('Lockstep start')
  open(LEASE .. '/PSrc/Client.p')
  vim.wait(300)
  local told = lua([[
    vim.notify_once = _G.notify
    require('lockstep').setup({ cmd = { 'lockstep', 'lsp' } })
    return _G.told
  ]])
  command('Lockstep stop')
  contains(told[1] or '', 'cannot find the program `no-such-program`', 'the message')
  equal(lua('return #vim.lsp.get_clients()'), 0, 'the number of servers')
end)

-- ---- With the server --------------------------------------------------------------------------------------------------------------------

server_check('the server starts in the project, without any setup, and says how it is', function()
  open_lease('PSrc/Client.p')
  equal(lua('return vim.lsp.get_clients({ name = "lockstep" })[1].root_dir'), vim.uv.fs_realpath(LEASE), 'the root')
  wait('the status', function()
    return lua('return require("lockstep").status()') == 'Lockstep: no findings'
  end)
end)

local MESSAGE = 'a value of type `int` cannot be stored in a place of type `Timer`'

server_check('a type error is underlined with its text and goes away with its cause', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  keys('otimer = 5;<Esc>')
  local found = wait('a finding', function()
    local now = findings()
    return #now > 0 and now
  end)
  equal(found, { { code = 'LS0305', source = 'lockstep', message = MESSAGE, text = '5' } }, 'the finding')
  command('redraw!')
  local marked = lua([[
    local marked = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })) do
      if mark[4].hl_group == 'DiagnosticUnderlineError' then
        marked[#marked + 1] = { mark[2] + 1, mark[3], mark[4].end_col }
      end
    end
    return marked
  ]])
  local row = lua('return vim.fn.line(".")')
  equal(lines()[row], '            timer = 5;', 'the line')
  equal(marked, { { row, 20, 21 } }, 'the underlined place')
  wait('the status', function()
    return lua('return require("lockstep").status()'):find('1E', 1, true)
  end)
  keys('dd')
  wait('the finding to go', function()
    return #findings() == 0
  end)
end)

server_check('a file that another program changes is read again', function()
  open_lease('PSrc/LeaseServer.p')
  local path = LEASE .. '/PSrc/Timer.p'
  local before = vim.fn.readfile(path)
  vim.fn.writefile(vim.tbl_map(function(line)
    return (line:gsub('CreateTimer', 'MakeTimer'))
  end, before), path)
  local ok, problem = pcall(wait, 'the finding', function()
    local found = findings()[1]
    return found and found.text == 'CreateTimer'
  end)
  vim.fn.writefile(before, path)
  assert(ok, problem)
  wait('the finding to go', function()
    return #findings() == 0
  end)
end)

server_check('hover tells what a name is', function()
  open_lease('PSrc/Client.p')
  go_to('on eLeaseGranted', 'eLeaseGranted')
  keys('K')
  contains(wait('the window', float), 'event eLeaseGranted', 'the hover')
end)

server_check('completion offers fields after a dot', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('goto Leased, request.client;')
  local words = offered('request.')
  includes(words, 'client', 'the completion')
  excludes(words, 'send', 'the completion')
end)

server_check('completion offers states after goto', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  local words = offered('goto ')
  includes(words, 'Leased', 'the completion')
end)

server_check('completion offers events of other files and what can be sent', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  includes(offered('send this, '), 'eTimeOut', 'the completion')
end)

server_check('go to definition leads into another file', function()
  open_lease('PSrc/Client.p')
  go_to('on eLeaseGranted', 'eLeaseGranted')
  keys('<C-]>')
  wait('the jump', function()
    return place() == 'Protocol.p: eLeaseGranted'
  end)
  equal(lua('return vim.fn.getline(".")'), 'event eLeaseGranted: tLease;', 'the line')
end)

server_check('references are found in all files', function()
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseReleased', 'eLeaseReleased')
  lua('vim.lsp.buf.references()')
  local found = wait('references', function()
    local list = quickfix()
    return #list > 0 and list
  end)
  table.sort(found)
  equal(found, {
    'Client.p: send config.server, eLeaseReleased, lease;',
    'LeaseServer.p: ignore eLeaseReleased, eTimeOut;',
    'LeaseServer.p: on eLeaseReleased do (lease: tLease) {',
    'Protocol.p: event eLeaseReleased: tLease;',
    'Safety.p: on eLeaseReleased, eLeaseExpired do (lease: tLease) {',
    'Safety.p: spec OneLeaseAtATime observes eLeaseGranted, eLeaseReleased, eLeaseExpired {',
  }, 'the list')
end)

server_check('rename changes all files', function()
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseReleased', 'eLeaseReleased')
  lua('vim.lsp.buf.rename("eGivenBack")')
  wait('the new name', function()
    return vim.tbl_contains(lines(), 'event eGivenBack: tLease;')
  end)
  local places = lua([[
    local places = {}
    for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
      for _, line in ipairs(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)) do
        assert(not line:find('eLeaseReleased', 1, true), line)
        if line:find('eGivenBack', 1, true) then
          places[#places + 1] = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
        end
      end
    end
    table.sort(places)
    return places
  ]])
  equal(places, { 'Client.p', 'LeaseServer.p', 'LeaseServer.p', 'Protocol.p', 'Safety.p', 'Safety.p' }, 'the changed places')
end)

server_check('document symbols list machines and their states', function()
  open_lease('PSrc/Store.p')
  lua('vim.lsp.buf.document_symbol({ on_list = function(list) _G.symbols = list.items end })')
  local symbols = wait('symbols', function()
    return lua('return _G.symbols and vim.tbl_map(function(item) return item.text end, _G.symbols) or false')
  end)
  local text = table.concat(symbols, '\n')
  contains(text, 'Store', 'the symbols')
  contains(text, 'Serving', 'the symbols')
end)

server_check('a lens is shown and leads to the places it counts', function()
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseReleased', 'eLeaseReleased')
  wait('a lens', function()
    local text = drawn()
    return text:find('sent in 1 place', 1, true) and text:find('handled in 2 places', 1, true)
  end)
  -- There are two: a person is asked which.
  lua([[
    vim.ui.select = function(items, options, done)
      for index, item in ipairs(items) do
        if options.format_item(item):find('handled') then return done(item, index) end
      end
    end
    vim.lsp.codelens.run()
  ]])
  local list = wait('the places', function()
    local now = quickfix()
    return #now > 0 and now
  end)
  table.sort(list)
  equal(list, {
    'LeaseServer.p: on eLeaseReleased do (lease: tLease) {',
    'Safety.p: on eLeaseReleased, eLeaseExpired do (lease: tLease) {',
  }, 'the list')
end)

server_check('a buffer is laid out, on demand and on save, and its marks stay where they are', function()
  open_lease('PSrc/LeaseServer.p')
  local wanted = lines()
  local function spoil()
    command([[silent %s/^ \{8}\(\S\)/      \1/e]])
    command([[silent %s/if (/if(/e]])
    assert(not vim.deep_equal(lines(), wanted), 'nothing was spoilt')
  end
  -- The server answers for what it has heard: the edit is sent before the request.
  spoil()
  go_to('goto Free;', 'Free')
  lua('vim.cmd("normal! ma")')
  lua('vim.lsp.buf.format({ timeout_ms = ... })', PATIENCE)
  equal(lines(), wanted, 'the buffer after vim.lsp.buf.format')
  equal(lua([[return vim.fn.getline("'a")]]), '            goto Free;', 'the line of the mark')
  spoil()
  command('Lockstep fmt')
  equal(lines(), wanted, 'the buffer after :Lockstep fmt')
  spoil()
  lua([[
    local patience = ...
    vim.api.nvim_create_autocmd('BufWritePre', { buffer = 0, callback = function() vim.lsp.buf.format({ timeout_ms = patience }) end })
  ]], PATIENCE)
  command('silent write')
  equal(lua('return vim.fn.readfile(vim.fn.expand("%"))'), wanted, 'the file')
end)

server_check('a quick fix mends a misspelt name', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('goto Free;', 'Free')
  keys('cwFre<Esc>')
  wait('the finding', function()
    return #findings() > 0
  end)
  lua([[vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find('Free') ~= nil end })]])
  wait('the fix', function()
    return lua('return vim.fn.getline(".")') == '            goto Free;'
  end)
  wait('the finding to go', function()
    return #findings() == 0
  end)
end)

server_check('a handler becomes a function, and its code comes back', function()
  open_lease('PSrc/LeaseServer.p')
  local before = lines()
  local function act(title)
    go_to('on eTimeOut do', 'on')
    lua([[
      local title = ...
      vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find(title, 1, true) ~= nil end })
    ]], title)
  end
  local function has(line)
    return vim.tbl_contains(lines(), line)
  end
  act('make it a function')
  wait('the function', function()
    return has('    fun OnTimeOut(epoch: int) {') and has('        on eTimeOut do OnTimeOut;')
  end)
  act('put the code of')
  wait('the code as it was', function()
    return vim.deep_equal(lines(), before)
  end)
  equal(#findings(), 0, 'findings')
end)

server_check('semantic tokens colour names by what they are', function()
  open_lease('PSrc/Client.p')
  go_to('machine Client', 'Client')
  wait('a token', function()
    return lua('return #(vim.lsp.semantic_tokens.get_at_pos() or {}) > 0')
  end)
end)

--- Opens the list of tests, and waits until it is the current window and says what is known: that may come after the list itself.
local function open_tests()
  command('Lockstep tests')
  return wait('tests', function()
    local now = quickfix()
    local is_there = vim.tbl_contains(now, 'Tests.p: tcOneClient: not checked yet')
    return is_there and lua('return vim.bo.buftype') == 'quickfix' and now
  end)
end

server_check(':Lockstep tests lists the tests', function()
  open_lease('PTst/Tests.p')
  local list = open_tests()
  local matrix = 'Tests.p: tcMatrix (nClients = 1, nRounds = 1, clientsCrash = false): not checked yet'
  includes(list, matrix, 'the list')
  equal(lua('return vim.fn.getqflist({ title = true }).title'), 'Lockstep tests', 'the title')
  equal(lua('return vim.bo.buftype'), 'quickfix', 'the window')
end)

server_check('the list of tests follows the text', function()
  open_lease('PTst/Tests.p')
  open_tests()
  command('wincmd p')
  go_to('test tcOneClient', 'tcOneClient')
  keys('cwtcAlone<Esc>')
  wait('the new test', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcAlone: not checked yet')
  end)
end)

server_check('the list of tests says how many errors come first', function()
  open_lease('PTst/Tests.p')
  open_tests()
  command('wincmd p')
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  keys('otimer = 5;<Esc>')
  wait('the reason', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcOneClient: 1 error must be mended first')
  end)
end)

require('runs')
require('calls')

server_check(':Lockstep explain says what a code means', function()
  open_lease('PSrc/LeaseServer.p')
  command('Lockstep explain LS0305')
  contains(wait('the window', float), 'LS0305', 'the explanation')
end)

server_check(':Lockstep explain takes the finding under the cursor', function()
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  keys('otimer = 5;<Esc>')
  wait('a finding', function()
    return #findings() > 0
  end)
  equal(lua([[return vim.fn.getcompletion('Lockstep explain ', 'cmdline')]]), { 'LS0305' }, 'the completion')
  command('Lockstep explain')
  contains(wait('the window', float), 'LS0305', 'the explanation')
end)

server_check('setup switches lenses off and on while the server runs', function()
  local function lenses()
    return lua([[
      local params = { textDocument = vim.lsp.util.make_text_document_params() }
      local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeLens', params, ...)
      local _, first = next(answer or {})
      return first and #(first.result or {}) or -1
    ]], PATIENCE)
  end
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseReleased', 'eLeaseReleased')
  wait('a lens', function()
    return drawn():find('sent in', 1, true)
  end)
  lua('require("lockstep").setup({ lens = { enable = false } })')
  -- A note beside the event says how many handlers there are then.
  wait('the lens to go', function()
    return not drawn():find('sent in', 1, true)
  end)
  equal(lenses(), 0, 'the number of lenses the server gives')
  lua('require("lockstep").setup({ lens = { enable = true } })')
  wait('the lens to come back', function()
    return drawn():find('sent in', 1, true)
  end)
end)

server_check('setup switches a warning off while the server runs', function()
  open_lease('PSrc/Store.p')
  go_to('var lines: seq[string];')
  keys('ovar unused: int;<Esc>')
  local found = wait('a warning', function()
    return findings()[1]
  end)
  equal({ found.code, found.text }, { 'LS1103', 'unused' }, 'the warning')
  lua('require("lockstep").setup({ allow = { "LS1103" } })')
  wait('the warning to go', function()
    return #findings() == 0
  end)
  lua('require("lockstep").setup({ allow = {} })')
  wait('the warning to come back', function()
    return #findings() == 1
  end)
end)

server_check('IceT is understood as well', function()
  open(settings.scratch .. '/programs/icet/ping_sym.icet')
  wait('the server to attach', attached)
  go_to('recv Hello', 'Hello')
  local pressed = 0
  wait('the jump', function()
    if lua('return vim.fn.getline(".")') == 'message Hello(node: Nodes);' then
      return true
    end
    -- A server that has just started may not know the program yet.
    if vim.uv.now() - pressed > 1000 then
      pressed = vim.uv.now()
      keys('<Esc><C-]>')
    end
  end)
  keys('/Welcome to<CR>wcwnach<Esc>')
  wait('the finding', function()
    local found = findings()[1]
    return found and found.code == 'LS0001' and found.text == 'nach'
  end)
  keys('u')
  wait('the finding to go', function()
    return #findings() == 0
  end)
end)

--- Two processes that answer each other; `first` and `second` are what the one does.
local function two_processes(first, second)
  return {
    'message Ping(int);',
    'message Pong(int);',
    'process a {',
    '  var n: int;',
    '  ' .. first,
    '  ' .. second,
    '}',
    'process b {',
    '  var m: int;',
    '  recv Ping(m) from a;',
    '  send Pong(m + 1) to a;',
    '}',
  }
end

--- The text of the window that shows the program put in order, if it is open.
local function sequential()
  return lua([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local bufnr = vim.api.nvim_win_get_buf(window)
      if vim.api.nvim_buf_get_name(bufnr):find('^lockstep%-seq://') then
        return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
      end
    end
    return false
  ]])
end

server_check('an IceT program is put in order beside its source, and a deadlock is told', function()
  local file = settings.scratch .. '/order.icet'
  vim.fn.writefile(two_processes('send Ping(1) to b;', 'recv Pong(n) from b;'), file)
  open(file)
  wait('the server to attach', attached)
  command('Lockstep seq')
  wait('the program put in order', function()
    local text = sequential()
    return text and text:find('proved', 1, true) and text:find('a.n = ', 1, true)
  end)
  equal(findings(), {}, 'the list of findings')
  go_to('process a', 'a')
  keys('K')
  contains(wait('the window', float), 'proved', 'the hover')
  keys('<Esc>')
  -- From the program put in order to its source.
  command('wincmd l')
  go_to('a.n = ')
  keys('<CR>')
  wait('the jump', function()
    return lua('return vim.fn.expand("%:t") .. vim.fn.getline(".")') == 'order.icet  recv Pong(n) from b;'
  end)
  -- Both wait for the other.
  set_lines(two_processes('recv Pong(n) from b;', 'send Ping(1) to b;'))
  -- One finding: the other place belongs to it.
  local found = wait('the deadlock', function()
    local found = findings()
    return #found == 1 and found
  end)
  equal(found[1].code, 'LS2201', 'the code')
  contains(found[1].text, 'recv Pong(n) from b', 'what is underlined')
  wait('the document to follow', function()
    local text = sequential()
    return text and text:find('refuted', 1, true)
  end)
  keys('u')
  wait('the findings to go', function()
    return #findings() == 0
  end)
  command('silent! update')
end)

--- The text of the window that shows a diagram, if it is open.
local function diagram()
  return lua([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local bufnr = vim.api.nvim_win_get_buf(window)
      if vim.api.nvim_buf_get_name(bufnr):find('^lockstep%-diagram://') then
        return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
      end
    end
    return false
  ]])
end

server_check('a diagram is shown as text that leads to the source, follows the cursor, and is opened as a picture', function()
  open_lease('PSrc/Client.p')
  go_to('state Waiting')
  command('Lockstep diagram')
  local text = wait('the diagram', function()
    local text = diagram()
    return text and text:find('machine Client (5 states)', 1, true) and text
  end)
  contains(text, '── eLeaseGranted ──▶ Holding', 'an arrow')
  command('wincmd l')
  -- A state, and an event of an arrow.
  go_to('○ Crashed', 'Crashed')
  keys('<CR>')
  wait('the jump to the state', function()
    return lua('return vim.fn.expand("%:t") .. vim.trim(vim.fn.getline("."))'):find('Client.pstate Crashed', 1, true)
  end)
  command('wincmd l')
  go_to('── eLeaseGranted', 'eLeaseGranted')
  keys('<CR>')
  wait('the jump to the handler', function()
    return lua('return vim.trim(vim.fn.getline("."))'):find('on eLeaseGranted', 1, true)
  end)
  -- Broken text keeps what there was.
  go_to('state Crashed')
  keys('Ostate Half<Esc>')
  wait('the last diagram to stay', function()
    local text = diagram()
    return text and text:find('this is how it was before', 1, true) and text:find('Crashed', 1, true)
  end)
  keys('u')
  wait('the diagram to be whole', function()
    local text = diagram()
    return text and not text:find('before', 1, true)
  end)
  open_lease('PTst/Tests.p')
  command('call cursor(1, 1)')
  command('doautocmd CursorHold')
  wait('the event flow', function()
    local text = diagram()
    return text and text:find('event flow of', 1, true)
  end)
  lua('vim.ui.open = function(path) _G.opened = path end')
  command('Lockstep diagram svg')
  local path = wait('the picture', function()
    return lua('return _G.opened or false')
  end)
  contains(table.concat(vim.fn.readfile(path), '\n'), '<svg xmlns', 'the file')
  command('only')
end)

server_check('a buffer without a name is looked after', function()
  command('enew | setlocal filetype=p')
  set_lines({ 'machine Alone {', '    start state Only { /* \195\188 */ entry { goto Onl; } }', '}' })
  wait('the finding', function()
    local found = findings()[1]
    return found and found.code == 'LS0108' and found.text == 'Onl'
  end)
  go_to('goto Onl', 'Onl')
  keys('cwOnly<Esc>')
  wait('the finding to go', function()
    return #findings() == 0
  end)
  keys('K')
  contains(wait('the window', float), 'state Only', 'the hover')
end)

server_check(':checkhealth lockstep finds everything in order', function()
  open_lease('PSrc/Client.p')
  command('checkhealth lockstep')
  local text = table.concat(lines(), '\n')
  for _, part in ipairs({
    'Neovim 0.',
    '/lockstep: lockstep ',
    'buffer(s)',
    'p: parser and queries load',
    'icet: parser and queries load',
    'is recognised',
  }) do
    contains(text, part, 'the report')
  end
  assert(not text:find('ERROR'), text)
end)

server_check(':Lockstep restart gives a new server', function()
  open_lease('PSrc/Client.p')
  local before = attached()
  command('Lockstep restart')
  wait('a new server', function()
    local now = attached()
    return now and now ~= before
  end)
  wait('its status', function()
    return lua('return require("lockstep").status()') == 'Lockstep: no findings'
  end)
  contains(lua('return table.concat(require("lockstep.command").info(), "\\n")'), 'ready: 1 project', ':Lockstep info')
  command('Lockstep stop')
  wait('no server', function()
    return lua('return #vim.lsp.get_clients({ name = "lockstep" })') == 0
  end)
  command('Lockstep start')
  wait('a server', attached)
end)

check('nothing was used that Neovim will drop', function()
  command('checkhealth vim.deprecated')
  for _, line in ipairs(lines()) do
    assert(not line:find('lockstep', 1, true), line)
  end
end)

-- ---- Running them -------------------------------------------------------------------------------------------------------------

local function run()
  local results = {}
  start_neovim()
  command('Lockstep stop')
  local with_server = false
  for _, each in ipairs(checks) do
    if each.server and not with_server then
      with_server = true
      stop_neovim()
      start_neovim()
    end
    if each.name:find(settings.only, 1, true) then
      local ok, problem = pcall(function()
        reset()
        each.run()
      end)
      table.insert(results, { name = each.name, server = each.server, ok = ok, detail = not ok and tostring(problem) or nil })
    end
  end
  stop_neovim()
  return results
end

local version = vim.version()
local result = { version = ('%d.%d.%d'):format(version.major, version.minor, version.patch), checks = run() }
vim.fn.writefile({ vim.json.encode(result) }, settings.scratch .. '/result.json')
