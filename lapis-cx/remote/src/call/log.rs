//! Logs to standard error, without a lock or an allocation.

use std::fmt::{self, Write};

/// Logs a message to standard error. Takes no lock and does not allocate, because signal handlers and children of forks may call it.
pub(crate) fn say(text: &str) {
    let parts = ["cx_remote: ", text, "\n"]
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    // One write keeps the line intact, since the other process often writes to the same file. A missing standard error is ignored.
    // SAFETY: the parts are texts that live until `writev` returns, and it only reads them.
    let _ = unsafe { libc::writev(libc::STDERR_FILENO, parts.as_ptr(), parts.len() as libc::c_int) };
}

/// Like [`say`], with the first 1024 bytes of a formatted text.
pub(super) fn say_line(text: fmt::Arguments<'_>) {
    let mut line = Line { bytes: [0; 1024], used: 0 };
    // Writing a line never fails.
    let _ = line.write_fmt(text);
    say(std::str::from_utf8(&line.bytes[..line.used]).unwrap_or_default());
}

/// A line of text on the stack. Text beyond its capacity is dropped.
struct Line {
    bytes: [u8; 1024],
    used: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = text.floor_char_boundary(self.bytes.len() - self.used);
        self.bytes[self.used..][..end].copy_from_slice(&text.as_bytes()[..end]);
        self.used += end;
        Ok(())
    }
}
