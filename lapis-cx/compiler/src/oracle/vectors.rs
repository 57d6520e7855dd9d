//! Inputs to try: the edges of a type, and pseudo-random values that favour them. The same seed gives the same values.

use super::eval::DEFAULT_FUEL;
use super::machine::{Context, Machine, Operands};
use super::ops;
use crate::contract::core::{Type, Value};
use crate::contract::layout::Layout;
use crate::contract::{Command, CommandId, Csr, CsrOp, Section, Slot};
use crate::int::Int;

/// The most edge values of one scalar type.
const MAX_EDGES: usize = 48;

/// The most elements that the tuples of one law hold together.
const MAX_ELEMENTS: u64 = 1 << 24;

/// A small pseudo-random generator (splitmix64). Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator of its own sequence.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next().checked_rem(n).unwrap_or(0)
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    /// A value of a scalar type: an edge, a short number, or any pattern.
    pub fn scalar(&mut self, ty: &Type) -> Int {
        let width = ty.width();
        let pattern = match self.below(4) {
            0 => match self.pick(&scalar_edges(ty)) {
                Some(edge) => return edge.clone(),
                None => Int::ZERO,
            },
            1 => {
                let short = 1 + self.below(u64::from(width)) as u32;
                self.bits(short)
            }
            _ => self.bits(width),
        };
        ty.reduce(&pattern)
    }

    /// `width` random bits.
    pub fn bits(&mut self, width: u32) -> Int {
        let mut v = Int::ZERO;
        for _ in 0..width.div_ceil(64) {
            v = v.shl(64).or(&Int::from(self.next()));
        }
        v.wrap(width, false)
    }

    /// A value of any type.
    pub fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Array { len, elem } => Value::Array((0..*len).map(|_| self.value(elem)).collect()),
            scalar => Value::Int(self.scalar(scalar)),
        }
    }
}

/// The edges of a scalar type, without repetition: 0, 1, the least and greatest value, -1, powers of two and their
/// neighbours, alternating bits. All values of a type of up to 4 bits.
pub fn scalar_edges(ty: &Type) -> Vec<Int> {
    let width = ty.width();
    let mut patterns: Vec<Int> = Vec::new();
    if width <= 4 {
        patterns.extend((0..1i32 << width).map(Int::from));
    } else {
        let alternating = |byte: u8| (0..width.div_ceil(8)).fold(Int::ZERO, |v, _| v.shl(8).or(&Int::from(byte)));
        let (lo, hi) = ty.range();
        patterns.extend([0, 1, 2, 3, -1, -2].map(Int::from));
        patterns.extend([&lo + &Int::ONE, &hi - &Int::ONE, lo, hi]);
        for power in [width - 1, width / 2, 7, 8, 15, 16, 31, 32, 63, 64] {
            if power < width {
                let power = Int::pow2(power);
                patterns.extend([&power - &Int::ONE, power.clone(), &power + &Int::ONE]);
            }
        }
        patterns.extend([alternating(0x55), alternating(0xAA), alternating(0x0F)]);
        patterns.extend([&Int::from(-1) - &Int::pow2(width / 2), Int::from(10), Int::from(-10)]);
    }
    let mut edges: Vec<Int> = Vec::new();
    for pattern in patterns {
        let v = ty.reduce(&pattern);
        if !edges.contains(&v) {
            edges.push(v);
        }
    }
    edges.truncate(MAX_EDGES);
    edges
}

/// The edges of any type: of an array, each edge in all elements, then a different edge in each.
pub fn edges(ty: &Type) -> Vec<Value> {
    let (scalar, _) = ty.flattened();
    let edges = scalar_edges(scalar);
    let mut values: Vec<Value> = edges.iter().map(|edge| Value::fill(ty, edge)).collect();
    if matches!(ty, Type::Array { .. }) {
        let mut next = edges.iter().cycle();
        values.push(cycled(ty, &mut next));
    }
    values
}

fn cycled<'a>(ty: &Type, next: &mut impl Iterator<Item = &'a Int>) -> Value {
    match ty {
        Type::Array { len, elem } => Value::Array((0..*len).map(|_| cycled(elem, next)).collect()),
        _ => Value::Int(next.next().cloned().unwrap_or(Int::ZERO)),
    }
}

