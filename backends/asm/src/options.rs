//! The options of the backend: the opcodes of the ISA profile.

use lapis_cx::backend::{OptionError, OptionInfo};
use lapis_cx_core::encoding::Profile;

/// What can be set.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo { key: "r-opcode", about: "opcode of form R", default: "custom-0" },
    OptionInfo { key: "i-opcode", about: "opcode of form I", default: "custom-1" },
    OptionInfo { key: "flex-opcode", about: "opcode of flex and flex25", default: "custom-2" },
    OptionInfo {
        key: "xcmd-opcode",
        about: "opcode of xcmd and xext in assembly; in C use `-DCX_XCMD_OPCODE`, in Rust `XcmdOnHart::<0x5B>`",
        default: "custom-3",
    },
];

/// The profile with some opcodes changed.
pub fn profile(before: Profile, options: &[(&str, &str)]) -> Result<Profile, OptionError> {
    let [mut r, mut i, mut flex, mut xcmd] = [before.r(), before.i(), before.flex(), before.xcmd()];
    for (key, value) in options {
        let place = match *key {
            "r-opcode" => &mut r,
            "i-opcode" => &mut i,
            "flex-opcode" => &mut flex,
            "xcmd-opcode" => &mut xcmd,
            _ => return Err(OptionError::unknown(key, OPTIONS)),
        };
        *place = opcode(value).ok_or_else(|| {
            let why = format!("`{value}` is no opcode: custom-0 to custom-3, or seven bits such as 0x7B");
            OptionError::new(key, why)
        })?;
    }
    Profile::new(r, i, flex, xcmd).ok_or_else(|| {
        let key = options.last().map_or("", |(key, _)| *key);
        let why = format!(
            "0x{r:02X}, 0x{i:02X}, 0x{flex:02X} and 0x{xcmd:02X} for R, I, flex and xcmd are not four different opcodes of \
             32-bit instructions other than SYSTEM"
        );
        OptionError::new(key, why)
    })
}

/// Reads `custom-2`, `0x5B` or `91`.
fn opcode(text: &str) -> Option<u8> {
    match text {
        "custom-0" => Some(0x0B),
        "custom-1" => Some(0x2B),
        "custom-2" => Some(0x5B),
        "custom-3" => Some(0x7B),
        _ => match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        },
    }
}
