/* Prints every customer with an open invoice. */
DEFINE VARIABLE cName AS CHARACTER NO-UNDO.

FOR EACH Customer NO-LOCK WHERE Customer.Balance > 0:
    ASSIGN cName = Customer.Name.
    DISPLAY cName Customer.Balance.
END.
