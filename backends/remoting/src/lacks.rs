//! The constructs that the engine of remoting does not implement. The driver rejects each use. Remove a construct here when you implement
//! it.

use lapis_cx::contract::library::construct::Construct;

/// Every construct that is not implemented.
pub const NOT_CARRIED_OUT: &[Construct] = Construct::ALL;
