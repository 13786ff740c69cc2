//! What long commands cost: words are held once however many wrappers hand them on, and past the budget the call is
//! UNKNOWN, never cut in silence. Figures of a build with all optimisations: `docs/figures.md`.

use std::time::Instant;

use doorward_core::intent::Intent;
use doorward_shell::{Options, analyze};

fn look(text: &str) -> Intent {
    analyze(text, &Options::default())
}

fn is_too_much(intent: &Intent) -> bool {
    intent.unknown.iter().any(|unknown| unknown.code == "shell.too_deep")
}

fn names(count: usize) -> String {
    (0..count).map(|at| format!("f{at} ")).collect()
}

/// Chains of every way to hand words on, longer than is followed.
fn chains() -> Vec<String> {
    let handing = [
        "env ",
        "sudo ",
        "nice ",
        "command ",
        "exec ",
        "xargs ",
        "nohup time ",
        "env A=b ",
        "busybox ",
        "find . -exec ",
    ];
    let mut chains: Vec<String> =
        handing.iter().map(|wrapper| format!("{}rm -rf victim", wrapper.repeat(20_000))).collect();
    chains.push(format!("f() {{ shift; \"$@\"; }}; {}", "f x ".repeat(20_000)));
    chains.push(format!("f() {{ \"$@\"; }}; {}rm -rf victim", "f ".repeat(20_000)));
    chains
}

#[test]
fn a_chain_that_is_not_followed_is_unknown() {
    for text in chains() {
        let intent = look(&text);
        assert!(is_too_much(&intent), "{}: {:?}", &text[..40], intent.unknown);
    }
}

#[test]
fn wrappers_that_people_write_are_followed_with_many_words() {
    for wrappers in ["", "sudo ", "sudo env A=b nice timeout 5 stdbuf -oL xargs "] {
        let text = format!("{wrappers}rm {}", names(30_000));
        let intent = look(&text);
        assert_eq!(intent.unknown, [], "{wrappers}");
        assert!(intent.deletes.len() >= 30_000, "{wrappers}: {}", intent.deletes.len());
    }
    let text = format!("f() {{ \"$@\"; }}; f rm {}", names(10_000));
    assert_eq!(look(&text).deletes.len(), 10_000);
}

/// Each takes well under a second with all optimisations, and took minutes where it grew with the square.
#[test]
fn many_words_take_time_in_proportion() {
    let many = names(30_000);
    let files: String = (0..4_000).map(|at| format!("> f{at} ")).collect();
    for text in [
        format!("rm {many}"),
        format!("rm -rf $(mktemp -d) {many}"),
        format!("touch {many}"),
        format!("sed -i s/a/b/ {many}"),
        format!("sed -i s/a/$X/ {many}"),
        format!("cp {many} folder"),
        format!("mv {many} folder"),
        format!("chmod +x {many}"),
        format!("tee {many} < f"),
        format!("grep x {many}"),
        format!("./script {many}"),
        format!("frob {many}"),
        format!("find . -exec rm {many} {{}} ;"),
        format!("gcc -o x {many}"),
        format!("echo {files}"),
        "perl -e 'print 1'; ".repeat(13_000),
        format!("perl -e '{}'", "print 1; ".repeat(28_000)),
        format!("perl -e '{}'", "unlink \"x\"; ".repeat(22_000)),
        format!("perl {}", "-e 'print 1;' ".repeat(18_000)),
        format!("perl -e '{}'", "x".repeat(250_000)),
    ] {
        let started = Instant::now();
        drop(look(&text));
        let took = started.elapsed().as_secs();
        assert!(took < 60, "{took} s for {}", &text[..40]);
    }
}

/// A here-document that is written to thousands of files would be kept thousands of times.
#[test]
fn a_text_is_not_copied_for_every_file() {
    let text = format!("tee {} <<'E'\n{}E\n", names(20_000), "some text\n".repeat(5_000));
    assert!(is_too_much(&look(&text)));
    let intent = look(&format!("tee {} <<'E'\nsome text\nE\n", names(100)));
    assert!(intent.unknown.is_empty() && intent.writes.iter().all(|write| write.content.is_some()));
}

#[test]
fn a_word_that_stands_for_thousands_hides_none() {
    let list = format!("rm -rf {{{}victim}}", "a,".repeat(2_000));
    let intent = look(&list);
    assert!(intent.deletes.iter().any(|delete| delete.path.text.contains('…')), "{:?}", intent.deletes);
    let intent = look("cat ~/.ss{f..h}/id_{a..z}{a..z}{a..z}");
    assert!(intent.reads.iter().any(|read| read.path.text == "~/.ss*/id_***"), "{:?}", intent.reads);
    // So do the worlds that variables make of one command.
    let values: String = (0..64).map(|at| format!("v{at} ")).collect();
    assert!(is_too_much(&look(&format!("for x in {values}; do rm $x {}; done", names(30_000)))));
}

/// The most memory that this process ever held, in KiB.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Each chain in a process of its own, since the peak is the process's.
#[cfg(target_os = "linux")]
#[test]
fn a_chain_of_wrappers_holds_its_words_once() {
    const CHAIN: &str = "DOORWARD_TEST_CHAIN";
    const MOST: u64 = 64 * 1024;
    if let Some(at) = std::env::var_os(CHAIN) {
        let at: usize = at.to_str().unwrap().parse().unwrap();
        let text = chains().swap_remove(at);
        look("env rm x");
        let before = peak();
        drop(look(&text));
        return println!("took {} KiB", peak() - before);
    }
    for (at, text) in chains().iter().enumerate() {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "budgets::a_chain_of_wrappers_holds_its_words_once", "--nocapture"]);
        let output = child.env(CHAIN, at.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let took = said.split("took ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or(&said);
        let took: u64 = took.parse().unwrap();
        assert!(took < MOST, "{took} KiB for {}", &text[..40]);
    }
}
