//! The CRC-32C of a file: by the CX where there is one, else by the fallback that is compiled in.

mod crc32c {
    lapis_cx_runtime::include_spec!("crc32c");
}

use crc32c::Crc32C;
use lapis_cx_runtime::{OpenFlags, open, register_rust};

/// The CRC of bytes.
fn checksum(bytes: &[u8]) -> u32 {
    match open(crc32c::UUID, OpenFlags::SHARED) {
        Ok(cx) => {
            eprintln!("crc32c: by the CX");
            update(&crc32c::Selected::new(cx.select()), bytes)
        } // the selection before is back, then the CX is closed
        Err(_) => {
            eprintln!("crc32c: by the fallback");
            update(&crc32c::Soft, bytes)
        }
    }
}

/// The work knows the trait only, so it takes both.
fn update(unit: &impl Crc32C, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| unit.crc_b(crc, *byte))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("crc32c FILE")?;
    let bytes = std::fs::read(path)?;
    println!("crc32c {:08x}", checksum(&bytes));
    // From here on the runtime knows a CXU: the generated software, in place of hardware.
    register_rust::<crc32c::SoftCxu>()?;
    println!("crc32c {:08x}", checksum(&bytes));
    Ok(())
}
