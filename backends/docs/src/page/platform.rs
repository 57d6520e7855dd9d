//! The page of a platform: which device, unit and composable extension answers what, at which level.

use lapis_cx::contract::platform::{FALLBACKS, Level, Platform, ReferenceId, device_port};

use super::interface::part;
use super::{Site, docs, line, table, table_of};
use crate::Spec;
use crate::document::{Block, Entry, Inline, Kind, MEANING, Page, code, text};
use crate::figure::{Edge, Figure, Graph, Node, Shape};
use crate::prose;

/// The page.
pub fn page(site: &Site<'_>, spec: &Spec<'_>, platform: &Platform, path: String) -> Page {
    let mut blocks = docs(&platform.docs);
    blocks.push(Block::Facts(facts(spec, platform)));
    blocks.extend(map(platform));
    blocks.extend(discovery(site, platform));
    blocks.extend(luns(site, platform));
    blocks.extend(devices(site, platform));
    blocks.extend(cxus(site, platform));
    Page {
        path,
        kind: Kind::Platform,
        title: platform.name.clone(),
        over: format!("{} · platform", platform.package),
        summary: prose::summary(&platform.docs),
        blocks,
        entries: entries(platform),
    }
}

fn entries(platform: &Platform) -> Vec<Entry> {
    let entry = |kind, name: String, anchor: &str, about: &str| Entry {
        name,
        kind,
        anchor: anchor.to_owned(),
        summary: prose::summary(about),
    };
    let devices = platform.devices.iter().map(|d| entry("device", d.name.clone(), "devices", &d.docs));
    let luns = platform.luns.iter().map(|l| entry("lun", format!("lun {}", l.number), "luns", &l.docs));
    let cxus = platform.cxus.iter().map(|c| entry("CXU", format!("cxu {}", c.id), "cxus", &c.docs));
    devices.chain(luns).chain(cxus).collect()
}

fn facts(spec: &Spec<'_>, platform: &Platform) -> Vec<(String, Vec<Inline>)> {
    let levels: Vec<_> = platform.levels.iter().map(|level| level.name()).collect();
    let mut facts = vec![
        ("Name".to_owned(), vec![code(format!("{}:{}", platform.package, platform.name))]),
        ("XLEN".to_owned(), vec![text(platform.xlen.to_string())]),
        ("Harts".to_owned(), vec![text(platform.harts.to_string())]),
        ("xcmd instructions".to_owned(), vec![text(platform.xcmds.to_string())]),
    ];
    if !levels.is_empty() {
        facts.push(("Privilege levels".to_owned(), vec![text(levels.join(", "))]));
    }
    facts.push(("Source".to_owned(), vec![code(spec.name)]));
    facts
}

fn short_name(platform: &Platform, id: ReferenceId) -> String {
    platform.interface(id).map_or_else(String::new, |reference| reference.name.clone())
}

fn link(site: &Site<'_>, platform: &Platform, id: ReferenceId) -> Vec<Inline> {
    platform.interface(id).map(|reference| site.link(&reference.package, &reference.name)).into_iter().collect()
}

/// Levels side by side, `u s h`.
fn level_names(levels: impl IntoIterator<Item = Level>) -> String {
    levels.into_iter().map(Level::name).collect::<Vec<_>>().join(" ")
}

/// A drawing from interfaces over luns to units, with the levels at the lines.
fn map(platform: &Platform) -> Option<Block> {
    if platform.luns.is_empty() {
        return None;
    }
    let mut graph = Graph {
        columns: ["interface (xext)", "lun (xcmd)", "unit of a device"].map(str::to_owned).into(),
        ..Graph::default()
    };
    for (row, lun) in platform.luns.iter().enumerate() {
        let note = short_name(platform, lun.interface);
        graph.nodes.push(Node { column: 1, row, text: format!("lun {}", lun.number), note });
    }
    for (row, discover) in platform.discovers.iter().enumerate() {
        let from = graph.nodes.len();
        let note = platform.interface(discover.interface).and_then(|reference| reference.xintf);
        let note = note.map(|xintf| format!("xintf {:#07x}", xintf.id20)).unwrap_or_default();
        graph.nodes.push(Node { column: 0, row, text: short_name(platform, discover.interface), note });
        for (to, lun) in platform.luns.iter().enumerate() {
            let mut sequences: Vec<u32> =
                discover.entries.iter().filter(|entry| entry.lun == lun.number).map(|entry| entry.sequence).collect();
            sequences.dedup();
            let said: Vec<_> = sequences
                .iter()
                .map(|sequence| {
                    let these = discover.entries.iter().filter(|e| e.lun == lun.number && e.sequence == *sequence);
                    format!("{sequence} at {}", level_names(these.map(|entry| entry.level)))
                })
                .collect();
            if !said.is_empty() {
                graph.edges.push(Edge { from, to, text: said.join("; ") });
            }
        }
    }
    let mut row = 0;
    for device in &platform.devices {
        for unit in &device.units {
            let to = graph.nodes.len();
            let text = format!("{}.{}", device.name, unit.number);
            graph.nodes.push(Node { column: 2, row, text, note: short_name(platform, unit.interface) });
            row += 1;
            for (from, lun) in platform.luns.iter().enumerate() {
                let routes = lun.routes.iter().filter(|route| {
                    platform.devices.get(route.device.index()).is_some_and(|to| to.name == device.name)
                        && route.unit == unit.number
                });
                let levels = level_names(routes.map(|route| route.level));
                if !levels.is_empty() {
                    graph.edges.push(Edge { from, to, text: levels });
                }
            }
        }
    }
    let figure = Figure { about: format!("what {} answers", platform.name), shape: Shape::Graph(graph) };
    let intro = "xext finds a lun by interface, sequence number and privilege level; xcmd goes from a lun and a level to a unit.";
    part("map", "Map", vec![Block::Text(vec![text(intro)]), Block::Figure(figure)])
}

