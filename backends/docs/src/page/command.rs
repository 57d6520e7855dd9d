//! Commands: encodings, operands, semantics, errors, and how each is called.

use lapis_cx::contract::{Command, Form, Section as At, Semantics, Slot, Standard};
use lapis_cx::usage::Failures;

use super::interface::{Of, anchor, command_anchor, part};
use super::types::{Said, at, one_text, one_type};
use super::{count, docs, encoding, table, usage};
use crate::document::{Block, Inline, MEANING, Section, Target, code, text};
use crate::prose;

/// A command or a family at each XLEN that has it: its first member there, and all names.
struct Group<'c> {
    at: Vec<(&'c At, &'c Command)>,
    members: Vec<&'c Command>,
}

impl<'c> Group<'c> {
    fn first(&self) -> Option<&'c Command> {
        self.members.first().copied()
    }

    /// The name of the family, or of the command.
    fn name(&self) -> &'c str {
        self.first().map_or("", command_anchor)
    }

    fn is_family(&self) -> bool {
        self.first().is_some_and(|command| command.family.is_some())
    }

    /// The function ids, such as `2 to 5`.
    fn ids(&self) -> String {
        let mut ids: Vec<u16> = self.members.iter().map(|command| command.id).collect();
        ids.dedup();
        match ids.as_slice() {
            [only] => only.to_string(),
            [first, .., last] if usize::from(last - first) + 1 == ids.len() => format!("{first} to {last}"),
            ids => ids.iter().map(u16::to_string).collect::<Vec<_>>().join(", "),
        }
    }

    /// `(a: word, b: word) → word`. The arrow is one character, at which no line breaks.
    fn signature(&self) -> String {
        let operands: Vec<_> = self
            .first()
            .into_iter()
            .flat_map(|command| command.operands.iter().enumerate())
            .map(|(index, operand)| format!("{}: {}", operand.name, self.operand_type(index)))
            .collect();
        let result = self.result().map(|ty| format!(" → {ty}")).unwrap_or_default();
        format!("({}){result}", operands.join(", "))
    }

    fn operand_type(&self, index: usize) -> String {
        let types = self.at.iter().filter_map(|(at, command)| Some((*at, &command.operands.get(index)?.ty)));
        one_type(types)
    }

    fn result(&self) -> Option<String> {
        let types = self.at.iter().filter_map(|(at, command)| Some((*at, command.result.as_ref()?)));
        types.clone().next().map(|_| one_type(types.clone()))
    }
}

/// The commands of an interface by id, families as one.
fn groups<'c>(of: &Of<'c>) -> Vec<Group<'c>> {
    let interface = of.interface;
    let mut groups: Vec<Group<'c>> = Vec::new();
    for at in &interface.sections {
        for command in &at.commands {
            let same = |group: &&mut Group<'_>| group.first().is_some_and(|first| first.span == command.span);
            match groups.iter_mut().find(same) {
                None => groups.push(Group { at: vec![(at, command)], members: vec![command] }),
                Some(group) => {
                    if group.at.iter().all(|(known, _)| known.xlen != at.xlen) {
                        group.at.push((at, command));
                    }
                    if group.members.iter().all(|known| known.name != command.name) {
                        group.members.push(command);
                    }
                }
            }
        }
    }
    groups.sort_by_key(|group| group.first().map(|command| command.id));
    groups
}

/// All commands: a table of them, then each.
pub fn commands(of: &mut Of<'_>) -> Option<Block> {
    let groups = groups(of);
    let rows = groups.iter().map(|group| {
        let target = Target::anchor(of.path.as_str(), anchor("command", group.name()));
        let forms = group.first().map(|command| command.forms.iter().map(|form| form.name()).collect::<Vec<_>>());
        let about = group.first().map(|command| prose::brief(docs(&command.docs))).unwrap_or_default();
        vec![
            vec![text(group.ids())],
            vec![Inline::Link(target, vec![code(group.name())]), code(group.signature())],
            vec![text(forms.unwrap_or_default().join(", "))],
            about,
        ]
    });
    let table = table(["Id", "Command", "Forms", MEANING], rows.collect());
    let mut blocks = vec![table];
    for group in &groups {
        blocks.extend(one(of, group));
    }
    if groups.is_empty() { None } else { part("commands", "Commands", blocks) }
}

/// One command, or one family.
fn one(of: &mut Of<'_>, group: &Group<'_>) -> Option<Block> {
    let command = group.first()?;
    let id = anchor("command", group.name());
    of.entry("command", group.name(), &id, &command.docs);
    for member in group.members.iter().filter(|_| group.is_family()) {
        of.entry("command", &member.name, &id, &command.docs);
    }
    let mut blocks = docs(&command.docs);
    blocks.push(Block::Facts(facts(of, group, command)));
    for form in &command.forms {
        let family = group.is_family().then(|| group.name());
        blocks.push(Block::Text(vec![Inline::Emphasis(vec![text(form_title(*form))])]));
        blocks.push(Block::Figure(encoding::figure(command, *form, family)));
        if *form == Form::Xcmd {
            let registers = group.at.iter().map(|(at, command)| encoding::xcmd_register(command, at.xlen));
            blocks.push(Block::Text(vec![
                text("rs1 holds the lun that "),
                code("xext"),
                text(" gave, and data above it:"),
            ]));
            blocks.extend(registers.map(Block::Figure));
        }
    }
    if !command.operands.is_empty() {
        blocks.push(operands(group, command));
    }
    blocks.extend(semantics(of, command));
    // The other members of a family are called like the first.
    blocks.extend(usage::calls(of, &command.name));
    Some(Block::Section(Section {
        level: 3,
        id,
        title: vec![code(group.name())],
        marks: command.forms.iter().map(|form| form.name().to_owned()).collect(),
        blocks,
    }))
}

