//! Input that never ends, or is larger than any disk: which commands give it, and what others do with it.
//!
//! `yes | head` is over at once, `yes | sort` is over when the memory is. So each program that is often fed this way
//! has a row that says how much of its input it keeps. A program without a row stops reading, as far as is known here.
//! Sources: the manuals and sources of coreutils 9.4, grep 3.11, sed 4.9, moreutils 0.67, util-linux 2.39, bash 5.2.

/// A stream without an end, or with one that no disk would live to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endless {
    /// Lines of ordinary length.
    Lines,
    /// One line: a program that reads by lines keeps all of it.
    OneLine,
}

/// What a program does with endless input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Keeps all of it in memory, or in temporary files.
    All,
    /// Copies blocks, as many as its words say (`dd`).
    Blocks,
    /// Prints it in lines as it reads.
    Breaks,
    /// Writes it to the last of its operands.
    Copies,
    /// Prints the beginning, as much as its words say.
    Front,
    /// Keeps a line at a time, and prints lines as it reads, unless its words say that it prints few.
    Line,
    /// Keeps a line at a time, and prints little, or nothing before the end.
    LineOnly,
    /// Prints it as it reads.
    Passes,
    /// Writes it to its operands, and prints it.
    Tees,
}

/// Programs, and what they do with endless input.
const PROGRAMS: &[(&str, Takes)] = &[
    ("awk gawk mawk nawk comm join paste tail gtail uniq", Takes::LineOnly),
    ("base32 base64 basenc fold strings xxd", Takes::Breaks),
    ("bzip2 cat gcat gzip lz4 lzma mbuffer openssl pigz pv tr gtr xz zstd", Takes::Passes),
    ("column mapfile readarray shuf sort gsort sponge tac gtac tsort", Takes::All),
    ("cp gcp", Takes::Copies),
    ("cut egrep expand fgrep ggrep grep nl rev rg sed gsed", Takes::Line),
    ("dd gdd", Takes::Blocks),
    ("head ghead", Takes::Front),
    ("tee gtee", Takes::Tees),
];

/// Bytes that no command writes or keeps by intention.
const MOST_BYTES: f64 = 5e10;

/// Lines and words that no command counts or keeps by intention.
const MOST_LINES: f64 = 1e9;

/// Words that a shell makes of one word before it runs the command: some ten gigabytes.
pub(crate) const MOST_WORDS: u128 = 50_000_000;

/// What reading a device gives: zeros without a line's end, or random bytes, which hold some.
pub(crate) fn device(path: &str) -> Option<Endless> {
    match path {
        "/dev/full" | "/dev/zero" => Some(Endless::OneLine),
        "/dev/random" | "/dev/urandom" => Some(Endless::Lines),
        _ => None,
    }
}

/// What a command does with what never ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flood {
    /// It keeps it in memory.
    pub(crate) keeps: bool,
    /// It writes it to a file.
    pub(crate) writes: bool,
    /// It prints it.
    pub(crate) prints: Option<Endless>,
}

/// What a command does whose input is this.
pub(crate) fn flood(words: &[&str], input: Option<Endless>) -> Flood {
    let Some((program, rest)) = words.split_first() else { return Flood::default() };
    let program = program.rsplit('/').next().unwrap_or(program);
    match program {
        "yes" => return prints(Some(Endless::Lines)),
        "seq" | "gseq" => return prints((counted(rest) >= MOST_LINES).then_some(Endless::Lines)),
        _ => {}
    }
    let (Some(input), Some(takes)) = (input, row(program)) else { return Flood::default() };
    let keeps = input == Endless::OneLine;
    match takes {
        Takes::All => Flood { keeps: true, ..Flood::default() },
        Takes::Blocks => blocks(rest, input),
        Takes::Breaks => prints(Some(Endless::Lines)),
        Takes::Copies => Flood { writes: copies(rest), ..Flood::default() },
        Takes::Front => prints(front(rest, input)),
        Takes::Line => Flood { keeps, prints: (!prints_few(program, rest)).then_some(input), writes: false },
        Takes::LineOnly => Flood { keeps, ..Flood::default() },
        Takes::Passes if program.ends_with("tr") => prints(Some(translated(rest, input))),
        Takes::Passes => prints(Some(input)),
        Takes::Tees => Flood { writes: rest.iter().any(|word| is_file(word)), ..prints(Some(input)) },
    }
}

