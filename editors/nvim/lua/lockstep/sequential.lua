--- The sequentialization of an IceT program in a window beside its source: read-only, kept up to date, with the way back.

local client = require('lockstep.client')

local M = {}

---@class lockstep.Sequentialization
---@field text string
---@field links { range: lsp.Range, targets: lsp.Range[] }[] From ranges of the text to ranges of the source.
---@field steps string[] What each rewrite step does.
---@field step? integer How many of them are shown; all if there is no number.
---@field verdict string

---@class lockstep.View
---@field uri string Of the source.
---@field source integer The buffer of the source.
---@field step? integer
---@field shown? lockstep.Sequentialization

---@type table<integer, lockstep.View> By the buffer that shows it.
local views = {}

---@param bufnr integer
---@param text string
local function fill(bufnr, text)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(text, '\n', { trimempty = true }))
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
end

--- Asks the server anew and shows what it says.
---@param bufnr integer
local function update(bufnr)
  local view = views[bufnr]
  local server = view and client.of(view.source)
  if not server then
    return
  end
  client.call(server, 'request', 'lockstep/sequentialization', { uri = view.uri, step = view.step }, function(err, result)
    if not vim.api.nvim_buf_is_valid(bufnr) or views[bufnr] ~= view then
      return
    end
    if result then
      view.shown = result
      fill(bufnr, result.text)
    elseif err and not view.shown then
      fill(bufnr, '// ' .. err.message)
    end
  end, view.source)
end

--- Goes to where the statement under the cursor comes from.
local function jump()
  local view = views[vim.api.nvim_get_current_buf()]
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, link in ipairs(view and view.shown and view.shown.links or {}) do
    if link.range.start.line == line then
      local server = client.of(view.source)
      local location = { uri = view.uri, range = link.targets[1] }
      local window = vim.fn.bufwinid(view.source)
      if window ~= -1 then
        vim.api.nvim_set_current_win(window)
      end
      vim.cmd("normal! m'")
      -- Takes the place over the units of columns that the server speaks in.
      local item = vim.lsp.util.locations_to_items({ location }, server and server.offset_encoding or 'utf-16')[1]
      vim.cmd.buffer(view.source)
      vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
      return
    end
  end
  vim.notify('lockstep: this line comes from nowhere in the source', vim.log.levels.INFO)
end

--- Shows one step more or less.
---@param by integer
local function move(by)
  local bufnr = vim.api.nvim_get_current_buf()
  local view = views[bufnr]
  if view and view.shown then
    local steps = #view.shown.steps
    local step = math.min(steps, math.max(0, (view.step or steps) + by))
    view.step = step < steps and step or nil
    update(bufnr)
  end
end

---@param source integer
---@return integer
local function new_buffer(source)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, 'lockstep-seq://' .. vim.fn.fnamemodify(vim.api.nvim_buf_get_name(source), ':t') .. '/' .. bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'icet'
  local function map(keys, run, what)
    vim.keymap.set('n', keys, run, { buffer = bufnr, desc = what })
  end
  map('gd', jump, 'Go to the source')
  map('<CR>', jump, 'Go to the source')
  map(']s', function()
    move(1)
  end, 'Next rewrite step')
  map('[s', function()
    move(-1)
  end, 'Previous rewrite step')
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      views[bufnr] = nil
    end,
  })
  return bufnr
end

--- Opens the window for the program in the current buffer.
function M.open()
  local source = vim.api.nvim_get_current_buf()
  if vim.bo[source].filetype ~= 'icet' or views[source] then
    return vim.notify('lockstep: open an IceT program to see it put in order', vim.log.levels.WARN)
  elseif not client.of(source) then
    return vim.notify('lockstep: no server is running', vim.log.levels.WARN)
  end
  for bufnr, view in pairs(views) do
    if view.source == source and vim.fn.bufwinid(bufnr) ~= -1 then
      view.step = nil
      return update(bufnr)
    end
  end
  local window = vim.api.nvim_get_current_win()
  local bufnr = new_buffer(source)
  vim.cmd('rightbelow vsplit')
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_set_current_win(window)
  views[bufnr] = { uri = vim.uri_from_bufnr(source), source = source }
  update(bufnr)
end

--- A server knows something else about a file.
---@param uri string
function M.refresh(uri)
  for bufnr, view in pairs(views) do
    if view.uri == uri then
      update(bufnr)
    end
  end
end

return M
