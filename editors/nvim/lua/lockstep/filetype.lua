--- Which language a file is written in. `.p` is also the extension of Pascal and of Progress (OpenEdge ABL), and Neovim knows only
--- these two: P is told from them by what stands in the file, and where that says nothing, by the files around it.

local M = {}

---@class lockstep.Mark
---@field [1] string A Lua pattern. Matched against a line without comments, with a space before and after it.
---@field [2] integer How much a match says.

--- `%s` before a name: only whole words count.
---@type table<string, lockstep.Mark[]>
local MARKS = {
  p = {
    { '^%s+machine%s+[%a_][%w_]*', 3 },
    { '^%s+spec%s+[%a_][%w_]*%s+observes%s', 3 },
    { '^%s+event%s+[%a_][%w_]*%s*[:;,]', 3 },
    { '^%s+eventset%s+[%a_]', 3 },
    { '^%s+fun%s+[%a_][%w_]*%s*%(', 3 },
    { '^%s+test%s+.*%[%s*main%s*=', 3 },
    { '^%s+test%s+param%s*%(', 3 },
    { '^%s+scenario%s+[%a_]', 2 },
    { '^%s+module%s+[%a_][%w_]*%s*=', 3 },
    { '^%s+implementation%s+[%a_][%w_]*%s*[%[:]', 3 },
    { '^%s+interface%s+[%a_][%w_]*%s*%(', 2 },
    { '^%s+enum%s+[%a_][%w_]*%s', 2 },
    { '^%s+type%s+[%a_][%w_]*%s*=%s*%(', 3 },
    { '^%s+type%s+[%a_][%w_]*%s*=%s*[%a_][%w_]*%s*;', 1 },
    { '^%s+type%s+[%a_][%w_]*%s*;', 2 },
    { '[=:]%s*seq%[', 2 },
    { '[=:]%s*set%[', 2 },
    { '[=:]%s*map%[', 2 },
    { '^%s+param%s+[%a_][%w_]*%s*:', 2 },
    { '%sstate%s+[%a_][%w_]*%s', 2 },
    { '^%s+on%s+[%a_][%w_, ]*%s+do%s', 3 },
    { '^%s+on%s+[%a_][%w_, ]*%s+goto%s', 3 },
    { '^%s+entry%s*[{(%a]', 2 },
    { '^%s+send%s+[^;]*,%s*[%a_]', 2 },
    { '^%s+goto%s+[%a_][%w_]*%s*[,;]', 1 },
    { '^%s+var%s+[%a_][%w_, ]*%s*:%s*[%a(][^=]*;', 1 },
    { '^%s+pure%s+[%a_][%w_]*%s*[(:]', 2 },
    { '^%s+axiom%s', 2 },
    { '^%s+init%-condition%s', 3 },
    { '^%s+invariant%s+[%a_][%w_]*%s*:', 2 },
    { '^%s+Lemma%s+[%a_]', 2 },
    { '^%s+Theorem%s+[%a_]', 2 },
    { '^%s+Proof%s', 2 },
  },
  -- Case does not matter in these two: the line is in lower case.
  pascal = {
    { '^%s+program%s+[%a_][%w_]*%s*[;(]', 3 },
    { '^%s+unit%s+[%a_][%w_.]*%s*;', 3 },
    { '^%s+uses%s+[%a_]', 2 },
    { '^%s+procedure%s+[%a_][%w_.]*%s*[;(]', 3 },
    { '^%s+function%s+[%a_][%w_.]*.*:%s*[%a_]', 2 },
    { '%sbegin%s', 2 },
    { '%send%s*;', 2 },
    { '%send%.%s*$', 2 },
    { ':=', 2 },
    { '^%s+implementation%s*$', 2 },
    { '^%s+interface%s*$', 2 },
    { '%sarray%s*%[.*%]%s*of%s', 2 },
    { '[=:]%s*record%s*$', 2 },
    { '%sthen%s', 1 },
    { '{%$', 2 },
    { '^%s+writeln', 2 },
  },
  progress = {
    { '^%s+def[ine]*%s.*variable%s', 3 },
    { '^%s+def[ine]*%s.*var%s', 3 },
    { '^%s+def[ine]*%s.*%sparam', 3 },
    { '^%s+def[ine]*%s.*temp%-table%s', 3 },
    { '^%s+def[ine]*%s.*buffer%s', 3 },
    { '^%s+block%-level%s', 3 },
    { '^%s+routine%-level%s', 3 },
    { '^%s+using%s+[%w_.*]+%.%s*$', 3 },
    { '^%s+procedure%s+[%w_.-]+%s*:', 3 },
    { '^%s+function%s+[%w_-]+%s+returns%s', 3 },
    { '^%s+for%s+each%s', 3 },
    { '^%s+find%s+first%s', 3 },
    { '^%s+end%s*%.', 2 },
    { '^%s+end%s+procedure%s*%.', 3 },
    { '^%s+display%s', 2 },
    { '^%s+message%s', 2 },
    { '^%s+assign%s', 2 },
    { '^%s+run%s+[^;]*%.%s*$', 2 },
    { '%sno%-lock', 2 },
    { '%sno%-undo', 2 },
    { '%sno%-error', 2 },
    { '^%s+&', 2 },
    { '^%s+{[%w_/.-]+%.i[ }]', 2 },
    { '[%w_)"\']%.%s*$', 1 },
  },
}

