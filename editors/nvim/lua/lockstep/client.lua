--- The language client: how the server is started, what it is told, and what it tells.

local options = require('lockstep.options')

local M = {}

local NAME = 'lockstep'
--- Project files are XML; of XML, only they are ours.
local FILETYPES = { 'p', 'icet', 'xml' }

--- Neovim 0.11 manages servers itself (`vim.lsp.enable`); before, this module does.
local MANAGED = vim.lsp.enable ~= nil

---@class lockstep.Status What the server says about itself.
---@field state 'ready'|'working'
---@field message string
---@field projects integer
---@field errors integer
---@field warnings integer

--- By the client's number.
---@type table<integer, lockstep.Status>
local statuses = {}

--- Whether the server knows what is in a buffer.
---@param bufnr integer
---@return boolean
local function is_ours(bufnr)
  local filetype = vim.bo[bufnr].filetype
  local is_project = vim.api.nvim_buf_get_name(bufnr):lower():find('%.pproj$') ~= nil
  return vim.tbl_contains(FILETYPES, filetype) and (filetype ~= 'xml' or is_project)
end

--- The folder of the nearest project file, else the repository's, else the file's own.
---@param bufnr integer
---@return string? # None for a buffer without a file.
function M.root(bufnr)
  local file = vim.api.nvim_buf_get_name(bufnr)
  if file == '' or file:find('^%a[%w+.-]+://') then
    return nil
  end
  local function is_project(name)
    return name:find('%.pproj$') ~= nil
  end
  local folder = vim.fs.dirname(vim.fs.normalize(file))
  local project = vim.fs.find(is_project, { path = folder, upward = true, type = 'file' })[1]
  local repository = vim.fs.find('.git', { path = folder, upward = true })[1]
  return vim.fs.dirname(project or repository or file)
end

--- The client without a root, as |vim.lsp.config()| wants it.
---@return table
function M.config()
  return {
    name = NAME,
    cmd = options.current.cmd,
    filetypes = FILETYPES,
    root_dir = function(bufnr, start)
      if is_ours(bufnr) then
        start(M.root(bufnr))
      end
    end,
    init_options = options.for_server(),
    settings = { lockstep = options.for_server() },
    handlers = {
      ['lockstep/status'] = M.on_status,
      ['textDocument/publishDiagnostics'] = M.on_findings,
      ['lockstep/verdicts'] = function(_, verdicts, context)
        require('lockstep.verdicts').set(context.client_id, verdicts)
        require('lockstep.tests').refresh()
        require('lockstep.sequential').refresh(verdicts.uri)
        require('lockstep.runs').refresh(context.client_id)
        M.refresh_lenses(context.client_id)
      end,
      ['lockstep/testsChanged'] = function()
        require('lockstep.tests').refresh()
      end,
    },
    commands = M.commands(),
    on_exit = function(_, _, client_id)
      statuses[client_id] = nil
      require('lockstep.verdicts').forget(client_id)
    end,
  }
end

--- What lenses can ask for.
---@return table<string, fun(command: table, context: table)>
function M.commands()
  local commands = {
    ['lockstep.showReferences'] = M.show_references,
    ['lockstep.showSequentialization'] = function()
      require('lockstep.sequential').open()
    end,
  }
  for _, name in ipairs({ 'runTest', 'exploreTest', 'cancelTest', 'showTrace', 'debugTrace', 'showVerdict' }) do
    local command = 'lockstep.' .. name
    commands[command] = function(called, context)
      require('lockstep.runs').commands[command](called, context)
    end
  end
  return commands
end

--- The server's program, from |vim.lsp.config()| where that is.
---@return string
function M.program()
  local cmd = MANAGED and vim.lsp.config[NAME].cmd or options.current.cmd
  return type(cmd) == 'table' and cmd[1] or options.current.cmd[1]
end

--- Whether the program is there; says once if not. Neovim 0.11 would only write it into its log.
---@return boolean
function M.can_start()
  if vim.fn.executable(M.program()) == 1 then
    return true
  end
  vim.notify_once(('lockstep: cannot find the program `%s`; see :checkhealth lockstep'):format(M.program()), vim.log.levels.WARN)
  return false
end

