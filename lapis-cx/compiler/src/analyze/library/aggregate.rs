//! Structs, unions, metadata and handles.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::contract::library::expr::{Expr, ExprKind};
use crate::contract::library::place::{Place, Type};
use crate::contract::library::{Handle, HandleId, Member, Metadata, Owner, Struct, StructId, TypeId, ctype};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::{library as codes, names as name_codes};
use crate::source::Span;
use crate::syntax::{Kind, Node};

use super::Lib;
use super::declare::{MEMBER_MARKS, Meaning, Parts, TYPE_MARKS};
use super::expr::{MAX_NESTING, constant_of};
use super::inherit::Levels;
use super::place::{Context, Role};
use super::scope::{Named, Scope, first_of_path, path_of};
use super::table::{self, Target};

impl<'t> Lib<'_, 't> {
    /// Structs by shape, then handles, metadata and the signatures of functions, then all of it in full.
    pub(super) fn aggregates(&mut self, parts: &Parts<'t>, levels: &Levels<'t>) {
        let views = self.struct_heads(parts);
        self.handle_heads(parts);
        // A view copies the members of what it shows, so that comes first.
        let order = self.views_last(parts, &views);
        for id in &order {
            self.struct_shape(parts, *id);
        }
        self.shapes = Some(HashMap::new());
        self.outer_names(parts, &order);
        self.metadata(parts, levels);
        self.find_signatures(parts);
        self.declare_foreign();
        for id in &order {
            self.struct_members(parts, *id, levels);
        }
        for (i, part) in parts.handles.iter().enumerate() {
            self.handle_clauses(HandleId(i as u32), part, levels);
        }
    }

    fn struct_heads(&mut self, parts: &Parts<'t>) -> Vec<Option<StructId>> {
        let mut views = Vec::new();
        for node in &parts.structs {
            let of = node.children_of(Kind::ident).nth(1).filter(|_| node.has(Kind::kw_as));
            let view_of = of.and_then(|of| self.struct_of(of));
            views.push(view_of);
            let c = self.spelling(*node, TYPE_MARKS);
            self.library.structs.push(Struct {
                name: node.name().text().to_owned(),
                c,
                docs: node.docs(),
                is_union: node.child(Kind::struct_word).is_some_and(|w| w.text() == "union"),
                view_of,
                members: Vec::new(),
                outer: Vec::new(),
                span: node.name().span(),
            });
        }
        views
    }

    fn struct_of(&mut self, name: Node<'t>) -> Option<StructId> {
        match self.symbols.get(name.text()).map(|s| (s.meaning, s.span)) {
            Some((Meaning::Struct(id), _)) => Some(id),
            other => {
                self.wrong_kind(name, "a struct", other.map(|(m, span)| (m.what(), span)));
                None
            }
        }
    }

    /// "`x` is a handle, not a struct", or that there is none.
    fn wrong_kind(&mut self, name: Node<'t>, wanted: &str, found: Option<(&str, Span)>) {
        match found {
            Some((what, span)) => {
                let message = format!("`{}` is {what}, not {wanted}", name.text());
                let diagnostic = Diagnostic::error(&name_codes::WRONG_KIND, message, name.span(), what);
                self.report(diagnostic.label(span, "declared here"));
            }
            None => {
                let known: Vec<&str> = self.symbols.keys().copied().collect();
                let what = wanted.split_once(' ').map_or(wanted, |(_, noun)| noun);
                self.unknown(name, what, known.into_iter());
            }
        }
    }

    /// The structs in an order in which none comes before the one it shows. Circles are broken, and complained about.
    fn views_last(&mut self, parts: &Parts<'t>, views: &[Option<StructId>]) -> Vec<StructId> {
        let mut order: Vec<StructId> = Vec::new();
        let mut done = HashSet::new();
        for start in 0..parts.structs.len() {
            let mut path = Vec::new();
            let mut at = Some(StructId(start as u32));
            while let Some(id) = at.filter(|id| !done.contains(id)) {
                if path.contains(&id) {
                    if let Some(node) = parts.structs.get(id.index()) {
                        let message = format!("the struct `{}` is a view of itself", node.name().text());
                        let diagnostic = Diagnostic::error(&name_codes::CYCLE, message, node.name().span(), "a circle");
                        self.report(diagnostic.help("one of the structs must list its members itself"));
                    }
                    if let Some(s) = self.library.structs.get_mut(id.index()) {
                        s.view_of = None;
                    }
                    break;
                }
                path.push(id);
                at = views.get(id.index()).copied().flatten();
            }
            for id in path.into_iter().rev() {
                if done.insert(id) {
                    order.push(id);
                }
            }
        }
        order
    }

    /// The members by shape: those of the struct it shows, replaced by its own.
    fn struct_shape(&mut self, parts: &Parts<'t>, id: StructId) {
        let Some(node) = parts.structs.get(id.index()).copied() else { return };
        let fields: Vec<_> = node.children_of(Kind::c_field).collect();
        let shapes = self.named_shapes(&Scope::default(), &fields, false);
        let mut members = self.viewed_members(id);
        for (field, shape) in fields.iter().zip(shapes) {
            let member = Member {
                name: shape.name,
                c: self.spelling(*field, MEMBER_MARKS),
                docs: field.docs(),
                place: shape.place,
                initial: None,
                span: shape.span,
            };
            self.put(id, &mut members, member);
        }
        if let Some(s) = self.library.structs.get_mut(id.index()) {
            s.members = members;
        }
    }

    fn viewed_members(&self, id: StructId) -> Vec<Member> {
        let of = self.library.structs.get(id.index()).and_then(|s| s.view_of);
        of.and_then(|of| self.library.structs.get(of.index())).map(|s| s.members.clone()).unwrap_or_default()
    }

    /// Puts a member in its place: a view annotates the members of what it shows, and has no others.
    fn put(&mut self, id: StructId, members: &mut Vec<Member>, member: Member) {
        let view_of = self.library.structs.get(id.index()).and_then(|s| s.view_of);
        let Some(of) = view_of else { return members.push(member) };
        if let Some(old) = members.iter_mut().find(|m| m.name == member.name) {
            let c = member.c.clone().or(old.c.take());
            *old = Member { c, ..member };
            return;
        }
        let shown = self.library.structs.get(of.index()).map(|s| (s.name.clone(), s.span));
        if let Some((name, span)) = shown {
            let message = format!("`{name}` has no member `{}`", member.name);
            self.report(
                Diagnostic::error(&name_codes::UNKNOWN_NAME, message, member.span, "not a member of it")
                    .label(span, "this is the struct")
                    .help("a view gives other annotations to members of the same C struct"),
            );
        }
    }

    /// Finds the names that members take from where their struct is used.
    fn outer_names(&mut self, parts: &Parts<'t>, order: &[StructId]) {
        // Structs refer to each other, so this goes on until nothing is new.
        loop {
            let mut changed = false;
            let mut of_types = HashMap::new();
            for id in order {
                let Some(node) = parts.structs.get(id.index()).copied() else { continue };
                let mut names = self.viewed_outer(*id);
                for field in node.children_of(Kind::c_field) {
                    for name in self.free_names(parts, field, &mut Vec::new(), &mut of_types) {
                        let is_member = |s: &Struct| s.members.iter().any(|m| m.name == first_of_path(&name));
                        let known = self.library.structs.get(id.index()).is_some_and(is_member);
                        if !known && !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
                if let Some(s) = self.library.structs.get_mut(id.index())
                    && s.outer != names
                {
                    s.outer = names;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn viewed_outer(&self, id: StructId) -> Vec<String> {
        let of = self.library.structs.get(id.index()).and_then(|s| s.view_of);
        of.and_then(|of| self.library.structs.get(of.index())).map(|s| s.outer.clone()).unwrap_or_default()
    }

    /// The names in a type that neither the library nor the language gives a meaning, with the members that follow them, as in `s.row`. Those of
    /// named types are kept in `of_types`: they are the same at each use.
    fn free_names(
        &self,
        parts: &Parts<'t>,
        node: Node<'t>,
        inside: &mut Vec<&'t str>,
        of_types: &mut HashMap<TypeId, Vec<String>>,
    ) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |name: String| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let mut end_of_path = 0;
        for part in node.descendants(|n| matches!(n.kind(), Kind::name | Kind::named_type | Kind::access_expr)) {
            let text = part.name().text();
            if matches!(part.kind(), Kind::name | Kind::access_expr) {
                let is_part = part.span().end <= end_of_path;
                if let Some(path) = path_of(part).filter(|path| !is_part && self.is_free(first_of_path(path))) {
                    end_of_path = part.span().end;
                    add(path);
                }
                continue;
            }
            match self.symbols.get(text).map(|s| s.meaning) {
                Some(Meaning::Struct(id)) => {
                    self.library.structs.get(id.index()).into_iter().flat_map(|s| s.outer.clone()).for_each(&mut add);
                }
                // What nests more deeply is refused where it is expanded.
                Some(Meaning::Type(id, _)) if !inside.contains(&text) && inside.len() < MAX_NESTING as usize => {
                    if let Some(known) = of_types.get(&id) {
                        known.iter().cloned().for_each(&mut add);
                        continue;
                    }
                    inside.push(text);
                    let body = parts.types.get(id.0 as usize).and_then(|t| t.child(Kind::place_type));
                    let params = self.library.types.get(id.0 as usize).map(|t| t.params.clone()).unwrap_or_default();
                    let mut below = body.map(|b| self.free_names(parts, b, inside, of_types)).unwrap_or_default();
                    below.retain(|name| !params.iter().any(|param| param == first_of_path(name)));
                    below.iter().cloned().for_each(&mut add);
                    of_types.insert(id, below);
                    inside.pop();
                }
                _ => {}
            }
        }
        names
    }

    fn is_free(&self, name: &str) -> bool {
        !table::RESERVED.contains(&name)
            && !table::WORDS.contains(&name)
            && !table::type_names().any(|t| t == name)
            && !self.symbols.contains_key(name)
            && self.cases_of(name).is_empty()
            && self.world.lookup(0, name).is_none()
    }

    fn struct_members(&mut self, parts: &Parts<'t>, id: StructId, levels: &Levels<'t>) {
        let Some(node) = parts.structs.get(id.index()).copied() else { return };
        let Some(table) = self.library.structs.get(id.index()) else { return };
        let siblings = table
            .members
            .iter()
            .map(|m| Named { name: m.name.clone(), place: m.place.clone(), span: m.span })
            .collect::<Vec<_>>();
        let outer = table.outer.clone();
        let scope = Scope {
            siblings: Rc::new(siblings),
            outer: Rc::new(outer),
            is_call: true,
            levels: library_levels(levels),
            ..Scope::default()
        };
        let mut members = self.viewed_members(id);
        for field in node.children_of(Kind::c_field) {
            let Some(ty) = field.child(Kind::place_type) else { continue };
            let place = self.place(&scope, ty, Context::new(Role::Inner));
            self.check_member(field, &place);
            let initial = field.expr().map(|e| self.initial(&scope, e, &place));
            let member = Member {
                name: field.name().text().to_owned(),
                c: self.spelling(field, MEMBER_MARKS),
                docs: field.docs(),
                place,
                initial,
                span: field.name().span(),
            };
            self.put(id, &mut members, member);
        }
        if let Some(s) = self.library.structs.get_mut(id.index()) {
            s.members = members;
        }
    }

    /// The initial value of a member: whoever makes the stand-in knows nothing but the type.
    fn initial(&mut self, scope: &Scope<'t>, node: Node<'t>, place: &Place) -> Expr {
        let expr = self.value(scope, node).expr;
        if matches!(place.ty, Type::Array { .. } | Type::Struct { .. } | Type::Live { .. }) {
            let message = "only a number, a pointer or a handle has an initial value";
            self.error(&codes::VALUE, node, message, "of an inline array or a struct");
        }
        let is_constant = matches!(
            expr.kind,
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Case { .. } | ExprKind::Code(_)
        );
        if !is_constant {
            let message = "the initial value of a member is a constant, or text of C";
            self.error(&codes::VALUE, node, message, "not known where a stand-in is made");
        }
        expr
    }

    fn check_member(&mut self, field: Node<'t>, place: &Place) {
        // A type that is not known, which was reported, is a tuple without parts.
        let is_no_value = match &place.ty {
            Type::Void | Type::Lifetime => true,
            Type::Tuple(params) => !params.is_empty(),
            _ => false,
        };
        if is_no_value {
            let message = format!("`{}` cannot be a member of a struct", field.name().text());
            self.error(&codes::DIRECTION, field.child(Kind::place_type).unwrap_or(field), message, "not a value");
        }
    }

    fn metadata(&mut self, parts: &Parts<'t>, levels: &Levels<'t>) {
        // Members may refer to other metadata, so all owners come first.
        let mut tables = Vec::new();
        for node in &parts.metadata {
            let name = node.name();
            let owner = match self.symbols.get(name.text()).map(|s| (s.meaning, s.span)) {
                Some((Meaning::Handle(id), _)) => Owner::Handle(id),
                Some((Meaning::Struct(id), _)) => Owner::Struct(self.viewed(id)),
                Some((Meaning::Type(id, _), _)) => Owner::Type(id),
                other => {
                    self.wrong_kind(name, "a handle, a struct or a named type", other.map(|(m, s)| (m.what(), s)));
                    continue;
                }
            };
            if let Some(first) = self.library.metadata.iter().find(|m| m.owner == owner) {
                let first = first.span;
                let message = format!("`{}` has metadata already", name.text());
                let diagnostic = Diagnostic::error(&codes::REPEATED, message, name.span(), "again here");
                self.report(diagnostic.label(first, "first here").help("write all members into one"));
                continue;
            }
            self.library.metadata.push(Metadata { owner, docs: node.docs(), members: Vec::new(), span: name.span() });
            tables.push(*node);
        }
        let scope = Scope { levels: library_levels(levels), ..Scope::default() };
        for (i, node) in tables.into_iter().enumerate() {
            let fields: Vec<_> = node.children_of(Kind::c_field).collect();
            self.named_shapes(&scope, &fields, false);
            let mut members = Vec::new();
            for field in fields {
                let Some(ty) = field.child(Kind::place_type) else { continue };
                let place = self.place(&scope, ty, Context::new(Role::Inner));
                let constant = match &place.ty {
                    Type::Array { len, .. } => constant_of(len).is_some(),
                    Type::Void | Type::Tuple(_) | Type::Match { .. } | Type::Buffer { .. } | Type::Stream => false,
                    _ => true,
                };
                if !constant {
                    self.report(
                        Diagnostic::error(
                            &codes::METADATA,
                            format!("metadata cannot hold `{}`", ty.text()),
                            ty.span(),
                            "not a value of a fixed size",
                        )
                        .help("it holds numbers, handles, `ptr`, callbacks, userdata, inline arrays and `lifetime`s"),
                    );
                }
                if let Some(initial) = field.expr() {
                    let message = "metadata has no initial values: it begins as zeros";
                    self.error(&codes::METADATA, initial, message, "not here");
                }
                members.push(Member {
                    name: field.name().text().to_owned(),
                    c: self.spelling(field, MEMBER_MARKS),
                    docs: field.docs(),
                    place,
                    initial: None,
                    span: field.name().span(),
                });
            }
            if let Some(table) = self.library.metadata.get_mut(i) {
                table.members = members;
            }
        }
    }

    fn handle_heads(&mut self, parts: &Parts<'t>) {
        for part in &parts.handles {
            let node = part.node;
            let after = |word: Kind| {
                let at = node.child(word)?.span().start;
                node.children_of(Kind::ident).find(|i| i.span().start > at)
            };
            let memory = after(Kind::kw_as).and_then(|name| self.struct_of(name));
            let parent = after(Kind::kw_with).and_then(|name| {
                match self.symbols.get(name.text()).map(|s| (s.meaning, s.span)) {
                    Some((Meaning::Handle(id), _)) => Some(id),
                    other => {
                        self.wrong_kind(name, "a handle", other.map(|(m, span)| (m.what(), span)));
                        None
                    }
                }
            });
            let c = self.spelling(node, TYPE_MARKS);
            self.check_handle(node, c.as_deref());
            self.library.handles.push(Handle {
                name: node.name().text().to_owned(),
                c,
                docs: node.docs(),
                memory,
                parent,
                clauses: Vec::new(),
                span: node.name().span(),
            });
        }
        let mut said = HashSet::new();
        for (i, part) in parts.handles.iter().enumerate() {
            let mut circle = vec![HandleId(i as u32)];
            let mut at = self.library.handles.get(i).and_then(|h| h.parent);
            for _ in 0..parts.handles.len() {
                match at {
                    Some(id) if id.index() == i => {
                        // A circle is one mistake, whichever of its handles is looked at.
                        if !circle.iter().any(|id| said.contains(id)) {
                            self.circle(part.node.name(), &circle);
                        }
                        said.extend(circle);
                        break;
                    }
                    Some(id) => {
                        circle.push(id);
                        at = self.library.handles.get(id.index()).and_then(|h| h.parent);
                    }
                    None => break,
                }
            }
        }
    }

    /// Checks that a handle is as large as those that can be sent, as far as its C type tells.
    fn check_handle(&mut self, node: Node<'t>, c: Option<&str>) {
        let (Some(spelling), Some(c)) = (node.child(Kind::spelling), c) else { return };
        if let Some(bytes) = ctype::bytes(c).filter(|bytes| !matches!(bytes, 4 | 8)) {
            let message = format!("a handle has 4 or 8 bytes, and `{c}` has {bytes}");
            let diagnostic = Diagnostic::error(&codes::WIDTH, message, spelling.span(), "the type of the handle in C");
            self.report(diagnostic.help("declare it as a number, or correct its C type"));
        }
    }

    fn circle(&mut self, name: Node<'t>, circle: &[HandleId]) {
        let names: Vec<_> =
            circle.iter().filter_map(|id| self.library.handles.get(id.index())).map(|h| h.name.as_str()).collect();
        let message = match names.as_slice() {
            [one] => format!("`{one}` is its own parent"),
            more => format!("{} die with each other in a circle", crate::analyze::names::quoted_list(more)),
        };
        let diagnostic = Diagnostic::error(&codes::HANDLE_CYCLE, message, name.span(), "a circle of `with`");
        self.report(diagnostic.help("declare the outermost handle without `with`"));
    }

    fn handle_clauses(&mut self, id: HandleId, part: &super::declare::Part<'t>, levels: &Levels<'t>) {
        let around = levels_of(levels, &part.around);
        // What is said of this handle comes after what is said of all.
        let name = part.node.name().text();
        let of = |level: &Rc<super::inherit::Level<'t>>| [level.handles, level.types.get(name).copied()];
        let outer: Vec<_> = around.iter().flat_map(of).collect();
        let own = part.node.child(Kind::clauses);
        let scope =
            Scope { levels: Rc::new(around), this: Some(Rc::new(Place::of(Type::Handle(id)))), ..Scope::default() };
        let clauses = self.clauses(&scope, own, &outer, Target::Handle, part.node.name());
        if let Some(handle) = self.library.handles.get_mut(id.index()) {
            handle.clauses = clauses;
        }
    }
}

/// The levels of the bodies around a part.
pub(super) fn levels_of<'t>(levels: &Levels<'t>, around: &[Node<'t>]) -> Vec<Rc<super::inherit::Level<'t>>> {
    around.iter().filter_map(|body| levels.iter().find(|(b, _)| b == body).map(|(_, level)| level.clone())).collect()
}

/// The level of the library alone.
fn library_levels<'t>(levels: &Levels<'t>) -> Rc<Vec<Rc<super::inherit::Level<'t>>>> {
    Rc::new(levels.first().map(|(_, level)| level.clone()).into_iter().collect())
}
