//! The syntax tree as JSON.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::syntax::{Kind, Node};

/// A node of the tree. It has either a text or children.
#[derive(Serialize, JsonSchema)]
pub struct AstNode<'a> {
    /// What it is: a rule of the grammar. `WHITESPACE` and `comment` mean nothing; `bad_…` and the like stand for
    /// mistakes, `no_…` for what is missing.
    kind: KindName,
    /// Its first byte in the file, from 0.
    start: u32,
    /// One past its last byte.
    end: u32,
    /// Its text, if it is a leaf.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// Its parts in order, if it is no leaf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<AstNode<'a>>,
}

impl<'a> AstNode<'a> {
    /// The node with all below. Trees are at most [`MAX_HEIGHT`](crate::syntax::MAX_HEIGHT) high.
    pub(super) fn new(node: Node<'a>) -> Self {
        let children: Vec<_> = node.all_children().map(AstNode::new).collect();
        let span = node.span();
        let text = children.is_empty().then(|| node.text());
        AstNode { kind: KindName(node.kind()), start: span.start, end: span.end, text, children }
    }
}

/// A rule of the grammar by its name.
struct KindName(Kind);

impl Serialize for KindName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{:?}", self.0))
    }
}

impl JsonSchema for KindName {
    fn schema_name() -> Cow<'static, str> {
        "Kind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<_> = Kind::all_rules().iter().map(|kind| format!("{kind:?}")).collect();
        json_schema!({ "description": "A rule of grammars/cxspec.pest.", "type": "string", "enum": names })
    }
}
