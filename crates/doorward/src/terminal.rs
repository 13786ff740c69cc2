//! In which folder a terminal that keeps its shell stands, as far as it is proved.
//!
//! Relative names mean files of that folder, so a command that is judged in the wrong one is judged as another command.
//! OpenHands tells the folder only after a command, and what it tells may be out of date: on a busy machine it takes the
//! prompt of an earlier command for the one that it waits for (seen with openhands-tools 1.58.0). So a reported folder
//! is never believed alone. The folder is proved where it was proved before and our own reading of each command since
//! says that it can't have changed, or where the reading says exactly where a command leads and a prompt reports that
//! same folder: prompts come in order, so one that shows the new folder is younger than the `cd`. In all other cases it
//! isn't known, and [`Terminal::stands`] says why instead of naming one.
//!
//! A program that prints OpenHands' own prompt marker can forge a prompt. A forged one can't move the folder to where no
//! command led.

use doorward_core::intent::{Connector, Form, Intent};
use doorward_hooks::terminal::{TerminalCall, TerminalEnd};
use doorward_shell::{Folders, Options, Standing, analyze};
use serde::{Deserialize, Serialize};

/// Calls that are waited for.
const MOST_WAITING: usize = 256;
/// Programs that change the shell's folder.
const MOVES: &[&str] = &["cd", "popd", "pushd"];
/// Programs that run other text in this shell, or end it: afterwards it may stand anywhere.
const ANYWHERE: &[&str] = &[".", "exit", "logout", "source", "suspend"];
/// Programs after which later words of this shell may mean something else.
const REDEFINES: &[&str] = &["alias", "bind", "enable", "shopt", "trap", "unalias"];
/// Texts that change how the shell finds folders or what it runs before each prompt, or forge the prompt.
const MARKS: &[&str] = &["CDPATH", "PROMPT_COMMAND", "PS1JSON"];
/// Programs of the shell that wait for input or a signal: one may stand still while more of its line is to come.
const WAITS: &[&str] = &["mapfile", "read", "readarray", "select", "wait"];
/// Programs for whose effect the folder doesn't matter, while their operands name no file.
const ANYPLACE: &[&str] =
    &[":", "date", "echo", "false", "hostname", "id", "printf", "pwd", "sleep", "true", "uname", "whoami"];
/// What is typed into a program as an answer or a key.
const ANSWERS: &[&str] = &[
    "", "BS", "DOWN", "END", "ENTER", "ESC", "HOME", "LEFT", "N", "NO", "PGDN", "PGUP", "Q", "QUIT", "RIGHT",
    "TAB", "UP", "Y", "YES",
];

/// What is known of the terminal of one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminal {
    start: String,
    /// Several shells may serve the calls of one turn.
    parallel: bool,
    place: Place,
    /// More than one shell may have been started.
    several: bool,
    /// Words may mean something else, until a new shell is started.
    redefined: bool,
    waiting: Vec<Sent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Place {
    /// Here.
    Proved(String),
    /// Not known.
    Open {
        /// Where the last command leads if it succeeds.
        expected: Option<String>,
        /// Why it isn't known, as a clause.
        why: String,
        /// A shell that waits for a command has done all that it was sent.
        rests: bool,
    },
}

/// A call that may run, or runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Sent {
    id: String,
    text: String,
    typed: bool,
    reset: bool,
    /// It may change the folder.
    moves: bool,
}

/// What a command does to the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reading {
    /// It can't change it.
    Stays,
    /// It ends there, if all goes well.
    Goes(String),
    /// It can't be told.
    Anywhere,
}

impl Terminal {
    /// A terminal whose shell begins in `start`. `parallel`: the calls of one turn may run side by side, in shells of
    /// their own.
    #[must_use]
    pub fn new(start: impl Into<String>, parallel: bool) -> Self {
        let start = start.into();
        let place = Place::Proved(start.clone());
        Self { start, parallel, place, several: false, redefined: false, waiting: Vec::new() }
    }

