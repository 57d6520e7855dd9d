//! What other tools say of the runtime and of programs on it: loom of the orders in which threads can meet, the sanitizers of
//! memory and of races, and valgrind of the examples. `CX_LONG=1` takes all of each; what needs a toolchain that is not there is
//! skipped, and counted as such.

#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)] // what is of use here, of what builds examples as users do
#[path = "../c_build/project.rs"]
mod c_project;
#[allow(dead_code)]
#[path = "../cargo_build/project.rs"]
mod cargo_project;
mod examples;
mod models;
mod remoted;
mod sanitizers;

use std::panic::{UnwindSafe, catch_unwind};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// Why a test did not run; `None` if it did, and found nothing.
type Skipped = Option<String>;

fn trial(name: &str, test: impl FnOnce() -> Skipped + UnwindSafe + Send + 'static) -> Trial {
    Trial::ignorable_test(name, || match catch_unwind(test) {
        Ok(None) => Ok(Completion::Completed),
        Ok(Some(why)) => Ok(Completion::ignored_with(why)),
        // What the panic said stands above.
        Err(_) => Err(Failed::without_message()),
    })
}

/// A test that only the long run takes.
fn long(name: &str, test: impl FnOnce() -> Skipped + UnwindSafe + Send + 'static) -> Trial {
    trial(name, || if lapis_cx_tests::long() { test() } else { Some("only with CX_LONG=1".to_owned()) })
}

fn main() -> ExitCode {
    let tests = vec![
        trial("threads_of_the_runtime_in_every_order", models::threads_of_the_runtime_in_every_order),
        trial("channels_in_every_order", models::channels_in_every_order),
        trial("c_programs_under_the_thread_sanitizer", || sanitizers::c_programs(sanitizers::THREAD)),
        trial("c_programs_under_the_address_sanitizer", || sanitizers::c_programs(sanitizers::ADDRESS)),
        trial("libraries_in_another_process_under_the_address_sanitizer", remoted::under_the_address_sanitizer),
        trial("the_engine_of_remoting_under_the_thread_sanitizer", remoted::the_engine_under_the_thread_sanitizer),
        long("rust_tests_under_the_thread_sanitizer", || sanitizers::rust_tests(sanitizers::THREAD)),
        long("rust_tests_under_the_address_sanitizer", || sanitizers::rust_tests(sanitizers::ADDRESS)),
        trial("c_examples_under_valgrind", examples::in_c),
        trial("cargo_examples_under_valgrind", examples::of_cargo),
        long("python_example_under_valgrind", examples::in_python),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}