fn discovery(site: &Site<'_>, platform: &Platform) -> Option<Block> {
    let rows = platform.discovers.iter().flat_map(|discover| {
        let mut sequences: Vec<u32> = discover.entries.iter().map(|entry| entry.sequence).collect();
        sequences.sort_unstable();
        sequences.dedup();
        sequences.into_iter().map(|sequence| {
            let mut row = vec![link(site, platform, discover.interface), vec![text(sequence.to_string())]];
            row.extend(platform.levels.iter().map(|level| {
                let entry = discover.entries.iter().find(|e| e.sequence == sequence && e.level == *level);
                vec![text(entry.map_or_else(|| "–".to_owned(), |entry| entry.lun.to_string()))]
            }));
            row.push(line(&discover.docs));
            row
        })
    });
    let rows: Vec<_> = rows.collect();
    let table = table_of(with_levels(platform, &["Interface", "Sequence"]), rows);
    let intro = "The lun that xext gives at each privilege level. Sequence number 0 is the default implementation.";
    let is_empty = platform.discovers.is_empty();
    part("discovery", "Discovery", if is_empty { Vec::new() } else { vec![Block::Text(vec![text(intro)]), table] })
}

/// Titles of columns with one for each privilege level, and an empty one.
fn with_levels(platform: &Platform, first: &[&str]) -> Vec<Vec<Inline>> {
    let levels = platform.levels.iter().map(|level| level.name());
    first.iter().copied().chain(levels).chain([MEANING]).map(|title| vec![text(title)]).collect()
}

fn luns(site: &Site<'_>, platform: &Platform) -> Option<Block> {
    if platform.levels.is_empty() {
        return None;
    }
    let fallbacks = FALLBACKS.iter().map(|(number, name)| {
        let interface = name.split_once(':').map(|(package, name)| site.link(package, name));
        let mut row = vec![vec![text(number.to_string())], interface.into_iter().collect()];
        row.extend(platform.levels.iter().map(|_| vec![text("fallback")]));
        row.push(Vec::new());
        row
    });
    let own = platform.luns.iter().map(|lun| {
        let mut row = vec![vec![text(lun.number.to_string())], link(site, platform, lun.interface)];
        row.extend(platform.levels.iter().map(|level| {
            let route = lun.routes.iter().find(|route| route.level == *level);
            let device = route.and_then(|route| Some((platform.devices.get(route.device.index())?, route.unit)));
            vec![device.map_or_else(|| text("traps"), |(device, unit)| code(format!("{}.{unit}", device.name)))]
        }));
        row.push(line(&lun.docs));
        row
    });
    let table = table_of(with_levels(platform, &["Lun", "Interface"]), fallbacks.chain(own).collect());
    let intro = "The unit that an xcmd to a lun reaches at each privilege level.";
    part("luns", "Luns", vec![Block::Text(vec![text(intro)]), table])
}

fn devices(site: &Site<'_>, platform: &Platform) -> Option<Block> {
    let rows = platform.devices.iter().flat_map(|device| {
        device.units.iter().map(move |unit| {
            let ports = [0, platform.xcmds.saturating_sub(1)].map(|xcmd| device_port(unit.number, xcmd));
            vec![
                vec![code(format!("{}.{}", device.name, unit.number))],
                link(site, platform, unit.interface),
                vec![code(format!("{:#06x}", ports[0])), text(" to "), code(format!("{:#06x}", ports[1]))],
                line(&unit.docs),
            ]
        })
    });
    let rows: Vec<_> = rows.collect();
    let intro = "A device sees the number of the unit in bits 11:0 of the port, and the number of the xcmd above.";
    let is_empty = rows.is_empty();
    let table = table(["Unit", "Interface", "Ports", MEANING], rows);
    let mut blocks = vec![Block::Text(vec![text(intro)])];
    for device in platform.devices.iter().filter(|device| !device.docs.trim().is_empty()) {
        let mut said = vec![code(&device.name), text(": ")];
        said.extend(line(&device.docs));
        blocks.push(Block::Text(said));
    }
    blocks.push(table);
    part("devices", "Devices", if is_empty { Vec::new() } else { blocks })
}

fn cxus(site: &Site<'_>, platform: &Platform) -> Option<Block> {
    let rows = platform.cxus.iter().map(|cxu| {
        let latency = cxu.latency.map_or_else(String::new, |(lo, hi)| format!("{lo} to {hi}"));
        let omits: Vec<_> = cxu.omits.iter().map(u16::to_string).collect();
        vec![
            vec![text(cxu.id.to_string())],
            link(site, platform, cxu.interface),
            vec![text(level(cxu.level))],
            vec![text(latency)],
            vec![text(cxu.contexts.to_string())],
            vec![text(omits.join(", "))],
            line(&cxu.docs),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let is_empty = rows.is_empty();
    let titles = ["CXU", "Interface", "Feature level", "Latency", "Contexts", "Left to software", MEANING];
    let table = table(titles, rows);
    part("cxus", "Composable extension units", if is_empty { Vec::new() } else { vec![table] })
}

/// A feature level of the CXU logic interface.
fn level(level: u32) -> String {
    let about = match level {
        0 => "combinational",
        1 => "fixed latency",
        2 => "varying latency",
        3 => "reordering",
        _ => return level.to_string(),
    };
    format!("{level}: {about}")
}
