//! The commands that cmd carries out itself: one row each (`help` and `NAME /?` of Windows 11). Programs are described
//! under `knowledge/programs`.

use doorward_core::intent::WriteMode;

use super::super::Value;
use super::super::windows;
use super::Batch;

enum Does {
    /// Nothing but printing or computing.
    Quiet,
    Reads,
    Looks,
    Deletes,
    Makes,
    Copies,
    Moves,
    /// `mklink LINK TARGET`.
    Links,
    /// `assoc .EXT=TYPE`.
    Associates,
}

use Does::{Associates, Copies, Deletes, Links, Looks, Makes, Moves, Quiet, Reads};

const ROWS: &[(&str, Does)] = &[
    (
        "echo rem exit cls title ver vol prompt verify date time pause shift setlocal endlocal goto color break \
            path label echo. echo: set",
        Quiet,
    ),
    ("type", Reads),
    ("dir", Looks),
    ("del erase rd rmdir", Deletes),
    ("md mkdir", Makes),
    ("copy", Copies),
    ("move ren rename", Moves),
    ("mklink", Links),
    ("assoc ftype", Associates),
];

fn row(name: &str) -> Option<&'static Does> {
    ROWS.iter().find(|(names, _)| names.split_ascii_whitespace().any(|own| own == name)).map(|(_, does)| does)
}

/// Commands that [`Batch`] itself runs.
const INSIDE: &[&str] = &["call", "cd", "chdir", "for", "if", "popd", "pushd", "start"];

/// Whether it is a command of cmd itself.
pub(crate) fn is_own(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    row(&name).is_some() || INSIDE.contains(&name.as_str())
}

/// Judges a command; false if it isn't in the table.
pub(super) fn judge(batch: &mut Batch<'_>, base: &str, words: &[String]) -> bool {
    let Some(does) = row(base) else { return false };
    apply(batch, does, words);
    true
}

fn operands(words: &[String]) -> Vec<String> {
    words
        .iter()
        .skip(1)
        .filter(|word| !word.starts_with('/') || word.len() > 4 && word.matches('/').count() > 1)
        .cloned()
        .collect()
}

fn has(words: &[String], option: &str) -> bool {
    // Options may stand close together: `del/s/q`.
    words.iter().skip(1).any(|word| {
        let lower = word.to_ascii_lowercase();
        lower == option || lower.starts_with('/') && lower.split('/').any(|part| format!("/{part}") == option)
    })
}

fn apply(batch: &mut Batch<'_>, does: &Does, words: &[String]) {
    match does {
        Quiet => {}
        Reads => operands(words).iter().for_each(|path| batch.reads(path)),
        Looks => operands(words).iter().for_each(|path| batch.looks(path)),
        Deletes => {
            let recursive = has(words, "/s");
            operands(words).iter().for_each(|path| batch.deletes(path, recursive));
        }
        Makes => operands(words).iter().for_each(|path| batch.writes(path, WriteMode::Create)),
        Copies => {
            let paths = operands(words);
            let Some((last, sources)) = paths.split_last() else { return };
            let alone = sources.is_empty();
            for source in if alone { &paths } else { sources } {
                source.split('+').for_each(|part| batch.reads(part));
            }
            batch.writes(if alone { "." } else { last }, WriteMode::Create);
        }
        Moves => {
            let paths = operands(words);
            let Some((last, sources)) = paths.split_last() else { return };
            for source in sources {
                if let (Some(from), Some(to)) = (batch.path(source), batch.path(last)) {
                    batch.harmless = false;
                    if windows::is_startup(&to) {
                        batch.find("shell.persistence", "writes where Windows starts programs by itself");
                    }
                    batch.effects.move_to(&Value::literal(from), &Value::literal(to));
                }
            }
        }
        Links => {
            let paths = operands(words);
            if let Some(target) = paths.get(1) {
                batch.reads(target);
            }
            if let Some(link) = paths.first() {
                batch.writes(link, WriteMode::Create);
            }
        }
        Associates => {
            if words.iter().skip(1).any(|word| word.contains('=')) || words.len() > 2 {
                batch.find("shell.persistence", "changes which program opens files");
            }
        }
    }
}
