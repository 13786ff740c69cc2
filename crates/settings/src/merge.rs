//! Merges layers into one value per key. Refuses unknown keys and loosening; records the layer of every value.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{SettingsError, span};
use crate::layer::{Layer, LayerKind, ParsedLayer};
use crate::nearest::nearest;
use crate::section::{Key, Section};

/// The known sections, each with its schema, defaults and table of keys.
#[derive(Debug, Default)]
pub struct Schema {
    sections: BTreeMap<&'static str, Defined>,
}

#[derive(Debug)]
struct Defined {
    schema: Value,
    defaults: Map<String, Value>,
    keys: &'static [Key],
    check: fn(&Value) -> Result<(), String>,
}

impl Schema {
    /// No sections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section.
    #[must_use]
    pub fn with<S: Section>(mut self) -> Self {
        let schema = serde_json::to_value(schemars::schema_for!(S)).unwrap_or_default();
        let defaults = match serde_json::to_value(S::default()) {
            Ok(Value::Object(members)) => members,
            _ => Map::new(),
        };
        let check = |value: &Value| {
            serde_json::from_value::<S>(value.clone()).map(drop).map_err(|error| plain(&error.to_string()))
        };
        self.sections.insert(S::NAME, Defined { schema, defaults, keys: S::KEYS, check });
        self
    }

    /// Merges the layers in the order of their kinds.
    ///
    /// # Errors
    /// The first error, with its position.
    pub fn merge(&self, layers: &[Layer]) -> Result<Merged, SettingsError> {
        let mut merged = Merged::default();
        for (name, section) in &self.sections {
            merged.sections.insert((*name).to_owned(), section.defaults.clone());
        }
        let mut ordered: Vec<&Layer> = layers.iter().collect();
        ordered.sort_by_key(|layer| layer.kind);
        for layer in ordered {
            let parsed = layer.read()?;
            for (name, table) in &parsed.tables {
                self.section(&mut merged, layer, &parsed, name, table)?;
            }
        }
        Ok(merged)
    }

    fn section(
        &self,
        merged: &mut Merged,
        layer: &Layer,
        parsed: &ParsedLayer,
        name: &str,
        table: &Value,
    ) -> Result<(), SettingsError> {
        let Some(section) = self.sections.get(name) else {
            return Err(unknown(layer, parsed, name, nearest(name, self.sections.keys().copied())));
        };
        let Value::Object(members) = table else {
            return Err(SettingsError::Value {
                key: name.to_owned(),
                message: format!("is a table: write [{name}]"),
                source_code: layer.source(),
                span: span(parsed.place(name)),
            });
        };
        known_keys(&section.schema, &section.schema, table, name)
            .map_err(|miss| unknown(layer, parsed, &miss.path, miss.nearest.as_deref()))?;
        for (key, new) in members {
            let path = format!("{name}.{key}");
            let single = Value::Object(Map::from_iter([(key.clone(), new.clone())]));
            (section.check)(&single).map_err(|message| SettingsError::Value {
                key: path.clone(),
                message,
                source_code: layer.source(),
                span: span(parsed.place(&path)),
            })?;
            section.set(merged, layer, parsed, (name, key), new)?;
        }
        Ok(())
    }

    /// JSON Schema of the whole file, for editors.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let mut definitions = Map::new();
        let mut properties = Map::new();
        for (name, section) in &self.sections {
            let mut schema = section.schema.clone();
            if let Some(object) = schema.as_object_mut() {
                object.remove("$schema");
                if let Some(Value::Object(own)) = object.remove("$defs") {
                    definitions.extend(own);
                }
            }
            properties.insert((*name).to_owned(), schema);
        }
        serde_json::json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "doorward.toml",
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
            "$defs": definitions,
        })
    }
}

