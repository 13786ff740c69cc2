//! The live queue in a terminal: `doorward approvals` without a further word.
//!
//! What is shown and what a key does is decided without a terminal ([`Queue`]); the loop around it reads keys, asks the
//! service and draws. The rules are the console's: a new arrival never takes the selection, approving is dead for
//! half a second after the question changes, denying works at once, Enter never approves, a phrase is typed and never
//! pasted.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Command as Process;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::approvals::{approvals, guardian, level, short, text, visible, who};
use crate::output::Failure;
use crate::service::expect;

/// How long approving is dead after the question changed.
const GUARD: Duration = Duration::from_millis(500);
/// How often the service is asked what is open.
const LOOK: Duration = Duration::from_millis(400);
/// How long a passphrase is remembered here.
const REMEMBERED: Duration = Duration::from_mins(10);
const PHRASE: &str = "I confirm";

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Letter(char),
    Up,
    Down,
    Enter,
    Escape,
    Erase,
    /// Something was pasted: never an answer.
    Paste,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Action {
    Quit,
    Answer { id: String, body: Value },
    Recall { id: String },
    Needless { id: String },
    StopAll,
}

/// What the keys are for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mode {
    List,
    /// The phrase of a yes, as far as it is typed; how far the yes reaches.
    Phrase {
        typed: String,
        reach: &'static str,
    },
    /// The passphrase of a yes.
    Passphrase {
        typed: String,
        phrase: String,
        reach: &'static str,
    },
    Reason {
        typed: String,
        stop: bool,
    },
    /// The kill switch asks once more.
    Stop,
}

struct Queue {
    open: Vec<Value>,
    chosen: Option<String>,
    changed: Instant,
    mode: Mode,
    told: String,
    /// What was allowed last and may be taken back.
    given: Option<String>,
    has_passphrase: bool,
    passphrase: Option<(String, Instant)>,
    scroll: usize,
}

impl Queue {
    fn new(has_passphrase: bool, now: Instant) -> Self {
        Self {
            open: Vec::new(),
            chosen: None,
            changed: now,
            mode: Mode::List,
            told: String::new(),
            given: None,
            has_passphrase,
            passphrase: None,
            scroll: 0,
        }
    }

    /// What is open now. The selection stays; where it is gone, its neighbour is chosen, and approving waits.
    fn look(&mut self, open: Vec<Value>, now: Instant) {
        let place = self.place();
        let shown = self.current().map(|one| text(one, "shown").to_owned());
        self.open = open;
        if self.place().is_none() {
            let next = self.open.get(place.unwrap_or(0).min(self.open.len().saturating_sub(1)));
            self.choose(next.map(|one| text(one, "id").to_owned()), now);
        } else if self.current().map(|one| text(one, "shown").to_owned()) != shown {
            self.choose(self.chosen.clone(), now);
        }
    }

    fn choose(&mut self, id: Option<String>, now: Instant) {
        self.chosen = id;
        self.changed = now;
        self.mode = Mode::List;
        self.scroll = 0;
    }

    fn place(&self) -> Option<usize> {
        let chosen = self.chosen.as_deref()?;
        self.open.iter().position(|one| text(one, "id") == chosen)
    }

    fn current(&self) -> Option<&Value> {
        self.open.get(self.place()?)
    }

    fn step(&mut self, by: isize, now: Instant) {
        let Some(place) = self.place() else { return };
        let next = place.saturating_add_signed(by).min(self.open.len().saturating_sub(1));
        if next != place {
            self.choose(self.open.get(next).map(|one| text(one, "id").to_owned()), now);
        }
    }

