//! What reaches the terminal: colours only where they are wanted, a closed pipe is no error.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    choice: ColorChoice,
}

impl Terminal {
    pub(crate) fn new(choice: ColorChoice) -> Self {
        Self { choice }
    }

    pub(crate) fn stdout(self) -> Output {
        let styled = self.styles(&io::stdout());
        // Without colours every byte passes as it is, escape sequences of a source text included.
        let choice = if styled { self.choice } else { ColorChoice::AlwaysAnsi };
        Output { writer: Box::new(BufWriter::new(AutoStream::new(io::stdout().lock(), choice))), styled }
    }

    pub(crate) fn stderr(self) -> Output {
        let styled = self.styles(&io::stderr());
        let choice = if styled { self.choice } else { ColorChoice::AlwaysAnsi };
        Output { writer: Box::new(BufWriter::new(AutoStream::new(io::stderr().lock(), choice))), styled }
    }

    /// Tells the user what could not be done. When even that cannot be written, only the exit code is left.
    pub(crate) fn error(self, message: &str) {
        let mut stderr = self.stderr();
        let style = stderr.style(AnsiColor::BrightRed.on_default().bold());
        let _ = writeln!(stderr, "{style}error{style:#}: {message}").and_then(|()| stderr.flush());
    }

    fn styles(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.choice {
            ColorChoice::Auto => AutoStream::choice(stream) != ColorChoice::Never,
            choice => choice != ColorChoice::Never,
        }
    }
}

pub(crate) struct Output {
    writer: Box<dyn Write>,
    styled: bool,
}

impl Output {
    pub(crate) fn is_styled(&self) -> bool {
        self.styled
    }

    /// `style`, or nothing where no colours are wanted.
    pub(crate) fn style(&self, style: Style) -> Style {
        if self.styled { style } else { Style::new() }
    }

    pub(crate) fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self, "{line}")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes with `write` and flushes. Whoever closes the pipe early (`| head`) has seen enough: that is no error.
pub(crate) fn write_all(mut output: Output, write: impl FnOnce(&mut Output) -> io::Result<()>) -> io::Result<()> {
    match write(&mut output).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
