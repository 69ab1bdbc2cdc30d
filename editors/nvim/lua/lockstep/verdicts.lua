--- What the servers know about tests and programs. They tell all records of a file at once, whenever these change.

local M = {}

---@class lockstep.Record
---@field id string A path of names, the same after edits.
---@field check string
---@field range lsp.Range
---@field nameRange lsp.Range
---@field verdict string
---@field phase string
---@field freshness string
---@field why string
---@field words string All of this in a few words, for people.
---@field scope? table What a verdict that claims something is about.
---@field code? string
---@field tookMs? integer
---@field trace? string By which the trace of a refuted item is told from an older one.

---@type table<integer, table<string, table<string, lockstep.Record>>> By server, file and id.
local known = {}

--- Takes over what a server knows about a file, instead of what it knew before.
---@param client_id integer
---@param verdicts { uri: string, items: lockstep.Record[] }
function M.set(client_id, verdicts)
  local records = {}
  for _, record in ipairs(verdicts.items) do
    records[record.id] = record
  end
  known[client_id] = known[client_id] or {}
  known[client_id][verdicts.uri] = next(records) and records or nil
end

---@param client_id integer
function M.forget(client_id)
  known[client_id] = nil
end

--- All records of a server, by id.
---@param client_id integer
---@return table<string, lockstep.Record>
function M.all(client_id)
  local all = {}
  for _, records in pairs(known[client_id] or {}) do
    all = vim.tbl_extend('force', all, records)
  end
  return all
end

--- What is known about a test, in a few words.
---@param client_id integer
---@param test lockstep.Test
---@return string?
function M.words(client_id, test)
  local records = (known[client_id] or {})[test.uri] or {}
  -- Of a test with very many cases there is one record for all of them, under the name in the source.
  local id = test.id or test.name
  local record = records[id] or records[id:sub(1, #id - #test.name) .. test.base]
  return record and record.words
end

return M