    fn press(&mut self, key: Key, now: Instant) -> Option<Action> {
        if key == Key::Paste {
            "nothing can be pasted here".clone_into(&mut self.told);
            return None;
        }
        match self.mode.clone() {
            Mode::List => self.listed(key, now),
            Mode::Stop => {
                self.mode = Mode::List;
                (key == Key::Letter('K')).then_some(Action::StopAll)
            }
            Mode::Phrase { typed, reach } => match self.typing(key, typed)? {
                Ok(typed) => {
                    self.mode = Mode::Phrase { typed, reach };
                    None
                }
                Err(typed) => {
                    let wanted = self.current().and_then(|one| one.get("phrase")?.as_str()).unwrap_or(PHRASE);
                    if typed.trim() != wanted {
                        self.told = format!("type exactly: {}", visible(wanted));
                        self.mode = Mode::List;
                        return None;
                    }
                    self.yes(typed, reach, now)
                }
            },
            Mode::Passphrase { typed, phrase, reach } => match self.typing(key, typed)? {
                Ok(typed) => {
                    self.mode = Mode::Passphrase { typed, phrase, reach };
                    None
                }
                Err(typed) => {
                    self.passphrase = Some((typed, now));
                    self.yes(phrase, reach, now)
                }
            },
            Mode::Reason { typed, stop } => match self.typing(key, typed)? {
                Ok(typed) => {
                    self.mode = Mode::Reason { typed, stop };
                    None
                }
                Err(typed) => {
                    self.mode = Mode::List;
                    let id = self.chosen.clone()?;
                    let reason = Some(typed.trim()).filter(|typed| !typed.is_empty());
                    Some(Action::Answer { id, body: json!({"answer": "no", "reason": reason, "stop": stop}) })
                }
            },
        }
    }

    /// A line as it grows: `Ok` while it does, `Err` when it is done; nothing when it is given up.
    #[allow(clippy::type_complexity)]
    fn typing(&mut self, key: Key, mut typed: String) -> Option<Result<String, String>> {
        match key {
            Key::Letter(letter) => typed.push(letter),
            Key::Erase => drop(typed.pop()),
            Key::Enter => return Some(Err(typed)),
            Key::Escape => {
                self.mode = Mode::List;
                return None;
            }
            Key::Up | Key::Down | Key::Paste => {}
        }
        Some(Ok(typed))
    }

    fn listed(&mut self, key: Key, now: Instant) -> Option<Action> {
        self.told.clear();
        match key {
            Key::Letter('q') | Key::Escape => return Some(Action::Quit),
            Key::Letter('j') | Key::Down => self.step(1, now),
            Key::Letter('k') | Key::Up => self.step(-1, now),
            Key::Letter('J') => self.scroll = self.scroll.saturating_add(5),
            Key::Letter('U') => self.scroll = self.scroll.saturating_sub(5),
            Key::Letter('K') => {
                self.mode = Mode::Stop;
                "press K again to stop everything".clone_into(&mut self.told);
            }
            Key::Letter('u') => return self.given.take().map(|id| Action::Recall { id }),
            Key::Letter('d' | 'D') if self.current().is_some() => {
                self.mode = Mode::Reason { typed: String::new(), stop: key == Key::Letter('D') };
            }
            Key::Letter('n') => return self.chosen.clone().map(|id| Action::Needless { id }),
            Key::Letter('a') => return self.approve("once", now),
            Key::Letter('s') => return self.approve("session", now),
            _ => {}
        }
        None
    }

    fn approve(&mut self, reach: &'static str, now: Instant) -> Option<Action> {
        let current = self.current()?;
        if now.duration_since(self.changed) < GUARD {
            "just appeared: approving is dead for half a second".clone_into(&mut self.told);
            return None;
        }
        if current.get("phrase").is_some_and(Value::is_string) {
            self.mode = Mode::Phrase { typed: String::new(), reach };
            return None;
        }
        self.yes(String::new(), reach, now)
    }

    /// A yes, once it is known that a person says it.
    fn yes(&mut self, phrase: String, reach: &'static str, now: Instant) -> Option<Action> {
        let known = self.passphrase.as_ref().filter(|(_, at)| now.duration_since(*at) < REMEMBERED);
        let passphrase = known.map(|(passphrase, _)| passphrase.clone());
        if self.has_passphrase && passphrase.is_none() {
            self.mode = Mode::Passphrase { typed: String::new(), phrase, reach };
            return None;
        }
        self.mode = Mode::List;
        let current = self.current()?;
        let typed = Some(phrase).filter(|phrase| !phrase.is_empty());
        let body = json!({
            "answer": "yes", "reach": reach, "typed": typed, "passphrase": passphrase, "shown": current.get("shown"),
        });
        Some(Action::Answer { id: text(current, "id").to_owned(), body })
    }

