//! Tool schemas: whether a schema is usable, and whether a call's arguments fit the pinned one.
//!
//! JSON Schema 2020-12 unless the schema names another draft. Nothing outside the document is fetched, and patterns
//! run on an engine with linear time.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use doorward_core::id::Digest;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::definition::Definition;
use crate::scan::{ScanFinding, ScanVerdict};

/// Deepest nesting of a schema.
const DEEPEST: usize = 64;
/// Limit on properties of a schema, all levels together.
const MOST_PROPERTIES: usize = 1_024;
/// Largest schema in bytes.
const LARGEST: usize = 256 << 10;

/// Findings in a tool's schemas.
#[must_use]
pub fn faults(server: &str, tool: &Definition) -> Vec<ScanFinding> {
    let mut findings = Vec::new();
    for member in ["inputSchema", "outputSchema"] {
        let Some(schema) = tool.plain_member(member) else { continue };
        let mut add = |code: &str, severity: ScanVerdict, below: &str, message: &str| {
            let pointer = Some(format!("/{member}{below}"));
            findings.push(ScanFinding::new(code, severity, server, &tool.name, pointer, message));
        };
        let size = Size::of(&schema);
        if size.depth > DEEPEST || size.properties > MOST_PROPERTIES || schema.to_string().len() > LARGEST {
            add(
                "schema.limits",
                ScanVerdict::Block,
                "",
                "nested deeper than 64 levels, with more than 1,024 properties, or over 256 KiB",
            );
            continue;
        }
        if member == "inputSchema" && !takes_objects(&schema) {
            add(
                "schema.invalid",
                ScanVerdict::Block,
                "",
                "the arguments of a tool are an object, and the schema says otherwise",
            );
        } else if !is_valid(&schema) {
            add("schema.invalid", ScanVerdict::Block, "", "isn't a valid JSON Schema");
        }
        let ids = ids(&schema);
        each(&schema, "", &mut |pointer, key, value| match (key, value) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target))
                if !target.starts_with('#')
                    && !ids.contains(target.split('#').next().unwrap_or_default()) =>
            {
                add(
                    "schema.remote_ref",
                    ScanVerdict::Block,
                    pointer,
                    "refers to a schema outside the document",
                );
            }
            ("pattern", Value::String(pattern)) if !is_linear(pattern) => {
                add(
                    "schema.redos",
                    ScanVerdict::Review,
                    pointer,
                    "a pattern whose time can explode, or that needs look-around",
                );
            }
            _ => {}
        });
        if member == "inputSchema" {
            for (below, message) in header_faults(&schema) {
                add("schema.header_annotation", ScanVerdict::Review, &below, message);
            }
        }
    }
    findings
}

struct Size {
    depth: usize,
    properties: usize,
}

impl Size {
    fn of(schema: &Value) -> Self {
        let mut size = Self { depth: 0, properties: 0 };
        let mut todo = vec![(schema, 0_usize)];
        while let Some((value, depth)) = todo.pop() {
            size.depth = size.depth.max(depth);
            match value {
                Value::Array(items) => todo.extend(items.iter().map(|item| (item, depth + 1))),
                Value::Object(members) => {
                    if let Some(Value::Object(properties)) = members.get("properties") {
                        size.properties += properties.len();
                    }
                    todo.extend(members.values().map(|member| (member, depth + 1)));
                }
                _ => {}
            }
        }
        size
    }
}

/// Calls `visit` for every member of every object in a value.
fn each(value: &Value, pointer: &str, visit: &mut impl FnMut(&str, &str, &Value)) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                each(item, &format!("{pointer}/{at}"), visit);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let own = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                visit(&own, key, member);
                each(member, &own, visit);
            }
        }
        _ => {}
    }
}

fn ids(schema: &Value) -> HashSet<String> {
    let mut ids = HashSet::new();
    each(schema, "", &mut |_, key, value| {
        if let ("$id", Value::String(id)) = (key, value) {
            ids.insert(id.trim_end_matches('#').to_owned());
        }
    });
    ids
}

/// Whether a schema can describe arguments. Libraries omit the type (`{}`, a top-level `oneOf`), or also accept
/// `null`.
fn takes_objects(schema: &Value) -> bool {
    let is_object = |kind: &Value| kind.as_str() == Some("object");
    match schema.get("type") {
        None => schema.is_object(),
        Some(Value::Array(kinds)) => kinds.iter().any(is_object),
        Some(kind) => is_object(kind),
    }
}

