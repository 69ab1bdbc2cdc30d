//! Features of IceT. A program is one text, so everything is a function of its parse.