    /// The screen, a line each.
    fn draw(&self, width: usize, height: usize, now: jiff::Timestamp) -> Vec<String> {
        let mut lines = vec![format!(
            "\u{1b}[1mDoorward\u{1b}[0m  {} waiting   a allow  s session  d deny  D deny and stop  n needless  u take back  \
             j/k move  J/U scroll  KK stop all  q quit",
            self.open.len()
        )];
        let rows = (height / 3).max(3);
        let place = self.place().unwrap_or(0);
        let first = place.saturating_sub(rows.saturating_sub(1));
        for (at, one) in self.open.iter().enumerate().skip(first).take(rows) {
            let mark = if at == place { "\u{1b}[7m>" } else { " " };
            let args = visible(&one.get("args").unwrap_or(&Value::Null).to_string());
            let line = format!("{} {}  {} {args}", left(one, now), who(one), visible(text(one, "tool")));
            lines.push(format!("{mark} {} {}\u{1b}[0m", level(one), cut(&line, width.saturating_sub(12))));
        }
        lines.push("\u{1b}[2m".to_owned() + &"─".repeat(width.min(200)) + "\u{1b}[0m");
        if let Some(one) = self.current() {
            let details: Vec<String> = details(one).iter().flat_map(|line| wrapped(line, width)).collect();
            let room = height.saturating_sub(lines.len() + 3);
            let hidden = details.len().saturating_sub(self.scroll + room);
            lines.extend(details.into_iter().skip(self.scroll).take(room));
            if hidden > 0 {
                lines.push(format!("\u{1b}[2m… {hidden} more lines: J\u{1b}[0m"));
            }
        } else {
            lines.push("nothing waits".to_owned());
        }
        let wanted = self.current().and_then(|one| one.get("phrase")?.as_str()).unwrap_or(PHRASE);
        lines.push(match &self.mode {
            Mode::List | Mode::Stop => cut(&visible(&self.told), width),
            Mode::Phrase { typed, .. } => format!("type {} to approve: {}", visible(wanted), visible(typed)),
            Mode::Passphrase { typed, .. } => format!("passphrase: {}", "•".repeat(typed.chars().count())),
            Mode::Reason { typed, .. } => format!("reason, for the agent (Enter denies): {}", visible(typed)),
        });
        lines
    }
}

/// Time that is left, as text.
fn left(one: &Value, now: jiff::Timestamp) -> String {
    let ends: Option<jiff::Timestamp> = text(one, "expires").parse().ok();
    let seconds = ends.map_or(0, |ends| ends.duration_since(now).as_secs().max(0));
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn details(one: &Value) -> Vec<String> {
    let mut out = vec![format!("{} \u{1b}[1m{}\u{1b}[0m", level(one), visible(text(one, "tool")))];
    let warning = one.get("security_warning").map_or("", |warning| text(warning, "message"));
    out.push(visible(warning));
    out.push(who(one));
    for (name, value) in one.get("args").and_then(Value::as_object).into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        out.push(format!("  {}: {}", visible(name), visible(&value)));
    }
    // A number that JSON readers round stands exactly in here.
    let exact = text(one, "args_text");
    if !exact.is_empty() {
        out.push(format!("  exactly: {}", visible(exact)));
    }
    if let Some(said) = guardian(one) {
        out.push(format!("\u{1b}[2mguardian: {said}\u{1b}[0m"));
    }
    for key in ["reason", "caller", "session", "cwd", "id"] {
        out.push(format!("\u{1b}[2m{key}: {}\u{1b}[0m", visible(text(one, key))));
    }
    out
}

fn cut(line: &str, width: usize) -> String {
    line.chars().take(width).collect()
}

