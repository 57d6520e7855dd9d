//! What must not compile: a selection belongs to its thread and its scope, and code that knows nothing of CXs is reached through
//! a call that selects built-in. Each program stands beside one that is right and compiles.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Before each program. `spawn` is what executors with many threads ask of a task.
const PRELUDE: &str = "\
#![forbid(unsafe_code)]
use std::future::Future;
use lapis_cx_runtime::{open, Cx, Detached, Legacy, OpenFlags, Selected, Uuid};
pub const UUID: Uuid = Uuid::from_u128(1);
pub fn mac() -> Cx { open(UUID, OpenFlags::EXCLUSIVE).unwrap() }
pub fn spawn(_task: impl Future<Output = ()> + Send + 'static) {}
pub async fn other_work() {}
pub static LEGACY: Legacy<fn(i32) -> i32> = Legacy::new(|x| x + 1);
pub fn program() {
";

/// A program, and how the compiler refuses it; `None` for those that compile.
const CASES: &[(&str, Option<&str>)] = &[
    // A guard goes to no other thread, and neither does what it borrows.
    ("let cx = mac(); let _ = cx.select().issue(0, 1, 2);", None),
    ("let cx = mac(); let s = cx.select(); std::thread::scope(|t| { t.spawn(|| s.issue(0, 1, 2)); });", Some("E0277")),
    ("let cx = mac(); std::thread::spawn(move || drop(cx));", Some("E0277")),
    ("fn send<T: Send>(_: T) {} let cx = mac(); send(cx.select());", Some("E0277")),
    ("fn sync<T: Sync>(_: &T) {} let cx = mac(); sync(&cx.select());", Some("E0277")),
    // Commands are methods of the guard: what is not selected has none.
    ("let cx = mac(); let _ = cx.issue(0, 1, 2);", Some("E0599")),
    // What is selected stays open, and the selection ends with its scope.
    ("let cx = mac(); let s = cx.select(); drop(cx); let _ = s.issue(0, 1, 2);", Some("E0505")),
    ("let s: Selected<'_>; { let cx = mac(); s = cx.select(); } let _ = s.issue(0, 1, 2);", Some("E0597")),
    ("fn leak() -> Selected<'static> { mac().select() } leak();", Some("E0515")),
    // Code of the default calling convention is not called as it stands.
    ("let cx = mac(); let s = cx.select(); let _ = s.call(&LEGACY, |f| f(7));", None),
    ("let _ = LEGACY.call(|f| f(7));", None),
    ("let cx = mac(); let s = cx.select(); let _ = LEGACY(7); drop(s);", Some("E0618")),
    ("let cx = mac(); let s = cx.select(); let _ = (LEGACY.0)(7); drop(s);", Some("E0616")),
    // Over an `await`, another task may run on the thread, and this one go on on another.
    ("spawn(async { { let cx = mac(); let _ = cx.select().issue(0, 1, 2); } other_work().await; });", None),
    (
        "spawn(async { let cx = mac(); let s = cx.select(); other_work().await; let _ = s.issue(0, 1, 2); });",
        Some("cannot be sent"),
    ),
    (
        "spawn(async { let cx = mac(); other_work().await; let _ = cx.select().issue(0, 1, 2); });",
        Some("cannot be sent"),
    ),
    (
        "spawn(async {
            let mut mac = Detached::new(UUID, OpenFlags::EXCLUSIVE);
            let _ = mac.with(|mac| mac.issue(0, 1, 2));
            other_work().await;
            let _ = mac.with(|mac| mac.issue(1, 1, 2));
        });",
        None,
    ),
    (
        "let mut mac = Detached::new(UUID, OpenFlags::EXCLUSIVE);
        let mut out: Option<&Selected<'_>> = None;
        let _ = mac.with(|mac| out = Some(mac));
        let _ = out.unwrap().issue(0, 1, 2);",
        Some("borrowed data escapes"),
    ),
];

#[test]
fn misuse_does_not_compile() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime_refused");
    fs::create_dir_all(&folder).unwrap();
    // Cargo builds the library in one go with the crate that this test links, into the folder of the test's own executable.
    let executable = std::env::current_exe().unwrap();
    let libraries = executable.parent().unwrap();
    for (number, (program, refusal)) in CASES.iter().enumerate() {
        let source = folder.join(format!("refused_{number}.rs"));
        fs::write(&source, format!("{PRELUDE}    {program}\n}}\n")).unwrap();
        let mut compile = Command::new("rustc");
        compile
            .args(["--edition", "2024", "--crate-type", "lib", "--emit=metadata", "-L"])
            .arg(libraries)
            .arg("--extern");
        compile.arg(format!("lapis_cx_runtime={}", libraries.join("liblapis_cx_runtime.rlib").display()));
        compile.arg("--out-dir").arg(&folder).arg(&source);
        let output = compile.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.success(), refusal.is_none(), "{program}\n{said}");
        if let Some(refusal) = refusal {
            assert!(said.contains(refusal), "{program}\n{said}");
        }
    }
}