/// Positions of patterns that aren't safe to run or can't be checked here (look-around, back references). Calls of
/// such a tool need confirmation, because its arguments can't be checked completely.
fn odd_patterns(schema: &Value) -> Vec<String> {
    let mut odd = Vec::new();
    each(schema, "", &mut |pointer, key, value| {
        let names = value.as_object().filter(|_| key == "patternProperties");
        let mut patterns = names.into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
        let is_odd = |pattern: &str| !is_linear(pattern) || !is_checkable(pattern);
        if value.as_str().filter(|_| key == "pattern").is_some_and(is_odd) || patterns.any(is_odd) {
            odd.push(pointer.to_owned());
        }
    });
    odd
}

/// Whether the engine that checks arguments accepts a pattern.
fn is_checkable(pattern: &str) -> bool {
    let schema = serde_json::json!({ "pattern": pattern });
    jsonschema::options().with_pattern_options(PatternOptions::regex()).build(&schema).is_ok()
}

/// The schema without patterns that can't be checked, and without rules that would refuse a property named only by
/// such a pattern.
fn without_uncheckable(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(without_uncheckable).collect(),
        Value::Object(members) => {
            let named = |value: &Value| {
                value.as_object().is_some_and(|names| names.keys().any(|name| !is_checkable(name)))
            };
            let open = members.get("patternProperties").is_some_and(named);
            let stays = |(name, value): &(&String, &Value)| match name.as_str() {
                "pattern" => value.as_str().is_none_or(is_checkable),
                "patternProperties" | "additionalProperties" | "unevaluatedProperties" => !open,
                _ => true,
            };
            let kept =
                members.iter().filter(stays).map(|(name, value)| (name.clone(), without_uncheckable(value)));
            Value::Object(kept.collect())
        }
        plain => plain.clone(),
    }
}

/// Whether a schema is valid. An unknown dialect is invalid here.
fn is_valid(schema: &Value) -> bool {
    jsonschema::meta::validator_for(schema).is_ok_and(|validator| validator.is_valid(schema))
}

/// Whether a pattern is safe: an engine without backtracking accepts it, and no repeated group contains a
/// repetition.
fn is_linear(pattern: &str) -> bool {
    if regex_automata::meta::Regex::builder()
        .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
        .configure(regex_automata::meta::Config::new().utf8_empty(false).nfa_size_limit(Some(1 << 20)))
        .build(pattern)
        .is_err()
    {
        // Unicode classes aren't compiled here; they are equally safe.
        let unicode = pattern.contains("\\p") || pattern.contains("\\u") || !pattern.is_ascii();
        if !unicode || pattern.contains("(?=") || pattern.contains("(?!") || pattern.contains("(?<") {
            return false;
        }
    }
    !repeats_a_repetition(pattern)
}

/// `(a+)+`, `(a*b?)*`: an unboundedly repeated group that ends in a repetition.
fn repeats_a_repetition(pattern: &str) -> bool {
    let mut groups: Vec<bool> = Vec::new();
    let mut in_class = false;
    let mut chars = pattern.chars().peekable();
    // Whether the last closed group contains an unbounded repetition.
    let mut holds = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
                holds = false;
            }
            '[' if !in_class => in_class = true,
            ']' if in_class => {
                in_class = false;
                holds = false;
            }
            _ if in_class => {}
            '(' => {
                groups.push(false);
                holds = false;
            }
            ')' => {
                holds = groups.pop().unwrap_or(false);
                if holds && let Some(outer) = groups.last_mut() {
                    *outer = true;
                }
            }
            '*' | '+' => {
                if holds {
                    return true;
                }
                if let Some(group) = groups.last_mut() {
                    *group = true;
                }
                holds = false;
            }
            '{' => {
                let bounds: String = chars.by_ref().take_while(|c| *c != '}').collect();
                if bounds.ends_with(',') && holds {
                    return true;
                }
                holds = false;
            }
            _ => holds = false,
        }
    }
    false
}

fn header_faults(schema: &Value) -> Vec<(String, &'static str)> {
    let mut faults = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    each(schema, "", &mut |pointer, key, value| {
        if key != "x-mcp-header" {
            return;
        }
        let holder = pointer.rsplit_once('/').map_or("", |(holder, _)| holder);
        let is_top = holder.matches('/').count() == 2 && holder.starts_with("/properties/");
        let kind = schema.pointer(holder).and_then(|property| property.get("type")).and_then(Value::as_str);
        let name = value.as_str().unwrap_or_default();
        let is_token = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
        if !is_token {
            faults.push((pointer.to_owned(), "isn't a header name"));
        } else if !is_top || !matches!(kind, Some("string" | "integer" | "boolean")) {
            faults.push((pointer.to_owned(), "only a top-level text, integer or boolean can be a header"));
        } else if !names.insert(name.to_lowercase()) {
            faults.push((pointer.to_owned(), "two properties share one header"));
        }
    });
    faults
}

