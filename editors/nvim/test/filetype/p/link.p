/* See https://example.org/printers */ event eJob;
/*
   https://example.org/jobs */
event eDone: int;
