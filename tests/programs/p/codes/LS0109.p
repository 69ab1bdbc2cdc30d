// Machines and interfaces that do not exist.
event ePing;
type tServer = Server;
enum tColour { RED }
interface Service(int) receives ePing;
fun Make(): machine creates Server;
fun MakeService(): machine creates Service;
fun MakeNothing(): machine creates Nothing; //! LS0109
fun MakeSpec(): machine creates Safety; //! LS0109

spec Safety observes ePing {
    start state Watch { ignore ePing; }
}
scenario Covered observes ePing {
    start cold state Watch { ignore ePing; }
}

machine Server {
    var other: machine;
    start state Init {
        entry {
            other = new Server();
            other = new Service(1);
            new Server();
            other = new Serwer(); //! LS0109
            new server(); //! LS0109
            new Safety(); //! LS0109
            other = new Covered(); //! LS0109
            other = new tServer(); //! LS0109
            new tColour(); //! LS0109
            new ePing(); //! LS0109
        }
    }
    fun Own(): machine creates Gone; //! LS0109
}
