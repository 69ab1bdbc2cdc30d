--- Diagrams of P programs: as text in a window that follows the cursor, with the way to the source, or as a picture in another program.

local client = require('lockstep.client')

local M = {}

---@class lockstep.Diagram
---@field kind 'machine'|'spec'|'flow'
---@field title string
---@field content string
---@field links { range: lsp.Range, target: lsp.Location }[]
---@field isBroken boolean

---@class lockstep.DiagramView
---@field bufnr integer
---@field shown? lockstep.Diagram
---@field source integer The buffer that was drawn last.

---@type lockstep.DiagramView?
local view

--- Asks the server for the diagram of what is at the cursor of a window.
---@param window integer
---@param format 'text'|'file'
---@param heard fun(result: lockstep.Diagram?, message: string?)
local function ask(window, format, heard)
  local bufnr = vim.api.nvim_win_get_buf(window)
  local server = client.of(bufnr)
  if vim.bo[bufnr].filetype ~= 'p' then
    return heard(nil, 'open a P file to see its diagrams')
  elseif not server then
    return heard(nil, 'no server is running')
  end
  local asked = vim.lsp.util.make_position_params(window, server.offset_encoding)
  local params = { uri = asked.textDocument.uri, position = asked.position, format = format }
  client.call(server, 'request', 'lockstep/diagram', params, function(err, result)
    heard(result, err and err.message)
  end, bufnr)
end

---@param message string
local function warn(message)
  vim.notify('lockstep: ' .. message, vim.log.levels.WARN)
end

---@param diagram lockstep.Diagram
---@param note? string
local function fill(diagram, note)
  if not view or not vim.api.nvim_buf_is_valid(view.bufnr) then
    return
  end
  local lines = vim.split(diagram.content, '\n', { trimempty = true })
  if note then
    lines[1] = lines[1] .. '  -- ' .. note
  end
  vim.bo[view.bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(view.bufnr, 0, -1, false, lines)
  vim.bo[view.bufnr].modifiable = false
  vim.bo[view.bufnr].modified = false
end

--- Shows what is at the cursor of a window. While the text is broken, the last picture of the same thing stays.
---@param window integer
---@param is_asked boolean Whether somebody waits for it.
local function update(window, is_asked)
  local source = vim.api.nvim_win_get_buf(window)
  ask(window, 'text', function(result, message)
    if not view then
      return
    elseif not result then
      return is_asked and warn(message or 'there is no diagram')
    end
    local shown = view.shown
    local is_same = shown and shown.kind == result.kind and shown.title == result.title
    if result.isBroken and shown and is_same and not shown.isBroken then
      return fill(shown, 'a syntax error: this is how it was before')
    end
    view.shown, view.source = result, source
    fill(result, result.isBroken and 'a syntax error: something may be missing' or nil)
  end)
end

--- A column of the server as bytes.
---@param text string
---@param column integer
---@param encoding string
---@return integer
local function byte_of(text, column, encoding)
  if encoding == 'utf-8' then
    return column
  elseif vim.fn.has('nvim-0.11') == 1 then
    return vim.str_byteindex(text, encoding, column, false)
  end
  return vim.str_byteindex(text, column, encoding == 'utf-16')
end

--- Goes to the source of what is under the cursor, else of the first that the line leads to.
local function jump()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local server = view and client.of(view.source)
  local encoding = server and server.offset_encoding or 'utf-16'
  local text = vim.api.nvim_get_current_line()
  local best
  for _, link in ipairs(view and view.shown and view.shown.links or {}) do
    if link.range.start.line == row - 1 then
      local first = byte_of(text, link.range.start.character, encoding)
      if not best or first <= column then
        best = link.target
      end
    end
  end
  if not best then
    return vim.notify('lockstep: this line comes from nowhere in the source', vim.log.levels.INFO)
  end
  local item = vim.lsp.util.locations_to_items({ best }, encoding)[1]
  local window = vim.fn.bufwinid(view.source)
  if window == -1 then
    vim.cmd('leftabove vsplit')
  else
    vim.api.nvim_set_current_win(window)
  end
  vim.cmd("normal! m'")
  vim.cmd.edit({ args = { item.filename }, magic = { file = false } })
  vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
end

---@return integer
local function new_buffer()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, 'lockstep-diagram://' .. bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'lockstep-diagram'
  for _, key in ipairs({ '<CR>', 'gd' }) do
    vim.keymap.set('n', key, jump, { buffer = bufnr, desc = 'Go to the source' })
  end
  local group = vim.api.nvim_create_augroup('lockstep-diagram', {})
  vim.api.nvim_create_autocmd({ 'CursorHold', 'TextChanged', 'InsertLeave' }, {
    group = group,
    callback = function(event)
      if view and vim.bo[event.buf].filetype == 'p' then
        update(vim.api.nvim_get_current_win(), false)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = bufnr,
    callback = function()
      view = nil
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
  return bufnr
end

--- Shows the machine or test at the cursor, else the event flow of the project, as text.
local function open()
  local window = vim.api.nvim_get_current_win()
  local source = vim.api.nvim_win_get_buf(window)
  if vim.bo[source].filetype ~= 'p' then
    return warn('open a P file to see its diagrams')
  elseif not client.of(source) then
    return warn('no server is running')
  end
  if not view or vim.fn.bufwinid(view.bufnr) == -1 then
    local bufnr = new_buffer()
    view = { bufnr = bufnr, source = source }
    vim.cmd('rightbelow vsplit')
    vim.api.nvim_win_set_buf(0, bufnr)
    vim.wo.wrap = false
    vim.wo.number = false
    vim.api.nvim_set_current_win(window)
  end
  update(window, true)
end

--- Writes the diagram as a picture and opens that.
local function open_picture()
  ask(vim.api.nvim_get_current_win(), 'file', function(result, message)
    if not result then
      return warn(message or 'there is no diagram')
    end
    local folder = vim.fn.tempname()
    vim.fn.mkdir(folder, 'p')
    local path = ('%s/%s.svg'):format(folder, (result.title:gsub('[^%w_.-]', '_')))
    vim.fn.writefile(vim.split(result.content, '\n'), path)
    vim.notify('lockstep: written to ' .. path, vim.log.levels.INFO)
    local _, problem = vim.ui.open(path)
    if problem then
      warn(problem)
    end
  end)
end

---@param how? string `svg`, or nothing.
function M.show(how)
  if how == 'svg' then
    open_picture()
  elseif how then
    warn(('a diagram is shown as text, or with `:Lockstep diagram svg` as a picture, not as `%s`'):format(how))
  else
    open()
  end
end

return M