/// A long line over several; escapes of our own count as text, so lines come out shorter rather than longer.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    let all: Vec<char> = line.chars().collect();
    all.chunks(width.max(20)).map(|piece| piece.iter().collect()).collect()
}

/// Keys in what a terminal sent.
fn keys(bytes: &[u8]) -> Vec<Key> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.as_ref();
    let mut out = Vec::new();
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("\u{1b}[200~") {
            out.push(Key::Paste);
            rest = behind.split_once("\u{1b}[201~").map_or("", |(_, after)| after);
            continue;
        }
        let sequences =
            [("\u{1b}[A", Key::Up), ("\u{1b}[B", Key::Down), ("\u{1b}OA", Key::Up), ("\u{1b}OB", Key::Down)];
        if let Some((behind, key)) =
            sequences.iter().find_map(|(own, key)| Some((rest.strip_prefix(own)?, *key)))
        {
            out.push(key);
            rest = behind;
            continue;
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
        out.push(match first {
            '\r' | '\n' => Key::Enter,
            '\u{7f}' | '\u{8}' => Key::Erase,
            '\u{3}' | '\u{4}' => Key::Letter('q'),
            '\u{1b}' if rest.starts_with('[') => {
                // A sequence that means nothing here, to its end.
                let end = rest
                    .find(|ch: char| ch.is_ascii_alphabetic() || ch == '~')
                    .map_or(rest.len(), |at| at + 1);
                rest = rest.get(end..).unwrap_or_default();
                continue;
            }
            '\u{1b}' => Key::Escape,
            control if control.is_control() => continue,
            letter => Key::Letter(letter),
        });
    }
    out
}

/// The terminal, as it was before when this is gone.
struct Terminal {
    tty: File,
    before: String,
}

impl Terminal {
    fn open() -> Result<Self, Failure> {
        let missing =
            || Failure::new("approvals.terminal", "there is no terminal; use `doorward approvals list`");
        let tty = File::options().read(true).write(true).open("/dev/tty").map_err(|_| missing())?;
        let before = stty(&tty, &["-g"])?;
        stty(&tty, &["raw", "-echo", "min", "0", "time", "1"])?;
        let mut terminal = Self { tty, before };
        // Another screen, no wrapping, pasted text told as such, no cursor.
        terminal.tty.write_all(b"\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[?25l")?;
        Ok(terminal)
    }