    /// The folder in which a call is to be judged.
    ///
    /// # Errors
    /// It isn't known and matters: one sentence that says what isn't known, why it matters and what to do.
    pub fn stands(&self, call: &TerminalCall) -> Result<String, String> {
        if call.typed {
            let answer = ANSWERS.contains(&call.text.to_uppercase().as_str())
                || call.text.bytes().all(|byte| byte.is_ascii_digit())
                || (call.text.len() == 3 && call.text.starts_with("C-"));
            return if answer || !needs_folder(&call.text) {
                Ok(self.start.clone())
            } else {
                Err("It isn't known in which folder the running program stands that this is typed into, so it can't be \
                     told which files it means. End that program and run this as a command of its own."
                    .to_owned())
            };
        }
        let why = match (&self.place, self.pending()) {
            _ if call.text.is_empty() => return Ok(self.start.clone()),
            _ if call.reset && !self.several && self.waiting.is_empty() => return Ok(self.start.clone()),
            (Place::Proved(folder), None) => return Ok(folder.clone()),
            _ if !needs_folder(&call.text) => return Ok(self.start.clone()),
            (Place::Open { why, .. }, _) => why.clone(),
            (_, Some(sent)) => format!("`{}` was sent before it and hasn't ended", short(&sent.text)),
        };
        Err(format!(
            "It isn't known in which folder this command would run: {why}. In another folder it would mean other files. \
             Begin it with `cd /the/absolute/folder &&`, so that it can be judged."
        ))
    }

    /// A call that was let through, or that a person can still let through.
    pub fn sent(&mut self, id: &str, call: &TerminalCall) {
        self.several |= self.parallel && !self.waiting.is_empty();
        if self.waiting.len() >= MOST_WAITING {
            self.waiting.clear();
            self.open("too many calls are under way", None, false);
        }
        let TerminalCall { text, typed, reset } = call.clone();
        let mut sent = Sent { id: id.to_owned(), text, typed, reset, moves: true };
        sent.moves = self.reading(&sent) != Reading::Stays;
        self.waiting.push(sent);
    }

    /// A call that never ran.
    pub fn refused(&mut self, id: &str) {
        self.waiting.retain(|sent| sent.id != id);
    }

    /// A call has ended, as the client reports it. What was sent before it has ended too, or never ran.
    pub fn ended(&mut self, id: &str, end: &TerminalEnd) {
        let Some(at) = self.waiting.iter().position(|sent| sent.id == id) else {
            return self.open("a command ran there that Doorward wasn't asked about", None, false);
        };
        let mut before: Vec<Sent> = self.waiting.drain(..=at).collect();
        let Some(mut sent) = before.pop() else { return };
        for missing in before {
            if missing.moves {
                let why = format!("how `{}` ended wasn't reported", short(&missing.text));
                self.open(&why, None, false);
            }
        }
        if end.reset {
            (self.place, self.redefined) = (Place::Proved(self.start.clone()), false);
            // What was sent along began in the new shell.
            sent.reset = false;
        }
        self.apply(&sent, end);
        let at_start = matches!(&self.place, Place::Proved(folder) if same(folder, &self.start));
        if self.several && !at_start {
            self.open(
                "several shells serve this conversation, and they stand in different folders",
                None,
                false,
            );
        }
    }

    /// The kernel's word on where the shell stands. `rests`: it waits for a command and has nothing more to read.
    pub fn seen(&mut self, folder: &str, rests: bool) {
        if self.several || self.redefined {
            return;
        }
        let Place::Open { expected, rests: proves, .. } = &self.place else { return };
        match expected {
            // By the name that the shell has for it.
            Some(expected) if same(expected, folder) => self.place = Place::Proved(expected.clone()),
            _ if rests && *proves => self.place = Place::Proved(folder.to_owned()),
            _ => {}
        }
    }

    /// What happened before isn't known: it was under way, or watched by nobody.
    pub fn lose(&mut self, why: &str) {
        self.open(why, None, false);
    }

