//! Values, where they came from, and the streams that carry them between commands.
//!
//! A value is text in which [`HOLE`] stands for what can't be known; its [`Taint`] says where the bytes came
//! from, so that a file's content can be followed into a host or an interpreter.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use doorward_core::intent::{Operand, Span};

use crate::programs::endless::Endless;

/// Stands for unknown text inside a value: a Unicode noncharacter, which the guard keeps out of the input.
pub(crate) const HOLE: char = '\u{FDD0}';

/// Pattern characters inside a value that came from a glob (`for f in *.log`), so that they stay patterns even
/// where the value is quoted: what they stand for, then the mark.
pub(crate) const ACTIVE: [(char, char); 3] = [('*', '\u{FDD1}'), ('?', '\u{FDD2}'), ('[', '\u{FDD3}')];

/// Marks that must not stand in the input.
pub(crate) fn is_mark(character: char) -> bool {
    ('\u{FDD0}'..='\u{FDEF}').contains(&character)
}

/// The longest value or stream that is kept; longer ones are unknown.
pub(crate) const LIMIT: usize = 64 * 1024;

/// The most patterns that the lines of a stream are described by.
pub(crate) const MOST_NAMES: usize = 16;

/// The text of a value in which a pattern's characters stay patterns, quoted or not.
pub(crate) fn active(pattern: &str) -> String {
    ACTIVE.iter().fold(pattern.to_owned(), |text, (plain, mark)| text.replace(*plain, &mark.to_string()))
}

/// An element of an array. A pattern and what isn't known stand for any number of elements, so from one on no position
/// is sure.
pub(crate) fn element(list: &BTreeMap<i64, Value>, index: i64) -> Option<Value> {
    match list.iter().find(|(_, value)| value.text.contains(is_mark)) {
        Some((at, value)) if index >= *at => {
            let alone = list.keys().next_back() == Some(at);
            Some(if alone { value.clone() } else { Value::unknown() })
        }
        _ => list.get(&index).cloned(),
    }
}

/// The pattern that such a text stands for.
pub(crate) fn pattern(text: &str) -> String {
    ACTIVE.iter().fold(text.to_owned(), |text, (plain, mark)| text.replace(*mark, &plain.to_string()))
}

/// Where bytes came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Taint {
    /// From the network.
    pub(crate) network: bool,
    /// Decoded or otherwise made unreadable on the way (`base64 -d`, `rev`, `$'\x…'`).
    pub(crate) decoded: bool,
    /// Parts or other forms of a file, by a program that can't be computed (`cut`, `sed -n`, `git show HEAD:f`).
    pub(crate) picked: bool,
    /// Reads of the intent, by index.
    pub(crate) reads: BTreeSet<usize>,
    /// Environment variables.
    pub(crate) env: BTreeSet<String>,
    /// Those of them beside which the text says what stands in their place: `${CARGO:-cargo}`.
    pub(crate) defaulted: BTreeSet<String>,
    /// The name of a folder that this text made (`mktemp -d`).
    pub(crate) new_folder: bool,
    /// Output of a program that prints shell settings for `eval` (`ssh-agent -s`).
    pub(crate) settings: bool,
}

impl Taint {
    /// Adds what `other` knows.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.network |= other.network;
        self.decoded |= other.decoded;
        self.picked |= other.picked;
        self.new_folder |= other.new_folder;
        self.settings |= other.settings;
        self.reads.extend(&other.reads);
        self.env.extend(other.env.iter().cloned());
        self.defaulted.extend(other.defaulted.iter().cloned());
    }

    /// Whether it is nothing but variables for which the text has another value, should nobody have set them.
    pub(crate) fn is_defaulted(&self) -> bool {
        let plain = Self { env: self.env.clone(), defaulted: self.env.clone(), ..Self::default() };
        !self.env.is_empty() && *self == plain
    }
}

/// A taint that is usually absent.
pub(crate) type Trail = Option<Rc<Taint>>;

/// Both trails in one.
pub(crate) fn follow_both(left: &Trail, right: &Trail) -> Trail {
    match (left, right) {
        (None, other) | (other, None) => other.clone(),
        (Some(one), Some(two)) if Rc::ptr_eq(one, two) => left.clone(),
        (Some(one), Some(two)) => {
            let mut both = (**one).clone();
            both.merge(two);
            Some(Rc::new(both))
        }
    }
}

/// Text with its origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Value {
    pub(crate) text: String,
    pub(crate) trail: Trail,
}

impl Value {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), trail: None }
    }

    pub(crate) fn unknown() -> Self {
        Self::known(HOLE)
    }

    /// Unknown text from an environment variable.
    pub(crate) fn environment(name: &str) -> Self {
        let taint = Taint { env: BTreeSet::from([name.to_owned()]), ..Taint::default() };
        Self { text: HOLE.to_string(), trail: Some(Rc::new(taint)) }
    }

    pub(crate) fn is_known(&self) -> bool {
        !self.text.contains(is_mark)
    }

    pub(crate) fn exact(&self) -> Option<&str> {
        self.is_known().then_some(self.text.as_str())
    }
}

