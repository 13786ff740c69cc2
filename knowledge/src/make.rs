//! Makes rows of a spec. This is the one way from a spec to a row: rows of shipped specs are made when Doorward is
//! built and packed ([`pack`](crate::pack())), those of users' files when Doorward reads them.
//!
//! Rows live as long as the process, so their texts do.

use std::collections::BTreeMap;

use crate::acts;
use crate::effect::{AnyOf, Arrives, Condition, Pick, Rule};
use crate::list::List;
use crate::row::{Nature, Output, ProgramRow, Role, Style};
use crate::spec::{Condition as SpecCondition, OptionSpec, Program, Row, Rule as SpecRule, SpecFile};
use crate::vocabulary::{ALL_RAW, word};

/// A row for each program of a spec, in their order.
#[must_use]
pub fn rows(spec: &SpecFile) -> Vec<ProgramRow> {
    let style = spec.programs.first().map_or("", |program| program.row.style.as_str());
    let mut maker = Maker { spec, sets: BTreeMap::new() };
    for (name, rows) in &spec.commands {
        let rows = rows.iter().map(|row| maker.row(row, &[], style)).collect();
        maker.sets.insert(name, rows);
    }
    let program = |program: &Program| ProgramRow {
        source: text(format!("{} {}", program.source.manual, program.source.version)),
        any_case: program.any_case,
        compared: program.source.is_compared(),
        ..maker.row(&program.row, &[], "")
    };
    spec.programs.iter().map(program).collect()
}

struct Maker<'a> {
    spec: &'a SpecFile,
    /// Sets of commands that programs share.
    sets: BTreeMap<&'a str, Vec<ProgramRow>>,
}

impl Maker<'_> {
    /// One row. `above` are the options of the programs and commands that it stands in. A lenient parent has lenient
    /// commands.
    fn row(&self, spec: &Row, above: &[&OptionSpec], parent: &str) -> ProgramRow {
        let named = if spec.style.is_empty() { parent } else { spec.style.as_str() };
        let inherited =
            if matches!(named, "lenient" | "word" | "lenient-word" | "windows") { named } else { "" };
        let nature = word(&spec.nature).unwrap_or(Nature::Works);
        let groups: Vec<&Vec<OptionSpec>> =
            spec.uses.iter().filter_map(|name| self.spec.groups.get(name)).collect();
        let group = |at: usize| groups.get(at).map_or("", |group| options_text(group));
        let visible: Vec<&OptionSpec> = spec
            .options
            .iter()
            .chain(groups.iter().copied().flatten())
            .chain(above.iter().copied())
            .collect();
        let own = spec.commands.iter().map(|row| self.row(row, &visible, inherited));
        let shared = spec.shared.iter().filter_map(|name| self.sets.get(name.as_str())).flatten().copied();
        let subs: List<ProgramRow> = own.chain(shared).collect();
        let operands = match spec.operands.join(" ") {
            operands if operands.is_empty() && subs.is_empty() && named.starts_with("lenient") => "data*",
            operands => text(operands),
        };
        let style = style(named, nature);
        let rules = |rules: &[SpecRule]| {
            rules.iter().map(|spec| rule(spec, &visible, &self.spec.functions)).collect()
        };
        ProgramRow {
            names: text(spec.names.join(" ")),
            source: "",
            nature,
            style: if subs.is_empty() { style } else { style.in_front_of_a_command() },
            options: options_text(&spec.options),
            common: group(0),
            more: group(1),
            operands,
            subs,
            rules: rules(&spec.rules),
            otherwise: rules(&spec.otherwise),
            throughout: rules(&spec.throughout),
            output: match spec.prints.as_str() {
                "" if nature == Nature::Named => Output::Nothing,
                prints => word(prints).unwrap_or_default(),
            },
            stdin: word(&spec.stdin).unwrap_or_default(),
            reading: if spec.style == ALL_RAW { Style::Raw } else { Style::Gnu },
            any_case: false,
            compared: true,
        }
    }
}

fn style(named: &str, nature: Nature) -> Style {
    let usual = if nature == Nature::Wrapper { Style::Posix } else { Style::Gnu };
    if named == ALL_RAW { Style::Raw } else { word(named).unwrap_or(usual) }
}

