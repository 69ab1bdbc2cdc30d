// To whom events are sent.
event eGo;
event eWho: machine;
enum tColour { RED }
eventset sGo = { eGo };
type tServer = machine;

machine Server {
    var m: machine; var t: tServer; var own: Server; var go: sGo;
    var n: int; var a: any; var peers: seq[machine]; var table: map[int, Server]; var pair: (m: machine, n: int);
    start state Init {
        entry {
            send m, eGo;
            send t, eGo;
            send own, eGo;
            send go, eGo;
            send this, eWho, this;
            send peers[0], eGo;
            send table[1], eGo;
            send pair.m, eGo;
            send new Server(), eGo;
            send choose(peers), eGo;
            send a as machine, eGo;
            send default(machine), eGo;
            send n, eGo; //! LS0309
            send a, eGo; //! LS0309
            send peers, eGo; //! LS0309
            send pair, eGo; //! LS0309
            send pair.n, eGo; //! LS0309
            send eGo, eGo; //! LS0309
            send RED, eGo; //! LS0309
            send "server", eGo; //! LS0309
            send null, eGo; //! LS0309
            send (m, m), eGo; //! LS0309
        }
    }
}