    /// Whether the kernel's word could help.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.place, Place::Open { .. }) && !self.several && !self.redefined
    }

    fn apply(&mut self, sent: &Sent, end: &TerminalEnd) {
        let reading = self.reading(sent);
        if redefines(&sent.text) && !sent.typed {
            self.redefined = true;
        }
        let rests = !sent.typed && end.prompt.is_some() && waits_for_nothing(&sent.text);
        let reported = |folder: &str| end.prompt.as_deref().is_some_and(|prompt| same(prompt, folder));
        let open = |expected, why: String| Place::Open { expected, why, rests };
        let text = short(&sent.text);
        let next = match (&self.place, reading) {
            (place, Reading::Stays) if end.failed && end.prompt.is_none() => match place {
                Place::Proved(folder) if same(folder, &self.start) => place.clone(),
                _ => open(None, format!("the terminal reported an error for `{text}`")),
            },
            (Place::Proved(folder), Reading::Stays) => match &end.prompt {
                Some(prompt) if !same(prompt, folder) => {
                    open(None, format!("the terminal reports another folder after `{text}` than before"))
                }
                _ => Place::Proved(folder.clone()),
            },
            (Place::Open { expected: Some(folder), .. }, Reading::Stays) if reported(folder) => {
                Place::Proved(folder.clone())
            }
            (Place::Open { expected, why, .. }, Reading::Stays) => open(expected.clone(), why.clone()),
            // From here to here: an old prompt would report the same.
            (Place::Proved(from), Reading::Goes(folder)) if same(from, &folder) && sole_move(&sent.text) => {
                Place::Proved(folder)
            }
            (Place::Proved(from), Reading::Goes(folder)) if !same(from, &folder) && reported(&folder) => {
                Place::Proved(folder)
            }
            (Place::Open { .. }, Reading::Goes(folder)) if moves_once(&sent.text) && reported(&folder) => {
                Place::Proved(folder)
            }
            (_, Reading::Goes(folder)) => {
                open(Some(folder), format!("the terminal didn't confirm where `{text}` left it"))
            }
            (_, Reading::Anywhere) => open(None, format!("`{text}` may have changed the terminal's folder")),
        };
        self.place = next;
        if self.redefined {
            self.open("its shell has functions, aliases or traps that may change the folder", None, false);
        }
    }

    fn open(&mut self, why: &str, expected: Option<String>, rests: bool) {
        self.place = Place::Open { expected, why: why.to_owned(), rests };
    }

    /// The first call under way that may change the folder.
    fn pending(&self) -> Option<&Sent> {
        self.waiting.iter().find(|sent| sent.moves)
    }

    fn reading(&self, sent: &Sent) -> Reading {
        if sent.typed {
            let key = ANSWERS.contains(&sent.text.to_uppercase().as_str());
            return if key { Reading::Stays } else { Reading::Anywhere };
        }
        if sent.text.is_empty() {
            return if sent.reset { Reading::Goes(self.start.clone()) } else { Reading::Stays };
        }
        let from = match &self.place {
            _ if sent.reset => Some(self.start.as_str()),
            Place::Proved(folder) => Some(folder.as_str()),
            Place::Open { .. } => None,
        };
        match reading(&sent.text, from) {
            // A new shell that isn't left leads to where it begins.
            Reading::Stays if sent.reset => Reading::Goes(self.start.clone()),
            reading => reading,
        }
    }
}

fn intent(text: &str) -> Intent {
    // Where a `cd` failed, the prompt after it tells; here it is asked where the text leads if every step succeeds.
    let succeeds = |_: &str| Standing::Folder;
    analyze(text, &Options { folders: Folders::known_by(&succeeds), ..Options::default() })
}

