" The runs that `:Lockstep trace` shows.

if exists('b:current_syntax')
  finish
endif

syntax match lockstepTraceTitle /\%1l.*/
syntax match lockstepTraceNumber /^\s*\d\+\ze  /
syntax match lockstepTracePlace /\S\+:\d\+$/
syntax match lockstepTraceEvent /\%(sends\|takes\|sees\) \zs\h\w*/
syntax match lockstepTraceNew / \%(creates\|starts\)\>/
syntax match lockstepTraceState /^\s\+state: .*/
syntax match lockstepTraceChange /^\s\+\h\w*: .* -> .*/ contains=lockstepTraceState
syntax match lockstepTraceChoice /^\s\+chooses possibility .*/
syntax match lockstepTraceLoop /^\s*-- .* --$/
syntax region lockstepTraceBug start=/^bug / end=/\%$/

highlight default link lockstepTraceTitle Title
highlight default link lockstepTraceNumber LineNr
highlight default link lockstepTracePlace Directory
highlight default link lockstepTraceEvent Function
highlight default link lockstepTraceNew Keyword
highlight default link lockstepTraceState Type
highlight default link lockstepTraceChange Identifier
highlight default link lockstepTraceChoice Comment
highlight default link lockstepTraceLoop WarningMsg
highlight default link lockstepTraceBug ErrorMsg

let b:current_syntax = 'lockstep-trace'
