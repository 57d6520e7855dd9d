//! The key under which a passed set of examples and laws is remembered.

use crate::contract::canonical::Printer;
use crate::contract::core::Local;
use crate::contract::identity::sha256_hex;
use crate::contract::{Example, Interface, Law, Raises, Section, Step};
use crate::driver::Effort;

/// Raised whenever the oracle may come to another verdict on the same contract.
const CHECKER: u32 = 3;

/// A key of all that the findings of [`examples`](super::examples) and [`laws`](super::laws) depend on: the contract, its examples and laws, the
/// effort and the version of the checker; 64 hex digits. Names and documentation do not count.
pub fn key(interface: &Interface, effort: Effort) -> String {
    key_of(&interface.hash, &interface.sections, effort)
}

/// The same for laws that stand beside the interfaces.
pub fn key_of_laws(sections: &[Section], effort: Effort) -> String {
    key_of("", sections, effort)
}

fn key_of(contract: &str, sections: &[Section], effort: Effort) -> String {
    let effort = match effort {
        Effort::Build => "build".to_string(),
        Effort::Check { vectors } => format!("check {vectors}"),
    };
    let mut text = format!("oracle {CHECKER} {} {effort}\n{contract}", env!("CARGO_PKG_VERSION"));
    for section in sections {
        text.push_str(&section_text(section));
    }
    sha256_hex(&text)
}

fn section_text(section: &Section) -> String {
    let mut printer = Printer::new(section);
    let mut lines = vec![format!("(verify {}", section.xlen)];
    // Examples and laws name commands, CSRs, fields and errors by their place; what stands there is in the canonical text
    // but for the standard commands, whose ids follow.
    let ids: Vec<String> = section.commands.iter().map(|c| c.id.to_string()).collect();
    lines.push(format!("(ids {})", ids.join(" ")));
    lines.extend(section.examples.iter().map(|example| example_text(&mut printer, example)));
    lines.extend(section.laws.iter().map(|law| law_text(&mut printer, law)));
    lines.extend(printer.functions());
    lines.join("\n") + ")\n"
}

fn law_text(printer: &mut Printer<'_>, law: &Law) -> String {
    printer.text("(law (");
    for local in law.body.locals.iter().take(law.body.params as usize) {
        printer.ty(&local.ty);
    }
    printer.text(") ");
    printer.body(&law.body);
    printer.text(")");
    printer.take()
}

fn example_text(printer: &mut Printer<'_>, example: &Example) -> String {
    printer.text("(example");
    printer.begin_locals(&example.locals, 0);
    steps_text(printer, &example.locals, &example.steps);
    printer.text(")");
    printer.take()
}

fn steps_text(printer: &mut Printer<'_>, locals: &[Local], steps: &[Step]) {
    for step in steps {
        match step {
            Step::Run { expr, raises, .. } => {
                match raises {
                    Raises::Nothing => printer.text(" (ok "),
                    Raises::Error(id) => printer.number(" (error ", id.0, " "),
                    Raises::Response(response) => printer.number(" (response ", *response as u8, " "),
                }
                printer.expr(locals, expr);
            }
            Step::Reset => printer.text(" (reset"),
            Step::Let { local, value } => {
                printer.text(" (let ");
                printer.local_with_type(locals, *local);
                printer.text(" ");
                printer.expr(locals, value);
            }
            Step::For { local, lo, hi, steps } => {
                printer.text(" (for ");
                printer.local_with_type(locals, *local);
                for bound in [lo, hi] {
                    printer.text(" ");
                    printer.expr(locals, bound);
                }
                steps_text(printer, locals, steps);
            }
        }
        printer.text(")");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::core::{BinaryOp, Type};
    use crate::contract::testing::*;
    use crate::contract::{ErrorId, Response};
    use crate::source::Span;

    fn with(raises: Raises, factor: i32, law_width: u32) -> Interface {
        let mut interface = mulacc();
        edit_both(&mut interface, |section| {
            let w = u(section.xlen);
            let call = call(w.clone(), 0, vec![constant(w.clone(), factor)]);
            let step = Step::Run { expr: Box::new(call), raises, span: Span::default() };
            let identity = function("id", w.clone(), body(1, vec![w.clone()], vec![ret(local(w.clone(), 0))]));
            section.fns = vec![identity];
            section.examples = vec![Example {
                name: None,
                docs: String::new(),
                locals: vec![],
                steps: vec![Step::Reset, step],
                span: Span::default(),
            }];
            let x = local(u(law_width), 0);
            let holds = bin(BinaryOp::Eq, Type::Bool, x.clone(), x);
            let body = body(1, vec![u(law_width)], vec![ret(holds)]);
            section.laws = vec![Law { name: "l".into(), docs: String::new(), body, span: Span::default() }];
        });
        interface
    }

    #[test]
    fn the_key_follows_all_that_matters() {
        let base = with(Raises::Nothing, 1, 8);
        let build = |interface: &Interface| key(interface, Effort::Build);
        let mut others = vec![
            build(&mulacc()),
            build(&with(Raises::Nothing, 2, 8)),
            build(&with(Raises::Nothing, 1, 9)),
            build(&with(Raises::Error(ErrorId(0)), 1, 8)),
            build(&with(Raises::Response(Response::Op), 1, 8)),
            key(&base, Effort::Check { vectors: 10 }),
            key(&base, Effort::Check { vectors: 11 }),
        ];
        // A function that only an example calls counts, though it is not in the contract hash.
        let mut changed = base.clone();
        edit_both(&mut changed, |section| {
            let w = u(section.xlen);
            section.fns[0].body.stmts = vec![ret(constant(w, 0))];
        });
        others.push(build(&changed));
        others.push(build(&base));
        let count = others.len();
        others.sort();
        others.dedup();
        assert_eq!(others.len(), count);
    }

    #[test]
    fn the_key_ignores_names_and_documentation() {
        let base = with(Raises::Nothing, 1, 8);
        let mut renamed = base.clone();
        edit_both(&mut renamed, |section| {
            section.laws[0].name = "other".into();
            section.examples[0].name = Some("title".into());
            section.commands[0].docs = "Text.".into();
        });
        assert_eq!(key(&base, Effort::Build), key(&renamed, Effort::Build));
    }
}
