//! What a change of each kind breaks. The one table of it.

use crate::json::{JsonSchema, Serialize};

/// Whom a change hurts, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Breaks {
    /// A UUID that was given away means something else: programs that trust it go wrong without notice.
    Identity,
    /// A command answers the same operands otherwise, or a call of a library is made otherwise.
    Behaviour,
    /// Saved images of state cannot be restored, or messages between the two sides of a library mean something else.
    Wire,
    /// Programs that are compiled already do not work with the new hardware or fallback.
    Abi,
    /// Programs must be edited before they compile with the new generated code.
    Source,
}

impl Breaks {
    /// All of them, the worst first.
    pub const ALL: [Breaks; 5] = [Breaks::Identity, Breaks::Behaviour, Breaks::Wire, Breaks::Abi, Breaks::Source];

    /// As people and programs read it.
    pub fn name(self) -> &'static str {
        match self {
            Breaks::Identity => "identity",
            Breaks::Behaviour => "behaviour",
            Breaks::Wire => "wire",
            Breaks::Abi => "abi",
            Breaks::Source => "source",
        }
    }
}

/// A kind of change.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its lasting name, such as `command-removed`.
    pub name: &'static str,
    /// Whom it hurts; nobody if empty.
    pub breaks: &'static [Breaks],
    /// Whether it may show in the contract hash.
    pub hashed: bool,
    /// Why, in one sentence.
    pub why: &'static str,
}

