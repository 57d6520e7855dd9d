//! Source files, byte spans and line numbers.

use crate::json::Serialize;

/// A file of one compilation, by its place in the [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `other` must be in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place in a file as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, crate::json::JsonSchema)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One file: the name people know it by, its text, and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The characters before each [`STEP`]th byte, so that a column in a long line is found without counting it all.
    characters: Vec<u32>,
}

/// Bytes between two counts of characters.
const STEP: usize = 256;

/// The characters that start in `bytes`.
fn characters_in(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32
}

impl SourceFile {
    /// Indexes `text`. Lines end at LF.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        let mut characters = vec![0];
        let mut sum = 0;
        for piece in text.as_bytes().chunks_exact(STEP) {
            sum += characters_in(piece);
            characters.push(sum);
        }
        SourceFile { name: name.into(), text, line_starts, characters }
    }

    /// The name given at creation, usually the path as the user wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of a byte offset, from 0; past the end it is the last line.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1) as u32
    }

    /// The bytes of a line (from 0) with its line feed; empty at the end of the text for a line that does not exist.
    pub fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let start_of = |line: usize| self.line_starts.get(line).map_or(self.text.len(), |&start| start as usize);
        start_of(line as usize)..start_of(line as usize + 1)
    }

    /// Line and column of a byte offset; an offset inside a character counts as that character.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_of(offset);
        let start = self.line_range(line).start;
        let end = self.text.floor_char_boundary(offset as usize);
        let column = self.characters_before(end).saturating_sub(self.characters_before(start)) + 1;
        LineColumn { line: line + 1, column }
    }

    /// The column of a byte offset in UTF-16 code units, from 1, as editors and SARIF count; an offset inside a
    /// character counts as that character.
    pub fn utf16_column(&self, offset: u32) -> u32 {
        let start = self.line_range(self.line_of(offset)).start;
        let end = self.text.floor_char_boundary(offset as usize);
        self.text.get(start..end).unwrap_or_default().encode_utf16().count() as u32 + 1
    }

    /// The characters before a byte offset.
    fn characters_before(&self, offset: usize) -> u32 {
        let step = offset / STEP;
        let rest = self.text.as_bytes().get(step * STEP..offset).unwrap_or_default();
        self.characters.get(step).copied().unwrap_or_default() + characters_in(rest)
    }
}

/// All files of one compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name, text));
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id that this map gave out.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The text a span covers; empty for a span of another map.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or_default()
    }

    /// All files in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_also_in_long_lines() {
        let text = format!("é\n{}\n{}x", "aé€😀\t".repeat(300), "b".repeat(1000));
        let file = SourceFile::new("t", text.as_str());
        for offset in 0..=text.len() + 2 {
            let end = text.floor_char_boundary(offset.min(text.len()));
            let before = text.get(..end).unwrap_or_default();
            let line = before.matches('\n').count() as u32 + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
            assert_eq!(file.line_column(offset as u32), LineColumn { line, column }, "{offset}");
        }
    }
}
