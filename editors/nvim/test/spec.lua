--- The checks, run by run.mjs with `nvim -l`. This Neovim drives another one, as a person would: by keys and commands.

---@class Settings
---@field program string The Neovim to drive.
---@field kind 'server'|'silent'
---@field scratch string A folder with copies of the sample programs.
---@field plugin string
---@field only string

---@type Settings
local settings = vim.json.decode(vim.env.LOCKSTEP_TEST)

--- How long something may take that comes from the server.
local PATIENCE = settings.kind == 'silent' and 700 or 15000

local LEASE = settings.scratch .. '/programs/p/lease'
--- The same with a bug, and the trace of it.
local BUGGY = settings.scratch .. '/buggy'

-- ---- The Neovim that is driven ------------------------------------------------------------------------------------------------------

local INIT = settings.scratch .. '/init.lua'
vim.fn.writefile({
  ('vim.opt.runtimepath:prepend(%q)'):format(settings.plugin),
  -- The parsers that Neovim brings along lie beside its runtime here.
  "vim.opt.runtimepath:append(vim.fs.normalize(vim.env.VIMRUNTIME .. '/../../../lib/nvim'))",
  'vim.opt.swapfile = false',
  'vim.opt.lines, vim.opt.columns = 50, 160',
  'vim.opt.expandtab, vim.opt.shiftwidth = true, 4',
  -- When this is set, Neovim has done all it does on its own, such as mapping K.
  "vim.api.nvim_create_autocmd('LspAttach', { callback = function(event) vim.b[event.buf].attached = event.data.client_id end })",
}, INIT)

local channel ---@type integer

local function start_neovim()
  channel = vim.fn.jobstart({ settings.program, '--embed', '--headless', '-i', 'NONE', '-u', INIT }, { rpc = true })
end

--- Runs Lua in it; `...` there are the arguments.
local function lua(code, ...)
  return vim.rpcrequest(channel, 'nvim_exec_lua', code, { ... })
end

local function keys(typed)
  vim.rpcrequest(channel, 'nvim_input', typed)
end

local function command(line)
  vim.rpcrequest(channel, 'nvim_command', line)
end

local function lines()
  return vim.rpcrequest(channel, 'nvim_buf_get_lines', 0, 0, -1, false)
end

local function set_lines(new)
  vim.rpcrequest(channel, 'nvim_buf_set_lines', 0, 0, -1, false, new)
end

-- ---- Checks -------------------------------------------------------------------------------------------------------------------------

---@class Check
---@field name string
---@field server boolean Whether it is about what the server says.
---@field run fun()

---@type Check[]
local checks = {}

