//! What the files have in common: items that depend on little, so that a writer makes and lays out each of them once.

use proc_macro2::TokenStream;

use crate::helper::Helper;
use crate::section::ErrorText;
use crate::software::CxuConstants;
use crate::{guard, section, software, state};

/// Items that many modules have. What is in it is all that they depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Common {
    /// The choice between the modules of both XLENs.
    Both,
    /// The module of an XLEN, without what is in it.
    Head(u32),
    /// The imports of a module: of the core, and of `abi1`.
    Imports { core: bool, abi1: bool },
    /// The number of bits in a register.
    Xlen(u32),
    /// The hash of a contract, which both modules have.
    Contract([u8; 32]),
    /// What a command answers that is not done, by the errors that the interface declares.
    ErrorType(Vec<ErrorText>),
    /// The image of a state.
    Save { xlen: u32, live: bool },
    /// The state of an image, which has so many words beside its status, and these error codes.
    Restore { xlen: u32, live: bool, words: u32, codes: Vec<u8> },
    /// The default of a state.
    DefaultState,
    /// The fallback of an interface with state, and the name of its bodies.
    Stateful { xlen: u32, bodies: Option<String> },
    /// The fallback of an interface without state.
    Stateless { bodies: Option<String> },
    /// The type of a software CXU.
    CxuType { bodies: Option<String> },
    /// The types in a software CXU, and its UUID.
    CxuTypes { xlen: u32, state: bool },
    /// The constants of a software CXU.
    CxuConstants(CxuConstants),
    /// The images of a software CXU.
    Images { state: bool },
    /// The guard, and the name of its parameter.
    Selected { xlen: u32, g: String },
    /// A small function; the number of limbs of a division.
    Helper(Helper, u32),
}

impl Common {
    /// Whether the modules of one interface have it, and no other file has.
    pub fn is_of_one_file(&self) -> bool {
        match self {
            Common::Contract(_) => true,
            Common::ErrorType(errors) => !errors.is_empty(),
            _ => false,
        }
    }

    /// The tokens.
    pub fn tokens(&self) -> TokenStream {
        match self {
            Common::Both => section::both(),
            Common::Head(xlen) => section::head(*xlen),
            Common::Imports { core, abi1 } => section::imports(*core, *abi1),
            Common::Xlen(xlen) => section::xlen(*xlen),
            Common::Contract(bytes) => section::contract(bytes),
            Common::ErrorType(errors) => section::error_type(errors),
            Common::Save { xlen, live } => state::save(*xlen, *live),
            Common::Restore { xlen, live, words, codes } => state::restore(*xlen, *live, *words, codes),
            Common::DefaultState => state::default(),
            Common::Stateful { xlen, bodies } => software::stateful(*xlen, bodies.as_deref()),
            Common::Stateless { bodies } => software::stateless(bodies.as_deref()),
            Common::CxuType { bodies } => software::cxu_type(bodies.as_deref()),
            Common::CxuTypes { xlen, state } => software::cxu_types(*xlen, *state),
            Common::CxuConstants(constants) => software::cxu_constants(constants),
            Common::Images { state } => software::images(*state),
            Common::Selected { xlen, g } => guard::selected(*xlen, g),
            Common::Helper(helper, limbs) => helper.tokens(*limbs),
        }
    }
}
