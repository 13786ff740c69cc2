//! What the seeds demand, one row each: `rows/000.txt` and its neighbours. A heading `## PLACE` names the seed and the
//! place in it. A row is
//!
//! `what it says :: call :: mode :: what must happen :: settings :: without the feature [:: ways left out]`
//!
//! Settings are names of `rows/settings.toml`, joined by ` + `; `NAME@ANSWER` starts a model or an engine that answers
//! so. In the sixth place are the settings without the feature, or `~ CALL`, a neighbour under the same settings. There
//! the row's demand must not be met: a cell that is met all the same proves nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::judge::Says;

/// A call, the same on every way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub kind: Kind,
    pub text: String,
    /// What the model says of its own call.
    pub label: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A shell command.
    Shell,
    /// Arguments of a shell call as JSON, whatever their shape.
    Raw,
    Write,
    Read,
    Delete,
    Mkdir,
    Fetch,
    Python,
}

/// What must become of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Must {
    pub end: End,
    /// What the answer or the record has to name; empty for nothing in particular.
    pub code: String,
}

/// What becomes of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Runs,
    /// A person is asked, by Doorward or by the client that asks in this mode anyway.
    Asked,
    Refused,
}

/// What a way in told, and what the record says.
#[derive(Debug)]
pub struct Told {
    pub end: End,
    pub text: String,
}

/// Settings, with what a model or an engine answers under them.
#[derive(Debug, Clone, PartialEq)]
pub struct Under {
    pub names: String,
    pub settings: toml::Table,
    pub judge: Option<Says>,
}

/// One demand.
#[derive(Debug, Clone)]
pub struct Row {
    /// Seed and place.
    pub place: String,
    pub says: String,
    pub call: Call,
    pub mode: String,
    pub must: Must,
    pub under: Under,
    pub off: Off,
    /// Ways left out, each with its reason.
    pub left_out: Vec<(String, String)>,
}

/// How the row's demand is broken on purpose.
#[derive(Debug, Clone)]
pub enum Off {
    Settings(Under),
    Neighbour(Call),
}

impl Must {
    pub fn is_met(&self, told: &Told) -> bool {
        // What a question rests on is in the record, in the answer of `check`, or in the code that a library tells.
        let code = match (self.end, self.code.as_str()) {
            (End::Asked, "risk") => "confirm.policy",
            (End::Asked, "mode") => "mode.confirm",
            (End::Asked, "rule") => "rule.ask",
            (_, code) => code,
        };
        let rests = format!("\"basis\":\"{}\"", self.code);
        let named = told.text.contains(code) || (self.end == End::Asked && told.text.contains(&rests));
        self.end == told.end && named
    }
}

struct Words {
    settings: BTreeMap<String, toml::Table>,
    /// By code: the ways, then the reason.
    left_out: BTreeMap<String, Vec<String>>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let whole: toml::Table = read("settings.toml").parse().unwrap();
    let settings = whole["settings"].as_table().unwrap().iter();
    let left_out = whole["left_out"].as_table().unwrap().iter();
    let texts = |value: &toml::Value| {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    Words {
        settings: settings
            .map(|(name, text)| {
                (name.clone(), text.as_str().unwrap().parse().unwrap_or_else(|e| panic!("{name}: {e}")))
            })
            .collect(),
        left_out: left_out.map(|(code, texts_)| (code.clone(), texts(texts_))).collect(),
    }
});

/// A file of rows or settings.
fn read(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/conformance/rows");
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

/// The settings that rows name, as they are written.
pub fn named_settings() -> Vec<(String, String)> {
    let whole: toml::Table = read("settings.toml").parse().unwrap();
    let named = whole["settings"].as_table().unwrap().iter();
    named.map(|(name, text)| (name.clone(), text.as_str().unwrap().trim().replace('\n', "; "))).collect()
}

/// Every row, in the order of the seeds.
pub static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let seeds = ["000.txt", "002.txt", "003.txt", "004.txt"].map(read);
    let mut rows = Vec::new();
    for seed in &seeds {
        let mut place = "";
        for line in seed.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
            match line.strip_prefix("## ") {
                Some(heading) => place = heading,
                None => rows.push(row(place, line)),
            }
        }
    }
    rows
});