--- As much code as is looked at; comments and empty lines do not count.
local ENOUGH = 200

--- The language that the lines speak, if they do.
---@param lines string[]
---@return 'p'|'pascal'|'progress'|nil
function M.of_text(lines)
  local score = { p = 0, pascal = 0, progress = 0 }
  local seen, in_comment = 0, false
  for _, line in ipairs(lines) do
    line, in_comment = M.without_comments(line, in_comment)
    if line:find('%S') then
      seen = seen + 1
      local padded = ' ' .. line .. ' '
      local lower = padded:lower()
      for language, marks in pairs(MARKS) do
        local subject = language == 'p' and padded or lower
        for _, mark in ipairs(marks) do
          if subject:find(mark[1]) then
            score[language] = score[language] + mark[2]
          end
        end
      end
    end
    if seen == ENOUGH then
      break
    end
  end
  local other = score.pascal > score.progress and 'pascal' or 'progress'
  local best = score.p > score[other] and 'p' or other
  return score[best] > 0 and best or nil
end

--- A line without its comments, and whether one is still open at its end.
---@param line string
---@param in_comment boolean
---@return string, boolean
function M.without_comments(line, in_comment)
  if in_comment then
    local _, last = line:find('*/', 1, true)
    if not last then
      return '', true
    end
    line = line:sub(last + 1)
  end
  -- Strings become empty, so that nothing in them is taken for a comment.
  line = line:gsub('\\.', ''):gsub('"[^"]*"', '""')
  local kept, at = '', 1
  while true do
    local block, rest = line:find('/*', at, true), line:find('//', at, true)
    if not block or (rest and rest < block) then
      return kept .. line:sub(at, (rest or 0) - 1), false
    end
    kept = kept .. line:sub(at, block - 1) .. ' '
    local _, last = line:find('*/', block + 2, true)
    if not last then
      return kept, true
    end
    at = last + 1
  end
end

--- Whether the files around `path` make it likely that it is a P file: a project file in this folder or one of three above, or P files
--- beside it.
---@param path string
---@return boolean
function M.near_p(path)
  local folder = vim.fs.dirname(vim.fs.normalize(path))
  local above = folder
  for _ = 1, 4 do
    if next(vim.fn.glob(vim.fn.escape(above, '[]{}*?,') .. '/*.pproj', true, true)) then
      return true
    end
    above = vim.fs.dirname(above)
  end
  local siblings = vim.fn.glob(vim.fn.escape(folder, '[]{}*?,') .. '/*.p', true, true)
  for i = 1, math.min(#siblings, 10) do
    local ok, lines = pcall(vim.fn.readfile, siblings[i], '', 400)
    if ok and M.of_text(lines) == 'p' then
      return true
    end
  end
  return false
end

--- For |vim.filetype.add()|: the file type of a file whose name ends in `.p`.
---@param path string
---@param bufnr? integer
---@return string?
function M.detect(path, bufnr)
  if vim.g.filetype_p then
    return vim.g.filetype_p
  end
  local lines = bufnr and vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_lines(bufnr, 0, 1000, false) or {}
  local language = M.of_text(lines)
  if language == 'p' or (not language and M.near_p(path)) then
    return 'p'
  end
  -- The choice between the other two is Neovim's; ours is for the day it calls its function otherwise.
  local ok, choice = pcall(function()
    return require('vim.filetype.detect').progress_pascal(path, bufnr)
  end)
  return ok and choice or language
end

function M.register()
  vim.filetype.add({ extension = { p = M.detect, icet = 'icet', pproj = 'xml' } })
end

return M
