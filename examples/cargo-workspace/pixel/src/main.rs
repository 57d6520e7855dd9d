//! The mean of two pixels, whole and by channel: both come from one function of the specs.

mod pixel {
    lapis_cx_core::include_spec!("pixel");
}

use blend::blend::Blend;
use pixel::Pixel;

fn main() {
    let (a, b) = (0x00FF_1020_u32, 0xFFFF_3040);
    let whole = pixel::Soft.mean4(a, b);
    let channels = std::array::from_fn(|i| blend::blend::Soft.mean(a.to_be_bytes()[i], b.to_be_bytes()[i]));
    println!("{whole:08X} {:08X}", u32::from_be_bytes(channels)); // 7FFF2030 7FFF2030
}