/// Tuples of values of these types: all there are if that is at most `edge_limit + random`; else all products of
/// edges if that is at most `edge_limit`, else that many with each edge of each type among them; then `random` more.
///
/// Values of many elements are fewer: all tuples together hold about 2^24 elements at most.
pub fn tuples(types: &[&Type], edge_limit: usize, random: usize, seed: u64) -> Vec<Vec<Value>> {
    let mut generator = Random::new(seed);
    let elements = types.iter().fold(1u64, |sum, ty| sum.saturating_add(ty.flattened().1));
    let room = usize::try_from(MAX_ELEMENTS / elements).unwrap_or(usize::MAX).max(1);
    let (edge_limit, random) = (edge_limit.min(room), random.min(room));
    let bits = types.iter().fold(0u64, |sum, ty| sum.saturating_add(ty.bits()));
    if bits < 24 && (1usize << bits) <= edge_limit + random {
        return (0..1u64 << bits).map(|pattern| from_pattern(types, pattern)).collect();
    }
    let choices: Vec<Vec<Value>> = types.iter().map(|ty| edges(ty)).collect();
    let product = choices.iter().fold(1usize, |product, c| product.saturating_mul(c.len()));
    let mut tuples: Vec<Vec<Value>> = Vec::new();
    if product <= edge_limit {
        for mut number in 0..product {
            let tuple = choices.iter().filter_map(|values| {
                let value = values.get(number % values.len().max(1)).cloned();
                number /= values.len().max(1);
                value
            });
            tuples.push(tuple.collect());
        }
    } else {
        let mut others = |values: &Vec<Value>| generator.pick(values).cloned().unwrap_or(Value::Int(Int::ZERO));
        'all: for round in 0.. {
            let longest = choices.iter().map(Vec::len).max().unwrap_or(0);
            for edge in 0..longest {
                for place in 0..choices.len() {
                    if tuples.len() >= edge_limit {
                        break 'all;
                    }
                    // The first round has one edge everywhere, the next ones vary all places but one.
                    let tuple = choices.iter().enumerate().map(|(i, values)| match values.get(edge) {
                        Some(value) if i == place || round == 0 => value.clone(),
                        _ => others(values),
                    });
                    tuples.push(tuple.collect());
                    if round == 0 {
                        break;
                    }
                }
            }
        }
    }
    tuples.extend((0..random).map(|_| types.iter().map(|ty| generator.value(ty)).collect::<Vec<_>>()));
    tuples
}

/// The tuple whose values, side by side, have this pattern.
fn from_pattern(types: &[&Type], mut pattern: u64) -> Vec<Value> {
    fn cut(ty: &Type, pattern: &mut u64) -> Value {
        match ty {
            Type::Array { len, elem } => Value::Array((0..*len).map(|_| cut(elem, pattern)).collect()),
            scalar => {
                let value = scalar.reduce(&Int::from(*pattern));
                *pattern >>= scalar.width();
                Value::Int(value)
            }
        }
    }
    types.iter().map(|ty| cut(ty, &mut pattern)).collect()
}

/// What to issue a command with: all products of the edges of its operands, then `random` more.
///
/// The bits of a register above a narrow operand are sometimes set: they must not matter.
pub fn operands(section: &Section, command: &Command, random: usize, seed: u64) -> Vec<Operands> {
    let mut generator = Random::new(seed);
    let word = Type::U(section.xlen);
    let places = Places::of(command);
    let types = places.types.map(|ty| ty.unwrap_or(&Type::Bool));
    let [first, second] = types.map(|ty| register_edges(ty, &word, &mut generator));
    let mut pairs = Vec::with_capacity(first.len() * second.len() + random);
    for a in &first {
        pairs.extend(second.iter().map(|b| (*a, *b)));
    }
    for _ in 0..random {
        let [a, b] = types.map(|ty| register(ty, &word, &mut generator));
        pairs.push((a, b));
    }
    let imm = |(rs1, rs2): (u64, u64), generator: &mut Random| match (places.imm, places.third) {
        (Some(0), _) => rs1,
        (Some(_), _) => rs2,
        (None, Some(ty)) => register(ty, &word, generator),
        (None, None) => 0,
    };
    pairs.into_iter().map(|(rs1, rs2)| Operands { rs1, rs2, imm: imm((rs1, rs2), &mut generator) }).collect()
}

/// The registers (rs1, rs2) of [`operands`]. An immediate is in the place that no register operand takes.
pub fn register_pairs(section: &Section, command: &Command, random: usize, seed: u64) -> Vec<(u64, u64)> {
    operands(section, command, random, seed).into_iter().map(|o| (o.rs1, o.rs2)).collect()
}

/// How many steps the oracle takes for a command with zeros, from reset, and for the words of its context.
pub fn cost(section: &Section, command: &Command) -> u64 {
    let mut fuel = DEFAULT_FUEL;
    let zeros = command.operands.iter().map(|o| Value::zero(&o.ty)).collect();
    let id = section.commands.iter().position(|c| c.id == command.id).unwrap_or(0);
    // One that cannot run costs what it took to find out.
    let _ = Machine::new(section).issue_values(CommandId(id as u32), zeros, &mut fuel);
    DEFAULT_FUEL - fuel + words_cost(section)
}

