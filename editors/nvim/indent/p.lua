require('lockstep.buffer').set_up_indent()
