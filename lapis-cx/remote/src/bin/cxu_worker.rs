//! A worker of software CXUs that are in shared libraries, such as generated fallbacks.

fn main() -> std::process::ExitCode {
    #[cfg(target_os = "linux")]
    // SAFETY: who starts it vouches for the libraries that it names.
    return unsafe { lapis_cx_remote::cxu::run(std::env::args().skip(1)) };
    #[cfg(not(target_os = "linux"))]
    std::process::ExitCode::FAILURE
}