/// How many steps the oracle and the interpreter of the lowered core take to set a context and to read it back; at least
/// one.
pub fn words_cost(section: &Section) -> u64 {
    1 + 200 * Layout::new(section).words
}

/// What to do with a CSR: every operation with the edges of a word, of words in which each field has an edge of its own,
/// and with `random` more.
pub fn accesses(section: &Section, csr: &Csr, random: usize, seed: u64) -> Vec<(CsrOp, u64)> {
    let mut generator = Random::new(seed);
    let word = Type::U(section.xlen);
    let mut words: Vec<u64> = scalar_edges(&word).iter().filter_map(Int::to_u64).collect();
    let edges: Vec<Vec<Int>> = csr.fields.iter().map(|field| scalar_edges(&field.ty)).collect();
    for i in 0..edges.iter().map(Vec::len).max().unwrap_or(0) {
        let parts = csr.fields.iter().zip(&edges).filter_map(|(field, edges)| {
            let edge = edges.get(i % edges.len().max(1))?;
            ops::pattern(&field.ty, edge).shl(field.lo).to_u64()
        });
        words.push(parts.fold(0, |word, part| word | part));
    }
    words.extend((0..random).filter_map(|_| generator.scalar(&word).to_u64()));
    words.into_iter().flat_map(|word| CsrOp::ALL.map(|op| (op, word))).collect()
}

/// Which operands vary together.
struct Places<'a> {
    /// Of rs1 and rs2.
    types: [Option<&'a Type>; 2],
    /// The place that an immediate takes because no register does.
    imm: Option<usize>,
    /// The type of an immediate beside two registers.
    third: Option<&'a Type>,
}

