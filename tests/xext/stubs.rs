//! The guards that are generated for interfaces, on a processor in software.

#[path = "rust/org_example_board__Board.rs"]
mod board;
#[path = "rust/org_example_board__Frobate.rs"]
mod frobate;
#[path = "rust/org_example_board__Jazz.rs"]
mod jazz;
#[path = "rust/sums.rs"]
mod sums;

use frobate::Frobate;
use lapis_cx_core::Cookie;
use lapis_cx_core::xext::{Cpu, Device, Privilege};

struct Played;

impl jazz::Bodies for Played {
    fn boogy(a: uWIDTH, b: uWIDTH) -> Result<uWIDTH, jazz::Raised<uWIDTH>> {
        Ok(a.wrapping_mul(b))
    }
}

fn main() {
    let dev1 = board::Dev1::new(frobate::Soft, sums::Soft::default(), frobate::Soft);
    let dev2 = board::Dev2::new(frobate::Soft, jazz::Soft::<Played>::default(), sums::Soft::default());
    let devices: [&dyn Device; 2] = [&dev1, &dev2];
    let cpu = Cpu::new(&board::PLATFORM, &devices).expect("a good board");
    let hart = cpu.on_trap(|_, trap| {
        println!("{trap}");
        0x77
    });
    cpu.set_level(Privilege::User).expect("a level");
    let device = frobate::xext(&hart, 0);
    println!("{} {} {}", device.cookie.lun(), device.frobate(50, 8), device.foo(-5, 0));
    println!("{}", device.foo(-5, 3));
    println!("{}", frobate::xextm1(&hart, 1).foo(1, 2));
    println!("{}", frobate::xext(&hart, 1).frobate(1, 2));

    // A command opens a context and gives a cookie of it; others take that; one closes it.
    let mut found = sums::xext(&hart, 0);
    let lun = found.cookie.lun();
    let [first, second, third] = [(); 3].map(|()| Cookie::from_bits(found.init(lun) as usize));
    println!("{} {} {:?}", first.data(), second.data(), third.error());
    println!("{} {}", found.add(0, 40), found.add(first.data() as u8, 2));
    println!("{} {}", found.deinit(0), found.add(0, 1));
    let soft = dev1.unit1.into_inner();
    println!("{:?}", sums::Soft::state(&soft).open);
}
