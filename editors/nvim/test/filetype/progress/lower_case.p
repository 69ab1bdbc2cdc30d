def var i as int no-undo.
def input parameter pcFile as char no-undo.
{settings.i}

do i = 1 to 3:
  run send.p (i).
  message "done" i.
end.