impl<'a> Places<'a> {
    fn of(command: &'a Command) -> Places<'a> {
        let typed = |slot| command.operands.iter().find(|o| o.slot == slot).map(|o| &o.ty);
        let mut places = Places { types: [typed(Slot::Rs1), typed(Slot::Rs2)], imm: None, third: None };
        if let Some(ty) = typed(Slot::Imm) {
            match places.types.iter_mut().enumerate().find(|(_, place)| place.is_none()) {
                Some((i, place)) => {
                    *place = Some(ty);
                    places.imm = Some(i);
                }
                None => places.third = Some(ty),
            }
        }
        places
    }
}

/// A random register for an operand, with noise above it.
fn register(ty: &Type, word: &Type, generator: &mut Random) -> u64 {
    let v = ops::pattern(ty, &generator.scalar(ty)).to_u64().unwrap_or(0);
    v | above(ty, word, generator.next())
}

/// The bits of `noise` within XLEN and above a narrow type.
fn above(ty: &Type, word: &Type, noise: u64) -> u64 {
    let mask = Int::ones(word.width()).to_u64().unwrap_or(u64::MAX);
    noise.checked_shl(ty.width()).unwrap_or(0) & mask
}

fn register_edges(ty: &Type, word: &Type, generator: &mut Random) -> Vec<u64> {
    let patterns = scalar_edges(ty).into_iter().filter_map(|v| ops::pattern(ty, &v).to_u64());
    let mut edges: Vec<u64> = Vec::new();
    for pattern in patterns {
        edges.push(pattern);
        if ty.width() < word.width() && generator.below(4) == 0 {
            edges.push(pattern | above(ty, word, generator.next()));
        }
    }
    edges
}

/// Contexts to start from: reset; each edge in all fields; off, initial, clean and dirty with error codes; then
/// `random` more. One context without fields if there is no state.
pub fn contexts(section: &Section, random: usize, seed: u64) -> Vec<Context> {
    let reset = Context::reset(section);
    let Some(state) = &section.state else {
        return vec![reset];
    };
    let mut generator = Random::new(seed);
    let mut contexts = vec![reset.clone()];
    for cs in 0..=3u8 {
        contexts.push(Context { cs, error: if cs % 2 == 0 { 0 } else { 255 }, ..reset.clone() });
    }
    let all: Vec<Vec<Value>> = state.fields.iter().map(|f| edges(&f.ty)).collect();
    for i in 0..all.iter().map(Vec::len).max().unwrap_or(0) {
        let fields = all.iter().map(|values| values.get(i % values.len().max(1)).cloned());
        let fields = fields.map(|v| v.unwrap_or(Value::Int(Int::ZERO))).collect();
        contexts.push(Context { fields, cs: 1 + (i % 3) as u8, error: 0 });
    }
    for _ in 0..random {
        let fields = state.fields.iter().map(|f| generator.value(&f.ty)).collect();
        // Off is rare: it says little of a command.
        let cs = if generator.below(16) == 0 { 0 } else { 1 + generator.below(3) as u8 };
        let error = generator.pick(&[0, 0, 1, 3, 255]).copied().unwrap_or(0);
        contexts.push(Context { fields, cs, error });
    }
    contexts
}

/// The words of a context's fields, as `read_state` gives them.
pub fn context_words(section: &Section, context: &Context) -> Vec<u64> {
    Layout::new(section).pack(&context.fields)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::contract::Semantics;
    use crate::contract::testing::*;

    #[test]
    fn edges_hold_what_breaks_arithmetic() {
        for ty in [u(32), s(32), u(33), s(64), u(5), s(1024)] {
            let edges = scalar_edges(&ty);
            let (lo, hi) = ty.range();
            for v in [&lo, &hi, &Int::ZERO, &Int::ONE, &(&hi - &Int::ONE), &(&lo + &Int::ONE)] {
                assert!(edges.contains(v), "{ty:?} {v}");
            }
            assert!(edges.iter().all(|v| lo <= *v && *v <= hi));
            assert!(edges.len() <= MAX_EDGES);
        }
        assert_eq!(scalar_edges(&s(4)).len(), 16);
        assert_eq!(scalar_edges(&Type::Bool).len(), 2);
    }

    #[test]
    fn random_values_lie_in_their_type_and_repeat_with_the_seed() {
        let types = [Type::Bool, u(1), s(1), u(64), s(65), u(1024), Type::array(s(7), 3)];
        let all = |seed| {
            let mut random = Random::new(seed);
            let values: Vec<Value> = (0..50).flat_map(|_| types.clone()).map(|ty| random.value(&ty)).collect();
            values
        };
        for (ty, value) in types.iter().cycle().zip(all(1)) {
            let (lo, hi) = ty.flattened().0.range();
            assert!(value.scalars().iter().all(|v| lo <= **v && **v <= hi), "{ty:?} {value:?}");
        }
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
    }

    #[test]
    fn tuples_are_exhaustive_or_bounded() {
        let (small, word) = (u(3), u(32));
        let all = tuples(&[&small, &small], 40, 24, 0);
        assert_eq!(all.len(), 64);
        assert!(all.iter().enumerate().all(|(i, t)| !all[..i].contains(t)));
        let pairs = tuples(&[&word, &word], 4096, 10, 0);
        let edges = scalar_edges(&word).len();
        assert_eq!(pairs.len(), edges * edges + 10);
        let bounded = tuples(&[&word; 5], 200, 10, 0);
        assert_eq!(bounded.len(), 210);
        for (place, edge) in (0..5).flat_map(|place| scalar_edges(&word).into_iter().map(move |edge| (place, edge))) {
            assert!(bounded.iter().any(|t| t[place].int() == edge), "{place} {edge}");
        }
        assert_eq!(tuples(&[], 40, 24, 0), [[]; 1]);
    }

    #[test]
    fn registers_cover_edges_and_noise_above_narrow_operands() {
        let section = mulacc_section(32);
        let pairs = register_pairs(&section, &section.commands[0], 10, 0);
        assert!(pairs.contains(&(0xFFFF_FFFF, 0x8000_0000)));
        assert!(pairs.iter().all(|(a, b)| (a | b) >> 32 == 0));
        let narrow = command("n", 0, None, body(1, vec![s(8)], vec![]));
        let pairs = register_pairs(&section, &narrow, 100, 0);
        assert!(pairs.iter().any(|(a, _)| *a == 0x80) && pairs.iter().any(|(a, _)| *a > 0xFF));
    }

    #[test]
    fn immediates_vary_with_and_beside_registers() {
        let section = mulacc_section(32);
        let of = |slots: &[(Type, Slot)]| {
            let operands = slots.iter().map(|(ty, slot)| operand("o", ty.clone(), *slot)).collect();
            super::operands(&section, &command_of("c", 0, operands, None, Semantics::Opaque), 50, 0)
        };
        let second = of(&[(u(32), Slot::Rs1), (s(12), Slot::Imm)]);
        assert!(second.iter().all(|o| o.imm == o.rs2) && second.iter().any(|o| o.imm & 0xFFF == 0x800));
        let third = of(&[(u(32), Slot::Rs1), (u(32), Slot::Rs2), (u(5), Slot::Imm)]);
        for v in 0..32 {
            assert!(third.iter().any(|o| o.imm & 31 == v), "{v}");
        }
        assert!(of(&[]).iter().all(|o| o.imm == 0));
    }

    #[test]
    fn contexts_begin_with_reset_and_hold_every_cs() {
        let section = mulacc_section(64);
        let all = contexts(&section, 20, 0);
        assert_eq!(all[0], Context::reset(&section));
        for cs in 0..=3 {
            assert!(all.iter().any(|c| c.cs == cs));
        }
        assert!(all.iter().any(|c| context_words(&section, c) == [u64::MAX]));
        assert_eq!(contexts(&Section::default(), 20, 0).len(), 1);
    }
}
