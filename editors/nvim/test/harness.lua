--- What the checks share: this Neovim drives another one, as a person would, by keys and commands.

---@class Settings
---@field program string The Neovim to drive.
---@field kind 'server'|'silent'
---@field scratch string A folder with copies of the sample programs.
---@field plugin string
---@field only string

---@type Settings
local settings = vim.json.decode(vim.env.LOCKSTEP_TEST)

--- How long something may take that comes from the server.
local PATIENCE = settings.kind == 'silent' and 700 or 45000

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

local function stop_neovim()
  vim.fn.jobstop(channel)
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
    local where = lua('return ("%s (%s), mode %s"):format(vim.fn.bufname(), vim.bo.filetype, vim.fn.mode())')
    error(('waited in vain for %s; in %s; messages of Neovim: %s'):format(what, where, messages:sub(-300)), 0)
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

return {
  PATIENCE = PATIENCE,
  settings = settings,
  LEASE = LEASE,
  BUGGY = BUGGY,
  checks = checks,
  check = check,
  server_check = server_check,
  start_neovim = start_neovim,
  stop_neovim = stop_neovim,
  lua = lua,
  keys = keys,
  command = command,
  lines = lines,
  set_lines = set_lines,
  equal = equal,
  contains = contains,
  wait = wait,
  reset = reset,
  open = open,
  attached = attached,
  open_lease = open_lease,
  go_to = go_to,
  place = place,
  findings = findings,
  float = float,
  quickfix = quickfix,
  offered = offered,
  includes = includes,
  excludes = excludes,
  drawn = drawn,
}
