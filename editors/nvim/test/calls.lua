--- Checks of the hierarchy of calls, of notes between the words, and of project files.

local harness = require('harness')
local server_check, lua, command, equal, contains = harness.server_check, harness.lua, harness.command, harness.equal, harness.contains
local wait, open_lease, go_to, quickfix, lines = harness.wait, harness.open_lease, harness.go_to, harness.quickfix, harness.lines
local check, open, attached, LEASE = harness.check, harness.open, harness.attached, harness.LEASE

--- What a function of Neovim that asks the server puts into the quickfix list.
local function list_of(call)
  lua('vim.fn.setqflist({}, "f")')
  lua(('vim.lsp.buf.%s()'):format(call))
  return wait('the list of ' .. call, function()
    local now = quickfix()
    return #now > 0 and now
  end)
end

server_check('incoming calls of an event are its senders', function()
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseRequest', 'eLeaseRequest')
  equal(list_of('incoming_calls'), { 'Client.p: Client.Waiting entry' }, 'the senders')
  command('cfirst')
  equal(lua([[return vim.fn.expand('%:t') .. ': ' .. vim.fn.expand('<cword>')]]), 'Client.p: eLeaseRequest', 'where the list leads')
end)

server_check('outgoing calls of an event are its handlers', function()
  open_lease('PSrc/Protocol.p')
  go_to('event eLeaseRequest', 'eLeaseRequest')
  local text = table.concat(list_of('outgoing_calls'), '\n')
  contains(text, 'LeaseServer.Free on eLeaseRequest', 'the handlers')
end)

--- The notes of the buffer that Neovim draws.
local function drawn_hints()
  command('redraw!')
  return lua([[
    local texts = {}
    for name, space in pairs(vim.api.nvim_get_namespaces()) do
      if name:find('inlay') then
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
          for _, chunk in ipairs(mark[4].virt_text or {}) do
            texts[#texts + 1] = chunk[1]
          end
        end
      end
    end
    return table.concat(texts, '|')
  ]])
end

server_check('notes stand between the words, and setup switches each kind off and on', function()
  open_lease('PSrc/Client.p')
  wait('notes of all kinds that are here', function()
    local text = drawn_hints()
    return text:find('→ 2 handlers', 1, true) and text:find(': tLease', 1, true)
  end)
  lua([[require('lockstep').setup({ inlayHints = { payloadTypes = false } })]])
  wait('fewer notes', function()
    local text = drawn_hints()
    return text:find('→ 2 handlers', 1, true) and not text:find(': tLease', 1, true)
  end)
  lua([[require('lockstep').setup({ inlayHints = { enable = false } })]])
  wait('no notes', function()
    return drawn_hints() == ''
  end)
  lua([[require('lockstep').setup({ inlayHints = { enable = true, payloadTypes = true } })]])
  wait('all notes again', function()
    return drawn_hints():find(': tLease', 1, true)
  end)
end)

server_check('a project file has links to its folders, and completion', function()
  open(LEASE .. '/lease.pproj')
  wait('the server to attach', attached)
  local links = wait('links', function()
    local found = lua([[
      local client = vim.lsp.get_clients({ name = 'lockstep', bufnr = 0 })[1]
      local params = { textDocument = vim.lsp.util.make_text_document_params(0) }
      local answer = require('lockstep.client').call(client, 'request_sync', 'textDocument/documentLink', params, 1000, 0)
      return vim.tbl_map(function(link) return vim.fn.fnamemodify(vim.uri_to_fname(link.target), ':t') end, answer and answer.result or {})
    ]])
    return #found > 0 and found
  end)
  equal(links, { 'PSrc', 'PSpec', 'PTst' }, 'the links')
  go_to('<PFile>./PTst/')
  equal(harness.offered('<'), { 'PFile' }, 'the elements')
  assert(table.concat(lines(), '\n'):find('PTst', 1, true))
end)

check('the server does not look after other XML', function()
  open(LEASE .. '/other.xml')
  equal(lua('return vim.bo.filetype'), 'xml', 'the file type')
  equal(attached(), false, 'whether it is attached')
end)
