//! Members of objects and types: what reading one gives, and what setting one changes.

use super::ast::Expr;
use super::eval::Runner;
use super::value::{Data, HOLE, Value};

impl Runner<'_> {
    /// The value of a member, by the member's name.
    pub(super) fn member(&mut self, object: &Value, name: &Value) -> Value {
        let Some(name) = name.known() else {
            self.find("shell.obfuscated", "reads a member whose name can't be seen");
            return Value::unknown();
        };
        let name = name.to_ascii_lowercase();
        match &object.data {
            Data::Map(pairs) => match pairs.iter().find(|(own, _)| *own == name) {
                Some((_, value)) => value.clone(),
                None => Value::unknown().with(&object.marks),
            },
            Data::Files(names) => match name.as_str() {
                "name" | "basename" => Value { data: Data::Files(names.clone()), marks: None },
                "fullname" | "pspath" | "directory" | "directoryname" | "path" => object.clone(),
                _ => Value::unknown(),
            },
            Data::Object(class, held) if class == "named" => match name.as_str() {
                "name" | "source" | "path" | "definition" | "value" | "fullname" => {
                    held.as_deref().cloned().unwrap_or_else(Value::unknown)
                }
                _ => Value::unknown(),
            },
            Data::Object(class, _) if class.starts_with("type:") => {
                let class = class.trim_start_matches("type:");
                match (class, name.as_str()) {
                    ("system.string", "empty") => Value::text(""),
                    ("system.environment", "newline") => Value::text("\n"),
                    ("system.environment", "currentdirectory") => Value::text("."),
                    ("system.environment", "systemdirectory") => Value::text("C:\\WINDOWS\\system32"),
                    _ if class == "system.text.encoding" => Value::object(format!("encoding:{name}"), None),
                    (_, "assembly") => {
                        self.find("shell.obfuscated", "reaches into the running program");
                        Value::unknown()
                    }
                    _ => Value::unknown(),
                }
            }
            Data::Object(class, _) if class == "executioncontext" => object.clone(),
            Data::Object(class, held) => match name.as_str() {
                "document" | "application" => object.clone(),
                "responsetext" | "responsebody" | "content" | "result" => Value::unknown().marked(|marks| {
                    marks.network = class.starts_with("com:") || object.is(|marks| marks.network);
                }),
                "startinfo" => Value::object("system.diagnostics.processstartinfo", held.as_deref().cloned()),
                _ => Value::unknown().with(&object.marks),
            },
            Data::Text(text) if name == "length" && !text.contains(HOLE) => {
                Value::text(text.chars().count().to_string())
            }
            Data::List(items) if matches!(name.as_str(), "length" | "count") => {
                Value::text(items.len().to_string())
            }
            Data::List(_) => {
                let values = object
                    .items()
                    .iter()
                    .take(256)
                    .map(|item| self.member(item, &Value::text(name.clone())))
                    .collect();
                Value::list(values)
            }
            _ => {
                let text = matches!(name.as_str(), "path" | "value" | "text" | "content" | "fullname");
                if text && object.known().is_some() && !matches!(object.data, Data::Null) {
                    return object.clone();
                }
                Value::unknown().with(&object.marks)
            }
        }
    }

    pub(super) fn set_member(&mut self, on: &Expr, object: &Value, name: &str, value: Value) {
        if matches!(name, "servercertificatevalidationcallback" | "servercertificatecustomvalidationcallback")
        {
            self.find("shell.tamper", "switches off the check of certificates");
        }
        if name == "filename" || name == "arguments" {
            let held = match &object.data {
                Data::Object(_, Some(held)) => held.shown(),
                _ => String::new(),
            };
            let line = if name == "filename" {
                format!("{} {held}", value.shown())
            } else {
                format!("{held} {}", value.shown())
            };
            self.remember(
                on,
                Value::object(
                    "system.diagnostics.processstartinfo",
                    Some(Value::text(line.trim()).with(&value.marks)),
                ),
            );
        } else if matches!(name, "targetpath" | "iconlocation") {
            self.harmless = false;
        } else if name == "verb" && value.shown().eq_ignore_ascii_case("runas") {
            self.privileged("starts a program with the rights of an administrator");
        } else if let Data::Map(pairs) = &object.data {
            let mut pairs = pairs.to_vec();
            pairs.retain(|(own, _)| own != name);
            pairs.push((name.to_owned(), value));
            self.remember(on, Value { data: Data::Map(pairs.into()), marks: object.marks.clone() });
        }
    }

    fn remember(&mut self, on: &Expr, value: Value) {
        match on {
            Expr::Variable(name) => self.set(name, value),
            Expr::Member { on, .. } => self.remember(on, value),
            _ => {}
        }
    }
}
