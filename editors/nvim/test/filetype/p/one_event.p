event ePing;
