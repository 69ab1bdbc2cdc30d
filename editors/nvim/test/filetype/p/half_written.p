machine Printer {
    var pages: int
    start state Idle {
        on eJob do (job
