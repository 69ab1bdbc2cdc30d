//! What reaches the terminal: colours only where they are wanted, a closed pipe is no error.

use std::io::{self, BufWriter, ErrorKind, Write};

use anstream::stream::{AsLockedWrite, RawStream};
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
        self.output(io::stdout().lock())
    }

    pub(crate) fn stderr(self) -> Output {
        self.output(io::stderr().lock())
    }

    /// Tells the user what could not be done. When even that cannot be written, only the exit code is left.
    pub(crate) fn error(self, message: &str) {
        let mut stderr = self.stderr();
        let style = stderr.style(AnsiColor::BrightRed.on_default().bold());
        let _ = writeln!(stderr, "{style}error{style:#}: {message}").and_then(|()| stderr.flush());
    }

    /// Tells the user beside the output what it leaves out.
    pub(crate) fn note(self, message: &str) {
        let mut stderr = self.stderr();
        let _ = writeln!(stderr, "note: {message}").and_then(|()| stderr.flush());
    }

    fn output(self, stream: impl RawStream + AsLockedWrite + 'static) -> Output {
        let choice = if self.choice == ColorChoice::Auto { AutoStream::choice(&stream) } else { self.choice };
        let styled = choice != ColorChoice::Never;
        // Without colours every byte passes as it is, escape sequences of a source text included.
        let choice = if styled { choice } else { ColorChoice::AlwaysAnsi };
        Output { writer: Box::new(BufWriter::new(AutoStream::new(stream, choice))), styled }
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
