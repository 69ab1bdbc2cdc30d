--- What a user can set. Read through `current`, changed by `require('lockstep').setup()` only.

---@class lockstep.Options
---@field cmd string[] The server's command line.
---@field allow string[] Codes of warnings that are switched off, such as `LS1101`.
---@field lens lockstep.LensOptions
---@field inlayHints { enable: boolean, payloadTypes: boolean, handlers: boolean, creates: boolean } Whether notes are shown between the words, and which.
---@field onSave { search: boolean, milliseconds: integer } Whether and how long tests are run when a file is saved.
---@field run { schedules: integer } How many random schedules `:Lockstep run` tries.
---@field explore { seconds: integer, memoryMegabytes: integer } What `:Lockstep explore` may take.

---@class lockstep.LensOptions
---@field enable boolean Whether code lenses are asked for and shown.

local M = {}

---@type lockstep.Options
M.current = {
  cmd = { 'lockstep', 'lsp' },
  allow = {},
  lens = { enable = true },
  inlayHints = { enable = true, payloadTypes = true, handlers = true, creates = true },
  onSave = { search = true, milliseconds = 1000 },
  run = { schedules = 1000 },
  explore = { seconds = 300, memoryMegabytes = 2048 },
}

---@param options? table Some of the fields of `lockstep.Options`.
function M.set(options)
  for name, value in pairs(options or {}) do
    local expected = type(M.current[name])
    if type(value) ~= expected then
      local problem = expected == 'nil' and 'there is no such option' or ('expected a %s, got a %s'):format(expected, type(value))
      error(('lockstep: option `%s`: %s; see :help lockstep-setup'):format(name, problem), 0)
    end
  end
  M.current = vim.tbl_deep_extend('force', M.current, options or {})
end

--- What the server is told.
---@return table
function M.for_server()
  local told = vim.deepcopy(M.current)
  told.cmd = nil
  -- Lenses lead to the commands of runs.lua; other editors get the server's.
  told.ownCommands = true
  return told
end

return M
