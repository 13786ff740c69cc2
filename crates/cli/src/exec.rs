//! `doorward exec TICKET`: the process a bound shell call has become. Reads no settings and judges nothing.

use std::ffi::OsString;

use doorward_hooks::exec;
use doorward_hooks::ticket::NOT_RUN;

pub(crate) fn run(words: impl Iterator<Item = OsString>) -> ! {
    if let Some(exec) = exec::arguments(words) {
        exec.run()
    }
    eprintln!("doorward: give the ticket a hook was answered with: doorward exec TICKET (exec.usage)");
    std::process::exit(i32::from(NOT_RUN))
}