fn form_title(form: Form) -> &'static str {
    match form {
        Form::R => "Form R: two registers and a result register",
        Form::I => "Form I: a register, an immediate of twelve bits and a result register",
        Form::Flex => "Form flex: two registers, and five bits in place of a result register",
        Form::Flex25 => "Form flex25: fifteen bits and no register",
        Form::Xcmd => "Form xcmd: an overloadable opcode",
    }
}

fn facts(of: &Of<'_>, group: &Group<'_>, command: &Command) -> Vec<(String, Vec<Inline>)> {
    let mut facts: Vec<(String, Vec<Inline>)> = vec![("Function id".into(), vec![text(group.ids())])];
    if group.is_family() {
        let names: Vec<_> = group.members.iter().map(|command| command.name.as_str()).collect();
        facts.push(("Members".into(), vec![code(names.join(", "))]));
    }
    let xlens: Vec<_> = group.at.iter().map(|(at, _)| at.xlen).collect();
    if xlens.len() < of.interface.sections.len() {
        facts.push(("Only at".into(), vec![text(at(&xlens))]));
    }
    let result = group.result().map_or_else(|| vec![text("none; rd is 0")], |ty| vec![code(ty)]);
    facts.push(("Result".into(), result));
    let latency: Said<String> = group
        .at
        .iter()
        .filter_map(|(at, command)| Some((at.xlen, command.latency?)))
        .map(|(xlen, (lo, hi))| {
            (xlen, if lo == hi { count(lo, "cycle") } else { format!("{lo} to {}", count(hi, "cycle")) })
        })
        .collect();
    if !latency.is_empty() {
        facts.push(("Latency".into(), vec![text(one_text(&latency))]));
    }
    let errors = errors(of, group);
    if !errors.is_empty() {
        facts.push(("Errors".into(), errors));
    }
    // An heir may give what is declared here a body.
    if matches!(command.semantics, Semantics::Opaque) && !of.interface.is_abstract {
        facts.push(("Body".into(), vec![text("none: who links the software fallback defines it")]));
    }
    facts
}

/// The errors that a command may raise, each leading to what it means.
fn errors(of: &Of<'_>, group: &Group<'_>) -> Vec<Inline> {
    let mut names: Vec<&str> = Vec::new();
    for (at, command) in &group.at {
        let failures = Failures::of(at, command);
        let declared = failures.declared.iter().map(|error| error.name.as_str());
        for name in declared.chain(failures.op.then_some("op")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let mut out = Vec::new();
    for name in names {
        if !out.is_empty() {
            out.push(text(", "));
        }
        let shown = vec![code(name)];
        match of.bodies.names.get(name).filter(|_| name != "op") {
            Some(target) => out.push(Inline::Link(target.clone(), shown)),
            None => out.extend(shown.into_iter().chain([text(" (an operand error)")])),
        }
    }
    out
}

fn operands(group: &Group<'_>, command: &Command) -> Block {
    let rows = command.operands.iter().enumerate().map(|(index, operand)| {
        let place = match operand.slot {
            Slot::Rs1 => "rs1".to_owned(),
            // Form I has no second register: what is second there is the immediate.
            Slot::Rs2 if command.forms == [Form::I] => "the immediate".to_owned(),
            Slot::Rs2 if command.forms.contains(&Form::I) => "rs2; the immediate in form I".to_owned(),
            Slot::Rs2 => "rs2".to_owned(),
            Slot::Imm => "the immediate".to_owned(),
        };
        vec![vec![code(&operand.name)], vec![code(group.operand_type(index))], vec![text(place)]]
    });
    table(["Operand", "Type", "Where"], rows.collect())
}

/// What the command does: the text of its author, or what the standard says.
fn semantics(of: &mut Of<'_>, command: &Command) -> Vec<Block> {
    match &command.semantics {
        Semantics::Body(_) => of.bodies.declaration(command.span).into_iter().collect(),
        Semantics::Standard(standard) => docs(match standard {
            Standard::ReadStatus => "Gives the status word of the context, also of one that is off.",
            Standard::WriteStatus => {
                "Takes `cs` and the error code of a status word: `cs` initial resets the fields, `cs` off turns the context off. \
                 Gives the status word that was there."
            }
            Standard::ReadState => "Gives a word of the state; 0 for an index beyond its end.",
            Standard::WriteState => "Writes a word of the state and gives it back; beyond the end nothing is written.",
        }),
        Semantics::Opaque => Vec::new(),
    }
}
