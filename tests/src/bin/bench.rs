//! The tables of `tests/bench`: `bench CXC [ROUNDS]`. Figures are for reading; nothing is asserted.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let cxc = arguments.next().ok_or("usage: bench CXC [ROUNDS]")?;
    let rounds: usize = arguments.next().map_or(Ok(101), |rounds| rounds.parse())?;
    let scratch = std::env::temp_dir().join(format!("cxc-bench-{}", std::process::id()));
    fs::create_dir_all(&scratch)?;
    let table = startup(&cxc, rounds.max(1), &scratch);
    fs::remove_dir_all(&scratch)?;
    print!("{}", table?);
    Ok(())
}

/// The whole process of `cxc build` beside one that does nothing, in turns, so that noise hits all alike.
fn startup(cxc: &str, rounds: usize, scratch: &Path) -> Result<String, Box<dyn Error>> {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/mulacc.cxspec");
    let build = |out_dir: &Path| {
        let mut command = Command::new(cxc);
        command.arg("build").arg(&spec).arg("--out-dir").arg(out_dir);
        command
    };
    let (first, warm) = (scratch.join("first"), scratch.join("warm"));
    run(build(&warm))?;
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..rounds {
        if first.exists() {
            fs::remove_dir_all(&first)?;
        }
        times[0].push(run(Command::new("/bin/true"))?);
        times[1].push(run(build(&first))?);
        times[2].push(run(build(&warm))?);
    }
    let medians = times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    });
    let mut table = format!("Whole process, median of {rounds} interleaved runs\n\n");
    for (name, median) in ["/bin/true", "cxc build, first", "cxc build, unchanged"].iter().zip(medians) {
        let ratio = median.as_secs_f64() / medians[0].as_secs_f64();
        table += &format!("  {name:<22} {:>9.3} ms  {ratio:>6.1} x\n", median.as_secs_f64() * 1e3);
    }
    Ok(table)
}

/// Runs a command that must succeed; the time it took.
fn run(mut command: Command) -> Result<Duration, Box<dyn Error>> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let time = start.elapsed();
    if status.success() { Ok(time) } else { Err(format!("{command:?}: {status}").into()) }
}