    /// Rows and columns.
    fn size(&self) -> (usize, usize) {
        let told = stty(&self.tty, &["size"]).unwrap_or_default();
        let mut words = told.split_whitespace().filter_map(|word| word.parse().ok());
        match (words.next(), words.next()) {
            (Some(rows), Some(columns)) if rows > 0 && columns > 0 => (rows, columns),
            _ => (24, 80),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.tty.write_all(b"\x1b[?25h\x1b[?2004l\x1b[?7h\x1b[?1049l");
        let _ = stty(&self.tty, &[self.before.trim()]);
    }
}

fn stty(tty: &File, words: &[&str]) -> Result<String, Failure> {
    let failed =
        || Failure::new("approvals.terminal", "the terminal can't be set; use `doorward approvals list`");
    let done = Process::new("stty").args(words).stdin(tty.try_clone()?).output().map_err(|_| failed())?;
    if !done.status.success() {
        return Err(failed());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Shows the queue until the person leaves.
pub(crate) fn run(socket: &Path) -> Result<(), Failure> {
    // The passphrase is in this memory for a while: no image of it for anyone.
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    let me = expect(socket, "GET", "/v1/me", None)?;
    let mut terminal = Terminal::open()?;
    let mut queue = Queue::new(me.get("has_passphrase") == Some(&Value::Bool(true)), Instant::now());
    let mut looked: Option<Instant> = None;
    let mut size = terminal.size();
    let mut drawn = Vec::new();
    loop {
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            match expect(socket, "GET", "/v1/approvals", None) {
                Ok(found) => queue.look(approvals(&found).cloned().collect(), Instant::now()),
                Err(failure) => {
                    // Nothing that may be old is shown as if it could be approved.
                    queue.look(Vec::new(), Instant::now());
                    queue.told = failure.told();
                }
            }
            looked = Some(Instant::now());
            size = terminal.size();
        }
        let lines = queue.draw(size.1, size.0, jiff::Timestamp::now());
        if lines != drawn {
            let screen: String = lines.iter().map(|line| format!("{line}\x1b[K\r\n")).collect();
            terminal.tty.write_all(format!("\x1b[H{screen}\x1b[J").as_bytes())?;
            drawn = lines;
        }
        let mut bytes = [0; 4096];
        let read = terminal.tty.read(&mut bytes)?;
        for key in keys(bytes.get(..read).unwrap_or_default()) {
            match queue.press(key, Instant::now()) {
                None => {}
                Some(Action::Quit) => return Ok(()),
                Some(action) => {
                    act(socket, &mut queue, action);
                    looked = None;
                }
            }
        }
    }
}

fn act(socket: &Path, queue: &mut Queue, action: Action) {
    let done = match &action {
        Action::Quit => return,
        Action::Answer { id, body } => {
            expect(socket, "POST", &format!("/v1/approvals/{id}/answer"), Some(body))
        }
        Action::Recall { id } => {
            expect(socket, "POST", &format!("/v1/approvals/{id}/recall"), Some(&json!({})))
        }
        Action::Needless { id } => {
            expect(socket, "POST", &format!("/v1/approvals/{id}/needless"), Some(&json!({})))
        }
        Action::StopAll => {
            let body = json!({"scope": "all", "reason": "approvals"});
            expect(socket, "POST", "/v1/stops/new", Some(&body))
        }
    };
    match done {
        Ok(answered) => {
            let state = text(&answered, "state");
            queue.told = if state.is_empty() { "done".to_owned() } else { state.to_owned() };
            match action {
                Action::Answer { id, .. } if state == "allowed" => queue.given = Some(id),
                Action::Needless { id } => {
                    queue.told = format!(
                        "noted as needless; the rule that would have spared it: doorward approve {} --always",
                        short(&id)
                    );
                }
                _ => {}
            }
        }
        Err(failure) => {
            let told = failure.told();
            if told.contains("passphrase.wrong") {
                queue.passphrase = None;
            }
            queue.told = told;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(id: &str, phrase: Option<&str>) -> Value {
        json!({
            "id": id, "tool": "shell:execute", "args": {"command": "rm\u{202e} -rf\u{1b}[2J x"}, "shown": format!("sha256:{id}"),
            "security_warning": {"level": "HIGH", "message": "deletes"}, "phrase": phrase, "expires": "2026-11-22T10:10:00Z",
        })
    }

    fn letters(queue: &mut Queue, word: &str, now: Instant) {
        for letter in word.chars() {
            assert_eq!(queue.press(Key::Letter(letter), now), None);
        }
    }

    #[test]
    fn an_arrival_takes_neither_selection_nor_answer() {
        let start = Instant::now();
        let mut queue = Queue::new(false, start);
        queue.look(vec![question("one", None)], start);
        assert_eq!(queue.press(Key::Letter('a'), start), None, "dead for half a second");
        let later = start + Duration::from_secs(1);
        queue.look(vec![question("zero", None), question("one", None)], later);
        assert_eq!(queue.chosen.as_deref(), Some("one"));
        assert_eq!(queue.press(Key::Enter, later), None, "Enter never approves");
        let Some(Action::Answer { id, body }) = queue.press(Key::Letter('a'), later) else {
            panic!("answered")
        };
        assert_eq!(
            (id.as_str(), &body["answer"], &body["shown"]),
            ("one", &json!("yes"), &json!("sha256:one"))
        );
        // Answered elsewhere: the neighbour is chosen, and approving it waits again.
        queue.look(vec![question("zero", None)], later);
        assert_eq!(queue.press(Key::Letter('a'), later), None);
        assert!(matches!(queue.press(Key::Letter('a'), later + GUARD), Some(Action::Answer { .. })));
    }

    #[test]
    fn the_phrase_is_typed_and_the_passphrase_asked_once() {
        let start = Instant::now();
        let later = start + Duration::from_secs(1);
        let mut queue = Queue::new(true, start);
        queue.look(vec![question("one", Some(PHRASE))], start);
        assert_eq!(queue.press(Key::Letter('a'), later), None);
        assert_eq!(queue.press(Key::Paste, later), None);
        letters(&mut queue, "I confirm", later);
        assert_eq!(queue.press(Key::Enter, later), None, "the passphrase is next");
        letters(&mut queue, "secretX", later);
        assert_eq!(queue.press(Key::Erase, later), None);
        assert!(!queue.draw(100, 30, jiff::Timestamp::UNIX_EPOCH).join("\n").contains("secret"));
        let Some(Action::Answer { body, .. }) = queue.press(Key::Enter, later) else { panic!("answered") };
        assert_eq!((&body["typed"], &body["passphrase"]), (&json!("I confirm"), &json!("secret")));
        queue.look(vec![question("two", Some(PHRASE))], later);
        let then = later + Duration::from_secs(1);
        assert_eq!(queue.press(Key::Letter('a'), then), None);
        letters(&mut queue, "i confirm", then);
        assert_eq!(queue.press(Key::Enter, then), None, "not the phrase");
        assert!(queue.told.contains("I confirm"));
        assert_eq!(queue.press(Key::Letter('a'), then), None);
        letters(&mut queue, "I confirm", then);
        assert!(matches!(queue.press(Key::Enter, then), Some(Action::Answer { .. })), "remembered");
    }

    #[test]
    fn a_no_works_at_once_and_takes_a_reason() {
        let start = Instant::now();
        let mut queue = Queue::new(true, start);
        queue.look(vec![question("one", Some(PHRASE))], start);
        assert_eq!(queue.press(Key::Letter('D'), start), None);
        letters(&mut queue, "not that", start);
        let body = json!({"answer": "no", "reason": "not that", "stop": true});
        assert_eq!(queue.press(Key::Enter, start), Some(Action::Answer { id: "one".to_owned(), body }));
    }

    #[test]
    fn the_kill_switch_takes_two_presses() {
        let start = Instant::now();
        let mut queue = Queue::new(false, start);
        assert_eq!(queue.press(Key::Letter('K'), start), None);
        assert_eq!(queue.press(Key::Letter('x'), start), None);
        assert_eq!(queue.press(Key::Letter('K'), start), None);
        assert_eq!(queue.press(Key::Letter('K'), start), Some(Action::StopAll));
    }

    #[test]
    fn nothing_of_a_call_reaches_the_terminal_raw() {
        let start = Instant::now();
        let mut queue = Queue::new(false, start);
        queue.look(vec![question("one", None)], start);
        let screen = queue.draw(120, 40, "2026-11-22T10:00:00Z".parse().unwrap()).join("\n");
        assert!(
            screen.contains("<U+202E>") && screen.contains("<U+001B>[2J") && screen.contains("10:00"),
            "{screen}"
        );
        assert!(!screen.contains('\u{202e}') && !screen.contains("\u{1b}[2J"));
        assert!(queue.draw(20, 5, jiff::Timestamp::UNIX_EPOCH).len() < 20);
    }

    #[test]
    fn keys_are_read_as_terminals_send_them() {
        assert_eq!(
            keys(b"aj\x1b[A\x1b[B\r\x7f"),
            [Key::Letter('a'), Key::Letter('j'), Key::Up, Key::Down, Key::Enter, Key::Erase]
        );
        assert_eq!(keys(b"\x1b[200~aaa\r\x1b[201~d"), [Key::Paste, Key::Letter('d')]);
        assert_eq!(keys(b"\x1b[200~never closed a"), [Key::Paste]);
        assert_eq!(keys(b"\x1b[1;5Cx"), [Key::Letter('x')]);
        assert_eq!(keys(b"\x1b"), [Key::Escape]);
        assert_eq!(keys("é".as_bytes()), [Key::Letter('é')]);
    }
}
