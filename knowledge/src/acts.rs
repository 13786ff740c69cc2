//! Makes the effects of a row of those of a spec, which the parser has checked.

use crate::effect::{
    AFTER_DASHES, Act, AnyOf, Copies, Copying, FROM_COMMAND, Names, Pick, Rights, Searching, Transfer,
    WayBack, Wrapping,
};
use crate::make::{first_spellings, role, text, words};
use crate::row::Role;
use crate::spec::{Act as SpecAct, OptionSpec};
use crate::vocabulary::word;

/// One effect; `options` are those that it can ask for, `functions` the module of those that `rust` names.
pub(crate) fn made(spec: &SpecAct, options: &[&OptionSpec], functions: &str) -> Act {
    let said = Said { spec, options };
    if spec.key == "rust" {
        return Act::Rust(text(format!("{functions}::{}", said.raw(0))));
    }
    let made = said.bare().or_else(|| said.touches()).or_else(|| said.reaches()).or_else(|| said.runs());
    // A word that isn't in the vocabulary was refused by the parser.
    made.unwrap_or(Act::Acts)
}

/// An effect as a spec writes it.
struct Said<'a> {
    spec: &'a SpecAct,
    options: &'a [&'a OptionSpec],
}

impl Said<'_> {
    /// Effects without places.
    fn bare(&self) -> Option<Act> {
        Some(match self.spec.key.as_str() {
            "only-reads" => Act::OnlyReads,
            "acts" => Act::Acts,
            "works" => Act::Works,
            "named" => Act::Named,
            "beyond-plain" => Act::BeyondPlain,
            "unknown" => Act::Unknown,
            "finding" => Act::Finding(text(format!("shell.{}", self.raw(0))), self.value(1)),
            "loses" => Act::Loses(self.value(0), word(self.raw_named("back")).unwrap_or(WayBack::None)),
            "privilege" => Act::Privilege(word(self.raw(0)).unwrap_or(Rights::Root), self.value(1)),
            "transparent" => Act::Transparent,
            "environment" => Act::Environment(self.raw(0) == "printed"),
            "prints" => Act::Prints(word(self.raw(0)).unwrap_or_default()),
            "empties" => Act::Empties,
            "mentions" => Act::Mentions,
            "unknown-command" => Act::UnknownCommand,
            "stop" => Act::Stop,
            _ => return None,
        })
    }

    /// Effects on files and other things that words name.
    fn touches(&self) -> Option<Act> {
        let options = |key| self.options_of(key);
        Some(match self.spec.key.as_str() {
            "operand" if self.raw(1) == "delete" && self.picks() => {
                Act::DeletesPicked(self.pick(), options("recursive"), options("force"))
            }
            "operand" | "value" | "behind" if self.is_bare() => {
                let letters = [self.named("strip-front"), self.named("strip-back")];
                Act::PickedBare(self.pick(), role(self.value(1)), letters)
            }
            "operand" | "value" | "behind" if self.picks() => Act::Picked(self.pick(), role(self.value(1))),
            "operand" => {
                let (from, to_end) = self.place(0);
                match self.raw(1) {
                    "delete" => Act::DeletesOperand(from, to_end, options("recursive"), options("force")),
                    _ => Act::Operand(from, to_end, role(self.value(1))),
                }
            }
            "value" => Act::Value(self.option(0), role(self.value(1))),
            "part" => {
                let (keys, role): (_, Role) = (words(&split(self.raw(1))), role(self.value(2)));
                Act::Part(self.option(0), keys, role, self.raw_named("alone") == "yes")
            }
            "deletes-build" => Act::DeletesBuild(self.value(0)),
            "deletes-value" => Act::DeletesValue(self.option(0)),
            "writes-file" => Act::WritesFile(self.value(0)),
            "copies" | "moves" => {
                let kind = match (self.spec.key.as_str(), self.raw_named("as")) {
                    ("moves", _) => Copies::Move,
                    (_, "hard") => Copies::Hard,
                    (_, "soft") => Copies::Soft,
                    (_, "made") => Copies::Made,
                    _ => Copies::Content,
                };
                let pick = self.pick_at("0..".to_owned());
                let copying = Copying { kind, into: options("into"), whole: options("whole"), pick };
                Act::Copies(Box::leak(Box::new(copying)))
            }
            "searches" => Act::Searches(Box::leak(Box::new(Searching {
                pattern: options("pattern"),
                below: options("below"),
                hidden: options("hidden"),
                chosen: options("chosen"),
                names: options("names"),
            }))),
            "lists" => Act::Lists(word(self.raw(0)).unwrap_or(Names::Operands)),
            "reads-after" => Act::ReadsAfter(words(&split(self.raw(0)))),
            "mode" => Act::Mode(self.option(0)),
            _ => return None,
        })
    }

    /// Effects on servers, and on what comes from them.
    fn reaches(&self) -> Option<Act> {
        Some(match self.spec.key.as_str() {
            "contacts" => Act::Contacts(self.value(0), self.scheme(), transfer(self.raw(1))),
            "contacts-remote" => Act::ContactsRemote(self.value(0), self.scheme(), transfer(self.raw(1))),
            "contacts-unknown" => Act::ContactsUnknown(self.scheme(), transfer(self.raw(0))),
            "contacts-urls" => Act::ContactsUrls(self.scheme(), transfer(self.raw(0))),
            "contacts-at" => {
                let (direction, usual) = (transfer(self.raw(1)), self.named("else"));
                let takes_stdin = self.raw_named("body") == "stdin";
                let port = self.options_of("port");
                Act::ContactsAt(self.pick(), self.scheme(), direction, port, usual, takes_stdin)
            }
            "listens" => Act::Listens(self.value(0), self.scheme(), self.options_of("port")),
            "sends" if self.picks() => Act::SendsPicked(self.pick()),
            "sends" if is_option(self.raw(0)) => Act::SendsValue(self.option(0)),
            "sends" => {
                let (from, to_end) = self.place(0);
                Act::Sends(from, to_end)
            }
            "installs" => {
                let asked = |key| words(&first_spellings(&self.deciding(key), self.options));
                let newest = self.raw_named("newest") == "yes";
                Act::Installs(self.pick(), self.value(1), asked("scripts"), asked("system"), newest)
            }
            _ => return None,
        })
    }

    /// Code and commands that are run.
    fn runs(&self) -> Option<Act> {
        let from = || self.place(0).0;
        let is_detailed = !self.spec.named.is_empty();
        Some(match self.spec.key.as_str() {
            "runs-project" => Act::RunsProject(self.value(0), self.named("code")),
            "runs-path" => Act::RunsPath(self.option(0)),
            "runs" if is_detailed => Act::RunsWith(from(), self.named_option("program")),
            "runs" => Act::Runs(from()),
            "runs-as" => Act::RunsAs(self.value(0), self.place(1).0),
            "runs-shell" if is_detailed => {
                let place = format!("{}..", self.raw(0).trim_end_matches(".."));
                Act::RunsCode(self.pick_at(place), self.named("code"))
            }
            "runs-shell" => Act::RunsShell(from()),
            "runs-behind" => Act::RunsBehind(words(&split(self.raw(0)))),
            "runs-after" => Act::RunsAfter(self.value(0)),
            "runs-stdin" => Act::RunsStdin(self.value(0)),
            "runs-remote" if is_option(self.raw(0)) => Act::RunsRemoteValue(self.option(0), self.value(1)),
            "runs-remote" => Act::RunsRemote(from(), self.value(1)),
            "runs-inside" if self.raw(0) == "--" => {
                Act::RunsInsideAfterDashes(self.raw_named("else").parse().unwrap_or(AFTER_DASHES))
            }
            "runs-inside" if self.spec.named.contains_key("where") => {
                Act::RunsInsideOf(from(), self.options_of("where"))
            }
            "runs-inside" => Act::RunsInside(from(), self.named_option("program")),
            "wraps" if is_detailed => {
                let wrapping = Wrapping {
                    assignments: self.raw_named("assignments") == "yes",
                    chdir: self.named_option("chdir"),
                    program: self.named_option("program"),
                };
                Act::WrapsWith(from(), Box::leak(Box::new(wrapping)))
            }
            "wraps" => Act::Wraps(from()),
            "wraps-shell" => Act::WrapsShell(from()),
            "shell-text" => Act::ShellText(self.option(0)),
            "interprets" => Act::Interprets(self.value(0), self.options_of("unless")),
            _ => return None,
        })
    }

    fn raw(&self, at: usize) -> &str {
        self.spec.values.get(at).map(String::as_str).unwrap_or_default()
    }

    fn raw_named(&self, key: &str) -> &str {
        self.spec.named.get(key).map(String::as_str).unwrap_or_default()
    }

    fn value(&self, at: usize) -> &'static str {
        text(self.raw(at).to_owned())
    }

    fn named(&self, key: &str) -> &'static str {
        text(self.raw_named(key).to_owned())
    }

    fn scheme(&self) -> &'static str {
        if self.spec.named.contains_key("scheme") { self.named("scheme") } else { "https" }
    }

    /// An option by its first spelling.
    fn option(&self, at: usize) -> &'static str {
        text(first_spellings(&[self.raw(at).to_owned()], self.options).concat())
    }

    fn named_option(&self, key: &str) -> &'static str {
        text(first_spellings(&[self.raw_named(key).to_owned()], self.options).concat())
    }

    fn options_of(&self, key: &str) -> AnyOf {
        words(&first_spellings(&split(self.raw_named(key)), self.options))
    }

    /// A place among the operands, and whether all that follow are meant.
    fn place(&self, at: usize) -> (u16, bool) {
        match self.raw(at) {
            "--" => (AFTER_DASHES, true),
            "command" => (FROM_COMMAND, true),
            text => (text.trim_end_matches("..").parse().unwrap_or(AFTER_DASHES), text.ends_with("..")),
        }
    }

    /// Whether words are picked by more than a place or an option.
    fn picks(&self) -> bool {
        let more = ["fits", "except", "after"].iter().any(|key| self.spec.named.contains_key(*key));
        more || self.spec.key == "behind"
            || self.spec.key == "operand" && matches!(self.raw(0), "last" | "stdin")
    }

    /// Whether letters are left out at the ends of what is picked.
    fn is_bare(&self) -> bool {
        ["strip-front", "strip-back"].iter().any(|key| self.spec.named.contains_key(*key))
    }

    fn pick(&self) -> Pick {
        let places = split(self.raw(0));
        // `>WORD` is what stands behind a word.
        let places = match self.spec.key.as_str() {
            "behind" => places.iter().map(|word| format!(">{word}")).collect(),
            _ => first_spellings(&places, self.options),
        };
        let named = |key: &str| words(&split(self.raw_named(key)));
        Pick { at: words(&places), fits: named("fits"), except: named("except"), after: named("after") }
    }

    fn pick_at(&self, place: String) -> Pick {
        let spec = SpecAct { values: vec![place], ..self.spec.clone() };
        Said { spec: &spec, options: self.options }.pick()
    }

    /// The options that decide on `scripts=no` and `system=yes`; `always` for these words themselves.
    fn deciding(&self, key: &str) -> Vec<String> {
        match self.spec.named.get(key).map(String::as_str) {
            None => Vec::new(),
            Some("no" | "yes") => vec!["always".to_owned()],
            Some(options) => split(options),
        }
    }
}

/// Whether this is an option, not a place among the operands (`0`, `1..`, or `--`: behind the dashes).
pub(crate) fn is_option(text: &str) -> bool {
    text.starts_with('-') && text != "--"
}

fn split(words: &str) -> Vec<String> {
    words.split_ascii_whitespace().map(str::to_owned).collect()
}

fn transfer(named: &str) -> Transfer {
    word(named).unwrap_or(Transfer::Both)
}
