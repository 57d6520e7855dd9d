//! cxc
fn main() {}
