//! The side of the overloadable opcodes: devices and their units, the luns that lead to them, and what `xext` finds.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::contract::platform::{
    Device, DeviceId, Discover, Entry, FALLBACKS, FIRST_LUN, Level, Lun, MAX_LUN, MAX_SEQUENCE, MAX_UNIT, MAX_XCMDS,
    ReferenceId, Route, Unit, unit_and_xcmd,
};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::platform as codes;
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::{Checker, Side, level_list, names, written};

/// A row of a `discover` table at one level.
struct Found {
    sequence: u32,
    lun: u32,
    /// Where the sequence number and the lun stand.
    at: Span,
    lun_at: Span,
}

/// Where routes can lead.
struct Targets {
    /// The devices by name, as places in the platform.
    devices: HashMap<String, usize>,
    /// The units by device and number, as places in the device.
    units: HashMap<(usize, u32), usize>,
    /// By place of the device: the numbers that are written there, and whether something in it could not be read.
    written: Vec<(Vec<u32>, bool)>,
}

impl Targets {
    /// `nodes` are those that `devices` were made of, and maybe others.
    fn of<'t>(devices: &[Device], nodes: impl Iterator<Item = Node<'t>>) -> Targets {
        let nodes: HashMap<Span, Node<'t>> = nodes.map(|node| (node.name().span(), node)).collect();
        let written = devices.iter().map(|device| match nodes.get(&device.span) {
            Some(node) => {
                let numbers = node.children_of(Kind::unit).filter_map(|unit| unit.child(Kind::int));
                (numbers.filter_map(written).collect(), node.is_broken())
            }
            None => (Vec::new(), false),
        });
        let written = written.collect();
        let units = devices.iter().enumerate().flat_map(|(place, device)| {
            device.units.iter().enumerate().map(move |(unit_place, unit)| ((place, unit.number), unit_place))
        });
        Targets {
            devices: devices.iter().enumerate().map(|(place, device)| (device.name.clone(), place)).collect(),
            units: units.collect(),
            written,
        }
    }
}

/// What the `lun` blocks say, for the tables that name luns.
struct Luns<'t> {
    /// By number, as places in the platform.
    places: HashMap<u32, usize>,
    /// The blocks, by where their numbers stand.
    blocks: HashMap<Span, Node<'t>>,
    /// The numbers that are written, also in blocks that are wrong.
    written: HashSet<u32>,
    /// Whether a block could not be read.
    has_misread: bool,
}

impl<'t> Luns<'t> {
    fn of(luns: &[Lun], platform: Node<'t>) -> Luns<'t> {
        let blocks = || platform.children_of(Kind::lun).filter_map(|lun| Some((lun.child(Kind::int)?, lun)));
        let is_misread = |n: Node<'_>| n.text().starts_with("lun") && (n.is_bad() || n.has(Kind::bad_head));
        Luns {
            places: luns.iter().enumerate().map(|(place, lun)| (lun.number, place)).collect(),
            blocks: blocks().map(|(int, lun)| (int.span(), lun)).collect(),
            written: blocks().filter_map(|(int, _)| written(int)).collect(),
            has_misread: platform.children().any(is_misread),
        }
    }
}

/// A unit that two luns lead to.
struct Shared<'p> {
    first: &'p Lun,
    second: &'p Lun,
    route: Route,
    levels: Vec<Level>,
}

