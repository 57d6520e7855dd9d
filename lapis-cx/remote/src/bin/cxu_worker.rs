//! A worker of software CXUs in shared libraries, such as generated fallbacks.

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    // SAFETY: the user who starts this program guarantees the libraries that the arguments name.
    return unsafe { lapis_cx_remote::cxu::run(std::env::args().skip(1)) };
    #[cfg(not(target_os = "linux"))]
    std::process::ExitCode::FAILURE
}
