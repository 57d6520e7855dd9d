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
    let tables = startup(&cxc, rounds.max(1), &scratch).and_then(|first| {
        let remoted = remoting(&cxc, rounds.clamp(1, 21), &scratch)?;
        Ok(first + "\n" + &remoted + "\n" + &fallbacks(&cxc, &scratch)?)
    });
    fs::remove_dir_all(&scratch)?;
    print!("{}", tables?);
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
    let times = times.map(|mut times| {
        times.sort();
        [times[times.len() / 2], times[times.len() * 99 / 100]]
    });
    let mut table = format!("Whole process, median of {rounds} interleaved runs\n\n");
    for (name, [median, p99]) in ["/bin/true", "cxc build, first", "cxc build, unchanged"].iter().zip(times) {
        let ratio = median.as_secs_f64() / times[0][0].as_secs_f64();
        let [median, p99] = [median, p99].map(|time| time.as_secs_f64() * 1e3);
        table += &format!("  {name:<22} {median:>9.3} ms, p99 {p99:>9.3}  {ratio:>6.1} x\n");
    }
    Ok(table)
}

/// The whole process of `cxc build --backend remoting`, beside one that does nothing, in turns; and how much C there is for each function.
fn remoting(cxc: &str, rounds: usize, scratch: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = format!("Guest and worker of a library: the whole process, {rounds} builds from nothing\n\n");
    for name in ["tinycl", "zlib", "sqlite", "opencl"] {
        let out = scratch.join(format!("remoting-{name}"));
        let (mut times, mut floors) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../specs/{name}.cxspec"));
            let mut command = Command::new(cxc);
            command.arg("build").arg(spec).args(["--backend", "remoting", "--out-dir"]).arg(&out);
            floors.push(run(Command::new("/bin/true"))?);
            times.push(run(command)?);
        }
        times.sort();
        floors.sort();
        let (mut lines, mut functions) = (0, 0);
        for file in fs::read_dir(out.join("remoting"))? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "c" || extension == "h") {
                let text = fs::read_to_string(&path)?;
                lines += text.lines().count();
                functions += text.matches("cxr_call(").count();
            }
        }
        let at = |sorted: &[Duration], percent: usize| sorted[sorted.len() * percent / 100].as_secs_f64() * 1e3;
        let (median, p99, floor) = (at(&times, 50), at(&times, 99), at(&floors, 50));
        let each = lines as f64 / functions.max(1) as f64;
        table += &format!("  {name:<10} {functions:>4} functions {median:>9.3} ms, p99 {p99:>9.3}, ");
        table += &format!("{:>6.1} x /bin/true {each:>7.1} lines of C for each\n", median / floor);
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

/// Instructions of loops over fallbacks, beside the same loops by hand.
fn fallbacks(cxc: &str, scratch: &Path) -> Result<String, Box<dyn Error>> {
    let mut table = "Fallbacks in loops, instructions beside the same by hand (callgrind)\n\n".to_owned();
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        return Ok(table + "  not measured: there is no `valgrind`\n");
    }
    let (tests, out) = (Path::new(env!("CARGO_MANIFEST_DIR")), scratch.join("loops"));
    for spec in ["bitkit", "crc32c", "mulacc"] {
        let mut command = Command::new(cxc);
        command.arg("build").arg(tests.join(format!("../specs/{spec}.cxspec"))).arg("--out-dir").arg(&out);
        run(command)?;
    }
    let core = out.join("liblapis_cx_core.rlib");
    let mut command = Command::new("rustc");
    command.args(["--edition", "2024", "-O", "--crate-name", "lapis_cx_core", "--crate-type", "rlib", "-o"]);
    command.arg(&core).arg(tests.join("../lapis-cx/core/src/lib.rs"));
    run(command)?;
    let source = out.join("loops.rs");
    fs::copy(tests.join("loops/loops.rs"), &source)?;
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-Copt-level=2", "--extern"]).arg(format!("lapis_cx_core={}", core.display()));
    rustc.arg(source);
    let in_c = |compiler: &str| {
        let mut command = Command::new(compiler);
        command.arg("-O2").arg("-I").arg(out.join("include")).arg("-I").arg(out.join("src"));
        command.arg(tests.join("loops/loops.c"));
        command
    };
    let compilers = [("rustc -Copt-level=2", rustc), ("gcc -O2", in_c("gcc")), ("clang -O2", in_c("clang"))];
    for (name, mut command) in compilers {
        let program = out.join("loops");
        command.arg("-o").arg(&program);
        run(command)?;
        let nothing = instructions(&program, "none")?;
        for (kernel, what) in [
            ("dot", "dot product, MulAcc"),
            ("bits", "CRC-32C by bits, Crc32C"),
            ("table", "CRC-32 by table, BitKit"),
            ("count", "population count, BitKit"),
        ] {
            let loops = instructions(&program, kernel)?.saturating_sub(nothing);
            let hand = instructions(&program, &format!("{kernel}_by_hand"))?.saturating_sub(nothing);
            let ratio = loops as f64 / hand.max(1) as f64;
            table += &format!("  {name:<20} {what:<24} {loops:>10} {hand:>10}  {ratio:>5.2} x\n");
        }
    }
    Ok(table)
}

/// The instructions of a program with one argument.
fn instructions(program: &Path, argument: &str) -> Result<u64, Box<dyn Error>> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).arg(argument);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let count = said.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim());
    Ok(count.ok_or_else(|| format!("{command:?}: {said}"))?.parse()?)
}
