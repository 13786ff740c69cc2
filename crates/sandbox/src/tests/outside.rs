//! The same as an ordinary user, and tests that need uid 0.

use std::os::unix::process::CommandExt;
use std::process::Command;

#[test]
fn everything_holds_for_an_ordinary_user() {
    if crate::sys::ids().0 != 0 {
        doorward_needs::lacking!("started as an ordinary user, so uid 0 was not tried");
        return;
    }
    let output = Command::new("/proc/self/exe")
        .args([
            "engine::",
            "tests::elsewhere::",
            "tests::git::",
            "tests::languages::",
            "tests::runs::",
            "tests::protected::",
            "tests::published::",
            "tests::features::",
            "tests::probes::",
            "tests::permit::",
            "tests::work::",
            "--test-threads=2",
        ])
        .uid(1000)
        .gid(1000)
        .current_dir("/")
        .env("HOME", "/tmp")
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains(" 0 passed"), "{text}");
}
