--- The tests of all projects, in the quickfix list.

local client = require('lockstep.client')
local verdicts = require('lockstep.verdicts')

local M = {}

local TITLE = 'Lockstep tests'

---@class lockstep.Test
---@field id string
---@field project string
---@field name string
---@field base string
---@field parameters { name: string, value: string }[]
---@field main string
---@field uri string
---@field range lsp.Range

--- Asks every server for its tests and hands them over as items of the quickfix list.
---@param done fun(items: table[])
local function ask(done)
  local servers = client.all()
  local waiting, items = #servers, {}
  for _, server in ipairs(servers) do
    client.call(server, 'request', 'lockstep/tests', vim.empty_dict(), function(err, result)
      if err then
        vim.notify('lockstep: ' .. err.message, vim.log.levels.ERROR)
      end
      vim.list_extend(items, M.items(result and result.tests or {}, server))
      waiting = waiting - 1
      if waiting == 0 then
        done(items)
      end
    end)
  end
end

---@param tests lockstep.Test[]
---@param server vim.lsp.Client
---@return table[]
function M.items(tests, server)
  local items = {}
  for _, test in ipairs(tests) do
    local item = vim.lsp.util.locations_to_items({ { uri = test.uri, range = test.range } }, server.offset_encoding)[1]
    local values = vim.tbl_map(function(parameter)
      return parameter.name .. ' = ' .. parameter.value
    end, test.parameters or {})
    item.module = test.project
    item.text = #values > 0 and ('%s (%s)'):format(test.base, table.concat(values, ', ')) or test.name
    local words = verdicts.words(server.id, test)
    item.text = words and ('%s: %s'):format(item.text, words) or item.text
    item.user_data = test.name
    items[#items + 1] = item
  end
  return items
end

--- Opens the list.
function M.open()
  if #client.all() == 0 then
    vim.notify('lockstep: no server is running', vim.log.levels.WARN)
    return
  end
  ask(function(items)
    vim.fn.setqflist({}, ' ', { title = TITLE, items = items })
    vim.cmd('botright copen')
  end)
end

--- Puts the tests of now into the list if it is the one shown.
function M.refresh()
  local list = vim.fn.getqflist({ title = true, id = 0, winid = true })
  if list.title == TITLE then
    ask(function(items)
      -- Where there is no list any more, Neovim would make a new one.
      if vim.fn.getqflist({ id = list.id }).id == list.id then
        vim.fn.setqflist({}, 'r', { id = list.id, title = TITLE, items = items })
      end
    end)
  end
end

return M
