//! One layer: its source, and its text with the position of every key.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use miette::NamedSource;
use serde_json::Value;
use toml_edit::{Document, Item, Table, Value as TomlValue};

use crate::error::{SettingsError, span};

/// The kind of a layer. Later kinds override earlier ones, but a project may only tighten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LayerKind {
    /// Compiled-in defaults.
    #[serde(rename = "built-in")]
    BuiltIn,
    /// The user's own file.
    User,
    /// The project's file. The agent may be able to change it.
    Project,
    /// `/etc/doorward/doorward.toml`: overrides all others.
    Admin,
}

impl LayerKind {
    /// Its word in explanations.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Project => "project",
            Self::Admin => "admin",
        }
    }
}

/// A layer as read from its file.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Its kind.
    pub kind: LayerKind,
    /// The file's name, for people.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Layer {
    /// A layer with the text read from `name`.
    #[must_use]
    pub fn new(kind: LayerKind, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { kind, name: name.into(), text: text.into() }
    }

    pub(crate) fn source(&self) -> Arc<NamedSource<String>> {
        Arc::new(NamedSource::new(&self.name, self.text.clone()))
    }

    pub(crate) fn read(&self) -> Result<ParsedLayer, SettingsError> {
        let document = Document::parse(self.text.clone()).map_err(|error| SettingsError::Syntax {
            message: error.message().to_owned(),
            source_code: self.source(),
            span: span(error.span()),
        })?;
        let mut parsed = ParsedLayer::default();
        parsed.table(document.as_table(), "", 0);
        Ok(parsed)
    }
}

/// A layer as JSON, with the position of every dotted path.
#[derive(Debug, Default)]
pub(crate) struct ParsedLayer {
    pub(crate) tables: BTreeMap<String, Value>,
    pub(crate) places: BTreeMap<String, Range<usize>>,
}

impl ParsedLayer {
    pub(crate) fn place(&self, path: &str) -> Option<Range<usize>> {
        self.places.get(path).cloned()
    }

    fn table(&mut self, table: &Table, path: &str, depth: usize) {
        for (name, item) in table {
            let at = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
            let (value, path) = self.member(name, item, at, path, depth);
            self.tables.insert(path, value);
        }
    }

    fn member(
        &mut self,
        name: &str,
        item: &Item,
        at: Option<Range<usize>>,
        path: &str,
        depth: usize,
    ) -> (Value, String) {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if let Some(at) = at {
            self.places.insert(path.clone(), at);
        }
        (self.item(item, &path, depth + 1), path)
    }

    // The parser limits nesting already; `depth` makes sure.
    fn item(&mut self, item: &Item, path: &str, depth: usize) -> Value {
        if depth > 64 {
            return Value::Null;
        }
        match item {
            Item::None => Value::Null,
            Item::Value(value) => self.value(value, path, depth),
            Item::Table(table) => self.members(table, path, depth),
            Item::ArrayOfTables(tables) => {
                Value::Array(tables.iter().map(|table| self.members(table, path, depth)).collect())
            }
        }
    }

    fn members(&mut self, table: &Table, path: &str, depth: usize) -> Value {
        let mut members = serde_json::Map::new();
        for (name, item) in table {
            let at = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
            let (value, _) = self.member(name, item, at, path, depth);
            members.insert(name.to_owned(), value);
        }
        Value::Object(members)
    }

    fn value(&mut self, value: &TomlValue, path: &str, depth: usize) -> Value {
        if depth > 64 {
            return Value::Null;
        }
        match value {
            TomlValue::String(text) => text.value().as_str().into(),
            TomlValue::Integer(number) => (*number.value()).into(),
            TomlValue::Float(number) => (*number.value()).into(),
            TomlValue::Boolean(value) => (*value.value()).into(),
            TomlValue::Datetime(when) => when.value().to_string().into(),
            TomlValue::Array(items) => {
                Value::Array(items.iter().map(|item| self.value(item, path, depth + 1)).collect())
            }
            TomlValue::InlineTable(table) => {
                let mut members = serde_json::Map::new();
                for (name, value) in table {
                    let path = format!("{path}.{name}");
                    if let Some(at) = table.key(name).and_then(toml_edit::Key::span) {
                        self.places.insert(path.clone(), at);
                    }
                    members.insert(name.to_owned(), self.value(value, &path, depth + 1));
                }
                Value::Object(members)
            }
        }
    }
}
