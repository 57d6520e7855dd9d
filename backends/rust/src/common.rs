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
    Choice,
    /// The module of an XLEN, without what is in it.
    Module(u32),
    /// The imports of a module: of the core, and of `abi1`.
    Imports { core: bool, abi1: bool },
    /// The number of bits in a register.
    Xlen(u32),
    /// The hash of a contract, which both modules have.
    Contract([u8; 32]),
    /// What a command answers that is not done, by the errors that the interface declares.
    Errors(Vec<ErrorText>),
    /// The image of a state.
    Save { xlen: u32, live: bool },
    /// The state of an image, which has so many words beside its status, and these error codes.
    Restore { xlen: u32, live: bool, words: u32, codes: Vec<u8> },
    /// The default of a state.
    DefaultState,
    /// The fallback of an interface with state, and the name of its bodies.
    Soft { xlen: u32, bodies: Option<String> },
    /// The fallback of an interface without state.
    StatelessSoft { bodies: Option<String> },
    /// The software CXU.
    SoftCxu { bodies: Option<String> },
    /// The types of a software CXU.
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
    /// The tokens.
    pub fn tokens(&self) -> TokenStream {
        match self {
            Common::Choice => section::both(),
            Common::Module(xlen) => section::head(*xlen),
            Common::Imports { core, abi1 } => section::imports(*core, *abi1),
            Common::Xlen(xlen) => section::bits(*xlen),
            Common::Contract(bytes) => section::contract(bytes),
            Common::Errors(errors) => section::error_type(errors),
            Common::Save { xlen, live } => state::save(*xlen, *live),
            Common::Restore { xlen, live, words, codes } => state::restore(*xlen, *live, *words, codes),
            Common::DefaultState => state::default(),
            Common::Soft { xlen, bodies } => software::stateful(*xlen, bodies.as_deref()),
            Common::StatelessSoft { bodies } => software::stateless(bodies.as_deref()),
            Common::SoftCxu { bodies } => software::cxu_type(bodies.as_deref()),
            Common::CxuTypes { xlen, state } => software::cxu_types(*xlen, *state),
            Common::CxuConstants(constants) => software::cxu_constants(constants),
            Common::Images { state } => software::images(*state),
            Common::Selected { xlen, g } => guard::selected(*xlen, g),
            Common::Helper(helper, limbs) => helper.tokens(*limbs),
        }
    }
}
