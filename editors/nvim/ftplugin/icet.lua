require('lockstep.buffer').set_up('icet')
