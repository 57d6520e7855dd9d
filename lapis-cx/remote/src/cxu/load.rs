//! Software CXUs in shared libraries.

use std::ffi::{CStr, CString};
use std::path::Path;

use lapis_cx_core::SoftCxu;

use super::Error;

/// Returns the symbol of a generated fallback for the name of its library: `mulacc_soft_cxu` for `libmulacc.so` or `mulacc_fallback.so`.
fn symbol_of(library: &str) -> Option<String> {
    let name = Path::new(library).file_name()?.to_str()?;
    let name = name.strip_prefix("lib").unwrap_or(name).split('.').next()?;
    let stem = name.strip_suffix("_fallback").unwrap_or(name);
    Some(format!("{stem}_soft_cxu"))
}

/// Splits `LIBRARY:SYMBOL` at the last colon, if a symbol follows it.
fn split(text: &str) -> (&str, Option<&str>) {
    let is_symbol = |text: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !text.is_empty() && text.chars().all(is_part) && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    match text.rsplit_once(':') {
        Some((library, symbol)) if is_symbol(symbol) => (library, Some(symbol)),
        _ => (text, None),
    }
}

/// Loads a shared library permanently, and returns the descriptor of a CXU that it exports. `text` is `LIBRARY:SYMBOL`. Without a symbol it
/// is that of a generated fallback, derived from the file name: `mulacc_soft_cxu` for `libmulacc.so`.
///
/// # Errors
///
/// [`Error::Load`]: the library cannot be loaded, lacks the symbol, or exports an invalid descriptor.
///
/// # Safety
///
/// Loading the library runs its initializers. Its descriptor must meet the requirements of `cx_abi.h`.
pub unsafe fn load(text: &str) -> Result<&'static SoftCxu, Error> {
    let (library, symbol) = split(text);
    let fail = |why: String| Error::Load(format!("{library}: {why}"));
    let symbol = symbol.map(str::to_owned).or_else(|| symbol_of(library)).unwrap_or_default();
    let c = |text: &str| CString::new(text).map_err(|why| fail(why.to_string()));
    let (path, name) = (c(library)?, c(&symbol)?);
    // SAFETY: both are C strings, and the caller guarantees the library.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if handle.is_null() {
            let why = libc::dlerror();
            let why = if why.is_null() { c"dlopen failed" } else { CStr::from_ptr(why) };
            return Err(Error::Load(why.to_string_lossy().into_owned()));
        }
        let found: *const SoftCxu = libc::dlsym(handle, name.as_ptr()).cast();
        if found.is_null() {
            return Err(fail(format!(
                "the library exports no `{symbol}`; name the descriptor, as in `{library}:mulacc_soft_cxu`"
            )));
        }
        SoftCxu::from_raw(found).map_err(|why| fail(why.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::{split, symbol_of};

    #[test]
    fn symbol_from_suffix_or_file_name() {
        let cases = [("a/b.so:mulacc_soft_cxu", ("a/b.so", Some("mulacc_soft_cxu"))), ("a:b/c.so", ("a:b/c.so", None))];
        for (text, parts) in cases {
            assert_eq!(split(text), parts);
        }
        for library in ["libmulacc.so", "/x/libmulacc.so.1.2", "mulacc_fallback.so", "mulacc"] {
            assert_eq!(symbol_of(library).as_deref(), Some("mulacc_soft_cxu"));
        }
    }
}