impl Defined {
    fn key(&self, name: &str) -> Option<&'static Key> {
        let exact = self.keys.iter().find(|key| key.name == name);
        exact.or_else(|| self.keys.iter().find(|key| key.name == "*"))
    }

    fn set(
        &self,
        merged: &mut Merged,
        layer: &Layer,
        parsed: &ParsedLayer,
        (section, key): (&str, &str),
        new: &Value,
    ) -> Result<(), SettingsError> {
        // `disableBypass` and `disable_bypass` are the same key; the canonical name is kept.
        let canonical = canonical_name(&self.schema, &self.defaults, key);
        let rule = self.key(&canonical);
        let values = merged.sections.entry(section.to_owned()).or_default();
        let old = values.get(&canonical).cloned().unwrap_or_default();
        if layer.kind == LayerKind::Project && !rule.is_some_and(|rule| rule.tighten.permits(&old, new)) {
            return Err(SettingsError::Loosens {
                key: format!("{section}.{canonical}"),
                from: shown(&old),
                to: shown(new),
                source_code: layer.source(),
                span: span(parsed.place(&format!("{section}.{key}"))),
            });
        }
        let value = match (rule.is_some_and(|rule| rule.joined), &old, new) {
            (true, Value::Array(own), Value::Array(more)) => {
                let mut all = own.clone();
                all.extend(more.iter().filter(|item| !own.contains(item)).cloned());
                Value::Array(all)
            }
            _ => new.clone(),
        };
        values.insert(canonical.clone(), value);
        let setters = merged.set_by.entry(format!("{section}.{canonical}")).or_default();
        if !rule.is_some_and(|rule| rule.joined) {
            setters.clear();
        }
        setters.push((layer.kind, layer.name.clone()));
        if let Some(items) = new.as_array() {
            for item in items {
                merged.items.push((format!("{section}.{canonical}"), layer.kind, item.clone()));
            }
        }
        Ok(())
    }
}

/// Every section's values after merging.
#[derive(Debug, Default, Clone)]
pub struct Merged {
    sections: BTreeMap<String, Map<String, Value>>,
    set_by: BTreeMap<String, Vec<(LayerKind, String)>>,
    items: Vec<(String, LayerKind, Value)>,
}

/// One key and the source of its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// `section.key`.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// The layers that set it, weakest first; empty means built-in.
    pub layers: Vec<(LayerKind, String)>,
}

impl Merged {
    /// A section as its struct.
    ///
    /// # Errors
    /// If values that are valid alone contradict each other.
    pub fn section<S: Section>(&self) -> Result<S, SettingsError> {
        let values = self.sections.get(S::NAME).cloned().unwrap_or_default();
        serde_json::from_value(Value::Object(values))
            .map_err(|error| SettingsError::Conflict { message: format!("[{}]: {error}", S::NAME) })
    }

    /// Every key with its value and the layers that set it.
    #[must_use]
    pub fn explain(&self) -> Vec<Explained> {
        let mut rows = Vec::new();
        for (section, values) in &self.sections {
            for (name, value) in values {
                let key = format!("{section}.{name}");
                let layers = self.set_by.get(&key).cloned().unwrap_or_default();
                rows.push(Explained { key, value: without_credentials(value), layers });
            }
        }
        rows
    }

