//! A program at a terminal of its own, read and typed into as a person would.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A running one. It ends with this value.
pub struct Terminal {
    child: Child,
    screen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Starts a command line by `script`, a command that runs `script(1)` for somebody.
    pub fn start(mut script: Command, line: &str) -> Self {
        let line = format!("stty rows 40 cols 140; exec {line}");
        let mut child = script
            .args(["-qefc", &line, "/dev/null"])
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let screen: Arc<Mutex<Vec<u8>>> = Arc::default();
        let (mut from, kept) = (child.stdout.take().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut piece) {
                kept.lock().unwrap().extend_from_slice(&piece[..read]);
            }
        });
        Self { child, screen }
    }

    /// Types. A program that has ended takes nothing, which shows in what it drew.
    pub fn type_in(&mut self, keys: &str) {
        let _ = self.child.stdin.as_mut().unwrap().write_all(keys.as_bytes());
    }

    /// A line, and the key that sends it, as two strokes: a program may take both at once for pasted text.
    pub fn enter(&mut self, line: &str) {
        self.type_in(line);
        std::thread::sleep(Duration::from_millis(400));
        self.type_in("\r");
    }

    /// What was drawn, without escape sequences and white space: words are placed by moving the cursor.
    pub fn drawn(&self) -> String {
        let bytes = self.screen.lock().unwrap().clone();
        let mut drawn = String::new();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut letters = text.chars().peekable();
        while let Some(ch) = letters.next() {
            if ch == '\u{1b}' {
                if letters.next() == Some('[') {
                    while letters.next().is_some_and(|ch| !ch.is_ascii_alphabetic() && ch != '~') {}
                }
            } else if !ch.is_whitespace() && !ch.is_control() {
                drawn.push(ch);
            }
        }
        drawn
    }

    /// Forgets what was drawn so far.
    pub fn clear(&self) {
        self.screen.lock().unwrap().clear();
    }

    /// Waits until one of these is drawn.
    pub fn wait_for(&self, any: &[&str]) -> bool {
        self.wait_until(any, Duration::from_secs(40))
    }

    fn wait_until(&self, any: &[&str], longest: Duration) -> bool {
        let plain = |words: &&str| words.chars().filter(|ch| !ch.is_whitespace()).collect::<String>();
        let wanted: Vec<String> = any.iter().map(plain).collect();
        let until = Instant::now() + longest;
        while Instant::now() < until {
            let drawn = self.drawn();
            if wanted.iter().any(|words| drawn.contains(words)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }

    /// Asks for something once the program shows that it is `ready`, and waits for its dialog; what it shows.
    pub fn dialog(&mut self, ready: &[&str], dialog: &[&str]) -> Option<String> {
        if !self.wait_for(ready) {
            return None;
        }
        // A client that still starts takes what is typed and loses the key that sends it.
        std::thread::sleep(Duration::from_secs(4));
        // What is sent while it still starts may be lost: asked again, it begins a turn.
        let came = (0..3).any(|_| {
            self.enter("go");
            self.wait_until(dialog, Duration::from_secs(30))
        });
        came.then(|| {
            std::thread::sleep(Duration::from_millis(700));
            self.drawn()
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Its terminal goes, and with it everything on it.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