macro_rules! rules {
    ($($name:ident $text:literal [$($breaks:ident)*] $hashed:literal $why:literal)*) => {
        $(
            #[doc = $why]
            pub static $name: Rule =
                Rule { name: $text, breaks: &[$(Breaks::$breaks),*], hashed: $hashed, why: $why };
        )*
        /// Every rule.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    INTERFACE_ADDED "interface-added" [] false "Nobody uses it yet."
    INTERFACE_REMOVED "interface-removed" [Abi Source] false "Its programs find no such interface."
    INTERFACE_RENAMED "interface-renamed" [Source] false "Imports, and the generated names where it has no short name, change."
    CONTRACT_CHANGED "contract-changed" [Identity] true "A UUID names one contract for ever; a changed contract needs a new UUID."
    CHANGED_OTHERWISE "changed-otherwise" [Behaviour] true "The contract hash differs for a reason that is not told apart."
    UUID_ADDED "uuid-added" [] false "Programs can open it now."
    UUID_CHANGED "uuid-changed" [Abi] false "Programs that were compiled before open the old UUID."
    UUID_REMOVED "uuid-removed" [Abi Source] false "Programs cannot open it any more."
    XINTF_ADDED "xintf-added" [] false "Its commands can be issued as overloadable opcodes now."
    XINTF_CHANGED "xintf-changed" [Abi] false "Programs that were compiled before name the old id."
    XINTF_REMOVED "xintf-removed" [Abi Source] false "Its commands are no overloadable opcodes any more."
    SHORT_CHANGED "short-changed" [Source] false "All generated names and files change."
    DOCS_CHANGED "docs-changed" [] false "Nobody runs it."
    MADE_DRAFT "made-draft" [] false "From now on it may change under its UUID."
    MADE_FINAL "made-final" [] false "From now on it keeps its contract."
    MADE_ABSTRACT "made-abstract" [Abi Source] false "Nothing is generated for it any more."
    MADE_CONCRETE "made-concrete" [] false "It is generated now."
    STATE_CONTEXT_ADDED "state-context-added" [] true "The standard commands come in addition."
    STATE_CONTEXT_REMOVED "state-context-removed" [Wire Abi Source] true "Its state can no longer be saved and restored."
    XLEN_ADDED "xlen-added" [] true "It works on more machines."
    XLEN_REMOVED "xlen-removed" [Abi Source] true "Programs for that register width lose it."

    COMMAND_ADDED "command-added" [] true "Nobody issues it yet."
    COMMAND_REMOVED "command-removed" [Abi Source] true "Its callers find no such command."
    COMMAND_RENAMED "command-renamed" [Source] false "The instruction stays, the generated names change."
    COMMAND_ID_CHANGED "command-id-changed" [Abi] true "Programs that were compiled before issue the old function id."
    COMMAND_ID_REUSED "command-id-reused" [Behaviour Abi] true "Programs that were compiled before run the wrong command."
    FORM_ADDED "form-added" [] true "It can be issued in more ways."
    FORM_REMOVED "form-removed" [Abi Source] true "Programs may issue it in that form."
    OPERAND_COUNT_CHANGED "operand-count-changed" [Abi Source] true "Every call has too many operands or too few."
    OPERAND_TYPE_CHANGED "operand-type-changed" [Abi Source] true "Calls pass another type."
    OPERANDS_REORDERED "operands-reordered" [Behaviour Abi Source] true "Calls compile as before and pass the wrong values."
    OPERAND_RENAMED "operand-renamed" [] false "Operands are passed by position."
    OPERAND_SLOT_CHANGED "operand-slot-changed" [Abi Source] true "The instruction carries it elsewhere; an immediate must be constant."
    RESULT_ADDED "result-added" [Abi] true "The instruction writes a register that it left alone."
    RESULT_REMOVED "result-removed" [Abi Source] true "Callers use the result."
    RESULT_TYPE_CHANGED "result-type-changed" [Abi Source] true "Callers get another type."
    BODY_CHANGED "body-changed" [Behaviour] true "Callers get other answers than before."
    MADE_OPAQUE "made-opaque" [Behaviour] true "Nothing is promised of it any more."
    BODY_GIVEN "body-given" [] true "What was left open is promised now."
    STATUS_VARIANT_ADDED "status-variant-added" [] true "A function that gives the response is generated in addition."
    STATUS_VARIANT_REMOVED "status-variant-removed" [Source] true "The function that gives the response is no longer generated."
    LATENCY_CHANGED "latency-changed" [] false "It is a hint to schedulers."

    STATE_ADDED "state-added" [Wire Abi Source] true "Contexts have state that nobody saves."
    STATE_REMOVED "state-removed" [Wire Abi Source] true "Images of its state cannot be restored."
    SHARING_CHANGED "sharing-changed" [Behaviour Abi Source] true "Programs open it in the other way, and save it at other times."
    UCONTEXT_CHANGED "ucontext-changed" [Behaviour Abi] true "It takes part in thread contexts otherwise."
    FIELD_ADDED "field-added" [Wire Abi] true "Images have more words, and the state structure another size."
    FIELD_REMOVED "field-removed" [Wire Abi Source] true "Images have fewer words, and the state structure lacks it."
    FIELD_MOVED "field-moved" [Wire Abi] true "Images hold it in another word."
    FIELD_RENAMED "field-renamed" [Source] false "The member of the state structure has another name."
    FIELD_TYPE_CHANGED "field-type-changed" [Wire Abi Source] true "Images and the state structure hold another type."
    RESET_CHANGED "reset-changed" [Behaviour] true "A fresh context starts otherwise."

    CSR_ADDED "csr-added" [] true "Nobody accesses it yet."
    CSR_REMOVED "csr-removed" [Abi Source] true "Programs that access it find no such CSR."
    CSR_RENAMED "csr-renamed" [Source] false "The address stays, the generated names change."
    CSR_ADDRESS_CHANGED "csr-address-changed" [Abi] true "Programs that were compiled before access the old address."
    CSR_MADE_WRITABLE "csr-made-writable" [] true "Nobody wrote it before."
    CSR_MADE_READ_ONLY "csr-made-read-only" [Abi Source] true "Programs may write it."
    CSR_FIELD_ADDED "csr-field-added" [Behaviour] true "Bits that read 0, and dropped what was written, do so no more."
    CSR_FIELD_REMOVED "csr-field-removed" [Behaviour Source] true "Its bits read 0 and drop what is written, and its names are gone."
    CSR_FIELD_RENAMED "csr-field-renamed" [Source] false "The bits stay, the generated names change."
    CSR_FIELD_MOVED "csr-field-moved" [Abi] true "Programs that were compiled before look at the old bits."
    CSR_FIELD_TYPE_CHANGED "csr-field-type-changed" [Abi Source] true "Programs get another type out of other bits."
    CSR_FIELD_VALUE_CHANGED "csr-field-value-changed" [Behaviour] true "Programs read something else, or write another state field."
    CSR_WARL_CHANGED "csr-warl-changed" [Behaviour] true "Patterns without a name are written otherwise."

    ERROR_ADDED "error-added" [] true "No command raised it before."
    ERROR_REMOVED "error-removed" [Abi Source] true "Programs that handle it name it."
    ERROR_RENAMED "error-renamed" [Source] false "The code stays, the generated constant changes."
    ERROR_CODE_CHANGED "error-code-changed" [Wire Abi] true "Programs that were compiled before, and saved images, hold the old code."
    ERROR_MESSAGE_CHANGED "error-message-changed" [] false "It is for people."
    ENUM_ADDED "enum-added" [] true "Nobody uses it yet."
    ENUM_REMOVED "enum-removed" [Source] true "Programs name it."
    ENUM_BASE_CHANGED "enum-base-changed" [Abi Source] true "Its values have another type."
    CASE_ADDED "case-added" [] true "No program names it yet."
    CASE_REMOVED "case-removed" [Source] true "Programs name it."
    CASE_RENAMED "case-renamed" [Source] false "The pattern stays, the generated constant changes."
    CASE_VALUE_CHANGED "case-value-changed" [Behaviour Abi] true "Programs that were compiled before pass the old pattern."
    CONST_ADDED "const-added" [] true "Nobody uses it yet."
    CONST_REMOVED "const-removed" [Source] true "Programs name it."
    CONST_TYPE_CHANGED "const-type-changed" [Source] true "Programs get another type."
    CONST_VALUE_CHANGED "const-value-changed" [Behaviour] true "Programs that were compiled before hold the old value."

    LIBRARY_ADDED "library-added" [] false "Nobody uses it yet."
    LIBRARY_REMOVED "library-removed" [Abi Source] false "Its programs find no such library."
    VERSION_CHANGED "version-changed" [] false "It is for people."
    ABOUT_CHANGED "about-changed" [Behaviour] false "Its functions use other interfaces."
    BINDING_CHANGED "binding-changed" [Source] false "Programs are built with other headers or flags."
    SONAME_CHANGED "soname-changed" [Abi] false "Programs that were compiled before load the old file."
    API_ID_CHANGED "api-id-changed" [Wire] false "The two sides of a connection no longer mean the same API."
    C_NAME_CHANGED "c-name-changed" [Abi Source] false "Programs use the old name in C."
    FUNCTION_ADDED "function-added" [] false "Nobody calls it yet."
    FUNCTION_REMOVED "function-removed" [Wire Abi Source] false "Its callers find no such function."
    PARAMETER_COUNT_CHANGED "parameter-count-changed" [Wire Abi Source] false "Every call has too many arguments or too few."
    PARAMETERS_REORDERED "parameters-reordered" [Behaviour Wire Abi Source] false "Calls may compile as before and pass the wrong values."
    PARAMETER_RENAMED "parameter-renamed" [] false "Arguments are passed by position."
    C_TYPE_CHANGED "c-type-changed" [Wire Abi Source] false "C declares it with another type."
    TRAVEL_CHANGED "travel-changed" [Behaviour Wire] false "Messages hold other parts of it, or its copies live and belong otherwise."
    IMPLICITS_CHANGED "implicits-changed" [Wire] false "Messages hold other values beside the arguments."
    CLAUSES_CHANGED "clauses-changed" [Behaviour] false "Calls are made, ordered, accounted or made again otherwise."
    CALLBACK_ADDED "callback-added" [] false "Nobody registers one yet."
    CALLBACK_REMOVED "callback-removed" [Wire Abi Source] false "Programs that register one name it."
    STRUCT_ADDED "struct-added" [] false "Nobody uses it yet."
    STRUCT_REMOVED "struct-removed" [Source] false "Programs name it."
    MEMBERS_CHANGED "members-changed" [Wire Abi Source] false "In memory and in messages it has another layout."
    HANDLE_ADDED "handle-added" [] false "Nobody has one yet."
    HANDLE_REMOVED "handle-removed" [Source] false "Programs name it."
    HANDLE_CHANGED "handle-changed" [Behaviour Wire] false "Its objects live, or lie in memory, otherwise."
    METADATA_CHANGED "metadata-changed" [Wire] false "Both sides keep other values with an object."
    RESOURCES_CHANGED "resources-changed" [Behaviour] false "Calls are delayed or refused otherwise."
    CODE_CHANGED "code-changed" [Behaviour] false "What is compiled into both sides does something else."

    PLATFORM_ADDED "platform-added" [] false "Nobody uses it yet."
    PLATFORM_XLEN_CHANGED "platform-xlen-changed" [Abi Source] false "Programs for the old register width do not run on it."
    PLATFORM_SIZE_CHANGED "platform-size-changed" [] false "Programs ask how much there is."
    PLATFORM_XCMDS_REMOVED "platform-xcmds-removed" [Abi] false "Programs issue an instruction that it lacks."
    SERVICE_ADDED "service-added" [] false "Programs find more."
    SERVICE_REMOVED "service-removed" [Abi] false "Programs look for the interface, and do not find it."
    SERVICE_CONTRACT_CHANGED "service-contract-changed" [Behaviour] false "The same id is answered by another contract."
    CONTEXTS_REMOVED "contexts-removed" [Abi] false "Fewer programs can open it at the same time."
    OMITS_CHANGED "omits-changed" [] false "What the hardware leaves out, software answers."
    PLATFORM_REMOVED "platform-removed" [Source] false "Builds for it name it."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_breaks_in_order() {
        let mut names: Vec<_> = ALL.iter().map(|rule| rule.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(ALL.iter().all(|rule| rule.breaks.is_sorted() && rule.why.ends_with('.')));
    }
}
