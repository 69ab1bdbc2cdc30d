spec NothingLost observes eJob, eDone {
  start cold state Even {
    on eJob goto Odd;
  }
  hot state Odd {
    on eDone goto Even;
  }
}
