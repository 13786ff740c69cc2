//! Encodes records as entries: canonical JSON of at most 65,535 bytes.
//!
//! Parts that don't fit are stored out of line: arguments, an outcome's detail and long texts are replaced by the
//! digest of their content. The content is stored with the entry, whose member `out_of_line` lists the digests.

use doorward_core::id::{DecisionId, Digest};
use doorward_core::json::{self, Value};
use doorward_core::record::{LedgerError, Outcome, Record};
use doorward_core::{Custody, Verdict};

use crate::content;
#[cfg(doc)]
use crate::content::MAX_CONTENT;
use crate::tile::MAX_ENTRY;

/// What decision records contain of a call's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArgsKept {
    /// The redacted arguments and their digest.
    #[default]
    Redacted,
    /// The digest alone.
    Digest,
    /// Neither.
    None,
}

/// An entry that is ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub(crate) bytes: Vec<u8>,
    /// The packed contents that the entry names.
    pub(crate) contents: Vec<u8>,
    pub(crate) effect: Effect,
}

/// How an entry changes the set of open permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Opens { id: DecisionId, custody: Custody },
    Closes { of: DecisionId },
    Starts,
}

impl Entry {
    /// From a record that names no content.
    ///
    /// # Errors
    /// As [`Entry::with_content`].
    pub fn new(record: Record, kept: ArgsKept) -> Result<Self, LedgerError> {
        Self::build(record, kept, Vec::new())
    }

    /// From a record and the content that it names by digest.
    ///
    /// # Errors
    /// [`LedgerError::TooLarge`] if it doesn't fit even after storing parts out of line, or if its content is longer
    /// than [`MAX_CONTENT`]; [`LedgerError::Unwritable`] if it can't be encoded, or the content doesn't match the
    /// record's digests.
    pub fn with_content(record: Record, kept: ArgsKept, content: Vec<u8>) -> Result<Self, LedgerError> {
        Self::build(record, kept, vec![content])
    }

    fn build(mut record: Record, kept: ArgsKept, mut contents: Vec<Vec<u8>>) -> Result<Self, LedgerError> {
        if let Record::Decision(decision) = &mut record {
            if kept != ArgsKept::Redacted {
                decision.args = None;
            }
            if kept == ArgsKept::None {
                decision.args_digest = None;
            }
        }
        let effect = Effect::of(&record);
        let mut text = canonical(&record)?;
        if text.len() > MAX_ENTRY {
            let given = contents.len();
            shorten(&mut record, &mut contents);
            text = with_names(&record, contents.get(given..).unwrap_or_default())?;
        }
        if text.len() > MAX_ENTRY {
            return Err(LedgerError::TooLarge(text.len()));
        }
        let length = contents.iter().map(Vec::len).sum();
        let packed = content::pack(&contents).ok_or(LedgerError::TooLarge(length))?;
        let bytes = text.into_bytes();
        if !content::fits(&content::named(&bytes), &packed) {
            let message = "the record and the content that it names don't belong together";
            return Err(LedgerError::Unwritable(message.to_owned()));
        }
        Ok(Self { bytes, contents: packed, effect })
    }

    /// From canonical JSON, for imports and tests.
    ///
    /// # Errors
    /// [`LedgerError::TooLarge`] if the bytes don't fit; [`LedgerError::Unwritable`] if they aren't canonical, or
    /// name content, which can't be supplied here.
    pub fn from_canonical(bytes: Vec<u8>) -> Result<Self, LedgerError> {
        if bytes.len() > MAX_ENTRY {
            return Err(LedgerError::TooLarge(bytes.len()));
        }
        let same = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| Value::parse(text).ok())
            .is_some_and(|value| value.canonical().as_bytes() == bytes);
        if !same {
            return Err(LedgerError::Unwritable("entry isn't canonical JSON".to_owned()));
        }
        if !content::named(&bytes).is_empty() {
            return Err(LedgerError::Unwritable("entry names content that isn't given".to_owned()));
        }
        let effect = serde_json::from_slice(&bytes).map_or(Effect::None, |record| Effect::of(&record));
        Ok(Self { bytes, contents: Vec::new(), effect })
    }

    /// The encoded entry.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Effect {
    fn of(record: &Record) -> Self {
        match record {
            Record::Decision(decision) if decision.verdict == Verdict::Allow => {
                Self::Opens { id: decision.id.clone(), custody: decision.custody }
            }
            // `released` is only an interim state of an advised permit.
            Record::Outcome(outcome) if outcome.outcome != Outcome::Released => {
                Self::Closes { of: outcome.of.clone() }
            }
            Record::Start(_) => Self::Starts,
            _ => Self::None,
        }
    }
}

fn canonical(record: &Record) -> Result<String, LedgerError> {
    json::canonical_of(record).map_err(|error| LedgerError::Unwritable(error.to_string()))
}

/// The record with the digests of the parts stored out of line.
fn with_names(record: &Record, out_of_line: &[Vec<u8>]) -> Result<String, LedgerError> {
    let refused = |error: json::JsonError| LedgerError::Unwritable(error.to_string());
    let mut value = json::to_value(record).map_err(refused)?;
    if let Value::Object(members) = &mut value
        && !out_of_line.is_empty()
    {
        let names = out_of_line.iter().map(|content| Value::from(Digest::of(content))).collect();
        members.insert("out_of_line".to_owned(), Value::Array(names));
    }
    Ok(value.canonical())
}

/// Once something must be stored out of line, texts longer than this are, too. In bytes.
const LONG: usize = 2048;

fn shorten(record: &mut Record, contents: &mut Vec<Vec<u8>>) {
    match record {
        Record::Decision(decision) => {
            value_out(&mut decision.args, contents);
            [&mut decision.reason, &mut decision.policy.reason, &mut decision.resource.name]
                .into_iter()
                .for_each(|text| text_out(text, contents));
        }
        Record::Outcome(outcome) => value_out(&mut outcome.detail, contents),
        Record::Note(note) => {
            value_out(&mut note.detail, contents);
            text_out(&mut note.message, contents);
        }
        Record::Access(access) => {
            text_out(&mut access.host, contents);
        }
        Record::Approval(_) | Record::Policy(_) | Record::Start(_) | Record::Stop(_) | Record::Key(_) => {}
    }
}

fn value_out(value: &mut Option<Value>, contents: &mut Vec<Vec<u8>>) {
    let Some(found) = value else { return };
    let text = found.canonical();
    if text.len() > LONG {
        let stand_in = [
            ("out_of_line".to_owned(), Value::from(Digest::of(text.as_bytes()))),
            ("bytes".to_owned(), Value::from(i64::try_from(text.len()).unwrap_or(i64::MAX))),
        ];
        *found = Value::Object(stand_in.into_iter().collect());
        contents.push(text.into_bytes());
    }
}

fn text_out(text: &mut String, contents: &mut Vec<Vec<u8>>) {
    if text.len() > LONG {
        let stand_in = format!("out of line: {}, {} bytes", Digest::of(text.as_bytes()), text.len());
        contents.push(std::mem::replace(text, stand_in).into_bytes());
    }
}
