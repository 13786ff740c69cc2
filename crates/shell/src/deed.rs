//! What one command line of words does: the contract between the interpreter and the tables.
//!
//! The interpreter (`word`, `state`, `walk`) evaluates text into [`Argv`]; the tables (`programs`, `languages`)
//! say in [`Deeds`] what such an argv does, without recursion: code that it would run comes back as [`Run`]
//! requests, which the interpreter follows with its own budgets and spans.

use doorward_core::finding::Finding;
use doorward_core::intent::{
    Certainty, Code, DeleteIntent, EnvRead, Form, HistoryLoss, HostIntent, Install, Mention, ModuleLoad,
    Operand, Place, Privilege, ReadIntent, Span, Unknown, WriteIntent,
};

pub use doorward_knowledge::row::{Output, StdinRole};

/// An evaluated word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Its text after quote removal; unknown parts are `…` (see [`Form`]).
    pub text: String,
    /// How much of it is known. `Glob` only if a wildcard is unquoted.
    pub form: Form,
    /// An unquoted unknown: may stand for no word or for several.
    pub may_split: bool,
    /// Text had to be decoded or assembled to see it (quotes inside the word, `$'…'`, variables, substitution).
    pub assembled: bool,
    /// Where it is written.
    pub span: Span,
}

impl Word {
    /// A literal word.
    #[must_use]
    pub fn literal(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span, ..Self::default() }
    }

    /// The text if it is exactly known and no glob.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (self.form == Form::Literal).then_some(self.text.as_str())
    }

    /// As a path operand on this machine.
    #[must_use]
    pub fn operand(&self) -> Operand {
        let certainty = if self.form == Form::Literal { Certainty::Exact } else { Certainty::May };
        let text = if self.form == Form::Glob { without_groups(&self.text) } else { self.text.clone() };
        Operand { text, form: self.form, place: Place::Local, certainty, span: self.span }
    }
}

/// A pattern with its extglob groups (`@(a|b)`) as `*`, which fits all that they fit.
fn without_groups(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for letter in text.chars() {
        match letter {
            '(' if depth > 0 || out.ends_with(['@', '?', '*', '+', '!']) => {
                if depth == 0 {
                    out.pop();
                    out.push('*');
                }
                depth += 1;
            }
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => out.push(letter),
        }
    }
    if depth == 0 { out } else { text.to_owned() }
}

/// What arrives on standard input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stdin {
    /// Nothing particular: the caller's terminal or nothing.
    #[default]
    Inherited,
    /// Exactly this text (here-document, here-string, `echo x |`).
    Known {
        /// The text.
        text: String,
        /// Where it is written.
        span: Span,
    },
    /// The content of a file.
    File(Operand),
    /// Bytes nobody can foresee.
    Unknown {
        /// They come from the network.
        network: bool,
        /// They come from these files (a reader upstream).
        files: Vec<Operand>,
        /// Every line is a name that one of these fits; empty where nobody can say.
        names: Vec<Word>,
    },
}

/// A command line to look up.
#[derive(Debug, Clone, Default)]
pub struct Argv {
    /// Program and arguments; never empty.
    pub words: Vec<Word>,
    /// Assignments in front of it.
    pub assignments: Vec<(String, Word)>,
    /// What arrives on standard input.
    pub stdin: Stdin,
    /// Where it runs.
    pub place: Place,
    /// Whether it runs for sure.
    pub certainty: Certainty,
}

