--- Indentation of P and IceT: |indentexpr| for both, from the brackets and the ends of the lines above. Needs no parser, so it works in
--- broken text.

local without_comments = require('lockstep.filetype').without_comments

local M = {}

local CLOSES = { ['}'] = '{', [')'] = '(', [']'] = '[' }

---@class lockstep.Bracket
---@field char string
---@field lnum integer

--- Lines before `lnum` that have code, from the nearest up; comments over several lines are stepped over.
---@param lnum integer
---@return fun(): integer?, string?
local function code_above(lnum)
  local in_comment = false
  return function()
    while lnum > 1 do
      lnum = lnum - 1
      local line = vim.fn.getline(lnum)
      if in_comment then
        local first = line:find('/*', 1, true)
        in_comment = not first
        line = first and line:sub(1, first - 1) or ''
      elseif line:find('^[^"]*%*/') and not line:find('/*', 1, true) then
        in_comment = true
        line = ''
      end
      line = without_comments(line, false)
      if line:find('%S') then
        return lnum, line
      end
    end
  end
end

---@param lnum integer
---@return boolean
local function starts_in_comment(lnum)
  for above = lnum - 1, math.max(1, lnum - 200), -1 do
    local line = vim.fn.getline(above)
    local open = line:match('.*()/%*')
    local close = line:match('.*()%*/')
    -- In a comment to the end of the line it opens nothing.
    if open and (line:find('//', 1, true) or open) < open and not close then
      open = nil
    end
    if open or close then
      return (open or 0) > (close or 0)
    end
  end
  return false
end

--- The innermost bracket that is open where line `lnum` starts.
---@param lnum integer
---@return lockstep.Bracket?
local function enclosing(lnum)
  local closed = 0
  for above, line in code_above(lnum) do
    for i = #line, 1, -1 do
      local char = line:sub(i, i)
      if CLOSES[char] then
        closed = closed + 1
      elseif char:find('[{(%[]') then
        if closed == 0 then
          return { char = char, lnum = above }
        end
        closed = closed - 1
      end
    end
    -- A word at the margin outside all brackets: a declaration.
    if closed == 0 and line:find('^%a') then
      return nil
    end
  end
end

--- Whether a brace holds a list (of an enumeration, a module, a set) and not statements.
---@param bracket lockstep.Bracket
---@return boolean
local function is_list(bracket)
  local line = without_comments(vim.fn.getline(bracket.lnum), false)
  if line:find('^%s*{') then
    local _, above = code_above(bracket.lnum)()
    line = (above or '') .. line
  end
  return bracket.char ~= '{' or line:find('^%s*enum%s') ~= nil or line:find('=%s*{') ~= nil
end

--- Words that open a declaration; outside all brackets, no line goes on with one of them.
local DECLARES = vim.regex([[\v^(machine|spec|event|eventset|fun|type|enum|module|interface|test|implementation|process|message)>]])

--- Clauses after the head of a machine, function or loop: they end in semicolons though what they belong to goes on.
local CLAUSE = vim.regex([[\v^\s*(receives|sends|creates|return|requires|ensures|invariant)>]])

---@param line string
---@return boolean
local function ends(line)
  return line:find('[;{}]%s*$') ~= nil
end

--- The line where the statement begins that the line above `lnum` belongs to, and its code.
---@param lnum integer
---@param bracket lockstep.Bracket?
---@return integer, string
local function statement(lnum, bracket)
  local lines = code_above(lnum)
  local start, text = lines()
  while not CLAUSE:match_str(text) do
    local above, before = lines()
    if not above or ends(before) or (bracket and above <= bracket.lnum) then
      break
    end
    start, text = above, before
  end
  return start, text
end

---@return integer
function M.expr()
  local lnum = vim.v.lnum
  if starts_in_comment(lnum) then
    return -1
  end
  local width = vim.fn.shiftwidth()
  local line = vim.fn.getline(lnum)
  local bracket = enclosing(lnum)
  local base = bracket and vim.fn.indent(bracket.lnum) + width or 0
  if bracket and line:find('^%s*[%]})]') then
    return base - width
  end
  local above, last = code_above(lnum)()
  if not above or line:find('^%s*{') or (bracket and (above == bracket.lnum or is_list(bracket))) then
    return base
  end
  local start, head = statement(lnum, bracket)
  if not ends(last) then
    local declares = not bracket and DECLARES:match_str(vim.trim(line))
    return declares and base or vim.fn.indent(start) + width
  end
  -- Clauses stand below each other; two `return`s are statements.
  local clauses = CLAUSE:match_str(line) and CLAUSE:match_str(head) and not line:find('^%s*return%f[%W]')
  return clauses and vim.fn.indent(start) or base
end

return M
