{ A unit whose types look like P's. }
unit Colours;

interface

type Colour = (Red, Green, Blue);
type Name = string;

function NameOf(c: Colour): Name;

implementation

function NameOf(c: Colour): Name;
begin
  case c of
    Red: NameOf := 'red';
  else
    NameOf := 'other';
  end;
end;

end.