/// What a command does to the folder of the shell that it runs in.
fn reading(text: &str, from: Option<&str>) -> Reading {
    let intent = intent(text);
    let unread = !intent.unknown.is_empty() || MARKS.iter().any(|mark| text.contains(mark));
    let calls =
        |programs: &[&str]| intent.commands.iter().any(|own| programs.contains(&own.program.as_str()));
    // A word that isn't known may be `cd`.
    let unresolved = intent.commands.iter().any(|own| own.depth == 0 && own.program.contains('…'));
    // The analysis looks behind these words, so they aren't among its commands.
    let behind = text.split([';', '&', '|', '\n']).any(|part| part.trim_start().starts_with("exec "))
        || text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == "eval");
    if unread || unresolved || behind || calls(ANYWHERE) || redefines(text) {
        return Reading::Anywhere;
    }
    match (&intent.final_cwd, from) {
        (None, _) if !calls(MOVES) => Reading::Stays,
        // Where a step fails, it ends elsewhere.
        (None, Some(from)) => Reading::Goes(from.to_owned()),
        (Some(folder), _) if folder.form == Form::Literal && folder.text.starts_with('/') => {
            Reading::Goes(doorward_paths::lexical::fold(&folder.text))
        }
        (Some(folder), Some(from)) if folder.form == Form::Literal && !folder.text.starts_with('~') => {
            Reading::Goes(doorward_paths::lexical::join(from, &folder.text))
        }
        _ => Reading::Anywhere,
    }
}

/// Whether later words of the shell may mean something else after this.
fn redefines(text: &str) -> bool {
    intent(text).commands.iter().any(|own| own.depth == 0 && REDEFINES.contains(&own.program.as_str()))
        || doorward_shell::defines_functions(text)
}

fn waits_for_nothing(text: &str) -> bool {
    !intent(text).commands.iter().any(|own| WAITS.contains(&own.program.as_str()))
}

/// Whether the text is one `cd` and nothing else.
fn sole_move(text: &str) -> bool {
    let intent = intent(text);
    matches!(intent.commands.as_slice(), [own] if own.program == "cd") && intent.connectors.is_empty()
}

/// Whether one `cd` leads to where the text ends.
fn moves_once(text: &str) -> bool {
    intent(text).commands.iter().filter(|own| MOVES.contains(&own.program.as_str())).count() == 1
}

/// Whether what a command does depends on the folder in which it begins.
fn needs_folder(text: &str) -> bool {
    let intent = intent(text);
    let fixed = |path: &str| path.starts_with(['/', '~']);
    let placed = |own: &doorward_core::intent::SimpleCommand| {
        let to = own.words.get(1).map_or("", String::as_str);
        fixed(&own.folder)
            || (own.folder.is_empty() && own.unknown_words.is_empty() && own.assignments.is_empty())
                && (ANYPLACE.contains(&own.program.as_str())
                    || (own.program == "cd" && own.words.len() == 2 && fixed(to)))
    };
    let mut paths = intent.reads.iter().map(|read| read.path.text.as_str());
    let mut written = intent.writes.iter().map(|write| write.path.text.as_str());
    let mut deleted = intent.deletes.iter().map(|delete| delete.path.text.as_str());
    // What comes after `;` or `||` also runs where the `cd` failed.
    let moves = intent.commands.iter().any(|own| MOVES.contains(&own.program.as_str()));
    let loose = |connector: &Connector| !matches!(connector, Connector::And | Connector::Pipe);
    intent.commands.is_empty()
        || (moves && intent.connectors.iter().any(loose))
        || !intent.unknown.is_empty()
        || !intent.commands.iter().all(placed)
        || !paths.all(fixed)
        || !written.all(fixed)
        || !deleted.all(fixed)
}

