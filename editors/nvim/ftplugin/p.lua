require('lockstep.buffer').set_up('p')