fn prints(prints: Option<Endless>) -> Flood {
    Flood { prints, ..Flood::default() }
}

fn row(program: &str) -> Option<Takes> {
    let is = |names: &str| names.split(' ').any(|name| name == program);
    PROGRAMS.iter().find(|(names, _)| is(names)).map(|(_, takes)| *takes)
}

/// Whether a word names a file, and surely no option or device: a device has an end of its own.
fn is_file(word: &str) -> bool {
    !word.starts_with('-') && !word.starts_with("/dev/") && !word.contains('…')
}

/// Whether `cp` writes the content of a device to a file: with `-R` it makes a device of the same kind.
fn copies(words: &[&str]) -> bool {
    let mut flags = words.iter().filter(|word| word.starts_with('-'));
    let clones =
        |word: &&str| word.contains("archive") || !word.starts_with("--") && word.contains(['R', 'a', 'r']);
    words.last().is_some_and(|last| is_file(last)) && !flags.any(clones)
}

/// Whether a filter's own words say that it stops early, or prints little of what it reads.
fn prints_few(program: &str, words: &[&str]) -> bool {
    let flag = |letters: &[char]| {
        words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains(letters))
    };
    let long = |names: &[&str]| words.iter().any(|word| names.iter().any(|name| word.starts_with(name)));
    if program.ends_with("sed") {
        return flag(&['n']) || words.iter().any(|word| word.ends_with(['q', 'Q']) || word.contains("q;"));
    }
    flag(&['c', 'l', 'L', 'm', 'q'])
        || long(&["--count", "--files-with", "--max-count", "--quiet", "--silent"])
}

/// What `tr` prints: zeros may become the ends of lines.
fn translated(words: &[&str], input: Endless) -> Endless {
    let breaks = words.last().is_some_and(|last| last.contains('\n') || last.contains("\\n"));
    if breaks { Endless::Lines } else { input }
}

/// What `head` lets through.
fn front(words: &[&str], input: Endless) -> Option<Endless> {
    let mut lines = Some(10.0);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ if word.starts_with("--") => (*word, None),
            _ => match word.get(..2) {
                Some(name) if name.starts_with('-') => {
                    (name, word.get(2..).filter(|value| !value.is_empty()))
                }
                _ => continue,
            },
        };
        match name {
            "-c" | "--bytes" => {
                // All but the last bytes, or as many as no disk has.
                let bytes = size(value.or_else(|| rest.next().copied()).unwrap_or_default());
                return bytes.filter(|bytes| *bytes >= MOST_BYTES || *bytes < 0.0).map(|_| input);
            }
            "-n" | "--lines" => lines = size(value.or_else(|| rest.next().copied()).unwrap_or_default()),
            _ => lines = word.get(1..).and_then(size).or(lines),
        }
    }
    match input {
        // It waits for the end of a line.
        Endless::OneLine => lines.filter(|lines| *lines != 0.0).map(|_| input),
        Endless::Lines => lines.filter(|lines| *lines >= MOST_LINES || *lines < 0.0).map(|_| input),
    }
}

