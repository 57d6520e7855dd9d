//! What the engine of remoting does not implement. The driver rejects each use; to implement one is to remove it here.

use lapis_cx::contract::library::construct::Construct;

/// Every construct that is not implemented.
pub const NOT_CARRIED_OUT: &[Construct] = Construct::ALL;
