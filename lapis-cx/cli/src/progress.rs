//! How far long work is, for whoever looks at a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;
use std::{env, path::Path};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on stderr that is gone when the work is done. Without a terminal there is none.
pub struct Progress(ProgressBar);

impl Progress {
    /// No line.
    pub fn none() -> Progress {
        Progress(ProgressBar::hidden())
    }

    /// Work of so many steps, if stderr is a terminal.
    pub fn new(steps: usize) -> Progress {
        if !io::stderr().is_terminal() || env::var_os("TERM").is_none_or(|term| term == "dumb") {
            return Progress::none();
        }
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        // A long step, such as a law with many vectors, is seen to go on.
        bar.enable_steady_tick(Duration::from_millis(100));
        Progress(bar)
    }

    /// The next step begins, which is about a file.
    pub fn step(&self, path: &Path) {
        self.0.set_message(path.display().to_string());
        self.0.inc(1);
    }

    /// Prints something else: the line is out of its way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
