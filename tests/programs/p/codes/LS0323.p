// What nothing can be converted to.
enum tColour { RED, GREEN }
type tId = int;
type tForeign;
event eGo;
eventset sGo = { eGo };

machine Server {
    var i: int; var f: float; var s: string; var b: bool; var c: tColour; var a: any; var m: machine; var g: sGo; var id: tId;
    start state Init {
        entry {
            i = f to int; f = i to float; id = f to tId; i = c to int; g = this to sGo; m = m to Server;
            c = i to tColour; //! LS0323
            s = i to string; //! LS0323
            b = i to bool; //! LS0323
            a = i to any; //! LS0323
            a = i as any;
            m = this to machine; //! LS0323
            m = this;
            a = a to tForeign; //! LS0323
            a = i to seq[int]; //! LS0323
            a = (1, 2) to (int, int); //! LS0323
            a = eGo to event; //! LS0323
            a = i to data; //! LS0323
            c = a as tColour;
        }
    }
}
