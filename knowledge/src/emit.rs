//! Writes the Rust tables of a spec.

use std::fmt::Write as _;

use crate::spec::{Act, Condition, OptionSpec, Row, Rule, SpecFile};

/// Columns that a line of the generated file may have.
const WIDTH: usize = 106;

/// The generated file of a spec.
#[must_use]
pub fn emit(spec: &SpecFile) -> String {
    let mut out = format!(
        "// Generated from knowledge/programs/{}.kdl by `cargo run -p doorward-knowledge`; edit that file.\n\n\
         use super::prelude::*;\n",
        spec.name
    );
    for (name, options) in &spec.groups {
        let _ = writeln!(out, "\nconst {}: &str = {};", constant(name), option_text(options, 0));
    }
    out.push_str("\npub(in crate::programs) static ROWS: &[ProgramRow] = &[\n");
    for program in &spec.programs {
        let source = format!("{} {}", program.source.manual, program.source.version);
        Emitter { spec, source: &source }.row(&program.row, &[], "", 1, &mut out);
    }
    out.push_str("];\n");
    out
}

struct Emitter<'a> {
    spec: &'a SpecFile,
    source: &'a str,
}

impl Emitter<'_> {
    /// One row. `above` are the options of the programs and commands that it stands in.
    /// A lenient parent has lenient commands.
    fn row(&self, row: &Row, above: &[&OptionSpec], parent: &str, depth: usize, out: &mut String) {
        let style = if row.style.is_empty() { parent } else { row.style.as_str() };
        let inherited = if style == "lenient" { style } else { "" };
        let pad = "    ".repeat(depth);
        let maker = match row.nature.as_str() {
            "reads" => "reads",
            "named" => "named",
            _ => "works",
        };
        let inner = format!("{pad}    ");
        let names = folded(&row.names, " ", depth + 1);
        let options = option_text(&row.options, depth + 1);
        let leaf = row.commands.is_empty() && row.shared.is_empty();
        let operands = match row.operands.join(" ") {
            operands if operands.is_empty() && leaf && style.starts_with("lenient") => "data*".to_owned(),
            operands => operands,
        };
        let _ = writeln!(out, "{pad}{maker}(\n{inner}{names},\n{inner}{:?},\n{inner}{options},", self.source);
        let _ = writeln!(out, "{inner}{operands:?},\n{pad})");
        for (method, name) in ["also", "and"].iter().zip(&row.uses) {
            let _ = writeln!(out, "{pad}.{method}({})", constant(name));
        }
        let style = match style {
            "posix" => "Posix",
            "word" => "Word",
            "raw" => "Raw",
            "lenient" => "Lenient",
            "lenient-posix" => "LenientPosix",
            _ => "",
        };
        if !style.is_empty() {
            let _ = writeln!(out, "{pad}.style(Style::{style})");
        }
        match row.prints.as_str() {
            "filtered" => drop(writeln!(out, "{pad}.prints(Output::Filtered)")),
            "nothing" => drop(writeln!(out, "{pad}.prints(Output::Nothing)")),
            _ => {}
        }
        if row.stdin == "ignored" {
            let _ = writeln!(out, "{pad}.takes(StdinRole::Ignored)");
        }
        let groups = row.uses.iter().filter_map(|name| self.spec.groups.get(name)).flatten();
        let options: Vec<&OptionSpec> =
            row.options.iter().chain(groups).chain(above.iter().copied()).collect();
        if !row.rules.is_empty() {
            let _ = writeln!(out, "{pad}.rules(&[");
            row.rules.iter().for_each(|rule| self.rule(rule, &options, depth + 1, out));
            let _ = writeln!(out, "{pad}])");
        }
        if !row.otherwise.is_empty() {
            let _ = writeln!(out, "{pad}.otherwise(&[");
            row.otherwise.iter().for_each(|rule| self.rule(rule, &options, depth + 1, out));
            let _ = writeln!(out, "{pad}])");
        }
        let shared = row.shared.iter().filter_map(|name| self.spec.commands.get(name)).flatten();
        let commands: Vec<&Row> = row.commands.iter().chain(shared).collect();
        if !commands.is_empty() {
            let _ = writeln!(out, "{pad}.subs(&[");
            commands.iter().for_each(|command| self.row(command, &options, inherited, depth + 1, out));
            let _ = writeln!(out, "{pad}])");
        }
        let _ = writeln!(out, "{pad},");
    }

    fn rule(&self, rule: &Rule, options: &[&OptionSpec], depth: usize, out: &mut String) {
        let pad = "    ".repeat(depth);
        let is = rule.conditions.iter().find(|condition| condition.key == "is");
        let is = is.map_or(&[][..], |condition| condition.words.as_slice());
        let _ = writeln!(out, "{pad}Rule {{\n{pad}    when: &[");
        for condition in rule.conditions.iter().filter(|condition| condition.key != "is") {
            let _ = writeln!(out, "{pad}        {},", self.condition(condition, is, options));
        }
        let _ = writeln!(out, "{pad}    ],\n{pad}    acts: &[");
        for act in &rule.acts {
            let _ = writeln!(out, "{pad}        {},", self.act(act, options));
        }
        let _ = writeln!(out, "{pad}    ],\n{pad}}},");
    }

    fn condition(&self, condition: &Condition, is: &[String], options: &[&OptionSpec]) -> String {
        let words = list(&condition.words);
        let given = list(&first_spellings(&condition.words, options));
        match condition.key.as_str() {
            "has" | "and-has" => format!("Condition::Has({given})"),
            "lacks" => format!("Condition::Lacks({given})"),
            "value" => format!("Condition::Value({given}, {})", list(is)),
            "first" => format!("Condition::First({words})"),
            "first-not" => format!("Condition::FirstNot({words})"),
            "called" => format!("Condition::Called({words})"),
            "program" => format!("Condition::Program({words})"),
            "kind" => format!("Condition::Kind({words})"),
            "hidden" => "Condition::HiddenOperand".to_owned(),
            "contains" => format!("Condition::Contains({words})"),
            "operands" => {
                let range = condition.words.first().map(String::as_str).unwrap_or_default();
                let (least, most) = range.split_once("..").unwrap_or((range, range));
                format!("Condition::Operands({least}, {})", if most.is_empty() { "usize::MAX" } else { most })
            }
            _ => format!("Condition::Word({words})"),
        }
    }

    fn act(&self, act: &Act, options: &[&OptionSpec]) -> String {
        let value = |at: usize| act.values.get(at).map(String::as_str).unwrap_or_default();
        let named = |key: &str| act.named.get(key).map(String::as_str).unwrap_or_default();
        let scheme = act.named.get("scheme").map_or("https", String::as_str);
        let direction = |word: &str| format!("Direction::{}", capital(word));
        let place = |text: &str| match text {
            "--" => ("AFTER_DASHES".to_owned(), true),
            text => (text.trim_end_matches("..").to_owned(), text.ends_with("..")),
        };
        match act.key.as_str() {
            "only-reads" => "Act::OnlyReads".to_owned(),
            "acts" => "Act::Acts".to_owned(),
            "beyond-plain" => "Act::BeyondPlain".to_owned(),
            "finding" => format!("Act::Finding({:?}, {:?})", format!("shell.{}", value(0)), value(1)),
            "loses" => format!("Act::Loses({:?}, RecoverableBy::{})", value(0), capital(named("back"))),
            "contacts" => format!("Act::Contacts({:?}, {scheme:?}, {})", value(0), direction(value(1))),
            "contacts-remote" => {
                format!("Act::ContactsRemote({:?}, {scheme:?}, {})", value(0), direction(value(1)))
            }
            "contacts-unknown" => format!("Act::ContactsUnknown({scheme:?}, {})", direction(value(0))),
            "listens" => {
                let port = first_spellings(&[named("port").to_owned()], options).concat();
                format!("Act::Listens({:?}, {scheme:?}, {port:?})", value(0))
            }
            "writes-file" => format!("Act::WritesFile({:?})", value(0)),
            "operand" => {
                let (from, to_end) = place(value(0));
                if value(1) != "delete" {
                    return format!("Act::Operand({from}, {to_end}, Role::{})", role(value(1)));
                }
                let words = |key| {
                    let words: Vec<String> = named(key).split_ascii_whitespace().map(str::to_owned).collect();
                    list(&first_spellings(&words, options))
                };
                format!("Act::DeletesOperand({from}, {to_end}, {}, {})", words("recursive"), words("force"))
            }
            "privilege" => {
                let kind =
                    if value(0) == "container" { "ContainerEscape".to_owned() } else { capital(value(0)) };
                format!("Act::Privilege(PrivilegeKind::{kind}, {:?})", value(1))
            }
            "runs-project" => format!("Act::RunsProject({:?}, {:?})", value(0), named("code")),
            "runs-path" => {
                format!("Act::RunsPath({:?})", first_spellings(&[value(0).to_owned()], options).concat())
            }
            "runs" => format!("Act::Runs({})", value(0).trim_end_matches("..")),
            "runs-inside" if value(0) == "--" => {
                let place = named("else");
                format!("Act::RunsInsideAfterDashes({})", if place.is_empty() { "usize::MAX" } else { place })
            }
            "mentions" => "Act::Mentions".to_owned(),
            "runs-inside" => format!("Act::RunsInside({})", value(0).trim_end_matches("..")),
            "rust" => format!("Act::Rust(super::super::{}::{})", self.spec.functions, value(0)),
            _ => "Act::Stop".to_owned(),
        }
    }
}

