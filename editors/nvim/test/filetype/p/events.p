/* Events of the printer.

   program Printer; begin x := 1; end.
   DEFINE VARIABLE job AS CHARACTER NO-UNDO.
   FOR EACH job NO-LOCK: DISPLAY job. END.
*/

event eJob;
event eDone: int;
