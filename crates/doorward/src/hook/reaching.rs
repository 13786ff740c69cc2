//! Reaching a person about a question: a notification of the desktop and the bell of the client's terminal. Both are
//! best effort; the question itself is in the queue.

use std::io::Write as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use doorward_core::approval::Ask;

use crate::Door;
use crate::origins::asker;
use crate::process::ClientProcess;
use crate::served;

/// Longest text in a notification.
const LONGEST: usize = 300;

/// Tells that a question waits. Nothing is waited for.
pub(super) fn tell(door: &Door, ask: &Ask, process: Option<&ClientProcess>) {
    if served::is_another() {
        // Neither the desktop nor the terminal is this user's.
        return;
    }
    let who = plain(&format!("Doorward: {} waits for you", asker(ask)));
    let title = door.sessions().titles().of(&ask.binding.session);
    let said = plain(&title.map_or_else(|| ask.reason.clone(), |title| format!("{title}: {}", ask.reason)));
    let terminal = process.and_then(ClientProcess::terminal);
    let spawned = std::thread::Builder::new().name("reach-person".into()).spawn(move || {
        if let Some(terminal) = terminal {
            ring(&terminal);
        }
        notify(&who, &said);
    });
    if let Err(error) = spawned {
        tracing::debug!("nobody was notified: {error}");
    }
}

fn ring((path, device): &(PathBuf, u64)) {
    let flags = rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::NONBLOCK;
    let Ok(flags) = i32::try_from(flags.bits()) else { return };
    let opened = std::fs::OpenOptions::new().write(true).custom_flags(flags).open(path);
    let Ok(mut terminal) = opened else { return };
    // The path was read from the client's process: only the terminal itself is written to.
    let same =
        terminal.metadata().is_ok_and(|meta| meta.file_type().is_char_device() && meta.rdev() == *device);
    if same {
        let _ = terminal.write_all(b"\x07");
    }
}

fn notify(who: &str, said: &str) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = std::env::split_paths(&path).map(|folder| folder.join("notify-send"));
    let Some(program) = program.into_iter().find(|place| place.is_file()) else { return };
    let mut command = Command::new(program);
    command
        .args(["--app-name=Doorward", "--urgency=critical", "--", who, said])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // A service that a hook started has no environment of the desktop's.
    let runtime = format!("/run/user/{}", served::uid());
    if std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_none() && Path::new(&runtime).join("bus").exists() {
        command.env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={runtime}/bus"));
        command.env("XDG_RUNTIME_DIR", &runtime);
    }
    if let Ok(mut child) = command.spawn() {
        let _ = child.wait();
    }
}

/// Without markup, which some desktops read, and without control characters.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for ch in text.chars().take(LONGEST) {
        match ch {
            '&' => plain.push_str("&amp;"),
            '<' => plain.push_str("&lt;"),
            '>' => plain.push_str("&gt;"),
            ch if ch.is_control() => plain.push(' '),
            ch => plain.push(ch),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_holds_no_markup() {
        assert_eq!(plain("a <b>&\u{7}c"), "a &lt;b&gt;&amp; c");
        assert_eq!(plain(&"x".repeat(1_000)).len(), LONGEST);
    }
}
