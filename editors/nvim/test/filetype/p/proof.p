pure half(n: int): int;
axiom forall (n: int) :: half(n) <= n;
init-condition forall (p: Printer) :: p is Idle;
Lemma small {
  invariant bounded: forall (p: Printer) :: p.pages <= 100;
}
Proof {
  prove small;
}
