//! All shipped rows as bytes, which `doorward-shell` is compiled with: an index of names, and each program by itself.
//!
//! Only the index is read when the bytes are opened. A program's row is unpacked when it is first asked for, and stays;
//! its texts are those in the bytes.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::make::rows;
use crate::row::ProgramRow;
use crate::spec::SpecFile;

/// The rows can't be packed.
#[derive(Debug, Error)]
pub enum Unpackable {
    /// There are more programs than the index can number.
    #[error("more than {} programs", u16::MAX)]
    TooMany,
    /// A row can't be written.
    #[error(transparent)]
    Bytes(#[from] postcard::Error),
}

/// A program's name in its row, and the row.
pub type NamedRow = (&'static str, &'static ProgramRow);

/// What the bytes hold: names, each with the number of its program.
#[derive(Serialize, Deserialize)]
struct Packed<'a> {
    #[serde(borrow)]
    exact: Vec<(&'a str, u16)>,
    /// Names that are known in any case: in lower case, and as the row writes them.
    any_case: Vec<(&'a str, &'a str, u16)>,
    programs: Vec<&'a [u8]>,
}

/// The rows of all these specs as bytes. Of two programs of one name the first counts.
///
/// # Errors
/// More programs than can be numbered.
pub fn pack(specs: &[SpecFile]) -> Result<Vec<u8>, Unpackable> {
    let rows: Vec<ProgramRow> = specs.iter().flat_map(rows).collect();
    let (mut exact, mut any_case) = (BTreeMap::new(), BTreeMap::new());
    for (number, row) in rows.iter().enumerate() {
        let number = u16::try_from(number).map_err(|_| Unpackable::TooMany)?;
        for name in row.names.split_ascii_whitespace() {
            if row.any_case {
                any_case.entry(name.to_ascii_lowercase()).or_insert((name, number));
            } else {
                exact.entry(name).or_insert(number);
            }
        }
    }
    let programs = rows.iter().map(postcard::to_allocvec).collect::<Result<Vec<_>, _>>()?;
    let packed = Packed {
        exact: exact.into_iter().collect(),
        any_case: any_case.iter().map(|(lower, (name, number))| (lower.as_str(), *name, *number)).collect(),
        programs: programs.iter().map(Vec::as_slice).collect(),
    };
    Ok(postcard::to_allocvec(&packed)?)
}

/// The rows that [`pack`] packed.
pub struct Shipped {
    exact: HashMap<&'static str, u16>,
    /// By the name in lower case.
    any_case: HashMap<&'static str, (&'static str, u16)>,
    programs: Vec<PackedRow>,
}

struct PackedRow {
    bytes: &'static [u8],
    row: OnceLock<Option<&'static ProgramRow>>,
}

impl Shipped {
    /// Reads the index. Bytes that aren't what [`pack`] made hold nothing, so that every program is unknown.
    #[must_use]
    pub fn open(bytes: &'static [u8]) -> Self {
        let packed = postcard::from_bytes(bytes);
        let Packed { exact, any_case, programs } =
            packed.unwrap_or(Packed { exact: Vec::new(), any_case: Vec::new(), programs: Vec::new() });
        let programs = programs.into_iter().map(|bytes| PackedRow { bytes, row: OnceLock::new() }).collect();
        let any_case = any_case.into_iter().map(|(lower, own, number)| (lower, (own, number)));
        Self { exact: exact.into_iter().collect(), any_case: any_case.collect(), programs }
    }

    /// The row of a program by its exact name.
    #[must_use]
    pub fn exact(&self, name: &str) -> Option<NamedRow> {
        let (own, number) = self.exact.get_key_value(name)?;
        Some((own, self.row(*number)?))
    }

    /// The row of a program whose names are known in any case; `lower` is its name in lower case.
    #[must_use]
    pub fn in_any_case(&self, lower: &str) -> Option<NamedRow> {
        let (own, number) = self.any_case.get(lower)?;
        Some((own, self.row(*number)?))
    }

    /// The exact names of all programs.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<'_> {
        self.exact.keys().copied()
    }

    /// Every row; `None` for one that can't be unpacked.
    pub fn all(&self) -> impl Iterator<Item = Option<&'static ProgramRow>> + use<'_> {
        self.programs.iter().map(PackedRow::get)
    }

    fn row(&self, number: u16) -> Option<&'static ProgramRow> {
        self.programs.get(usize::from(number))?.get()
    }
}

impl PackedRow {
    fn get(&self) -> Option<&'static ProgramRow> {
        *self.row.get_or_init(|| {
            let row = postcard::from_bytes(self.bytes).ok()?;
            Some(Box::leak(Box::new(row)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Shipped, pack};
    use crate::{load, shipped};

    #[test]
    fn every_row_is_unpacked_as_it_was_packed() {
        let specs = load(&shipped()).unwrap_or_else(|error| panic!("{error}"));
        let made: Vec<_> = specs.iter().flat_map(crate::rows).collect();
        let bytes = pack(&specs).unwrap_or_else(|error| panic!("{error}"));
        let opened = Shipped::open(bytes.leak());
        let mut count = 0;
        for (unpacked, made) in opened.all().zip(&made) {
            let unpacked = unpacked.unwrap_or_else(|| panic!("{} can't be unpacked", made.names));
            assert_eq!(format!("{unpacked:?}"), format!("{made:?}"));
            count += 1;
        }
        assert_eq!(count, made.len());
        for (row, name) in
            made.iter().flat_map(|row| row.names.split_ascii_whitespace().map(move |n| (row, n)))
        {
            let found = match row.any_case {
                true => opened.in_any_case(&name.to_ascii_lowercase()),
                false => opened.exact(name),
            };
            assert_eq!(found.map(|(own, row)| (own, row.names)), Some((name, row.names)));
        }
        assert!(opened.exact("no-such-program").is_none());
    }

    #[test]
    fn broken_bytes_hold_nothing() {
        let specs = load(&shipped()).unwrap_or_else(|error| panic!("{error}"));
        let bytes = pack(specs.get(..3).unwrap_or_default()).unwrap_or_else(|error| panic!("{error}"));
        for length in 0..bytes.len() {
            let cut: Vec<u8> = bytes.iter().copied().take(length).collect();
            assert_eq!(Shipped::open(cut.leak()).names().count(), 0);
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x55;
            // Whatever it holds then, nothing panics.
            Shipped::open(changed.leak()).all().flatten().for_each(|row| drop(format!("{row:?}")));
        }
    }
}
