--- What a user can set. Read through `current`, changed by `require('lockstep').setup()` only.

---@class lockstep.Options
---@field cmd string[] The server's command line.
---@field allow string[] Codes of warnings that are switched off, such as `LS1101`.
---@field lens lockstep.LensOptions

---@class lockstep.LensOptions
---@field enable boolean Whether code lenses are asked for and shown.

local M = {}

---@type lockstep.Options
M.current = {
  cmd = { 'lockstep', 'lsp' },
  allow = {},
  lens = { enable = true },
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
---@return { allow: string[], lens: lockstep.LensOptions }
function M.for_server()
  return { allow = M.current.allow, lens = M.current.lens }
end

return M
