&SCOPED-DEFINE LIMIT 10
DEFINE BUTTON b-go LABEL "Go".

ON CHOOSE OF b-go IN FRAME f DO:
    RUN start-machine.
    APPLY "entry" TO b-go.
END.

PROCEDURE start-machine:
    DEFINE BUFFER bOrder FOR Order.
    FIND FIRST bOrder NO-LOCK NO-ERROR.
END PROCEDURE.
