// More choices than there can be.
machine Server {
    var i: int; var many: int; var table: map[int, int];
    start state Init {
        entry {
            i = choose(10000);
            i = choose(10001); //! LS0328
            i = choose((10001)); //! LS0328
            i = choose(2147483647); //! LS0328
            i = choose(0);
            i = choose(5000 + 5001); // only a number that is written down is looked at
            i = choose(-10001);
            many = 10001;
            i = choose(many);
            i = choose(00010000);
            i = choose(00010001); //! LS0328
            if (choose(99999) > 1) { } //! LS0328
            table[choose(20000)] = 1; //! LS0328
        }
    }
}