/// What flows out of one command and into another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stream {
    /// Nothing was connected: the caller's own.
    pub(crate) inherited: bool,
    /// The exact bytes, as text, where they are known.
    pub(crate) known: Option<String>,
    /// It is exactly this file.
    pub(crate) file: Option<Operand>,
    /// Every line is a name that one of these patterns fits, as [`Value`] texts.
    pub(crate) names: Option<Rc<Vec<String>>>,
    pub(crate) trail: Trail,
    pub(crate) span: Span,
    /// It never ends.
    pub(crate) endless: Option<Endless>,
}

impl Stream {
    pub(crate) fn inherited() -> Self {
        Self { inherited: true, ..Self::default() }
    }

    pub(crate) fn nothing() -> Self {
        Self { known: Some(String::new()), ..Self::default() }
    }

    pub(crate) fn text(text: String, trail: Trail, span: Span) -> Self {
        if text.contains(is_mark) {
            // What is known of a text in parts still tells what its lines may be.
            let names = (text.len() <= 1024 && text.lines().count() <= MOST_NAMES)
                .then(|| Rc::new(text.lines().map(str::to_owned).collect()));
            return Self { names, trail, span, ..Self::default() };
        }
        let known = (text.len() <= LIMIT).then_some(text);
        Self { known, trail, span, ..Self::default() }
    }

    pub(crate) fn unknown(trail: Trail, span: Span) -> Self {
        Self { trail, span, ..Self::default() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.known.as_deref() == Some("")
    }

    /// This, then that.
    pub(crate) fn then(self, next: Self) -> Self {
        if self.is_nothing() && self.trail.is_none() {
            return next;
        }
        if next.is_nothing() && next.trail.is_none() {
            return self;
        }
        let known = match (self.known, next.known) {
            (Some(mut one), Some(two)) if one.len() + two.len() <= LIMIT => {
                one.push_str(&two);
                Some(one)
            }
            _ => None,
        };
        let names = match (self.names, next.names) {
            (Some(mut one), Some(two)) if one.len() + two.len() <= MOST_NAMES => {
                Rc::make_mut(&mut one).extend(two.iter().cloned());
                Some(one)
            }
            _ => None,
        };
        Self {
            inherited: false,
            known,
            file: None,
            names,
            trail: follow_both(&self.trail, &next.trail),
            span: self.span.cover(next.span),
            endless: self.endless.or(next.endless),
        }
    }

    /// As the value of a substitution: trailing line ends are dropped.
    pub(crate) fn value(&self) -> Value {
        match &self.known {
            Some(text) => {
                Value { text: text.trim_end_matches('\n').replace('\0', ""), trail: self.trail.clone() }
            }
            None => {
                let text = self.names.as_ref().map_or_else(|| HOLE.to_string(), |names| names.join("\n"));
                Value { text, trail: self.trail.clone() }
            }
        }
    }

    /// What one line of it may be, where its lines are names.
    pub(crate) fn lines(&self) -> Option<Vec<Value>> {
        let names = self.names.as_ref().filter(|_| self.known.is_none())?;
        Some(names.iter().map(|text| Value { text: text.clone(), trail: self.trail.clone() }).collect())
    }

    pub(crate) fn network(&self) -> bool {
        self.trail.as_ref().is_some_and(|taint| taint.network)
    }

    pub(crate) fn decoded(&self) -> bool {
        self.trail.as_ref().is_some_and(|taint| taint.decoded)
    }
}

/// An evaluated word with its origin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Arg {
    pub(crate) word: crate::deed::Word,
    /// Text with [`HOLE`]s, before they are shown as `…`.
    pub(crate) raw: String,
    pub(crate) trail: Trail,
    /// Any part of it was quoted, so it is no alias and no reserved word.
    pub(crate) quoted: bool,
}

impl Arg {
    pub(crate) fn known(&self) -> Option<&str> {
        self.word.known()
    }

    pub(crate) fn value(&self) -> Value {
        Value { text: self.raw.clone(), trail: self.trail.clone() }
    }

    /// As an operand handed over; a glob stays a pattern even where it is quoted.
    pub(crate) fn handed_over(&self) -> Value {
        use doorward_core::intent::Form;
        let mut value = self.value();
        if self.word.form == Form::Glob {
            value.text = active(&self.word.text);
        }
        value
    }

    /// A word that another layer evaluated already.
    pub(crate) fn from_word(word: crate::deed::Word) -> Self {
        use doorward_core::intent::Form;
        let raw = match word.form {
            Form::Unknown => word.text.replace('…', &HOLE.to_string()),
            Form::Literal | Form::Glob => word.text.clone(),
        };
        Self { word, raw, trail: None, quoted: false }
    }
}