    pub(crate) fn retain_items(&mut self, section: &str, key: &str, layer: LayerKind) {
        let path = format!("{section}.{key}");
        let kept: Vec<Value> = self
            .items
            .iter()
            .filter(|(of, from, _)| *of == path && *from == layer)
            .map(|(_, _, item)| item.clone())
            .collect();
        if let Some(values) = self.sections.get_mut(section) {
            values.insert(key.to_owned(), Value::Array(kept));
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "unset".to_owned(),
        other => other.to_string(),
    }
}

fn unknown(layer: &Layer, parsed: &ParsedLayer, path: &str, near: Option<&str>) -> SettingsError {
    SettingsError::UnknownKey {
        key: path.to_owned(),
        help: near.map(|near| format!("did you mean `{near}`?")),
        source_code: layer.source(),
        span: span(parsed.place(path)),
    }
}

struct Miss {
    path: String,
    nearest: Option<String>,
}

/// Walks a value beside its schema. Checks only names; `serde` checks types.
fn known_keys(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), Miss> {
    let schema = resolved(root, schema);
    match value {
        Value::Array(items) => {
            let Some(of) = schema.get("items") else { return Ok(()) };
            items.iter().try_for_each(|item| known_keys(root, of, item, path))
        }
        Value::Object(members) => {
            let mut shape = Shape::default();
            shape.collect(root, schema, 0);
            if !shape.object {
                return Ok(());
            }
            for (name, member) in members {
                let path = format!("{path}.{name}");
                let Some(of) = shape.member(name) else {
                    let near = nearest(name, shape.properties.iter().map(|(name, _)| name.as_str()));
                    return Err(Miss { path, nearest: near.map(str::to_owned) });
                };
                known_keys(root, of, member, &path)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// What a value can't be, in words of the settings: serde speaks of types of Rust.
fn plain(error: &str) -> String {
    let Some((given, wanted)) =
        error.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "))
    else {
        return error.to_owned();
    };
    let word = match wanted {
        "u64" | "u32" | "u16" | "u8" | "usize" => "a whole number",
        "i64" | "i32" => "a whole number, which may be negative",
        "f64" | "f32" => "a number",
        "a boolean" => "true or false",
        "a string" => "text in quotes",
        "a sequence" => "a list in square brackets",
        other => other,
    };
    format!("takes {word}, and this is a {given}")
}

fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|at| at.strip_prefix("#/$defs/"))
    else {
        return schema;
    };
    root.get("$defs").and_then(|all| all.get(name)).unwrap_or(schema)
}

/// The members that an object may have, over all alternatives (`Option<T>`, tagged and untagged enums).
#[derive(Default)]
struct Shape<'s> {
    object: bool,
    properties: Vec<(&'s String, &'s Value)>,
    others: Option<&'s Value>,
}

impl<'s> Shape<'s> {
    fn collect(&mut self, root: &'s Value, schema: &'s Value, depth: usize) {
        let schema = resolved(root, schema);
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            self.object = true;
            self.properties.extend(properties);
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
            self.object = true;
            self.others = Some(others);
        }
        if depth < 8 {
            let alternatives =
                ["anyOf", "oneOf", "allOf"].iter().filter_map(|word| schema.get(word)?.as_array());
            for one in alternatives.flatten() {
                self.collect(root, one, depth + 1);
            }
        }
    }

    /// A member by its name, or by the seed's spelling (`allowedHosts` for `allowed_hosts`).
    fn member(&self, name: &str) -> Option<&'s Value> {
        let by = |name: &str| self.properties.iter().find(|(own, _)| *own == name).map(|(_, of)| *of);
        by(name).or_else(|| by(&snake(name))).or(self.others)
    }
}

fn canonical_name(schema: &Value, defaults: &Map<String, Value>, name: &str) -> String {
    let snake = snake(name);
    let known = |name: &str| {
        defaults.contains_key(name) || schema.get("properties").is_some_and(|all| all.get(name).is_some())
    };
    if !known(name) && known(&snake) { snake } else { name.to_owned() }
}

fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for ch in name.chars() {
        if ch.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(ch.to_ascii_lowercase());
    }
    out
}

/// A value that is safe to show: URLs without user, password and query, which may be credentials.
#[must_use]
pub fn without_credentials(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(url_without_credentials(text)),
        Value::Array(items) => Value::Array(items.iter().map(without_credentials).collect()),
        Value::Object(members) => Value::Object(
            members.iter().map(|(name, member)| (name.clone(), without_credentials(member))).collect(),
        ),
        other => other.clone(),
    }
}

fn url_without_credentials(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (address, query) = match rest.split_once(['?', '#']) {
        Some((address, _)) => (address, "?…"),
        None => (rest, ""),
    };
    // A password may contain an unencoded slash, so the last `@` ends the credentials.
    let place = address.rsplit_once('@').map_or(address, |(_, place)| place);
    let user = if place.len() < address.len() { "…@" } else { "" };
    format!("{scheme}://{user}{place}{query}")
}

#[cfg(test)]
mod shown {
    use super::*;

    #[test]
    fn urls_are_shown_without_credentials() {
        for (text, shown) in [
            ("https://user:pw@host:8/p?t=x#f", "https://…@host:8/p?…"),
            ("https://token@host/p", "https://…@host/p"),
            ("https://user:p/w@host/p", "https://…@host/p"),
            ("https://host/p", "https://host/p"),
            ("shell(git *)", "shell(git *)"),
            ("user@host", "user@host"),
        ] {
            assert_eq!(without_credentials(&Value::from(vec![text])), Value::from(vec![shown]), "{text}");
        }
    }
}
