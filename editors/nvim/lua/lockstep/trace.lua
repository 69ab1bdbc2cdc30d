--- A run that goes wrong, as a buffer: a line for each moment, what changed below it, the failure at the end. Each decision of the run is
--- a fold. Lines lead to the source.

local M = {}

---@class lockstep.FoundTrace What a server says about the run that refutes an item.
---@field path string The trace file.
---@field stale boolean
---@field file? table What is in it; read from the path if it is not given.
---@field sources { name: string, uri: string }[]

---@class lockstep.TraceView
---@field found lockstep.FoundTrace
---@field file table What is in the trace file.
---@field is_all boolean Whether the run is shown as it was found, rather than the short one.
---@field story table Of the run that is shown.
---@field moments table<integer, integer> Which moment a line is about, from 1.
---@field folds string[] For each line, as 'foldexpr' wants it.

---@type table<integer, lockstep.TraceView> By the buffer that shows it.
local views = {}

--- The most characters of a line before the place is put behind it.
local WIDTH = 72

local FATES = {
  taken = '',
  ignored = ', which ignores it',
  lost = ', which has halted or will before it takes it',
  waiting = ' (not taken before the end)',
}

--- An event with what it carries. Tuples have brackets already.
local function with_payload(event, payload)
  if not payload then
    return event
  end
  return vim.startswith(payload, '(') and event .. payload or ('%s(%s)'):format(event, payload)
end

--- What happens in a moment, in the words of `lockstep trace view`.
---@return string
local function sentence(story, moment)
  local function name(index)
    return story.actors[index + 1].name
  end
  local who, what = name(moment.actor), moment.what
  local message = what.message and story.messages[what.message + 1]
  local said = {
    start = function()
      return what.payload and (' starts with ' .. what.payload) or ' starts'
    end,
    create = function()
      return ' creates ' .. name(what.actor)
    end,
    send = function()
      -- A run without an end has no moment after which a message waits.
      local is_open = message.fate.kind == 'waiting' and story.repeatsFrom
      local fate = is_open and '' or FATES[message.fate.kind]
      return (' sends %s to %s%s'):format(with_payload(message.event, message.payload), name(message.to), fate)
    end,
    take = function()
      return (' takes %s from %s'):format(with_payload(message.event, message.payload), name(message.from))
    end,
    null = function()
      return ' has nothing to do and handles null'
    end,
    observe = function()
      return (' sees %s of %s'):format(with_payload(what.event, what.payload), name(what.by))
    end,
    print = function()
      return ' prints: ' .. what.text
    end,
  }
  return who .. said[what.kind]()
end

