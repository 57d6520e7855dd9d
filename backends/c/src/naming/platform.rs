//! The names of a platform.

use lapis_cx::backend::{DerivedName, NameList, What};
use lapis_cx::contract::platform::{Device, Platform};

use super::{FILES, IDENTIFIERS, Names};

/// The tables of a platform.
const TABLES: [&str; 3] = ["device_subdevice_map", "lun_map", CXUS];

/// The table of CXUs.
pub const CXUS: &str = "cxus";

/// Everything that the files of a platform declare where others see it.
pub fn names(platform: &Platform) -> Vec<DerivedName<'_>> {
    let names = Names::of_platform(platform);
    let mut list = NameList::default();
    let (of, span) = (platform.name.as_str(), platform.span);
    list.add(FILES, What::new(["the header of `", of, "`"]), span, || names.header());
    list.add(FILES, What::new(["the tables of `", of, "`"]), span, || names.platform());
    list.add(IDENTIFIERS, What::new(["the platform `", of, "`"]), span, || names.stem.clone());
    list.add(IDENTIFIERS, What::new(["the include guard of `", of, "`"]), span, || names.guard());
    for table in TABLES {
        list.add(IDENTIFIERS, What::new(["`", table, "` of `", of, "`"]), span, || names.member(table));
    }
    for device in &platform.devices {
        let what = What::new(["the device `", &device.name, "`"]);
        list.add(IDENTIFIERS, what, device.span, || device_name(&names, device));
    }
    list.into_names()
}

impl Names {
    /// The header of a platform's machine, relative to the output folder.
    pub fn machine_header(&self) -> String {
        format!("include/{}_machine.h", self.stem)
    }

    /// The machine of a platform, relative to the output folder.
    pub fn machine(&self) -> String {
        format!("src/{}_machine.c", self.stem)
    }

    /// The include guard of the machine's header.
    pub fn machine_guard(&self) -> String {
        format!("CX_GENERATED_{}_MACHINE_H", self.stem)
    }
}

/// The files of the machine of a platform.
pub fn machine_names(platform: &Platform) -> Vec<DerivedName<'_>> {
    let names = Names::of_platform(platform);
    let mut list = NameList::default();
    let (of, span) = (platform.name.as_str(), platform.span);
    list.add(FILES, What::new(["the header of the machine of `", of, "`"]), span, || names.machine_header());
    list.add(FILES, What::new(["the machine of `", of, "`"]), span, || names.machine());
    list.into_names()
}

/// The function of a device.
pub fn device_name(names: &Names, device: &Device) -> String {
    names.member(&device.name)
}
