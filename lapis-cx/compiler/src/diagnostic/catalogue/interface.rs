//! Catalogue entries of this area; see the table in [the parent](super).

super::entries! {}