/// Code or a command that the argv would run. `via` names the wrapper or carrier, e.g. `sudo`, `find -exec`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    /// Another argv.
    Argv {
        /// Program and arguments.
        words: Vec<Word>,
        /// Assignments the wrapper puts in front (`env A=b`).
        assignments: Vec<(String, Word)>,
        /// Unknown operands are appended (xargs, `find -exec … {} +`).
        more_operands: bool,
        /// The wrapper's name.
        via: String,
        /// Where it runs.
        place: Place,
        /// Directory it changes to first, if it does.
        chdir: Option<Word>,
        /// Standard input goes to it, unless the wrapper consumes that (xargs).
        passes_stdin: bool,
    },
    /// Shell text; `args` are `$0`, `$1` ….
    Shell {
        /// The text.
        text: Word,
        /// Positional parameters.
        args: Vec<Word>,
        /// The carrier's name.
        via: String,
        /// Where it runs.
        place: Place,
    },
    /// Text in another language (`python`, `javascript`, `ruby`, `perl`, `php`, `sql`, `powershell`, `awk`, `sed`,
    /// `lua`, …).
    Language {
        /// Which.
        language: String,
        /// The text.
        text: Word,
        /// The carrier's name.
        via: String,
    },
    /// A file whose content is code; `shell` opens nothing, `inspect` may.
    File {
        /// The file.
        path: Word,
        /// What it holds: `Code::Shell`, a language, or `Code::None` for a build file (`make`, `npm run`).
        code: Code,
        /// The carrier's name.
        via: String,
        /// Arguments for it.
        args: Vec<Word>,
    },
    /// A command that a language's own tables judged: it is listed, and nothing of it is looked up again.
    Judged {
        /// Program and arguments.
        words: Vec<Word>,
        /// What it does.
        deeds: Box<Deeds>,
        /// The carrier's name.
        via: String,
    },
    /// Whatever arrives on standard input is run as this.
    Stdin {
        /// As what.
        code: Code,
        /// The carrier's name.
        via: String,
        /// Where.
        place: Place,
        /// Positional parameters.
        args: Vec<Word>,
    },
}

/// What an argv does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deeds {
    /// The program, its sub-command and every option were in the tables.
    pub known: bool,
    /// Changes nothing, runs nothing else, contacts nothing.
    pub read_only: bool,
    /// The program's plain use: no option or operand runs other code, writes or deletes. An allow rule for the
    /// program covers plain uses only.
    pub plain: bool,
    /// The same but for what it sends away or publishes.
    pub plain_upload: bool,
    /// The program isn't in the tables, and no word of its is a command line or code.
    pub unlisted: bool,
    /// This program is a wrapper: the command it runs is in `runs`, and it isn't a command of its own.
    pub transparent: bool,
    /// Files read.
    pub reads: Vec<ReadIntent>,
    /// Files written.
    pub writes: Vec<WriteIntent>,
    /// Files deleted.
    pub deletes: Vec<DeleteIntent>,
    /// Hosts contacted.
    pub hosts: Vec<HostIntent>,
    /// Variables read out.
    pub env_reads: Vec<EnvRead>,
    /// Privilege used.
    pub privilege: Vec<Privilege>,
    /// History lost.
    pub history_loss: Vec<HistoryLoss>,
    /// Packages installed.
    pub installs: Vec<Install>,
    /// Modules that it loads by name.
    pub modules: Vec<ModuleLoad>,
    /// Folders that modules are looked for in, beside the usual ones.
    pub module_folders: Vec<Operand>,
    /// Paths of which nobody knows what the program does with them.
    pub mentions: Vec<Mention>,
    /// What wasn't understood.
    pub unknown: Vec<Unknown>,
    /// What is certain from the words (`shell.data_loss`, `shell.infra`, `shell.resource`, `shell.tamper`, …).
    pub findings: Vec<Finding>,
    /// Code it would run.
    pub runs: Vec<Run>,
    /// What it prints.
    pub output: Output,
    /// What it does with standard input.
    pub stdin: StdinRole,
    /// Options by which it chooses a server, a configuration or code beside its plain use.
    pub chooses: Vec<String>,
    /// Its plain use, if the code in `runs` only reads.
    pub plain_with_code: bool,
    /// Changes nothing and contacts nothing, if the code in `runs` only reads.
    pub read_only_with_code: bool,
    /// What it prints are names, one a line, that these words fit (`**` is any folder below). Empty if it prints
    /// anything else.
    pub lists: Vec<Word>,
}
