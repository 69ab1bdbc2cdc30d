#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {}
