test tcSmall [main=Office]:
  assert NothingLost in (union Printers, { Office });

test param (n in [1, 2]) tcMany [main=Office]: { Office, Printer };
