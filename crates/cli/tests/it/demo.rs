//! `doorward serve --demo`: its live question is answered at the command line, and the waiting call goes on. The same
//! in the console is `console/test/demo.mjs`.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const DOORWARD: &str = env!("CARGO_BIN_EXE_doorward");

/// A running demo, and the lines that it prints.
struct Demo {
    child: Child,
    lines: Receiver<String>,
    seen: String,
}

impl Demo {
    fn start() -> Self {
        let mut child = Command::new(DOORWARD)
            .args(["serve", "--demo", "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (to, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if to.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines, seen: String::new() }
    }

    /// The first line from here on that holds `text`.
    fn line(&mut self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120));
            let line = line.unwrap_or_else(|_| panic!("never said {text:?}, but:\n{}", self.seen));
            self.seen.push_str(&line);
            self.seen.push('\n');
            if line.contains(text) {
                return line;
            }
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_live_question_is_answered_by_the_printed_command_and_the_call_goes_on() {
    for (said, then) in [("approve", "You said yes"), ("deny", "You said no")] {
        let mut demo = Demo::start();
        let asked = demo.line("npm install left-pad");
        assert!(asked.contains("Ask"), "{asked}");
        let line = demo.line(" approve ");
        let words: Vec<&str> = line.split_whitespace().skip_while(|word| *word != "approve").collect();
        let words = words.into_iter().map(|word| if word == "approve" { said } else { word });
        let answered = Command::new(DOORWARD).args(words).stdin(Stdio::null()).output().unwrap();
        assert!(answered.status.success(), "{}", String::from_utf8_lossy(&answered.stderr));
        demo.line(then);
        if said == "approve" {
            let again = demo.line("npm install left-pad");
            assert!(again.contains("Allow"), "the waiting call goes on: {again}");
        }
        demo.line("Go on from here");
    }
}

#[test]
fn with_once_the_story_ends_without_a_question_that_nobody_can_answer() {
    let told = Command::new(DOORWARD).args(["serve", "--demo", "--once"]).output().unwrap();
    assert!(told.status.success());
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("calls passed") && told.contains("were stopped"), "{told}");
    assert!(!told.contains("left-pad") && !told.contains("question is yours"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
}

#[test]
fn commands_that_agents_run_explain_themselves_to_people() {
    for (command, says) in [("hook", "claude-code, codex"), ("exec", "32 hexadecimal digits")] {
        for word in ["--help", "-h"] {
            let help = Command::new(DOORWARD).args([command, word]).stdin(Stdio::null()).output().unwrap();
            let text = String::from_utf8(help.stdout).unwrap();
            assert!(help.status.success() && help.stderr.is_empty(), "{command} {word}");
            assert!(text.contains("Usage: doorward") && text.contains(says), "{text}");
        }
    }
    // An agent's own line still ends as a refusal where it is broken.
    for words in [vec!["hook"], vec!["hook", "nobody"], vec!["exec"], vec!["exec", "short"]] {
        let broken = Command::new(DOORWARD).args(&words).stdin(Stdio::null()).output().unwrap();
        assert!(!broken.status.success() && !broken.stderr.is_empty(), "{words:?}");
    }
}
