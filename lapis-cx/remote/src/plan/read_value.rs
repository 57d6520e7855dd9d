//! Reads the kinds of values, and expressions.

use lapis_cx_plan as words;

use super::read::{Reader, Result};
use super::{Array, Buffer, Code, File, HandleValue, Kind, Lifetime, Match, Op, OpCode, Ownership, Room, Simple};

impl Reader<'_> {
    pub(super) fn kind(&mut self) -> Result<Kind> {
        Ok(match self.choice(words::Kind::of)? {
            words::Kind::Nothing => Kind::Nothing,
            words::Kind::Scalar => {
                let (scalar, wire) = (self.scalar()?, self.scalar_size()?);
                if wire < scalar.bytes {
                    return self.fail("a number that is smaller on the wire");
                }
                Kind::Scalar { scalar, wire }
            }
            words::Kind::Address => Kind::Address { is_own: self.flag()? },
            words::Kind::Handle => {
                let of = self.below(self.handles, "a handle index out of range")?;
                let flags = self.word()?;
                let bytes = self.size()?;
                if !matches!(bytes, 4 | 8) {
                    return self.fail("a handle that has neither 4 nor 8 bytes");
                }
                let room = self.given(flags & words::handle::ROOM != 0, Self::code)?;
                let has = |flag| flags & flag != 0;
                let (is_new, is_own) = (has(words::handle::NEW), has(words::handle::OWN));
                let is_optional = has(words::handle::OPTIONAL);
                Kind::Handle(HandleValue { of, is_new, is_own, is_optional, bytes, room })
            }
            words::Kind::Block => Kind::Block(self.word()?),
            words::Kind::Array => {
                let flags = self.word()?;
                let stride = self.size()?;
                let count = self.code()?;
                let valid = self.given(flags & words::buffer::VALID != 0, Self::code)?;
                let is_tail = !matches!(&*count.ops, [Op::Int(_)]);
                Kind::Array(Box::new(Array { stride, count, valid, element: self.value()?, is_flat: false, is_tail }))
            }
            words::Kind::Buffer => Kind::Buffer(Box::new(self.buffer()?)),
            words::Kind::Callback => {
                let (of, is_optional) = (self.word()?, self.flag()?);
                Kind::Callback { of, is_optional, lifetime: self.lifetime()? }
            }
            words::Kind::Userdata => {
                // The callback types are set once the whole block is read.
                let of = self.many(|reader| Ok((u32::MAX, reader.code()?)))?;
                Kind::Userdata { of, lifetime: self.lifetime()? }
            }
            words::Kind::Within => {
                let is_optional = self.flag()?;
                Kind::Within { is_optional, inside: self.maybe(Self::code)? }
            }
            words::Kind::File => {
                let flags = self.word()?;
                let bytes = self.scalar_size()?;
                let (is_descriptor, takes_out) = (flags & words::file::DESCRIPTOR != 0, flags & words::file::OUT != 0);
                Kind::File(Box::new(File { is_descriptor, bytes, takes_out, lifetime: self.lifetime()? }))
            }
            words::Kind::Function => Kind::Function(self.code()?),
            words::Kind::Stream => {
                self.word()?;
                Kind::Stream
            }
            words::Kind::Match => {
                let value = self.code()?;
                let arms = self.many(|reader| {
                    let ranges = reader.many(|reader| Ok((reader.int()?, reader.int()?)))?;
                    Ok((ranges, reader.value()?))
                })?;
                Kind::Match(Box::new(Match { value, is_told: false, arms, default: self.maybe(Self::value)? }))
            }
            words::Kind::Local => Kind::Local(self.maybe(|reader| {
                let (count, bytes) = (reader.code()?, reader.size()?);
                Ok(Box::new(Room { count, bytes, lifetime: reader.lifetime()? }))
            })?),
        })
    }

    fn buffer(&mut self) -> Result<Buffer> {
        use words::buffer as flag;
        let flags = self.word()?;
        let has = |flag| flags & flag != 0;
        let ownership = self.choice(Ownership::of)?;
        let stride = self.size()?;
        let lifetime = self.lifetime()?;
        let (allocate, free) = (self.word()?.checked_sub(1), self.word()?.checked_sub(1));
        let count = self.given(has(flag::COUNT), Self::code)?;
        let until = self.given(has(flag::UNTIL), |reader| Ok((reader.scalar()?, reader.code()?)))?;
        if until.as_ref().is_some_and(|(scalar, _)| scalar.bytes > stride || stride == 0) {
            return self.fail("an end that is larger than an element");
        }
        let valid = self.given(has(flag::VALID), Self::code)?;
        Ok(Buffer {
            takes_in: has(flag::IN),
            takes_out: has(flag::OUT),
            is_optional: has(flag::OPTIONAL),
            ownership,
            stride,
            lifetime,
            allocate,
            free,
            count,
            until,
            valid,
            element: self.value()?,
            is_flat: false,
            varies: false,
            is_measured: has(flag::MEASURED),
            has_always_room: has(flag::ALWAYS_ROOM),
            has_inner_results: false,
        })
    }

    pub(super) fn lifetime(&mut self) -> Result<Lifetime> {
        Ok(match self.choice(words::Lifetime::of)? {
            words::Lifetime::Call => Lifetime::Call,
            words::Lifetime::Static => Lifetime::Static,
            words::Lifetime::Manual => Lifetime::Manual,
            words::Lifetime::Handle => {
                Lifetime::Handle(self.below(self.handles, "a handle index out of range")?, self.code()?)
            }
            words::Lifetime::Twin => Lifetime::Twin(self.code()?),
            words::Lifetime::Scope => {
                let (of, member) = self.member()?;
                Lifetime::Scope(of, member, self.code()?)
            }
            words::Lifetime::Callback => Lifetime::Callback(self.code()?),
        })
    }

    pub(super) fn code(&mut self) -> Result<Code> {
        let text = self.text()?;
        let (size, count) = (self.word()? as usize, self.word()? as usize);
        let end = self.at.saturating_add(size);
        if end > self.words.len() {
            return self.fail("an expression that is longer than the plan");
        }
        let (mut ops, mut nested) = (Vec::new(), 0u32);
        while self.at < end {
            let op = self.op()?;
            match op {
                Op::EnterArguments | Op::EnterOuter | Op::Enter | Op::EnterElement => nested += 1,
                Op::Leave if nested == 0 => return self.fail("an expression that leaves what it did not enter"),
                Op::Leave => nested -= 1,
                _ => {}
            }
            ops.push(op);
        }
        if self.at != end || nested != 0 || ops.len() != count {
            return self.fail("an expression that does not end where it should");
        }
        let asks = ops.iter().any(|op| matches!(op, Op::Metadata(..) | Op::MetadataElement(..)));
        Ok(Code { text, simple: Simple::of(&ops), ops: ops.into(), asks })
    }

    fn op(&mut self) -> Result<Op> {
        Ok(match self.choice(OpCode::of)? {
            OpCode::Int => Op::Int(i128::from(self.word()?.cast_signed())),
            OpCode::Wide => Op::Int(self.int()?),
            OpCode::Text => Op::Text(self.text()?),
            OpCode::Arguments => Op::Arguments,
            OpCode::Own => Op::Own,
            OpCode::EnterArguments => Op::EnterArguments,
            OpCode::EnterOuter => Op::EnterOuter,
            OpCode::Enter => Op::Enter,
            OpCode::EnterElement => Op::EnterElement,
            OpCode::Leave => Op::Leave,
            OpCode::This => Op::This,
            OpCode::Index => Op::Index,
            OpCode::Received => Op::Received,
            OpCode::Field => Op::Field(self.size()?),
            OpCode::Load => Op::Load(self.scalar()?),
            OpCode::Follow => match self.size()? {
                size @ (4 | 8) => Op::Follow(size),
                _ => return self.fail("a pointer that has neither 4 nor 8 bytes"),
            },
            OpCode::Element => Op::Element(self.size()?),
            OpCode::Metadata => {
                let (of, member) = self.member()?;
                Op::Metadata(of, member)
            }
            OpCode::MetadataElement => {
                let ((of, first), count) = (self.member()?, self.word()?);
                Op::MetadataElement(of, first, count)
            }
            OpCode::Old => Op::Old(self.word()?),
            OpCode::Errno => {
                self.reads_errno = true;
                Op::Errno
            }
            OpCode::Elapsed => Op::Elapsed,
            OpCode::IsEntry => Op::IsEntry,
            OpCode::IsWorker => Op::IsWorker,
            OpCode::Sizeof => Op::Int(self.size()? as i128),
            OpCode::Until => Op::Until(self.scalar()?, self.size()?),
            OpCode::Strlen => Op::Strlen,
            OpCode::Strchr => Op::Strchr,
            OpCode::Physical => Op::Physical,
            OpCode::Native | OpCode::WorkerNative => {
                let worker = self.words.get(self.at - 1) == Some(&OpCode::WorkerNative.word());
                Op::Native { native: self.native()?, operands: self.word()?, worker }
            }
            OpCode::Select => Op::Select,
            OpCode::LogicalNot => Op::LogicalNot,
            OpCode::Not => Op::Not,
            OpCode::Neg => Op::Neg,
            two => Op::Two(two),
        })
    }
}