fn rule(spec: &SpecRule, options: &[&OptionSpec], functions: &str) -> Rule {
    let when = spec.conditions.iter().filter(|condition| !is_detail(&condition.key));
    Rule {
        when: when.map(|condition| self::condition(condition, spec, options)).collect(),
        acts: spec.acts.iter().map(|act| acts::made(act, options, functions)).collect(),
    }
}

/// Whether a key of a condition only says more about another: `is` of `value`, `fits` and `except` of `at`.
fn is_detail(key: &str) -> bool {
    matches!(key, "is" | "fits" | "except")
}

fn condition(spec: &SpecCondition, rule: &SpecRule, options: &[&OptionSpec]) -> Condition {
    let detail = |key: &str| {
        let found = rule.conditions.iter().find(|condition| condition.key == key);
        // Words are split at blanks, so that a blank in one is written `\s`.
        let texts = found.map_or(&[][..], |condition| condition.words.as_slice());
        words(&texts.iter().map(|text| text.replace("\\s", " ")).collect::<Vec<_>>())
    };
    let own = || words(&spec.words);
    let given = || words(&first_spellings(&spec.words, options));
    let first = spec.words.first().map(String::as_str).unwrap_or_default();
    match spec.key.as_str() {
        "has" | "and-has" => Condition::Has(given()),
        "lacks" => Condition::Lacks(given()),
        "value" => Condition::Value(given(), detail("is")),
        "at" => Condition::At(Pick {
            at: given(),
            fits: detail("fits"),
            except: detail("except"),
            after: List::EMPTY,
        }),
        "first" => Condition::First(own()),
        "first-not" => Condition::FirstNot(own()),
        "called" => Condition::Called(own()),
        "program" => Condition::Program(own()),
        "kind" => Condition::Kind(own()),
        "hidden" => Condition::HiddenOperand,
        "operand" => Condition::Operand(own()),
        "no-operand" => Condition::NoOperand(own()),
        "path" => Condition::Path(own()),
        "verb" => Condition::Verb(own()),
        "contains" => Condition::Contains(own()),
        "stdin" => Condition::Stdin(word(first).unwrap_or(Arrives::Given)),
        key @ ("operands" | "options" | "words") => {
            let (least, most) = first.split_once("..").unwrap_or((first, first));
            let (least, most) = (least.parse().unwrap_or(0), most.parse().unwrap_or(u16::MAX));
            match key {
                "operands" => Condition::Operands(least, most),
                "options" => Condition::Options(least, most),
                _ => Condition::Words(least, most),
            }
        }
        _ => Condition::Word(own()),
    }
}

/// Options by their first spellings, which is how conditions and effects ask for them.
pub(crate) fn first_spellings(words: &[String], options: &[&OptionSpec]) -> Vec<String> {
    let first = |word: &String| {
        let found = options.iter().find(|option| option.spellings.contains(word));
        found.and_then(|option| option.spellings.first()).unwrap_or(word).clone()
    };
    let mut all: Vec<String> = words.iter().map(first).collect();
    all.dedup();
    all
}

/// A role, which the parser has checked.
pub(crate) fn role(word: &'static str) -> Role {
    Role::named(word).unwrap_or(Role::Config)
}

/// Options as a row writes them: `-o|--output=write -v`.
fn options_text(options: &[OptionSpec]) -> &'static str {
    let token = |option: &OptionSpec| {
        let spellings = option.spellings.join("|");
        match &option.role {
            Some(role) if option.attached => format!("{spellings}?={role}"),
            Some(role) if option.maybe => format!("{spellings}%={role}"),
            Some(role) => format!("{spellings}={role}"),
            None => spellings,
        }
    };
    text(options.iter().map(token).collect::<Vec<_>>().join(" "))
}

pub(crate) fn text(text: String) -> &'static str {
    if text.is_empty() { "" } else { text.leak() }
}

pub(crate) fn words(words: &[String]) -> AnyOf {
    words.iter().map(|word| text(word.clone())).collect()
}