--- What changed in a moment.
---@return string[]
local function details(moment)
  local lines = {}
  for number, choice in ipairs(moment.choices or {}) do
    -- A choice that goes wrong gives nothing.
    local value = (moment.chosen or {})[number]
    lines[#lines + 1] = ('chooses %spossibility %d of %d'):format(value and value .. ', ' or '', choice[1], choice[2])
  end
  if moment.state then
    local to = moment.state.to
    lines[#lines + 1] = ('state: %s -> %s'):format(moment.state.from, (to == nil or to == vim.NIL) and 'halted' or to)
  end
  for _, change in ipairs(moment.changes or {}) do
    lines[#lines + 1] = ('%s: %s -> %s'):format(change.variable, change.before, change.after)
  end
  return lines
end

---@param place? table
---@param folder string What the path begins with and is left out.
---@return string
local function at(place, folder)
  return place and ('%s:%d'):format(place.path:sub(#folder + 1), place.line) or ''
end

--- The folder that the names of all files begin with, if they are whole paths: nobody needs to read it each time.
---@return string
local function common_folder(story)
  local common
  for _, one in ipairs(vim.list_extend({ story.bug }, story.moments)) do
    local path = one.place and one.place.path
    if path and not vim.startswith(path, '/') then
      return ''
    end
    common = common or path
    while path and not vim.startswith(path, common) do
      common = common:sub(1, -2)
    end
  end
  return common and common:match('^.*/') or ''
end

--- Where the run comes from.
---@return string
local function about(file)
  local found, steps = file.found, #file.decisions
  local parts = { ('%d step%s'):format(steps, steps == 1 and '' or 's') }
  if found.decisions > steps then
    parts[1] = ('%s, made from %d%s'):format(parts[1], found.decisions, file.original and ' (a: show all)' or '')
  elseif file.is_all then
    parts[1] = parts[1] .. ' (a: only what the bug needs)'
  end
  parts[#parts + 1] = 'found by ' .. found.by
  parts[#parts + 1] = found.schedule and ('schedule %d'):format(found.schedule) or nil
  parts[#parts + 1] = found.seed and ('seed %d'):format(found.seed) or nil
  return table.concat(parts, ', ')
end

--- The trace with its run as it was found, if that is wanted and there.
---@param file table
---@param is_all boolean
---@return table
local function run_of(file, is_all)
  if not (is_all and file.original) then
    return file
  end
  local whole = vim.tbl_extend('force', file, file.original)
  whole.original, whole.repeatsFrom, whole.is_all = nil, nil, true
  return whole
end

--- The text of a trace, with what each line is about.
---@param file table
---@param stale boolean
---@return string[] lines, table<integer, integer> moments, string[] folds
function M.text(file, stale)
  local lines, moments, folds = {}, {}, {}
  local function add(text, moment, fold)
    lines[#lines + 1] = (text:gsub('[\n%z]', ' '))
    moments[#lines], folds[#lines] = moment, fold or '0'
  end
  local story = file.story
  add(('%s: %s%s'):format(file.test, about(file), stale and ' (stale: the program has changed since)' or ''))
  local folder = common_folder(story)
  local digits = math.max(3, #tostring(#story.moments))
  local decision
  for number, moment in ipairs(story.moments) do
    if file.repeatsFrom and moment.decision >= file.repeatsFrom and (decision or -1) < file.repeatsFrom then
      add(('%s-- from here on it repeats itself for ever --'):format((' '):rep(digits + 2)))
    end
    local is_new = moment.decision ~= decision
    decision = moment.decision
    local place = at(moment.place, folder)
    local said = ('%%%dd  %%-%ds  %%s'):format(digits, WIDTH):format(number, sentence(story, moment), place)
    add((said:gsub('%s+$', '')), number, is_new and '>1' or '1')
    for _, detail in ipairs(details(moment)) do
      add((' '):rep(digits + 4) .. detail, number, '1')
    end
  end
  local bug = story.bug
  if bug then
    local where = bug.place and (' at ' .. at(bug.place, folder)) or ''
    local who = bug.who == '' and '' or bug.who .. (bug.state == '' and ': ' or ' in ' .. bug.state .. ': ')
    add(('bug%s [%s]'):format(where, bug.code))
    add((' '):rep(digits + 2) .. who .. bug.message)
  end
  return lines, moments, folds
end

--- The file of a place: the one the server names, else the first that is there above the trace or the current folder.
---@param view lockstep.TraceView
---@param path string
---@return string?
local function source_of(view, path)
  for _, source in ipairs(view.found.sources) do
    if source.name == path then
      return vim.uri_to_fname(source.uri)
    end
  end
  if vim.startswith(path, '/') then
    return path
  end
  local folders = { vim.fn.getcwd() }
  for folder in vim.fs.parents(view.found.path) do
    folders[#folders + 1] = folder
  end
  for _, folder in ipairs(folders) do
    local candidate = vim.fs.joinpath(folder, path)
    if vim.uv.fs_stat(candidate) then
      return candidate
    end
  end
end

--- Where the line under the cursor leads: to the send or the handler of its message, to its own place, or to that of the failure.
---@param view lockstep.TraceView
---@param line integer
---@param wanted 'send'|'handler'
---@return table?
local function place_of(view, line, wanted)
  local story, number = view.story, view.moments[line]
  if not number then
    local is_failure = line > 1 and view.folds[line] == '0'
    return is_failure and story.bug and story.bug.place or nil
  end
  local moment = story.moments[number]
  local message = moment.what.message and story.messages[moment.what.message + 1]
  local other = message and (wanted == 'send' and message.sent or message.fate.moment)
  return other and story.moments[other + 1].place or moment.place
end

--- Goes to the source of the line under the cursor, in the window that was used before.
---@param wanted 'send'|'handler'
local function jump(wanted)
  local view = views[vim.api.nvim_get_current_buf()]
  local place = view and place_of(view, vim.api.nvim_win_get_cursor(0)[1], wanted)
  if not place then
    return vim.notify('lockstep: this line has no place in the source', vim.log.levels.INFO)
  end
  local file = source_of(view, place.path)
  if not file then
    return vim.notify(('lockstep: %s is not to be found from here'):format(place.path), vim.log.levels.WARN)
  end
  local trace = vim.api.nvim_get_current_win()
  local window = vim.fn.bufwinid(vim.fn.bufnr('^' .. vim.fn.fnameescape(file) .. '$'))
  if window ~= -1 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd.wincmd('p')
    if vim.api.nvim_get_current_win() == trace then
      vim.cmd('aboveleft vsplit')
    end
  end
  vim.cmd("normal! m'")
  if vim.api.nvim_buf_get_name(0) ~= file then
    vim.cmd.edit(vim.fn.fnameescape(file))
  end
  local row = math.min(place.line, vim.api.nvim_buf_line_count(0))
  local text = vim.api.nvim_buf_get_lines(0, row - 1, row, false)[1] or ''
  -- Columns of places are characters.
  local column = vim.fn.byteidxcomp(text, place.column - 1)
  vim.api.nvim_win_set_cursor(0, { row, math.max(0, column) })
  vim.cmd('normal! zvzz')
end

--- For 'foldexpr' and 'foldtext'.
function M.fold(line)
  local view = views[vim.api.nvim_get_current_buf()]
  return view and view.folds[line] or '0'
end

---@return string
function M.fold_text()
  return ('%s  (%d lines)'):format(vim.fn.getline(vim.v.foldstart), vim.v.foldend - vim.v.foldstart + 1)
end

--- Writes a run into its buffer.
---@param bufnr integer
---@param found lockstep.FoundTrace
---@param file table
---@param is_all boolean
local function fill(bufnr, found, file, is_all)
  local run = run_of(file, is_all)
  local lines, moments, folds = M.text(run, found.stale)
  views[bufnr] = { found = found, file = file, is_all = run.is_all or false, story = run.story, moments = moments, folds = folds }
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Goes to the end, which is what somebody wants to understand.
local function go_to_end()
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 0 })
end

--- Changes between the short run and the one that was found.
local function toggle()
  local bufnr = vim.api.nvim_get_current_buf()
  local view = views[bufnr]
  if not view then
    return
  elseif not view.file.original then
    return vim.notify('lockstep: this is all that is kept of the run', vim.log.levels.INFO)
  end
  fill(bufnr, view.found, view.file, not view.is_all)
  -- Folds are worked out anew.
  vim.cmd('normal! zx')
  go_to_end()
end

---@param name string
---@return integer
local function buffer_of(name)
  local known = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?') .. '$')
  if known ~= -1 then
    return known
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.keymap.set('n', '<CR>', function()
    jump('send')
  end, { buffer = bufnr, desc = 'Go to the send, or to what this line is about' })
  vim.keymap.set('n', 'g<CR>', function()
    jump('handler')
  end, { buffer = bufnr, desc = 'Go to the handler of the message' })
  vim.keymap.set('n', 'a', toggle, { buffer = bufnr, desc = 'Show all of the run as it was found, or what the bug needs' })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      views[bufnr] = nil
    end,
  })
  return bufnr
end

--- What is in a trace file, or why that is nothing that can be shown.
---@param path string
---@return table? file, string? problem
local function read(path)
  local opened, text = pcall(vim.fn.readblob, path)
  local decoded, file = pcall(vim.json.decode, opened and text or '', { luanil = { object = true } })
  if not decoded or type(file) ~= 'table' or file.format ~= 'lockstep-trace' then
    return nil, ('%s is no trace'):format(path)
  elseif file.version ~= 1 then
    return nil, ('%s is a trace of version %s, and this plugin reads version 1: find the bug again'):format(path, tostring(file.version))
  end
  return file
end

--- Opens the buffer of a trace in a window below, or fills it anew.
---@param found lockstep.FoundTrace
function M.open(found)
  local file, problem = found.file, nil
  if not file then
    file, problem = read(found.path)
  end
  if not file then
    return vim.notify('lockstep: ' .. problem, vim.log.levels.ERROR)
  end
  local bufnr = buffer_of('lockstep-trace://' .. file.test)
  fill(bufnr, found, file, views[bufnr] ~= nil and views[bufnr].is_all)
  if vim.fn.bufwinid(bufnr) == -1 then
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, bufnr)
  else
    vim.api.nvim_set_current_win(vim.fn.bufwinid(bufnr))
  end
  vim.bo[bufnr].filetype = 'lockstep-trace'
  go_to_end()
end

return M