fn row(place: &str, line: &str) -> Row {
    let parts: Vec<&str> = line.split(" :: ").map(str::trim).collect();
    let [says, call_text, mode, must, under, off, more @ ..] = parts.as_slice() else {
        panic!("a row has six parts: {line}")
    };
    let codes = more.first().map(|codes| codes.split(' ')).into_iter().flatten();
    let left_out = codes.flat_map(|code| {
        let words = WORDS.left_out.get(code).unwrap_or_else(|| panic!("no such code {code}: {line}"));
        let (reason, ways) = words.split_last().unwrap();
        ways.iter().map(|way| (way.clone(), reason.clone()))
    });
    let off = match off.strip_prefix("~ ") {
        Some(neighbour) => Off::Neighbour(call(neighbour)),
        None => Off::Settings(settings(off)),
    };
    Row {
        place: place.to_owned(),
        says: (*says).to_owned(),
        call: call(call_text),
        mode: (*mode).to_owned(),
        must: must_of(must),
        under: settings(under),
        off,
        left_out: left_out.collect(),
    }
}

fn call(text: &str) -> Call {
    let (label, text) = match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((label, rest)) => (Some(label.to_owned()), rest),
        None => (None, text),
    };
    const KINDS: [(&str, Kind); 7] = [
        ("raw ", Kind::Raw),
        ("write ", Kind::Write),
        ("read ", Kind::Read),
        ("delete ", Kind::Delete),
        ("folder ", Kind::Mkdir),
        ("fetch ", Kind::Fetch),
        ("python ", Kind::Python),
    ];
    let named = KINDS.iter().find_map(|(word, kind)| Some((*kind, text.strip_prefix(word)?)));
    let (kind, text) = named.unwrap_or((Kind::Shell, text));
    Call { kind, text: text.to_owned(), label }
}

fn must_of(text: &str) -> Must {
    let (end, code) = text.split_once(' ').unwrap_or((text, ""));
    let end = match end {
        "runs" => End::Runs,
        "asked" => End::Asked,
        "refused" => End::Refused,
        other => panic!("what must happen is runs, asked or refused: {other}"),
    };
    Must { end, code: code.to_owned() }
}

/// The settings of these names, merged.
fn settings(names: &str) -> Under {
    let mut under = Under { names: names.to_owned(), settings: toml::Table::new(), judge: None };
    for name in names.split(" + ").filter(|name| *name != "-") {
        let (name, says) = name.split_once('@').map_or((name, None), |(name, says)| (name, Some(says)));
        let table = WORDS.settings.get(name).unwrap_or_else(|| panic!("no settings are called {name}"));
        merge(&mut under.settings, table);
        under.judge = says.map(answer).or(under.judge);
    }
    under
}

fn answer(word: &str) -> Says {
    match word {
        "garbled" => Says::Garbled,
        "down" => Says::Status(500),
        "ALLOW" => Says::Json(r#"{"decision": "ALLOW", "reason": "on the list", "obligations": []}"#),
        "DENY" => Says::Json(r#"{"decision": "DENY", "reason": "on no list", "obligations": []}"#),
        "CONFIRM" => Says::Json(
            r#"{"decision": "REQUIRE_USER_CONFIRMATION", "reason": "ask first", "obligations": []}"#,
        ),
        score => Says::Score(score.parse().unwrap_or_else(|_| panic!("no such answer: {score}"))),
    }
}

/// Puts one table into another, section by section.
pub fn merge(into: &mut toml::Table, from: &toml::Table) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(toml::Value::Table(own)), toml::Value::Table(more)) => merge(own, more),
            _ => drop(into.insert(key.clone(), value.clone())),
        }
    }
}
