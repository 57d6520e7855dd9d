//! Decodes a plan, and derives what calls need to know.

use std::ffi::CString;

use lapis_cx_plan::Invalid;

use super::facts::{self, Blocks};
use super::{Call, Metadata, Mode, Plan, layouts, out_numbers, steps};

impl Plan {
    /// Reads a plan from its words. `natives` is the number of C functions that the library has for the plan.
    ///
    /// # Errors
    ///
    /// Fails if the words are not a valid plan, or one of another version.
    pub fn read(words: &[u32], texts: Vec<CString>, natives: usize) -> Result<Plan, Invalid> {
        let lapis_cx_plan::Plan { handles, metadata, blocks, functions, callbacks, .. } =
            lapis_cx_plan::Plan::decode(words, texts.len(), natives)?;
        // Handles are identified by their names.
        let handle_named = |name| handles.iter().position(|handle: &super::Handle| handle.name == name);
        let metadata = metadata
            .iter()
            .map(|one| Metadata { of: handle_named(one.owner).map(|at| at as u32), members: one.members.len() })
            .collect();
        let calls = functions.iter().filter_map(|function: &super::Function| function.call.as_ref());
        let has_async = calls.flat_map(|call: &Call| &call.timing).any(|one| one.then.mode != Mode::Sync);
        let has_members = handles.iter().any(|handle| handle.members.is_some());
        let layouts = Vec::new();
        let has_ends = false;
        let mut plan =
            Plan { texts, handles, metadata, blocks, layouts, functions, callbacks, has_async, has_members, has_ends };
        plan.derive().map_err(|why| Invalid { at: 0, why })?;
        Ok(plan)
    }

    /// Derives facts from the values and their sizes.
    fn derive(&mut self) -> Result<(), &'static str> {
        self.find_members()?;
        out_numbers::copy_in(&mut self.blocks);
        let facts = Blocks::of(&self.blocks);
        for (id, block) in (0..).zip(&mut self.blocks) {
            facts.derive_block(id, block);
            steps::compile(block, &facts);
        }
        let layouts = layouts::of_blocks(&self.blocks);
        layouts::number_elements(&mut self.blocks, &layouts);
        self.layouts = layouts::contents(&self.blocks, &layouts);
        self.blocks.iter_mut().zip(layouts).for_each(|(block, layout)| block.facts.layout = layout);
        let (blocks, handles) = (&self.blocks, &self.handles);
        let functions = self.functions.iter_mut().filter_map(|function| function.call.as_mut());
        for call in functions.chain(&mut self.callbacks) {
            let Some(block) = blocks.get(call.arguments as usize) else { return Err("a block index out of range") };
            if call.implicits.iter().any(|one| one.offset + one.bytes > block.bytes) {
                return Err("an implicit argument outside of the arguments");
            }
            facts::derive_call(call, block, handles, &facts);
            self.has_ends |= call.facts.ends;
        }
        Ok(())
    }
}