---@param name string
---@param run fun()
local function check(name, run)
  checks[#checks + 1] = { name = name, server = false, run = run }
end

---@param name string
---@param run fun()
local function server_check(name, run)
  checks[#checks + 1] = { name = name, server = true, run = run }
end

local function show(value)
  return type(value) == 'string' and value or vim.inspect(value):gsub('%s+', ' ')
end

local function equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s is %s, expected %s'):format(what, show(actual), show(expected)), 0)
  end
end

local function contains(text, part, what)
  if not text:find(part, 1, true) then
    error(('%s does not contain %q: %s'):format(what, part, show(text)), 0)
  end
end

--- Waits until `get` gives something that is neither false nor nil, and gives that.
local function wait(what, get)
  local value
  vim.wait(PATIENCE, function()
    value = get()
    return value
  end, 25)
  if not value then
    local messages = vim.trim(lua([[return vim.fn.execute('messages')]]))
    error(('waited in vain for %s; messages of Neovim: %s'):format(what, messages:sub(-300)), 0)
  end
  return value
end

--- Every check starts without files and windows of those before it.
local function reset()
  keys('<C-\\><C-n>')
  command('silent! only! | silent! %bwipeout! | messages clear')
  lua('vim.fn.setqflist({}, "f")')
end

local function open(path)
  command('edit ' .. vim.fn.fnameescape(path))
end

--- The number of the server that looks after the current buffer, if one does.
local function attached()
  return lua([[
    local client = vim.lsp.get_clients({ name = 'lockstep', bufnr = 0 })[1]
    return client and vim.b.attached == client.id and client.id or false
  ]])
end

--- Opens a file of the sample project and waits until the server looks after it.
local function open_lease(path)
  open(LEASE .. '/' .. path)
  wait('the server to attach', attached)
end

--- Puts the cursor on `part` in the first line that contains `text`.
local function go_to(text, part)
  for row, line in ipairs(lines()) do
    local from = line:find(text, 1, true)
    if from then
      local column = line:find(part or text, from, true)
      vim.rpcrequest(channel, 'nvim_win_set_cursor', 0, { row, column - 1 })
      return
    end
  end
  error('the sample has changed: it does not contain ' .. text, 0)
end

--- Where the cursor is: the file's name and the word under it.
local function place()
  return lua([[return vim.fn.expand('%:t') .. ': ' .. vim.fn.expand('<cword>')]])
end

--- Findings in the current buffer: code, message, and the text they underline.
local function findings()
  return lua([[
    local found = {}
    for _, finding in ipairs(vim.diagnostic.get(0)) do
      local text = vim.api.nvim_buf_get_text(0, finding.lnum, finding.col, finding.end_lnum, finding.end_col, {})
      found[#found + 1] = { code = finding.code, message = finding.message, text = table.concat(text, '\n'), source = finding.source }
    end
    return found
  ]])
end

--- The text in the floating window, if there is one.
local function float()
  return lua([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
    return false
  ]])
end

--- The quickfix list as `file: text` lines.
local function quickfix()
  return lua([[
    return vim.tbl_map(function(item)
      return vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':t') .. ': ' .. vim.trim(item.text)
    end, vim.fn.getqflist())
  ]])
end

--- What is offered after typing `typed` in a new line below the cursor.
local function offered(typed)
  keys('o' .. typed)
  wait('the text', function()
    return lua('return vim.fn.mode()') == 'i'
  end)
  keys('<C-x><C-o>')
  local words = wait('completions of ' .. typed, function()
    local items = lua([[return vim.fn.complete_info({ 'items' }).items]])
    return #items > 0 and vim.tbl_map(function(item)
      return item.abbr ~= '' and item.abbr or item.word
    end, items)
  end)
  keys('<Esc>u')
  return words
end

local function includes(list, value, what)
  if not vim.tbl_contains(list, value) then
    error(('%s does not include %q: %s'):format(what, value, show(list):sub(1, 300)), 0)
  end
end

local function excludes(list, value, what)
  if vim.tbl_contains(list, value) then
    error(('%s includes %q'):format(what, value), 0)
  end
end

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

--- The line of the trace that contains `text`, and its number.
local function trace_line(text)
  for row, line in ipairs(lines()) do
    if line:find(text, 1, true) then
      return line, row
    end
  end
  error(('the trace does not contain %q: %s'):format(text, table.concat(lines(), '\n'):sub(1, 600)), 0)
end