/// Conditions ask for an option by its first spelling.
fn first_spellings(words: &[String], options: &[&OptionSpec]) -> Vec<String> {
    let first = |word: &String| {
        let found = options.iter().find(|option| option.spellings.contains(word));
        found.and_then(|option| option.spellings.first()).unwrap_or(word).clone()
    };
    let mut all: Vec<String> = words.iter().map(first).collect();
    all.dedup();
    all
}

fn constant(name: &str) -> String {
    name.to_ascii_uppercase().replace('-', "_")
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    format!("{}{rest}", first.to_ascii_uppercase())
}

fn role(word: &str) -> String {
    match word {
        "inplace" => "InPlace".to_owned(),
        "sh" => "Shell".to_owned(),
        "prog" => "Program".to_owned(),
        "file" => "File(\"\")".to_owned(),
        "pat" | "num" => "Data".to_owned(),
        other => capital(other),
    }
}

fn list(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    let mut text = String::from("&[");
    let mut column = 0;
    for (at, word) in quoted.iter().enumerate() {
        if column + word.len() > 70 {
            text.push_str("\n                        ");
            column = 0;
        }
        column += word.len() + 2;
        text.push_str(word);
        text.push_str(if at + 1 < quoted.len() { ", " } else { "" });
    }
    text.push(']');
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn option_text(options: &[OptionSpec], depth: usize) -> String {
    let token = |option: &OptionSpec| {
        let spellings = option.spellings.join("|");
        match &option.role {
            Some(role) if option.attached => format!("{spellings}?={role}"),
            Some(role) => format!("{spellings}={role}"),
            None => spellings,
        }
    };
    folded(&options.iter().map(token).collect::<Vec<_>>(), " ", depth)
}

/// A string literal over as many lines as it needs.
fn folded(tokens: &[String], gap: &str, depth: usize) -> String {
    let pad = "    ".repeat(depth + 1);
    let mut lines = vec![String::new()];
    for token in tokens {
        let line = lines.last().map_or(0, String::len);
        if line > 0 && pad.len() + line + token.len() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(token);
            line.push_str(gap);
        }
    }
    if lines.len() > 1 {
        lines.insert(0, String::new());
    }
    let text = lines.join(&format!("\\\n{pad}"));
    format!("\"{}\"", text.trim_end().replace('"', "\\\""))
}
