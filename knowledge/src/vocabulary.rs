//! The words of a spec. Whatever isn't listed here is an error. Words that a row holds as an enumeration are its
//! variants ([`words_of`]), which serde knows by the names that specs use.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

/// The variant of an enumeration with this name.
pub(crate) fn word<T: DeserializeOwned>(name: &str) -> Option<T> {
    let name: serde::de::value::StrDeserializer<'_, Error> = name.into_deserializer();
    T::deserialize(name).ok()
}

/// The names of all variants of an enumeration.
pub(crate) fn words_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It always fails, once it was asked for the names.
    let _ = T::deserialize(Asked(&mut names));
    names
}

/// Notes which variants an enumeration has.
struct Asked<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not an enumeration"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = names;
        Err(Error::custom("only the names were asked for"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Keys of a spec file.
pub(crate) const FILE: &[&str] = &["functions", "options", "commands", "program"];
/// Keys of a program.
pub(crate) const PROGRAM: &[&str] = &["source", "examples", "replaces", "names"];
/// Keys of a program or command that aren't acts.
pub(crate) const ROW: &[&str] = &[
    "does",
    "parse",
    "prints",
    "stdin",
    "options",
    "use",
    "operands",
    "when",
    "command",
    "commands",
    "otherwise",
    "throughout",
];
/// The value of `parse` that is `raw` for which no option is reported as unlisted.
pub(crate) const ALL_RAW: &str = "raw-all";
/// What `read=` says of a spec whose facts were taken over and not compared with the manual.
pub(crate) const TAKEN_OVER: &str = "taken-over";
/// Roles of values and operands. `lang:X`, `file:X` and `module:X` name a language besides.
pub(crate) const ROLES: &[&str] = &[
    "read",
    "list",
    "look",
    "write",
    "download",
    "append",
    "inplace",
    "delete",
    "meta",
    "dir",
    "tree",
    "mode",
    "ssh-setting",
    "remote",
    "remote-sent",
    "saved",
    "sh",
    "expand",
    "prog",
    "file",
    "config",
    "choose",
    "host",
    "url",
    "secret",
    "env",
    "source",
    "image",
    "image-sent",
    "mount",
    "port",
    "data",
    "pat",
    "num",
];
/// Keys of a condition.
pub(crate) const CONDITIONS: &[&str] = &[
    "has",
    "and-has",
    "lacks",
    "first",
    "first-not",
    "kind",
    "called",
    "program",
    "operands",
    "value",
    "is",
    "at",
    "fits",
    "except",
    "word",
    "contains",
    "hidden",
    "operand",
    "no-operand",
    "path",
    "verb",
    "options",
    "words",
    "stdin",
];
/// Values of `environment`: printed as a whole, or filled into what the program prints.
pub(crate) const ENVIRONMENT: &[&str] = &["printed", "filled-in"];
/// Values of `as` of `copies`: the target is a second name of the same file, a link, or a file that is made of the
/// others.
pub(crate) const LINKS: &[&str] = &["hard", "soft", "made"];
/// Finding codes, without `shell.`.
pub(crate) const FINDINGS: &[&str] = &[
    "data_loss",
    "history_loss",
    "delete",
    "infra",
    "obfuscated",
    "persistence",
    "privilege",
    "remote_code",
    "env_dump",
    "resource",
    "secret_read",
    "sensing",
    "shadowed",
    "tamper",
    "upload",
];

/// An act: its key, how many plain values it takes, and the named ones.
pub(crate) struct ActShape {
    pub(crate) key: &'static str,
    pub(crate) values: usize,
    pub(crate) named: &'static [&'static str],
}

const fn act(key: &'static str, values: usize, named: &'static [&'static str]) -> ActShape {
    ActShape { key, values, named }
}

/// The acts.
pub(crate) const ACTS: &[ActShape] = &[
    // It only reads after all.
    act("only-reads", 0, &[]),
    // It doesn't only read.
    act("acts", 0, &[]),
    // It changes things itself, as `does works` says.
    act("works", 0, &[]),
    // It does what its name says, as `does named` says.
    act("named", 0, &[]),
    // It is more than the program's plain use.
    act("beyond-plain", 0, &[]),
    // What it does isn't known after all.
    act("unknown", 0, &[]),
    // A finding: code and sentence.
    act("finding", 2, &[]),
    // Something is lost, and this is the way back.
    act("loses", 1, &["back"]),
    // A server: its name, and which way bytes go.
    act("contacts", 2, &["scheme"]),
    // A server that the project's own configuration names.
    act("contacts-remote", 2, &["scheme"]),
    // A server that nobody can name from the words.
    act("contacts-unknown", 1, &["scheme"]),
    // The addresses among the operands.
    act("contacts-urls", 1, &["scheme"]),
    // A port that is opened; options and operands may name it.
    act("listens", 1, &["scheme", "port"]),
    // A build folder that the program made.
    act("deletes-build", 1, &[]),
    // The folder or file that an option names.
    act("deletes-value", 1, &[]),
    // A file that isn't among the words.
    act("writes-file", 1, &[]),
    // Operands, `0`, `1..` or `--` (those behind it), have this role; a recursive or forced delete by options.
    // Only operands that fit a pattern, except those that fit another; of each what stands behind a mark, without these
    // letters at its ends.
    act("operand", 2, &["recursive", "force", "fits", "except", "after", "strip-front", "strip-back"]),
    // The value of an option has this role, where that depends on other words.
    act("value", 2, &["fits", "except", "after", "strip-front", "strip-back"]),
    // The word behind one of these words, or what is attached to them with `=`, has this role.
    act("behind", 2, &["fits", "except", "after", "strip-front", "strip-back"]),
    // An option's value holds settings `key=value`; those of these keys have this role, with `alone=yes` also a value
    // that is no setting.
    act("part", 3, &["alone"]),
    // The server that options or operands name, else this one; `body=stdin` where it gets what standard input holds.
    act("contacts-at", 2, &["scheme", "port", "else", "body", "fits", "except", "after"]),
    // Operands are written to the last of them, or to the folder that an option names.
    act("copies", 0, &["into", "whole", "as", "fits", "except"]),
    // The same, and they are gone where they were.
    act("moves", 0, &["into", "fits", "except"]),
    // The first operand is a pattern that is searched in the others.
    act("searches", 0, &["pattern", "below", "hidden", "chosen", "names"]),
    // What it prints are names of files.
    act("lists", 1, &[]),
    // Rights: which, and why.
    act("privilege", 2, &[]),
    // A file of the project that it runs, and the language if it has one.
    act("runs-project", 1, &["code"]),
    // The value of this option is run, if it is a path.
    act("runs-path", 1, &[]),
    // The operands from this one on are a command.
    act("runs", 1, &["program"]),
    // Joined they are shell text, or code of a language.
    act("runs-shell", 1, &["fits", "except", "code"]),
    // They are words for another program.
    act("runs-as", 2, &[]),
    // They are a command that is judged in the place of the program: `nice`, `timeout`.
    act("wraps", 1, &["assignments", "chdir", "program"]),
    // The same, joined, as shell text.
    act("wraps-shell", 1, &[]),
    // The first operand is a file of this language, else standard input is, unless one of these options was given.
    act("interprets", 1, &["unless"]),
    // Standard input is code of this language.
    act("runs-stdin", 1, &[]),
    // What it does is what its command does.
    act("transparent", 0, &[]),
    // Variables of the environment, all of them.
    act("environment", 1, &[]),
    // The value of this option is a mode: one that lets others write or sets set-user-id is a finding.
    act("mode", 1, &[]),
    // What it prints after all.
    act("prints", 1, &[]),
    // Files that it changes in place lose what was in them.
    act("empties", 0, &[]),
    // An option's value, or operands joined, are shell text of another machine; which one, in words.
    act("runs-remote", 2, &[]),
    // Packages among the operands, and the registry; `scripts=no` where none of their code runs, `system=yes` where
    // everybody gets them.
    // Both may also name the options that decide. `newest=yes` where newer packages than those of the lock file come.
    act("installs", 2, &["scripts", "system", "newest", "fits", "except", "after"]),
    // Operands are files that are sent to the host that was named last.
    act("sends", 1, &["fits", "except", "after"]),
    // The words behind the first of these are a command.
    act("runs-behind", 1, &[]),
    // An option's value is shell text, and the operands are its parameters.
    act("shell-text", 1, &[]),
    // What stands behind this mark in a word that begins with it is shell text: `!`.
    act("runs-after", 1, &[]),
    // Words that hold one of these marks name a file behind it: `@`, `file://`.
    act("reads-after", 1, &[]),
    // The same, inside a container; `--` is what stands behind the dashes, `else` a place where there are none.
    act("runs-inside", 1, &["else", "program", "where"]),
    // Hidden files and secrets that the operands name may be read.
    act("mentions", 0, &[]),
    // The first operand is a command that isn't described.
    act("unknown-command", 0, &[]),
    // A function of `doorward-shell`.
    act("rust", 1, &[]),
    // Nothing after this rule is looked at.
    act("stop", 0, &[]),
];