impl<'t> Checker<'_, 't> {
    pub(super) fn devices(&mut self) {
        let mut first_of: HashMap<&str, Span> = HashMap::new();
        for node in self.node.children_of(Kind::device) {
            let name = node.name();
            if let Some(&first) = first_of.get(name.text()) {
                let what = format!("the device `{}`", name.text());
                self.twice(&codes::TWICE, &what, first, name.span(), "put all its units into one block");
                continue;
            }
            let units = self.units(node);
            if units.is_empty() && !node.is_broken() && !node.has(Kind::unit) {
                let message = format!("the device `{}` has no units", name.text());
                let help = "add `unit 0 = org.example.name:Item;`, or remove the device";
                self.error(&codes::EMPTY, name, message, "nothing to lead to", help);
            }
            first_of.insert(name.text(), name.span());
            let (name, span) = (name.text().to_owned(), name.span());
            self.platform.devices.push(Device { name, docs: node.docs(), units, span });
        }
    }

    fn units(&mut self, device: Node<'t>) -> Vec<Unit> {
        let mut units: Vec<Unit> = Vec::new();
        let mut first_of: HashMap<u32, Span> = HashMap::new();
        for node in device.children_of(Kind::unit) {
            let Some(number) = node.child(Kind::int) else { continue };
            let interface = node.child(Kind::path).and_then(|path| self.resolve(path, Side::Xcmd));
            let Some(value) = self.unit_number(number) else { continue };
            if let Some(&first) = first_of.get(&value) {
                let what = format!("unit {value} of `{}`", device.name().text());
                self.twice(&codes::TWICE, &what, first, number.span(), "give it another number, or remove it");
                continue;
            }
            let Some(interface) = interface else { continue };
            first_of.insert(value, number.span());
            units.push(Unit { number: value, interface, docs: node.docs(), span: number.span() });
        }
        units
    }

    fn unit_number(&mut self, node: Node<'_>) -> Option<u32> {
        let before = self.found.len();
        let number = self.number(node, "the number of a unit", (0, MAX_UNIT));
        // Say what would go wrong: the number of the command stands right above it.
        let given = written(node).filter(|port| unit_and_xcmd(*port).1 < MAX_XCMDS);
        if let (None, Some(port), Some(finding)) = (number, given, self.found.get_mut(before)) {
            let (unit, xcmd) = unit_and_xcmd(port);
            finding.note =
                Some(format!("a device sees `unit | command << 12`: this would be command {xcmd} of unit {unit}"));
        }
        number
    }

    pub(super) fn luns(&mut self) {
        let targets = Targets::of(&self.platform.devices, self.node.children_of(Kind::device));
        let mut first_of: HashMap<u32, Span> = HashMap::new();
        for node in self.node.children_of(Kind::lun) {
            let Some(int) = node.child(Kind::int) else { continue };
            let path = node.child(Kind::path);
            let interface = path.and_then(|path| self.resolve(path, Side::Xcmd));
            let Some(number) = self.lun_number(int) else { continue };
            if let Some(&first) = first_of.get(&number) {
                let help = "put all its levels into one block, or give one another number";
                self.twice(&codes::TWICE, &format!("lun {number}"), first, int.span(), help);
                continue;
            }
            let routes = self.routes(node, number, interface, &targets);
            if !node.has(Kind::route) && !node.is_broken() {
                let message = format!("lun {number} leads nowhere");
                self.error(
                    &codes::EMPTY,
                    int,
                    message,
                    "no level is mapped",
                    "add `u -> device.0;`, or remove the lun",
                );
            }
            let Some(interface) = interface else { continue };
            first_of.insert(number, int.span());
            self.platform.luns.push(Lun { number, interface, docs: node.docs(), routes, span: int.span() });
        }
    }

    fn lun_number(&mut self, node: Node<'_>) -> Option<u32> {
        let number = self.number(node, "a lun", (0, MAX_LUN))?;
        let reserved = match number {
            0..=2 => {
                let (_, interface) = FALLBACKS.get(number as usize)?;
                format!("it is `{interface}` on every platform, without being declared")
            }
            3..=7 => "luns 3 to 7 are reserved for further fallback interfaces".to_owned(),
            8..=30 => "8 to 30 are error numbers: programs tell them from luns by being below 31".to_owned(),
            31 => "31 is the bound that error numbers are compared with".to_owned(),
            _ => return Some(number),
        };
        let message = format!("lun {number} cannot be given to a device");
        let finding = Diagnostic::error(&codes::RESERVED_LUN, message, node.span(), "reserved").note(reserved);
        self.found.push(finding.help(format!("use {FIRST_LUN} to {MAX_LUN}")));
        None
    }

    fn routes(&mut self, node: Node<'t>, lun: u32, interface: Option<ReferenceId>, targets: &Targets) -> Vec<Route> {
        let mut routes: Vec<(Route, Span)> = Vec::new();
        for row in node.children_of(Kind::route) {
            let levels = self.levels_of(row);
            let Some((device, unit, mut mismatch)) = self.target(row, interface, node, targets) else { continue };
            for (level, at) in levels {
                let Some((first, first_at)) = routes.iter().find(|(route, _)| route.level == level) else {
                    if mismatch.is_none() {
                        routes.push((Route { level, device, unit }, at.span()));
                    }
                    continue;
                };
                if (first.device, first.unit) == (device, unit) {
                    let what = format!("lun {lun} at level `{}`", level.name());
                    let first = *first_at;
                    self.twice(&codes::REPEATED, &what, first, at.span(), "remove one");
                    continue;
                }
                // Two targets are one mistake, whatever the second one implements.
                mismatch = None;
                let name = |device: DeviceId, unit| {
                    let name = self.platform.devices.get(device.index()).map_or("", |d| d.name.as_str());
                    format!("`{name}.{unit}`")
                };
                let message = format!("lun {lun} goes to two units at level `{}`", level.name());
                let here = format!("to {}", name(device, unit));
                let there = format!("and to {}", name(first.device, first.unit));
                let finding = Diagnostic::error(&codes::TWO_TARGETS, message, at.span(), here).label(*first_at, there);
                self.found.push(finding.help("keep one, or use another lun for the other"));
            }
            self.found.extend(mismatch);
        }
        routes.into_iter().map(|(route, _)| route).collect()
    }

    /// The unit a row leads to, with a finding if it implements another interface than the lun's.
    fn target(
        &mut self,
        row: Node<'t>,
        interface: Option<ReferenceId>,
        lun: Node<'t>,
        targets: &Targets,
    ) -> Option<(DeviceId, u32, Option<Diagnostic>)> {
        let (name, int) = (row.child(Kind::ident)?, row.child(Kind::int)?);
        let Some(&index) = targets.devices.get(name.text()) else {
            if !self.node.children().any(|n| n.is_bad() && super::names::declared_in(n).contains(&name.text())) {
                let message = format!("there is no device `{}`", name.text());
                let known = self.platform.devices.iter().map(|device| device.name.as_str());
                let finding = Diagnostic::error(&codes::UNKNOWN, message, name.span(), "not declared");
                let help = match names::nearest(name.text(), known.clone()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("this platform has {}", names::quoted_list(&known.collect::<Vec<_>>())),
                };
                self.found.push(finding.help(help));
            }
            return None;
        };
        let number = self.unit_number(int)?;
        let device = self.platform.devices.get(index)?;
        let Some(unit) = targets.units.get(&(index, number)).and_then(|place| device.units.get(*place)) else {
            // A unit that is written, but wrong, was a finding.
            if let Some((numbers, false)) = targets.written.get(index)
                && !numbers.is_empty()
                && !numbers.contains(&number)
            {
                let message = format!("the device `{}` has no unit {number}", device.name);
                let label = format!("has {}", counted("unit", numbers));
                let finding = Diagnostic::error(&codes::UNKNOWN, message, int.span(), "not declared");
                self.found.push(
                    finding
                        .label(device.span, label)
                        .help("a unit is a number of its own, whatever the command: declare it, or correct the number"),
                );
            }
            return None;
        };
        let mut mismatch = None;
        if interface.is_some_and(|interface| interface != unit.interface) {
            let (unit_at, of_unit) = (unit.span, self.name_of(Some(unit.interface)));
            let of_lun = self.name_of(interface);
            let at = Span { start: name.span().start, ..int.span() };
            let message = format!("`{}.{number}` implements `{of_unit}`, not `{of_lun}`", name.text());
            let finding =
                Diagnostic::error(&codes::OTHER_INTERFACE, message, at, format!("where `{of_lun}` is expected"));
            let finding = finding.label(unit_at, "declared here");
            mismatch = Some(match lun.child(Kind::path) {
                Some(path) => finding.label(path.span(), "what the lun says"),
                None => finding,
            });
        }
        Some((DeviceId(index as u32), number, mismatch))
    }

    fn name_of(&self, id: Option<ReferenceId>) -> String {
        id.and_then(|id| self.platform.interface(id)).map_or_else(String::new, |interface| interface.name.clone())
    }

    pub(super) fn discovers(&mut self) {
        let mut first_of: HashMap<ReferenceId, Span> = HashMap::new();
        let luns = Luns::of(&self.platform.luns, self.node);
        for node in self.node.children_of(Kind::discover) {
            let Some(path) = node.child(Kind::path) else { continue };
            let Some(interface) = self.resolve(path, Side::Xcmd) else { continue };
            if let Some(first) = first_of.insert(interface, path.span()) {
                let what = format!("the table of `{}`", path.text());
                self.twice(&codes::TWICE, &what, first, path.span(), "put all entries into one table");
                continue;
            }
            if !node.has(Kind::sequence) && !node.is_broken() {
                let message = format!("missing `discover` for `{}`", path.text());
                let help = "add `0 at u -> lun 32;`, or remove the table";
                self.error(&codes::EMPTY, path, message, "no entry", help);
            }
            let entries = self.entries(node, interface, &luns);
            self.platform.discovers.push(Discover { interface, docs: node.docs(), entries });
        }
    }

    fn entries(&mut self, node: Node<'t>, interface: ReferenceId, luns: &Luns<'t>) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut by_level: BTreeMap<Level, Vec<Found>> = BTreeMap::new();
        let mut is_whole = !node.is_broken();
        for row in node.children_of(Kind::sequence) {
            let mut ints = row.children_of(Kind::int);
            let (Some(int), Some(lun_at)) = (ints.next(), ints.next()) else { continue };
            let sequence = self.number(int, "a sequence number", (0, MAX_SEQUENCE));
            let levels = self.levels_of(row);
            let lun = self.discovered(lun_at, interface, node, luns);
            let (Some(sequence), Some(lun)) = (sequence, lun) else {
                is_whole = false;
                continue;
            };
            self.not_mapped(&levels, lun, lun_at, luns);
            for (level, _) in levels {
                let found = Found { sequence, lun, at: int.span(), lun_at: lun_at.span() };
                by_level.entry(level).or_default().push(found);
                entries.push(Entry { sequence, level, lun });
            }
        }
        // A row that is wrong would look like a gap.
        if is_whole {
            self.sequences(&by_level, interface);
        }
        entries
    }

    /// The number of a lun that an entry names, if the lun is one of this interface.
    fn discovered(&mut self, node: Node<'t>, interface: ReferenceId, table: Node<'t>, luns: &Luns<'t>) -> Option<u32> {
        let number = self.number(node, "a lun", (0, MAX_LUN))?;
        let Some(lun) = luns.places.get(&number).and_then(|place| self.platform.luns.get(*place)) else {
            if let Some((_, fallback)) = FALLBACKS.get(number as usize) {
                let message = format!("lun {number} is `{fallback}`, not `{}`", self.name_of(Some(interface)));
                let help = "it needs no table: every platform discovers it without saying so";
                self.error(&codes::OTHER_INTERFACE, node, message, "a fallback", help);
                return None;
            }
            if !luns.written.contains(&number) && !luns.has_misread {
                let numbers: Vec<_> = self.platform.luns.iter().map(|lun| lun.number).collect();
                let help = format!("this platform has {}", counted("lun", &numbers));
                self.error(&codes::UNKNOWN, node, format!("there is no lun {number}"), "not declared", &help);
            }
            return None;
        };
        if lun.interface == interface {
            return Some(number);
        }
        let (of_table, of_lun) = (self.name_of(Some(interface)), self.name_of(Some(lun.interface)));
        let message = format!("`{of_table}` is discovered at lun {number}, which is a `{of_lun}`");
        let finding = Diagnostic::error(&codes::OTHER_INTERFACE, message, node.span(), format!("a `{of_lun}`"));
        let finding = finding.label(lun.span, "declared here");
        let finding = match table.child(Kind::path) {
            Some(path) => finding.label(path.span(), "what is discovered"),
            None => finding,
        };
        let right = self.platform.luns.iter().filter(|lun| lun.interface == interface);
        let numbers: Vec<_> = right.map(|lun| lun.number).collect();
        self.found.push(match numbers.as_slice() {
            [] => {
                finding.help(format!("no lun of this platform is a `{of_table}`: declare one, or discover `{of_lun}`"))
            }
            _ => finding
                .help(format!("`{of_table}` is at {}; or is this an entry of `{of_lun}`?", counted("lun", &numbers))),
        });
        None
    }

    /// Says at which of the levels of an entry its lun leads nowhere.
    fn not_mapped(&mut self, levels: &[(Level, Node<'t>)], number: u32, lun_at: Node<'t>, luns: &Luns<'t>) {
        let place = luns.places.get(&number);
        let Some(lun) = place.and_then(|place| self.platform.luns.get(*place)) else { return };
        let declared = luns.blocks.get(&lun.span).copied();
        let rows = declared.into_iter().flat_map(|n| n.children_of(Kind::route));
        let written: HashSet<&str> = rows
            .filter_map(|row| row.child(Kind::level_list))
            .flat_map(|list| list.children_of(Kind::ident))
            .map(|level| level.text())
            .collect();
        // A level that is written there, but whose target is wrong, is a finding already.
        let is_missing = |level: &Level| !written.contains(level.name()) && !declared.is_some_and(Node::is_broken);
        let missing: Vec<_> = levels.iter().filter(|(level, _)| is_missing(level)).collect();
        let Some((_, first)) = missing.first() else { return };
        let list: Vec<_> = missing.iter().map(|(level, _)| *level).collect();
        let list = level_list(&list);
        let message = format!("lun {number} is discovered at {list}, but leads nowhere there");
        let finding = Diagnostic::error(&codes::NOT_MAPPED, message, first.span(), "each `xcmd` would trap");
        let finding = finding.label(lun_at.span(), "this lun").label(lun.span, format!("is not mapped at {list}"));
        self.found.push(finding.help(format!("map {list} there, or do not discover it there")));
    }

    /// Gaps and duplicates of the sequence numbers of one table.
    fn sequences(&mut self, by_level: &BTreeMap<Level, Vec<Found>>, interface: ReferenceId) {
        let name = self.name_of(Some(interface));
        // Levels with the same mistake at the same place make one finding.
        let mut gaps: BTreeMap<(Span, u32), Vec<Level>> = BTreeMap::new();
        let mut duplicates: BTreeMap<(Span, Span, u32), Vec<Level>> = BTreeMap::new();
        let mut aliases: BTreeMap<(Span, Span, u32), Vec<Level>> = BTreeMap::new();
        for (&level, found) in by_level {
            let mut by_number: BTreeMap<u32, &Found> = BTreeMap::new();
            let mut by_lun: HashMap<u32, &Found> = HashMap::new();
            for row in found {
                if let Some(first) = by_number.get(&row.sequence) {
                    duplicates.entry((first.at, row.at, row.sequence)).or_default().push(level);
                } else if let Some(first) = by_lun.insert(row.lun, row) {
                    aliases.entry((first.lun_at, row.lun_at, row.lun)).or_default().push(level);
                }
                by_number.entry(row.sequence).or_insert(row);
            }
            let gap = by_number.values().enumerate().find(|(place, row)| *place as u32 != row.sequence);
            if let Some((place, row)) = gap {
                gaps.entry((row.at, place as u32)).or_default().push(level);
            }
        }
        for ((first, again, number), levels) in duplicates {
            let message = format!("`{name}` has two luns with sequence number {number} at {}", level_list(&levels));
            let finding = Diagnostic::error(&codes::SEQUENCE, message, again, "again here").label(first, "first here");
            self.found.push(finding.help("number the implementations 0, 1, 2 and so on at each level"));
        }
        for ((at, missing), levels) in gaps {
            let message = format!("`{name}` has no sequence number {missing} at {}", level_list(&levels));
            let finding = Diagnostic::error(&codes::SEQUENCE, message, at, "the next one there");
            self.found.push(
                finding
                    .note("software asks for 0, 1, 2 and so on until there is none; 0 is the default")
                    .help("number the implementations without gaps at each level"),
            );
        }
        for ((first, again, lun), levels) in aliases {
            let message = format!("`{name}` finds lun {lun} twice at {}", level_list(&levels));
            let finding = Diagnostic::warning(&codes::ALIAS, message, again, "again here").label(first, "first here");
            self.found.push(finding.help("remove one, unless software shall count it twice"));
        }
    }

    /// Luns that nothing discovers, units that no lun leads to, and units that two luns lead to at one level.
    pub(super) fn unreachable(&mut self) {
        // What could not be read, or is wrong, may well have been meant to lead there.
        if self.world.root().tree.root().is_broken() || self.found.iter().any(Diagnostic::is_error) {
            return;
        }
        let rows = self.node.children_of(Kind::discover).flat_map(|table| table.children_of(Kind::sequence));
        let named: HashSet<u32> =
            rows.filter_map(|row| row.children_of(Kind::int).last()).filter_map(written).collect();
        for lun in self.platform.luns.iter().filter(|lun| !named.contains(&lun.number)) {
            let name = self.name_of(Some(lun.interface));
            let message = format!("nothing discovers lun {}", lun.number);
            let finding = Diagnostic::warning(&codes::UNREACHABLE, message, lun.span, "no software can find it");
            self.found.push(finding.help(format!("add it to the table `discover {name} {{ … }}`")));
        }
        let rows = self.node.children_of(Kind::lun).flat_map(|lun| lun.children_of(Kind::route));
        let targets: HashSet<(&str, u32)> = rows
            .filter_map(|row| Some((row.child(Kind::ident)?.text(), row.child(Kind::int).and_then(written)?)))
            .collect();
        for device in &self.platform.devices {
            for unit in device.units.iter().filter(|unit| !targets.contains(&(device.name.as_str(), unit.number))) {
                let message = format!("no lun leads to unit {} of `{}`", unit.number, device.name);
                let finding = Diagnostic::warning(&codes::UNREACHABLE, message, unit.span, "no software can reach it");
                self.found.push(finding.help("map a lun to it, or remove it"));
            }
        }
        self.aliases();
    }

    fn aliases(&mut self) {
        let mut owners: HashMap<(DeviceId, u32, Level), &Lun> = HashMap::new();
        let mut pairs: BTreeMap<(Span, Span), Shared<'_>> = BTreeMap::new();
        for lun in &self.platform.luns {
            for route in &lun.routes {
                let key = (route.device, route.unit, route.level);
                let first = *owners.entry(key).or_insert(lun);
                if first.number != lun.number {
                    let fresh = || Shared { first, second: lun, route: *route, levels: Vec::new() };
                    pairs.entry((first.span, lun.span)).or_insert_with(fresh).levels.push(route.level);
                }
            }
        }
        for Shared { first, second, route, levels } in pairs.into_values() {
            let device = self.platform.devices.get(route.device.index()).map_or("", |d| d.name.as_str());
            let message = format!(
                "luns {} and {} both lead to `{device}.{}` at {}",
                first.number,
                second.number,
                route.unit,
                level_list(&levels)
            );
            let finding = Diagnostic::warning(&codes::ALIAS, message, second.span, "this lun");
            self.found.push(
                finding
                    .label(first.span, "and this one")
                    .help("remove one, unless software shall count the unit twice"),
            );
        }
    }
}

/// More numbers than these are only counted.
const NAMED: usize = 16;

/// `no luns`, `lun 3`, `luns 3, 4 and 5`, `40 luns, 32 to 71`.
fn counted(what: &str, numbers: &[u32]) -> String {
    match numbers {
        [] => format!("no {what}s"),
        [one] => format!("{what} {one}"),
        many if many.len() > NAMED => {
            let (low, high) = many.iter().fold((u32::MAX, 0), |(low, high), n| (low.min(*n), high.max(*n)));
            format!("{} {what}s, {low} to {high}", many.len())
        }
        [init @ .., last] => {
            let init: Vec<_> = init.iter().map(u32::to_string).collect();
            format!("{what}s {} and {last}", init.join(", "))
        }
    }
}
