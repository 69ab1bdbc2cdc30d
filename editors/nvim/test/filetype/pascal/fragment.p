(* Part of a larger program. *)
procedure Swap(var a, b: integer);
var t: integer;
begin
  t := a;
  a := b;
  b := t;
end;
