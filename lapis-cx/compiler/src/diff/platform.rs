//! Two versions of one platform: what programs find on it. Numbers of luns, devices and units are found at run time, so
//! none of them is compared.

use super::rules::{self, Rule};
use super::{Change, Entry, Place};
use crate::contract::platform::{Platform, ReferenceId};

/// Something that programs find: an interface, and by which way.
#[derive(PartialEq)]
struct Service {
    interface: String,
    way: String,
    contract: String,
}

pub(super) fn compare(before: &Entry<'_>, old: &Platform, entry: &Entry<'_>, new: &Platform) -> Vec<Change> {
    let mut found: Vec<(&'static Rule, String)> = Vec::new();
    if old.xlen != new.xlen {
        found.push((&rules::PLATFORM_XLEN_CHANGED, format!("XLEN was {}, and is {}", old.xlen, new.xlen)));
    }
    if old.harts != new.harts {
        found.push((&rules::PLATFORM_SIZE_CHANGED, format!("it had {} harts, and has {}", old.harts, new.harts)));
    }
    if old.xcmds != new.xcmds {
        let rule = if new.xcmds < old.xcmds { &rules::PLATFORM_XCMDS_REMOVED } else { &rules::PLATFORM_SIZE_CHANGED };
        found.push((rule, format!("it had {} `xcmd` instructions, and has {}", old.xcmds, new.xcmds)));
    }
    services(&services_of(old), &services_of(new), &mut found);
    cxus(old, new, &mut found);
    if old.docs != new.docs {
        found.push((&rules::DOCS_CHANGED, "the description of the platform changed".to_owned()));
    }
    let change = |(rule, message)| Change {
        rule,
        item: entry.name.clone(),
        xlens: Vec::new(),
        everywhere: true,
        message,
        old: Some(Place { root: before.root, span: old.span }),
        new: Some(Place { root: entry.root, span: new.span }),
    };
    found.into_iter().map(change).collect()
}

fn name(platform: &Platform, id: ReferenceId) -> (String, String) {
    let reference = platform.interface(id);
    reference.map_or_else(Default::default, |r| (format!("{}:{}", r.package, r.name), r.contract.clone()))
}

/// What `xext` finds, by level and sequence number, and the CXUs.
fn services_of(platform: &Platform) -> Vec<Service> {
    let mut services = Vec::new();
    for discover in &platform.discovers {
        let (interface, contract) = name(platform, discover.interface);
        for entry in &discover.entries {
            let way = format!("xext number {} at level {}", entry.sequence, entry.level.name());
            services.push(Service { interface: interface.clone(), way, contract: contract.clone() });
        }
    }
    for cxu in &platform.cxus {
        let (interface, contract) = name(platform, cxu.interface);
        services.push(Service { interface, way: "a CXU".to_owned(), contract });
    }
    services
}

fn services(old: &[Service], new: &[Service], found: &mut Vec<(&'static Rule, String)>) {
    let same = |a: &Service, b: &Service| (&a.interface, &a.way) == (&b.interface, &b.way);
    for service in new {
        let what = format!("`{}` by {}", service.interface, service.way);
        match old.iter().find(|a| same(a, service)) {
            None => found.push((&rules::SERVICE_ADDED, format!("programs find {what}"))),
            Some(before) if before.contract != service.contract => {
                found.push((&rules::SERVICE_CONTRACT_CHANGED, format!("{what} has another contract")));
            }
            Some(_) => {}
        }
    }
    for service in old.iter().filter(|a| !new.iter().any(|b| same(a, b))) {
        let message = format!("programs no longer find `{}` by {}", service.interface, service.way);
        found.push((&rules::SERVICE_REMOVED, message));
    }
}

fn cxus(old: &Platform, new: &Platform, found: &mut Vec<(&'static Rule, String)>) {
    for cxu in &new.cxus {
        let (interface, _) = name(new, cxu.interface);
        let Some(before) = old.cxus.iter().find(|a| name(old, a.interface).0 == interface) else { continue };
        let (was, is) = (before.contexts, cxu.contexts);
        if was != is {
            let rule = if is < was { &rules::CONTEXTS_REMOVED } else { &rules::PLATFORM_SIZE_CHANGED };
            found.push((rule, format!("the CXU of `{interface}` had {was} contexts, and has {is}")));
        }
        if before.omits != cxu.omits {
            found.push((&rules::OMITS_CHANGED, format!("the CXU of `{interface}` leaves other commands out")));
        }
    }
}