--- Starts the server for every buffer of P or IceT and every project file, now and later.
function M.enable()
  local function start(bufnr)
    local can_start = vim.bo[bufnr].buftype == '' and is_ours(bufnr) and M.can_start()
    if can_start and not MANAGED then
      local config = M.config()
      config.root_dir = M.root(bufnr)
      vim.lsp.start(config, { bufnr = bufnr })
    end
  end
  if MANAGED then
    vim.lsp.enable(NAME)
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('lockstep.start', {}),
    pattern = FILETYPES,
    callback = function(event)
      start(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and is_ours(bufnr) then
      start(bufnr)
    end
  end
end

--- Waits for the servers to end.
---@param done fun()
---@param tries integer How often to look before they are ended by force.
local function when_stopped(done, tries)
  local left = M.all()
  if #left == 0 then
    return done()
  end
  if tries == 0 then
    for _, client in ipairs(left) do
      M.call(client, 'stop', true)
    end
  end
  vim.defer_fn(function()
    when_stopped(done, tries - 1)
  end, 100)
end

--- Stops every server, and starts none until `enable`.
---@param done? fun() Called when all have ended.
function M.disable(done)
  if MANAGED then
    vim.lsp.enable(NAME, false)
  end
  vim.api.nvim_create_augroup('lockstep.start', {})
  -- From 0.12 on, Neovim has stopped them.
  if vim.fn.has('nvim-0.12') == 0 then
    for _, client in ipairs(M.all()) do
      M.call(client, 'stop')
    end
  end
  when_stopped(done or function() end, 20)
end

--- Tells the servers that run what the options are now.
function M.send_options()
  if MANAGED then
    -- Forgets what was read of `lsp/lockstep.lua`.
    vim.lsp.config(NAME, {})
  end
  for _, client in ipairs(M.all()) do
    client.settings = { lockstep = options.for_server() }
    M.call(client, 'notify', 'workspace/didChangeConfiguration', { settings = client.settings })
    for bufnr in pairs(client.attached_buffers) do
      M.show_lenses(client.id, bufnr)
      -- Neovim 0.10 draws other notes only if the text has changed, or if there were none.
      vim.lsp.inlay_hint.enable(false, { bufnr = bufnr })
      M.show_hints(bufnr)
    end
  end
end

--- Every server that runs.
---@return vim.lsp.Client[]
function M.all()
  return vim.lsp.get_clients({ name = NAME })
end

--- The server that looks after a buffer, else any.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.of(bufnr)
  return vim.lsp.get_clients({ name = NAME, bufnr = bufnr or 0 })[1] or M.all()[1]
end

--- Calls a method of a client; before Neovim 0.11 they took no `self`.
---@param client vim.lsp.Client
---@param method 'request'|'request_sync'|'notify'|'stop'
function M.call(client, method, ...)
  if MANAGED then
    return client[method](client, ...)
  end
  return client[method](...)
end

---@param client_id integer
---@return lockstep.Status?
function M.status(client_id)
  return statuses[client_id]
end

---@param status lockstep.Status
function M.on_status(_, status, context)
  statuses[context.client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'LockstepStatus', data = status, modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

--- The byte that a column of the server's means.
---@param bufnr integer
---@param position lsp.Position
---@param encoding string
---@return integer
local function byte_column(bufnr, position, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, false)[1] or ''
  if encoding == 'utf-8' then
    return math.min(position.character, #line)
  end
  -- Neovim 0.10 speaks UTF-16 with servers.
  local found, column = pcall(vim.str_byteindex, line, position.character, true)
  return found and column or #line
end

--- Findings as usual, but for a buffer without a name: Neovim would give them to another, new one.
function M.on_findings(err, result, context, config)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local nameless = vim.tbl_filter(function(bufnr)
    return vim.api.nvim_buf_get_name(bufnr) == ''
  end, vim.tbl_keys(client and client.attached_buffers or {}))
  if not client or not result or result.uri ~= 'file://' or #nameless ~= 1 then
    return vim.lsp.handlers['textDocument/publishDiagnostics'](err, result, context, config)
  end
  local bufnr = nameless[1]
  local findings = vim.tbl_map(function(finding)
    local first, last = finding.range.start, finding.range['end']
    return {
      lnum = first.line,
      col = byte_column(bufnr, first, client.offset_encoding),
      end_lnum = last.line,
      end_col = byte_column(bufnr, last, client.offset_encoding),
      severity = finding.severity,
      message = finding.message,
      source = finding.source,
      code = finding.code,
      user_data = { lsp = finding },
    }
  end, result.diagnostics)
  vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), bufnr, findings)
end

--- The lens command: arguments are the document, the place, and the locations.
---@param command { title: string, arguments: any[] }
function M.show_references(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local items = vim.lsp.util.locations_to_items(command.arguments[3], client.offset_encoding)
  if #items == 0 then
    return vim.notify('lockstep: ' .. command.title)
  end
  vim.fn.setqflist({}, ' ', { title = command.title, items = items })
  vim.cmd('botright copen')
end

--- For |LspAttach|.
---@param client_id integer
---@param bufnr integer
function M.on_attach(client_id, bufnr)
  local client = vim.lsp.get_client_by_id(client_id)
  if client and client.name == NAME then
    M.show_lenses(client_id, bufnr)
    M.show_hints(bufnr)
  end
end

--- Shows or hides the notes between the words of a buffer, as the options say.
---@param bufnr integer
function M.show_hints(bufnr)
  vim.lsp.inlay_hint.enable(options.current.inlayHints.enable, { bufnr = bufnr })
end

--- Asks for the lenses of a buffer and shows them. Neovim's own `refresh` would also show an answer that comes after they were switched off.
---@param client vim.lsp.Client
---@param bufnr integer
local function ask_for_lenses(client, bufnr)
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  M.call(client, 'request', 'textDocument/codeLens', params, function(err, result, context)
    if options.current.lens.enable then
      vim.lsp.codelens.on_codelens(err, result, context)
    end
  end, bufnr)
end

--- Lenses say what is known about tests. Neovim 0.12 asks for them again when the server says so; before, this does.
---@param client_id integer
function M.refresh_lenses(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if vim.lsp.codelens.enable or not client or not options.current.lens.enable then
    return
  end
  for bufnr in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      ask_for_lenses(client, bufnr)
    end
  end
end

--- Shows or hides the lenses of a buffer, as the options say.
---@param client_id integer
---@param bufnr integer
function M.show_lenses(client_id, bufnr)
  local enable = options.current.lens.enable
  -- Neovim 0.12 keeps lenses up to date by itself.
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(enable, { bufnr = bufnr })
    return
  end
  local group = vim.api.nvim_create_augroup('lockstep.lens.' .. bufnr, {})
  if not enable then
    vim.lsp.codelens.clear(client_id, bufnr)
    return
  end
  local function refresh()
    local client = vim.lsp.get_client_by_id(client_id)
    if client then
      ask_for_lenses(client, bufnr)
    end
  end
  refresh()
  local events = { 'BufEnter', 'InsertLeave', 'TextChanged', 'BufWritePost' }
  vim.api.nvim_create_autocmd(events, { group = group, buffer = bufnr, callback = refresh })
end

return M