/// The rule that an argument breaks. Doesn't contain the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("args.schema: {place} breaks the rule `{keyword}` of the tool's schema")]
pub struct Violation {
    /// JSON Pointer into the arguments; `the arguments` for the whole.
    pub place: String,
    /// The rule.
    pub keyword: String,
}

/// Whether arguments fit a schema. Without a schema everything fits.
///
/// # Errors
/// [`Violation`], also if the schema itself is unusable.
pub fn fits(schema: Option<&Value>, arguments: &Value) -> Result<(), Violation> {
    schema.map_or(Ok(()), |schema| Arc::new(Prepared::of(schema.clone())).fits(arguments))
}

/// A schema that is compiled once for many calls.
#[derive(Debug)]
pub struct Prepared {
    schema: Value,
    refers: bool,
    odd: Vec<String>,
    validator: OnceLock<Option<Validator>>,
}

impl Prepared {
    /// The schema is compiled at the first call.
    #[must_use]
    pub fn of(schema: Value) -> Self {
        Self { refers: refers(&schema), odd: odd_patterns(&schema), schema, validator: OnceLock::new() }
    }

    /// Positions of patterns that are unsafe or can't be checked here, as JSON Pointers.
    #[must_use]
    pub fn odd(&self) -> &[String] {
        &self.odd
    }

    /// The schema.
    #[must_use]
    pub const fn schema(&self) -> &Value {
        &self.schema
    }

    /// Whether arguments fit it.
    ///
    /// # Errors
    /// [`Violation`], also if the schema itself is unusable.
    pub fn fits(self: &Arc<Self>, arguments: &Value) -> Result<(), Violation> {
        if !self.refers {
            return self.checked(arguments);
        }
        // References can branch without practical end: such a schema gets one second, once.
        let slow = || Violation {
            place: "the schema itself takes too long to check".to_owned(),
            keyword: "$ref".to_owned(),
        };
        let digest = Digest::of(self.schema.to_string().as_bytes());
        let known = || SLOW.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(&digest) {
            return Err(slow());
        }
        let (schema, arguments) = (Arc::clone(self), arguments.clone());
        let (to, from) = mpsc::channel();
        std::thread::spawn(move || {
            // The receiver may have timed out.
            let _ = to.send(schema.checked(&arguments));
        });
        from.recv_timeout(LONGEST).unwrap_or_else(|_| {
            known().insert(digest);
            Err(slow())
        })
    }

    fn checked(&self, arguments: &Value) -> Result<(), Violation> {
        let unusable = || Violation { place: "the schema itself".to_owned(), keyword: "$schema".to_owned() };
        let validator = self.validator.get_or_init(|| {
            let options = jsonschema::options().should_validate_formats(true);
            let schema = if self.odd.is_empty() {
                Cow::Borrowed(&self.schema)
            } else {
                Cow::Owned(without_uncheckable(&self.schema))
            };
            options.with_pattern_options(PatternOptions::regex()).build(&schema).ok()
        });
        let validator = validator.as_ref().ok_or_else(unusable)?;
        let Some(error) = validator.iter_errors(arguments).next() else { return Ok(()) };
        let place = error.instance_path().to_string();
        let keyword = error.schema_path().to_string();
        let keyword =
            keyword.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or("schema").to_owned();
        Err(Violation { place: if place.is_empty() { "the arguments".to_owned() } else { place }, keyword })
    }
}

/// Time limit for checking arguments.
const LONGEST: Duration = Duration::from_secs(1);
/// Digests of schemas that exceeded it.
static SLOW: Mutex<BTreeSet<Digest>> = Mutex::new(BTreeSet::new());

