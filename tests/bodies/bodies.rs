#[path = "rust/dev.rs"]
mod dev;
#[path = "rust/op.rs"]
mod op;
#[path = "rust/plain.rs"]
mod plain;

use dev::xlenXLEN::Feeder as _;
use lapis_cx_core::RustCxu;
use op::xlenXLEN::{B, G, State};

type Word = uXLEN;

struct Mine;

impl op::xlenXLEN::Bodies for Mine {
    fn add(st: &mut State, state: Word, value: u8) -> Result<Word, op::xlenXLEN::Raised<Word>> {
        use op::xlenXLEN::{Error, Raised};
        match value {
            31 => return Err(Raised { error: Error::Full, value: Some(9) }),
            30 => return Err(Error::Op.into()),
            29 => return Err(Error::Func.into()),
            28 => return Err(Error::Cxu.into()),
            _ => st.last = st.last.wrapping_add(state).wrapping_add(value.into()),
        }
        Ok(st.last)
    }

    fn quiet(st: &mut State, raised: u8, s: i8, n: u8) -> Result<(), op::xlenXLEN::Error> {
        st.count = raised.wrapping_add(n);
        if s < 0 { Err(op::xlenXLEN::Error::Op) } else { Ok(()) }
    }

    fn odd(st: &mut State, a: Word, error: i8) -> Result<i8, op::xlenXLEN::Raised<i8>> {
        st.last = a;
        if error == -16 {
            return Err(op::xlenXLEN::Raised { error: op::xlenXLEN::Error::Op, value: Some(17) });
        }
        Ok(error + 30)
    }

    fn pick(st: &mut State, b: B, on: bool) -> Result<G, op::xlenXLEN::Raised<G>> {
        st.count = b.0;
        Ok(if on { G::LESS } else { G::SAME })
    }

    fn is(_: &mut State, a: B) -> Result<bool, op::xlenXLEN::Raised<bool>> {
        Ok(a == B::SOME)
    }

    fn all(st: &mut State, n: u16) -> Result<(), op::xlenXLEN::Error> {
        st.last = n.into();
        Ok(())
    }

    fn ping(st: &mut State) -> Result<(), op::xlenXLEN::Error> {
        st.count = st.count.wrapping_add(1);
        Ok(())
    }
}

impl plain::xlenXLEN::Bodies for Mine {
    fn half(a: u8, b: Word) -> Result<u8, plain::xlenXLEN::Raised<u8>> {
        if b % 7 == 0 {
            return Err(plain::xlenXLEN::Raised { error: plain::xlenXLEN::Error::Op, value: Some(200) });
        }
        Ok((a + 128).wrapping_add((b % 2) as u8))
    }

    fn silent(a: Word) -> Result<(), plain::xlenXLEN::Error> {
        if a % 2 != 0 { Err(plain::xlenXLEN::Error::Custom(0)) } else { Ok(()) }
    }
}

impl dev::xlenXLEN::Bodies for Mine {
    fn feed(a: Word, b: Word) -> Result<Word, dev::xlenXLEN::Raised<Word>> {
        Ok(a ^ b)
    }
}

fn main() {
    let mut seed: u64 = 1;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 20 ^ seed >> 50
    };
    let ids = [0, 0, 1, 2, 2, 3, 3, 4, 5, 8, 9, 7, 1020, 1021, 1022, 1023];
    let mut st = State::RESET;
    let soft = dev::xlenXLEN::Soft::<Mine>::default();
    for i in 0..20000u32 {
        let id = ids[(next() % 16) as usize];
        let mut rs1 = next() as Word as usize;
        let mut rs2 = next() as Word as usize;
        let mut function = id;
        match id {
            2 => function |= (rs1 as u32 % 32) << 16,
            9 => rs2 &= 0x7FFF,
            1022 if i % 4 != 0 => rs1 |= 1,
            _ => {}
        }
        let reply = <op::xlenXLEN::SoftCxu<Mine> as RustCxu>::issue(&mut st, function, rs1, rs2);
        let [status, last, count] = st.save();
        println!("{id} {} {:x} {status:x} {last:x} {count:x}", reply.response.code(), reply.value);
        let function = i % 4;
        let reply = <plain::xlenXLEN::SoftCxu<Mine> as RustCxu>::issue(&mut (), function, rs1, rs2);
        println!("{function} {} {:x}", reply.response.code(), reply.value);
        println!("feed {:x}", soft.feed(rs1 as Word >> 12, rs2 as Word));
    }
}
