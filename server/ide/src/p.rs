//! Features of P, over a file as part of a project.