--- What the buffer with the run of the bug must be, whoever opened it.
local function check_trace()
  equal(lua('return vim.bo.filetype'), 'lockstep-trace', 'the file type')
  contains(lines()[1], 'tcCrashingClients: ', 'the first line')
  local failure = 'WritesAreFenced in Watching: this assertion does not hold: a write was accepted after a newer one'
  contains(lines()[#lines()], failure, 'the last line')
  equal(lua('return vim.fn.line(".")'), #lines(), 'the line of the cursor')
  trace_line('state: Init -> Waiting')
  trace_line('bug at PSpec/Safety.p:40 [LS3001]')
  -- From a message to its send, and to its handler.
  local _, row = trace_line('takes eWrite(')
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
  check_trace()
  command('wincmd p')
  local _, row = trace_line('starts with (server')
  equal(lua('return { vim.fn.foldlevel(...), vim.fn.foldclosed(...) }', row), { 1, -1 }, 'the fold')
  command(row .. 'foldclose')
  equal(lua('return vim.fn.foldclosed(...)', row), row, 'the beginning of the fold')
  -- What the spec sees belongs to the same decision.
  contains(lines()[lua('return vim.fn.foldclosedend(...)', row)], 'pending: {}', 'the end of the fold')
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
  local _, row = trace_line('-- from here on it repeats itself for ever --')
  contains(lines()[row + 1], '  2  A(1) has nothing to do', 'the line after it')
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
    'cancel', 'debug', 'explain', 'explore', 'fmt', 'info', 'log', 'restart', 'run', 'seq', 'start', 'stop', 'tests', 'trace',
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

--- The text drawn above or behind the line of the cursor.
local function drawn()
  command('redraw!')
  return lua([[
    local row, texts = vim.fn.line('.') - 1, {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, { row, 0 }, { row, -1 }, { details = true })) do
      for _, chunks in ipairs(mark[4].virt_lines or { mark[4].virt_text }) do
        texts[#texts + 1] = table.concat(vim.tbl_map(function(chunk) return chunk[1] end, chunks))
      end
    end
    return table.concat(texts, '\n')
  ]])
end

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
  lua('vim.lsp.buf.format()')
  equal(lines(), wanted, 'the buffer after vim.lsp.buf.format')
  equal(lua([[return vim.fn.getline("'a")]]), '            goto Free;', 'the line of the mark')
  spoil()
  command('Lockstep fmt')
  equal(lines(), wanted, 'the buffer after :Lockstep fmt')
  spoil()
  lua([[vim.api.nvim_create_autocmd('BufWritePre', { buffer = 0, callback = function() vim.lsp.buf.format() end })]])
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

server_check('semantic tokens colour names by what they are', function()
  open_lease('PSrc/Client.p')
  go_to('machine Client', 'Client')
  wait('a token', function()
    return lua('return #(vim.lsp.semantic_tokens.get_at_pos() or {}) > 0')
  end)
end)

server_check(':Lockstep tests lists the tests', function()
  open_lease('PTst/Tests.p')
  command('Lockstep tests')
  -- What is known about them may come after the list itself.
  local list = wait('tests', function()
    local now = quickfix()
    return vim.tbl_contains(now, 'Tests.p: tcOneClient: not checked yet') and now
  end)
  local matrix = 'Tests.p: tcMatrix (nClients = 1, nRounds = 1, clientsCrash = false): not checked yet'
  includes(list, matrix, 'the list')
  equal(lua('return vim.fn.getqflist({ title = true }).title'), 'Lockstep tests', 'the title')
  equal(lua('return vim.bo.buftype'), 'quickfix', 'the window')
end)

server_check('the list of tests follows the text', function()
  open_lease('PTst/Tests.p')
  command('Lockstep tests')
  wait('tests', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcOneClient: not checked yet')
  end)
  command('wincmd p')
  go_to('test tcOneClient', 'tcOneClient')
  keys('cwtcAlone<Esc>')
  wait('the new test', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcAlone: not checked yet')
  end)
end)

server_check('the list of tests says how many errors come first', function()
  open_lease('PTst/Tests.p')
  command('Lockstep tests')
  wait('tests', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcOneClient: not checked yet')
  end)
  command('wincmd p')
  open_lease('PSrc/LeaseServer.p')
  go_to('timer = CreateTimer(this);')
  keys('otimer = 5;<Esc>')
  wait('the reason', function()
    return vim.tbl_contains(quickfix(), 'Tests.p: tcOneClient: 1 error must be mended first')
  end)
end)

--- Opens a file of the project with the bug.
local function open_buggy(path)
  open(BUGGY .. '/' .. path)
  wait('the server to attach', attached)
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
  go_to('test tcCrashingClients', 'tcCrashingClients')
  until_lens('Lockstep run', 'refuted')
  wait('what it ended in', function()
    return lua([[return vim.fn.execute('messages')]]):find('tcCrashingClients: refuted', 1, true)
  end)
  command('Lockstep trace')
  wait('the trace', function()
    return lua('return vim.bo.filetype') == 'lockstep-trace'
  end)
  check_trace()
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
  go_to('test tcCrashingClients', 'tcCrashingClients')
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
  go_to('test tcOneClient', 'tcOneClient')
  until_lens('Lockstep run tcOneClient', 'sampled')
  until_lens('Lockstep explore', 'exhausted')
  command('Lockstep tests')
  wait('the verdict in the list', function()
    return vim.iter(quickfix()):any(function(line)
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
  go_to('test tcEndless', 'tcEndless')
  until_lens('Lockstep explore', 'running')
  local lens = until_lens('Lockstep cancel', 'unknown')
  contains(lens, 'cancelled', 'the lens')
  command('messages clear')
  command('Lockstep cancel')
  wait('the message', function()
    return lua([[return vim.fn.execute('messages')]]):find('nothing is running', 1, true)
  end)
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
  wait('the lens to go', function()
    return drawn() == ''
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
      vim.fn.jobstop(channel)
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
  vim.fn.jobstop(channel)
  return results
end

local version = vim.version()
local result = { version = ('%d.%d.%d'):format(version.major, version.minor, version.patch), checks = run() }
vim.fn.writefile({ vim.json.encode(result) }, settings.scratch .. '/result.json')