/// What `dd` copies, and where to.
fn blocks(words: &[&str], input: Endless) -> Flood {
    let value = |name: &str| words.iter().rev().find_map(|word| word.strip_prefix(name));
    let block = value("bs=").or_else(|| value("ibs=")).map_or(Some(512.0), size);
    let block = if words.iter().any(|word| word.contains("count_bytes")) { Some(1.0) } else { block };
    let ends = match value("count=") {
        // A number that isn't known is one that was thought of.
        Some(count) => {
            !matches!((size(count), block), (Some(count), Some(block)) if count * block >= MOST_BYTES)
        }
        None => false,
    };
    match value("of=") {
        _ if ends => Flood::default(),
        Some(target) => Flood { writes: is_file(target), ..Flood::default() },
        None => prints(Some(input)),
    }
}

/// How many lines `seq` prints.
fn counted(words: &[&str]) -> f64 {
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let (first, step, last) = match *numbers.as_slice() {
        [last] => (1.0, 1.0, last),
        [first, last] => (first, 1.0, last),
        [first, step, last] => (first, step, last),
        _ => return 0.0,
    };
    (last - first) / step
}

/// A number with a suffix of its size, as coreutils reads it: `1K` is 1024, `1KB` is 1000.
fn size(text: &str) -> Option<f64> {
    let end = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, suffix) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let base: f64 = if suffix.len() == 2 && suffix.ends_with('B') { 1000.0 } else { 1024.0 };
    let power = match suffix.chars().next().map(|letter| letter.to_ascii_uppercase()) {
        None => 0,
        Some('B') => return Some(number * 512.0),
        Some('C') => 0,
        Some('W') => return Some(number * 2.0),
        Some('K') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        Some('P') => 5,
        Some('E') => 6,
        Some(_) => return None,
    };
    Some(number * base.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_says_what_is_kept_written_and_printed() {
        let (zeros, random) = (Some(Endless::OneLine), Some(Endless::Lines));
        for (command, input, expected) in [
            ("yes", None, "prints"),
            ("seq 1e12", None, "prints"),
            ("seq 0 0.0000001 1000", None, "prints"),
            ("seq inf", None, "prints"),
            ("seq 1000000", None, ""),
            ("sort -u", random, "keeps"),
            ("tac", None, ""),
            ("tail -n 5", zeros, "keeps"),
            ("tail -n 5", random, ""),
            ("grep x", zeros, "keeps prints"),
            ("grep -m 5 x", random, ""),
            ("sed -n 1,5p", random, ""),
            ("sed s/a/b/", random, "prints"),
            ("head", random, ""),
            ("head -5", random, ""),
            ("head -c 100", zeros, ""),
            ("head -c100", zeros, ""),
            ("head --bytes=100G", zeros, "prints"),
            ("head -c -5", random, "prints"),
            ("head -n 1", zeros, "prints"),
            ("dd bs=1M count=10 of=f", zeros, ""),
            ("dd bs=1G count=1000 of=f", zeros, "writes"),
            ("dd of=f", zeros, "writes"),
            ("dd of=/dev/sda bs=1M", zeros, ""),
            ("dd bs=1M count=… of=f", zeros, ""),
            ("dd bs=1M", random, "prints"),
            ("cp /dev/zero f", zeros, "writes"),
            ("cp -a /dev/zero f", zeros, ""),
            ("tee f", random, "writes prints"),
            ("tee", random, "prints"),
            ("apt install x", random, ""),
        ] {
            let words: Vec<&str> = command.split(' ').collect();
            let Flood { keeps, writes, prints } = flood(&words, input);
            let found = [(keeps, "keeps"), (writes, "writes"), (prints.is_some(), "prints")];
            let found: Vec<&str> = found.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
            assert_eq!(found.join(" "), expected, "{command}");
        }
    }

    #[test]
    fn sizes_are_read_as_coreutils_reads_them() {
        for (text, expected) in [
            ("10", Some(10.0)),
            ("2K", Some(2048.0)),
            ("2kB", Some(2000.0)),
            ("1GiB", Some(1024_f64.powi(3))),
            ("x", None),
        ] {
            assert_eq!(size(text), expected, "{text}");
        }
    }
}