/// One folder, perhaps by two names.
fn same(one: &str, other: &str) -> bool {
    let real = |path: &str| std::fs::canonicalize(path).ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

/// A command as it is shown in a sentence.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let text = doorward_secrets::redact_text(line);
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() || line.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "/work";

    fn call(text: &str) -> TerminalCall {
        TerminalCall { text: text.to_owned(), ..TerminalCall::default() }
    }

    fn read(prompt: &str) -> TerminalEnd {
        TerminalEnd { prompt: Some(prompt.to_owned()), ..TerminalEnd::default() }
    }

    fn unread() -> TerminalEnd {
        TerminalEnd::default()
    }

    /// A terminal after these commands, each with how it ended.
    fn after(ran: &[(&str, TerminalEnd)]) -> Terminal {
        let mut terminal = Terminal::new(START, false);
        for (text, end) in ran {
            terminal.sent(text, &call(text));
            terminal.ended(text, end);
        }
        terminal
    }

    fn stands(terminal: &Terminal) -> Option<String> {
        terminal.stands(&call("rm -r kept")).ok()
    }

    #[test]
    fn a_folder_is_known_where_reading_and_prompt_agree() {
        let rows: &[(&str, TerminalEnd, Option<&str>)] = &[
            ("ls -l", read("/work"), Some("/work")),
            ("make", unread(), Some("/work")),
            ("./build.sh", unread(), Some("/work")),
            ("cat <<'E' > f\ncd /x\nE", unread(), Some("/work")),
            ("cd /other", read("/other"), Some("/other")),
            ("cd sub && make", read("/work/sub"), Some("/work/sub")),
            ("cd ..", read("/"), Some("/")),
            // The remembered folder, or the prompt of an earlier command.
            ("cd /other", read("/work"), None),
            ("cd /other", unread(), None),
            ("make", read("/other"), None),
            ("cd sub && make; cd ..", read("/work"), None),
            ("cd \"$X\"", read("/work"), None),
            ("cd", read("/work"), None),
            ("pushd /other", unread(), None),
            ("source env.sh", read("/work"), None),
            (". ./env.sh", read("/other"), None),
            ("eval \"$(cat x)\"", read("/work"), None),
            ("$X /other", read("/work"), None),
            ("exec bash", read("/work"), None),
            ("find . -exec ls {} +", read("/work"), Some("/work")),
            ("ls; exit", unread(), None),
            ("PROMPT_COMMAND='cd /x'", read("/work"), None),
            ("printf '###PS1JSON###'; cd /x", read("/x"), None),
        ];
        for (text, end, expected) in rows {
            assert_eq!(stands(&after(&[(text, end.clone())])).as_deref(), *expected, "{text} {end:?}");
        }
    }

    #[test]
    fn an_open_folder_is_closed_by_a_younger_prompt_alone() {
        let late = after(&[("cd /other", read("/work")), ("echo x", read("/other"))]);
        assert_eq!(stands(&late).as_deref(), Some("/other"));
        let old = after(&[("cd /other", read("/work")), ("echo x", read("/work"))]);
        assert_eq!(stands(&old), None, "it may still be an old prompt");
        let again = after(&[("cd $X", read("/work")), ("cd /other && make", read("/other"))]);
        assert_eq!(stands(&again).as_deref(), Some("/other"));
        let twice = after(&[("cd $X", read("/work")), ("cd /work/x && make; cd ..", read("/work"))]);
        assert_eq!(stands(&twice), None, "where the first step fails, it ends elsewhere");
    }

    #[test]
    fn without_the_folder_only_that_is_judged_which_needs_none() {
        let open = after(&[("cd $X", read("/work"))]);
        for text in [
            "cd /abs && rm -r kept",
            "cd /abs && make > log",
            "echo hi",
            "pwd",
            "cd /abs",
            "cd ~/x && ls",
            "",
        ] {
            assert!(open.stands(&call(text)).is_ok(), "{text}");
        }
        for text in [
            "rm -r kept",
            "ls",
            "make",
            "cd sub",
            "cd sub && ls",
            "cd /abs; rm -r kept",
            "cd /abs || rm -r kept",
            "cd /abs && ls; rm -r kept",
            "echo x > log",
            "cat /abs < y",
            "cd $X && ls",
            "(cd /abs && ls); ls",
            "$X",
        ] {
            let why = open.stands(&call(text)).expect_err(text);
            assert!(why.contains("cd $X") && why.contains("cd /the/absolute/folder &&"), "{why}");
        }
    }

    #[test]
    fn what_was_sent_and_has_not_ended_counts_and_what_was_refused_does_not() {
        let mut terminal = Terminal::new(START, false);
        terminal.sent("1", &call("ls"));
        assert_eq!(stands(&terminal).as_deref(), Some(START));
        terminal.sent("2", &call("cd /other"));
        assert!(terminal.stands(&call("rm -r kept")).unwrap_err().contains("`cd /other`"));
        terminal.refused("2");
        assert_eq!(stands(&terminal).as_deref(), Some(START));
        terminal.sent("3", &call("cd /other"));
        terminal.sent("4", &call("echo x"));
        terminal.ended("4", &read("/work"));
        assert_eq!(stands(&terminal), None, "how the one before it ended was never reported");
        terminal.ended("never sent", &read("/work"));
        assert_eq!(stands(&terminal), None);
    }

    #[test]
    fn several_shells_are_known_while_none_has_moved() {
        let mut terminal = Terminal::new(START, true);
        for id in ["1", "2"] {
            terminal.sent(id, &call("ls"));
        }
        terminal.ended("1", &read(START));
        terminal.ended("2", &read(START));
        assert_eq!(stands(&terminal).as_deref(), Some(START));
        terminal.sent("3", &call("cd /other"));
        terminal.ended("3", &read("/other"));
        assert_eq!(stands(&terminal), None, "the next command may run in the other shell");
        terminal.seen("/other", true);
        terminal.sent("4", &call("cd /other && ls"));
        terminal.ended("4", &read("/other"));
        assert_eq!(stands(&terminal), None);
    }

    #[test]
    fn a_new_shell_stands_where_it_begins() {
        let mut terminal = after(&[("cd /other", read("/other")), ("alias ls='cd /x'", read("/other"))]);
        assert_eq!(stands(&terminal), None);
        terminal.sent("a", &call("cd /third"));
        terminal.ended("a", &read("/third"));
        assert_eq!(stands(&terminal), None, "words may mean something else there");
        let reset = TerminalCall { text: "make".to_owned(), reset: true, ..TerminalCall::default() };
        assert_eq!(terminal.stands(&reset).as_deref(), Ok(START));
        terminal.sent("r", &reset);
        terminal.ended("r", &TerminalEnd { reset: true, ..read(START) });
        assert_eq!(stands(&terminal).as_deref(), Some(START));
        // An error: the shell may be a new one, or the command never ran.
        let failed = TerminalEnd { failed: true, ..TerminalEnd::default() };
        assert_eq!(stands(&after(&[("cd /other", read("/other")), ("ls", failed.clone())])), None);
        assert_eq!(stands(&after(&[("ls", failed)])).as_deref(), Some(START));
    }

    #[test]
    fn what_is_typed_into_a_program_is_judged_only_where_the_folder_does_not_matter() {
        let terminal = Terminal::new(START, false);
        let typed =
            |text: &str| TerminalCall { text: text.to_owned(), typed: true, ..TerminalCall::default() };
        for text in ["", "y", "Yes", "3", "C-c", "cd /abs && ls"] {
            assert!(terminal.stands(&typed(text)).is_ok(), "{text}");
        }
        for text in ["rm -r kept", "ls", "import os"] {
            assert!(terminal.stands(&typed(text)).unwrap_err().contains("command of its own"), "{text}");
        }
        let mut moved = Terminal::new(START, false);
        moved.sent("1", &typed("cd /other"));
        moved.ended("1", &read(START));
        assert_eq!(stands(&moved), None);
    }

    #[test]
    fn the_kernel_settles_what_the_prompt_did_not() {
        let open = || after(&[("cd /other", read("/work"))]);
        let mut busy = open();
        busy.seen("/work", false);
        assert_eq!(stands(&busy), None, "it hasn't come to the `cd` yet");
        busy.seen("/other", false);
        assert_eq!(stands(&busy).as_deref(), Some("/other"));
        let mut failed = open();
        failed.seen("/work", true);
        assert_eq!(stands(&failed).as_deref(), Some("/work"), "there is no such folder");
        for ran in [("read -t 9 x; cd /other", read("/work")), ("sleep 9; cd /other", unread())] {
            let mut waits = after(&[ran]);
            waits.seen("/work", true);
            assert_eq!(stands(&waits), None, "more of the line is to come");
        }
    }
}
