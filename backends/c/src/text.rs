//! Puts text together. Most of the output goes through here, as `write!` takes several times as long.

/// Appends pieces of text to a string.
macro_rules! put {
    ($out:expr $(, $piece:expr)+ $(,)?) => {{
        let out: &mut String = $out;
        $(out.push_str($piece.as_ref());)+
    }};
}

/// A list of parameters or arguments.
#[derive(Clone, Default)]
pub struct List {
    text: String,
}

impl List {
    /// Appends an item of these pieces.
    pub fn item(&mut self, pieces: &[&str]) {
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
        pieces.iter().for_each(|piece| self.text.push_str(piece));
    }

    /// The items with commas between them.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same; `void` if there are none, as C says it of parameters.
    pub fn or_void(self) -> String {
        if self.text.is_empty() { "void".to_owned() } else { self.text }
    }
}

impl From<List> for String {
    fn from(list: List) -> String {
        list.text
    }
}
