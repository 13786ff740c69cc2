//! Programs that only turn known text into known text, evaluated in process.
//!
//! `$(echo rm)`, `printf '\x72m'`, `… | base64 -d | sh`: what they print is computed here, without running
//! anything, bounded by the size of a stream. Whatever a program's options ask for that isn't modelled makes the
//! output unknown, never wrong.

mod codec;
mod columns;
mod print;
mod text;

use crate::value::{HOLE, LIMIT};

/// Text and whether it had to be decoded.
pub(crate) type Produced = (String, bool);

/// What a producer is given.
pub(crate) struct Input<'a> {
    pub(crate) words: &'a [&'a str],
    pub(crate) stdin: Option<&'a str>,
    pub(crate) file: &'a dyn Fn(&str) -> Option<String>,
    pub(crate) folder: Option<&'a str>,
    /// The top folder of the repository around it.
    pub(crate) work_tree: &'a dyn Fn() -> Option<String>,
}

type Producer = fn(&Input<'_>) -> Option<Produced>;

/// Producers by name.
const TABLE: &[(&str, Producer)] = &[
    ("echo", print::echo),
    ("printf", print::printf),
    ("print", print::echo),
    ("cat", text::cat),
    ("tee", text::tee),
    (":", print::nothing),
    ("true", print::nothing),
    ("false", print::nothing),
    ("pwd", print::pwd),
    ("git", print::work_tree),
    ("seq", print::seq),
    ("basename", print::basename),
    ("dirname", print::dirname),
    ("which", print::which),
    ("type", print::which),
    ("command", print::which),
    ("mktemp", print::mktemp),
    ("rev", text::rev),
    ("tac", text::tac),
    ("tr", text::tr),
    ("cut", text::cut),
    ("head", text::head),
    ("tail", text::tail),
    ("sed", text::sed),
    ("sort", text::sort),
    ("uniq", text::uniq),
    ("fold", text::fold),
    ("paste", text::paste),
    ("awk", columns::awk),
    ("base64", codec::base64),
    ("base32", codec::base32),
    ("xxd", codec::xxd),
    ("openssl", codec::openssl),
];

/// Whether a program of this name may be evaluated.
pub(crate) fn is_one(name: &str) -> bool {
    TABLE.iter().any(|(own, _)| *own == name)
}

/// What the program prints; `None` if that can't be known.
pub(crate) fn run(name: &str, input: &Input<'_>) -> Option<Produced> {
    let (_, producer) = TABLE.iter().find(|(own, _)| *own == name)?;
    let (text, decoded) = producer(input)?;
    (text.len() <= LIMIT).then_some((text, decoded))
}

impl Input<'_> {
    /// The input of a filter: its file operands, else standard input; unknown if any of it is.
    fn filtered(&self, operands: &[&str]) -> Option<String> {
        let text = self.joined(operands)?;
        (!text.contains(HOLE)).then_some(text)
    }

    fn joined(&self, operands: &[&str]) -> Option<String> {
        if operands.is_empty() {
            return self.stdin.map(str::to_owned);
        }
        let mut out = String::new();
        for operand in operands {
            match *operand {
                "-" => out.push_str(self.stdin?),
                path => out.push_str(&(self.file)(path)?),
            }
        }
        Some(out)
    }
}
