//! The backends that `cxc` offers: one line each.

use lapis_cx::backend::Backend;

/// Every backend, in the order in which `--help` names them and a build runs them.
pub fn all() -> &'static [&'static dyn Backend] {
    &[
        &lapis_cx_backend_c::C,
        &lapis_cx_backend_rust::Rust::DEFAULT,
        &lapis_cx_backend_asm::Asm::DEFAULT,
        &lapis_cx_backend_dts::Dts,
        &lapis_cx_backend_remoting::Remoting::DEFAULT,
    ]
}

/// The backends that run where none is asked for by name.
pub fn unasked() -> Vec<&'static dyn Backend> {
    all().iter().copied().filter(|backend| backend.is_default()).collect()
}

/// The backend of a name.
pub fn by_name(name: &str) -> Option<&'static dyn Backend> {
    all().iter().copied().find(|backend| backend.name() == name)
}

#[cfg(test)]
mod tests {
    use super::{all, by_name};

    #[test]
    fn names_are_unique_and_lead_back() {
        for backend in all() {
            let found = by_name(backend.name()).map(|found| found.about());
            assert_eq!(found, Some(backend.about()));
            assert_eq!(all().iter().filter(|other| other.name() == backend.name()).count(), 1);
        }
        assert!(by_name("no such backend").is_none());
    }
}
