program Squares;

var
  i: integer;

begin
  for i := 1 to 10 do
    writeln(i * i);
end.
