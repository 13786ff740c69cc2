//! Values of PowerShell as far as they are known, and where they come from.

use std::rc::Rc;

use super::ast::Block;

/// Stands for what isn't known.
pub(super) const HOLE: char = '…';
/// The longest text that is put together.
const LONGEST: usize = 64 << 10;

#[derive(Debug, Clone)]
pub(super) enum Data {
    Null,
    /// Unknown parts are [`HOLE`].
    Text(String),
    List(Rc<Vec<Value>>),
    Map(Rc<Vec<(String, Value)>>),
    Script(Rc<Block>),
    /// Files that are listed: patterns, with `/` between folders.
    Files(Vec<String>),
    /// An object of a class, in lower case, and what it was made of.
    Object(String, Option<Box<Value>>),
}

/// Where a value comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) network: bool,
    pub(super) decoded: bool,
    /// Put together from parts, which plain code has no need of in the place of a name.
    pub(super) assembled: bool,
    pub(super) env: Vec<String>,
    pub(super) reads: Vec<String>,
    pub(super) urls: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) data: Data,
    pub(super) marks: Option<Rc<Marks>>,
}

impl Value {
    pub(super) fn null() -> Self {
        Self { data: Data::Null, marks: None }
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.len() > LONGEST {
            let mut end = LONGEST;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push(HOLE);
        }
        Self { data: Data::Text(text), marks: None }
    }

    pub(super) fn unknown() -> Self {
        Self::text(HOLE.to_string())
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        let marks = items.iter().fold(None, |marks, item| both(&marks, &item.marks));
        Self { data: Data::List(Rc::new(items)), marks }
    }

    pub(super) fn object(class: impl Into<String>, held: Option<Self>) -> Self {
        let marks = held.as_ref().and_then(|held| held.marks.clone());
        Self { data: Data::Object(class.into(), held.map(Box::new)), marks }
    }

    pub(super) fn with(mut self, marks: &Option<Rc<Marks>>) -> Self {
        self.marks = both(&self.marks, marks);
        self
    }

    pub(super) fn marked(self, change: impl FnOnce(&mut Marks)) -> Self {
        let mut marks = self.marks.as_deref().cloned().unwrap_or_default();
        change(&mut marks);
        Self { marks: Some(Rc::new(marks)), ..self }
    }

    pub(super) fn assembled(self) -> Self {
        if self.is(|marks| marks.assembled) { self } else { self.marked(|marks| marks.assembled = true) }
    }

    pub(super) fn is(&self, asks: impl FnOnce(&Marks) -> bool) -> bool {
        self.marks.as_deref().is_some_and(asks)
    }

    /// Every value of a list, or the value itself.
    pub(super) fn items(&self) -> Vec<Self> {
        match &self.data {
            Data::Null => Vec::new(),
            Data::List(items) => items
                .iter()
                .flat_map(|item| match &item.data {
                    Data::List(inner) => inner.to_vec(),
                    _ => vec![item.clone()],
                })
                .collect(),
            Data::Files(names) => names
                .iter()
                .map(|name| Self { data: Data::Files(vec![name.clone()]), marks: self.marks.clone() })
                .collect(),
            _ => vec![self.clone()],
        }
    }

    /// As it stands in a text.
    pub(super) fn shown(&self) -> String {
        match &self.data {
            Data::Null => String::new(),
            Data::Text(text) => text.clone(),
            Data::List(items) => {
                let mut shown = String::new();
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        shown.push(' ');
                    }
                    shown.push_str(&item.shown());
                    if shown.len() > LONGEST {
                        shown.push(HOLE);
                        break;
                    }
                }
                shown
            }
            Data::Files(names) => match names.as_slice() {
                [only] if !only.contains(['*', '?']) => only.clone(),
                _ => HOLE.to_string(),
            },
            Data::Object(class, Some(held)) if class == "named" => held.shown(),
            Data::Map(_) | Data::Script(_) | Data::Object(..) => HOLE.to_string(),
        }
    }

    /// The text, if all of it is known.
    pub(super) fn known(&self) -> Option<String> {
        let shown = self.shown();
        let is_text = !matches!(self.data, Data::Map(_) | Data::Script(_));
        (is_text && !shown.contains(HOLE)).then_some(shown)
    }

    pub(super) fn number(&self) -> Option<i64> {
        let text = self.known()?;
        let text = text.trim();
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        }
    }

    pub(super) fn class(&self) -> &str {
        match &self.data {
            Data::Object(class, _) => class,
            _ => "",
        }
    }
}

/// Marks of either.
pub(super) fn both(one: &Option<Rc<Marks>>, other: &Option<Rc<Marks>>) -> Option<Rc<Marks>> {
    const MOST: usize = 32;
    match (one, other) {
        (None, marks) | (marks, None) => marks.clone(),
        (Some(one), Some(other)) if Rc::ptr_eq(one, other) || one == other => Some(Rc::clone(one)),
        (Some(one), Some(other)) => {
            let mut marks = Marks::clone(one);
            marks.network |= other.network;
            marks.decoded |= other.decoded;
            marks.assembled |= other.assembled;
            for (own, more) in [
                (&mut marks.env, &other.env),
                (&mut marks.reads, &other.reads),
                (&mut marks.urls, &other.urls),
            ] {
                for item in more {
                    if own.len() < MOST && !own.contains(item) {
                        own.push(item.clone());
                    }
                }
            }
            Some(Rc::new(marks))
        }
    }
}
