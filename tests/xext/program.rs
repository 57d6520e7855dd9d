//! Runs the steps that it reads on the board, and says what each gives.

#[path = "rust/org_example_board__Board.rs"]
mod board;
#[path = "rust/org_example_board__Frobate.rs"]
mod frobate;
#[path = "rust/org_example_board__Jazz.rs"]
mod jazz;
#[path = "rust/sums.rs"]
mod sums;

use lapis_cx_core::Xcmd;
use lapis_cx_core::encoding::Fallback;
use lapis_cx_core::xext::{Cause, Cpu, Device, Privilege};

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
    let hart = cpu.on_trap(|cpu, trap| {
        let cause = match trap.cause {
            Cause::Fallback => 1,
            Cause::Lun(_) => 2,
            Cause::Command => 3,
            Cause::Configuration => 4,
            Cause::Instruction => 5,
        };
        print!("trap {cause} {} {} {}; ", trap.from as u8, trap.to.map_or(0, |to| to as u8), cpu.level() as u8);
        0x77
    });
    let mut last = 0;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let &[kind, a, rs1, rs2] = words.as_slice() else { panic!("{line}") };
        let a: u32 = a.parse().expect("a number");
        let [rs1, rs2] = [rs1, rs2].map(|word| usize::from_str_radix(word, 16).expect("a word"));
        last = match kind {
            "0" => {
                let level = Privilege::ALL.into_iter().find(|level| *level as u32 == a);
                if level.is_some_and(|level| cpu.set_level(level).is_ok()) { 0 } else { usize::MAX >> (64 - WIDTH) }
            }
            "1" => cpu.xext(Fallback::ALL[a as usize], rs1, rs2).bits(),
            "2" => hart.xcmd(a, rs1, rs2),
            _ => hart.xcmd(a, last, rs2),
        };
        println!("{last:x}");
    }
}
