module Printers = { Printer, Spooler };
module Checked = (assert NothingLost in Printers);
