--- `:checkhealth lockstep`: whether everything is there, and what to do about what is not.

local client = require('lockstep.client')

local health = vim.health

local M = {}

local function check_neovim()
  health.start('Neovim')
  local version = vim.version()
  local text = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.10') == 1 then
    health.ok(text)
  else
    health.error(text .. ' is too old', 'Lockstep needs Neovim 0.10 or newer')
  end
end

local function check_server()
  health.start('Server')
  local program = client.program()
  if vim.fn.executable(program) == 0 then
    health.error(('the program `%s` was not found'):format(program), {
      'Install it: `cargo install --path server/cli` in the Lockstep repository',
      "or say where it is: `require('lockstep').setup({ cmd = { '/path/to/lockstep', 'lsp' } })`",
    })
    return
  end
  local ran, result = pcall(function()
    return vim.system({ program, '--version' }, { text = true, timeout = 5000 }):wait()
  end)
  if ran and result.code == 0 then
    health.ok(('%s: %s'):format(vim.fn.exepath(program), vim.trim(result.stdout)))
  else
    health.error(('`%s --version` failed'):format(program), ran and vim.trim(result.stderr or '') or tostring(result))
  end
end

local function check_clients()
  health.start('Running servers')
  local servers = client.all()
  if #servers == 0 then
    health.info('none: a server starts when a P or IceT file is opened')
  end
  for _, server in ipairs(servers) do
    local buffers = vim.tbl_count(server.attached_buffers)
    health.ok(('server %d looks after %d buffer(s) in %s'):format(server.id, buffers, server.root_dir or 'no folder'))
  end
end

local function check_parsers()
  health.start('Parsers')
  for _, language in ipairs({ 'p', 'icet' }) do
    local loaded, problem = pcall(vim.treesitter.get_string_parser, '', language)
    local has_query, query = pcall(vim.treesitter.query.get, language, 'highlights')
    if not loaded then
      local advice = 'Run `cargo xtask nvim` in the Lockstep repository; without it, colours come from the server only'
      health.warn(('%s: the parser does not load: %s'):format(language, problem), advice)
    elseif not (has_query and query) then
      health.error(('%s: the highlight query does not load: %s'):format(language, query or 'not found'), 'Run `cargo xtask nvim` again')
    else
      health.ok(('%s: parser and queries load'):format(language))
    end
  end
end

local function check_filetypes()
  health.start('File types')
  if vim.g.filetype_p then
    health.info(('g:filetype_p is set: every `.p` file has the file type `%s`'):format(vim.g.filetype_p))
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'machine M {', '    start state S { }', '}' })
  local found = vim.filetype.match({ buf = bufnr, filename = 'M.p' })
  vim.api.nvim_buf_delete(bufnr, { force = true })
  if found == 'p' then
    health.ok('a P program in a `.p` file is recognised')
  elseif not vim.g.filetype_p then
    health.error(('a P program in a `.p` file is taken for `%s`'):format(found), 'Another plugin decides about `.p` files')
  end
end

function M.check()
  check_neovim()
  check_server()
  check_clients()
  check_parsers()
  check_filetypes()
end

return M