/// Whether a schema refers to parts of itself.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => {
            members.iter().any(|(key, value)| key.ends_with("Ref") || key == "$ref" || refers(value))
        }
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_without_an_end_is_given_up_and_an_unknown_dialect_is_refused() {
        let mut levels = json!({"type": "object"});
        for at in (0..14).rev() {
            let next = format!("#/$defs/l{}", at + 1);
            let four = vec![json!({"$ref": next}); 4];
            levels["$defs"][format!("l{at}")] = json!({"allOf": four});
        }
        levels["$defs"]["l14"] = json!({"type": "object"});
        levels["$ref"] = json!("#/$defs/l0");
        let begun = std::time::Instant::now();
        assert!(fits(Some(&levels), &json!({})).is_err());
        assert!(fits(Some(&levels), &json!({})).is_err(), "known from then on");
        assert!(begun.elapsed() < 3 * LONGEST, "{:?}", begun.elapsed());
        assert!(!is_valid(&json!({"$schema": "https://nowhere.example/schema", "type": "object"})));
        assert!(is_valid(
            &json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"})
        ));
    }

    #[test]
    fn arguments_are_checked_and_no_value_is_told() {
        let schema = json!({
            "type": "object",
            "properties": {"n": {"type": "integer"}, "m": {"type": "string", "format": "email"}},
            "required": ["n"], "additionalProperties": false,
        });
        assert!(fits(Some(&schema), &json!({"n": 1})).is_ok());
        let told = fits(Some(&schema), &json!({"n": "hunter2"})).unwrap_err().to_string();
        assert_eq!(told, "args.schema: /n breaks the rule `type` of the tool's schema");
        assert_eq!(fits(Some(&schema), &json!({})).unwrap_err().keyword, "required");
        assert_eq!(
            fits(Some(&schema), &json!({"n": 1, "x": 2})).unwrap_err().keyword,
            "additionalProperties"
        );
        assert_eq!(fits(Some(&schema), &json!({"n": 1, "m": "no"})).unwrap_err().keyword, "format");
        let remote =
            json!({"type": "object", "properties": {"n": {"$ref": "https://schemas.example/a.json"}}});
        assert!(fits(Some(&remote), &json!({"n": 1})).is_err(), "nothing is fetched");
    }

    #[test]
    fn a_pattern_that_cannot_be_checked_is_odd_and_the_rest_is_still_checked() {
        let ahead = "^(?!.*\\.\\.).*$";
        let schema = json!({"type": "object", "properties": {"path": {"type": "string", "pattern": ahead},
            "n": {"type": "integer"}, "tag": {"anyOf": [{"pattern": "^(a+)+$"}]}}});
        let prepared = Arc::new(Prepared::of(schema));
        assert_eq!(prepared.odd(), ["/properties/path/pattern", "/properties/tag/anyOf/0/pattern"]);
        assert!(prepared.fits(&json!({"path": "a..b", "n": 1})).is_ok());
        assert_eq!(prepared.fits(&json!({"path": 3})).unwrap_err().keyword, "type");
        assert_eq!(prepared.fits(&json!({"n": "x"})).unwrap_err().keyword, "type");
        assert_eq!(
            prepared.fits(&json!({"tag": "b"})).unwrap_err().keyword,
            "anyOf",
            "it is checked in linear time"
        );
        let names = json!({"type": "object", "patternProperties": {"^(?=x)": {"type": "integer"}},
            "additionalProperties": false, "required": ["xa"]});
        let prepared = Arc::new(Prepared::of(names));
        assert_eq!(prepared.odd(), ["/patternProperties"]);
        assert!(prepared.fits(&json!({"xa": 1})).is_ok());
        assert_eq!(prepared.fits(&json!({})).unwrap_err().keyword, "required");
        let plain = json!({"type": "object", "properties": {"a": {"pattern": "^\\p{L}{1,3}$"}}});
        assert!(Prepared::of(plain).odd().is_empty());
    }

    #[test]
    fn arguments_of_libraries_that_leave_the_type_out_are_objects_too() {
        for schema in [
            json!({}),
            json!({"type": ["object", "null"]}),
            json!({"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]}),
            json!({"properties": {"a": {}}}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}),
        ] {
            assert!(takes_objects(&schema) && is_valid(&schema), "{schema}");
            let tool = json!({"name": "t", "inputSchema": schema}).to_string();
            assert_eq!(faults("s", &Definition::of(&tool).unwrap()), [], "{tool}");
        }
        for schema in
            [json!({"type": "array"}), json!({"type": ["string", "null"]}), json!(true), json!({"type": 3})]
        {
            assert!(!takes_objects(&schema), "{schema}");
        }
    }

    #[test]
    fn patterns_that_explode_are_told_from_those_that_do_not() {
        for bad in ["^(a+)+$", "(a*)*b", "((ab)*c?)+(x+)+", "(?=a)b", r"(a)\1"] {
            assert!(!is_linear(bad), "{bad}");
        }
        for good in
            ["^[0-9+*/(). -]{1,200}$", "^(ab)+$", "^a+b+$", r"^\d{3}-\d+$", "^([a-z]{2})+$", r"^\p{L}+$"]
        {
            assert!(is_linear(good), "{good}");
        }
    }
}
