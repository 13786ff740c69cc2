//! `doorward-thin`: what a coding agent starts for every call, `hook` and `exec`, and nothing else.
//!
//! `doorward` knows both words as well. This program is a fiftieth of its size, so it starts in half the time.

use std::process::ExitCode;

use doorward_hooks::{companion, exec, thin};

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    match words.nth(1).as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("hook") => thin::main(words),
        Some("exec") => exec::main(words),
        Some(companion::ASK) => {
            println!("{}", companion::SOURCES);
            ExitCode::SUCCESS
        }
        // For a hook this is a denial, should its command line be broken.
        _ => {
            eprintln!(
                "doorward-thin: run by coding agents, not by people; people run `doorward` (thin.usage)"
            );
            ExitCode::from(2)
        }
    }
}
