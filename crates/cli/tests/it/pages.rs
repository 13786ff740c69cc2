//! The pages that `doorward help TOPIC` prints: every example in them is run as it stands, and says what the page says.
//!
//! A block `toml` is the user's `doorward.toml` for the blocks after it, and loads. In a block `console` a line that
//! begins with `$ ` is a command (`> ` continues it), the lines after it are what it prints, and `…` stands for any
//! text. Each page has a folder, a home and a service (`$ doorward serve &`) of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Bench, DOORWARD};

/// The pages, by topic.
const PAGES: &[&str] = &[
    "analyzers",
    "arguments",
    "events",
    "guardian",
    "modes",
    "network",
    "policy-engine",
    "record",
    "rules",
    "sandbox",
    "secrets",
];

/// `doorward` with the state directory of the test in place of the user's own. Other commands aren't run: they
/// could write into the home folder of whoever runs the test, which the user database says, not `HOME`.
const WITH_STATE: &str = r#"
exec 2>&1
doorward() {
    local first=$1; shift
    case $first in
        check|config|run|audit|approvals|experiences) command doorward "$first" --state "$STATE" "$@";;
        net) local second=$1; shift; command doorward net "$second" --state "$STATE" "$@";;
        guardian|help|policy|scan) command doorward "$first" "$@";;
        *) echo "examples may not run doorward $first"; return 99;;
    esac
}
"#;

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Fenced blocks: language and text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(language), None) => open = Some((language, String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block isn't closed");
    found
}

/// Commands of a console block, each with what it prints.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push((command.to_owned(), String::new()));
            continue;
        }
        let (command, printed) = found.last_mut().expect("a block begins with a command");
        match line.strip_prefix("> ") {
            Some(more) if printed.is_empty() => {
                command.push('\n');
                command.push_str(more);
            }
            _ => {
                printed.push_str(line);
                printed.push('\n');
            }
        }
    }
    found
}

/// Whether a text is what is expected, where `…` stands for anything.
fn fits(expected: &str, text: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn dots_stand_for_any_text_and_nothing_else_does() {
    for (expected, text, fit) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a…c", "abc", true),
        ("a…c", "ab", false),
        ("a…b…c", "axbxc", true),
        ("a…b…c", "axc", false),
        ("…", "", true),
        ("a\n…", "a\nb\nc", true),
        ("a\n…", "b\na\n", false),
    ] {
        assert_eq!(fits(expected, text), fit, "{expected:?} {text:?}");
    }
}

/// A folder with a file that git holds and one that it doesn't.
fn bench(folder: &Path) -> Bench {
    let bench = Bench::new("");
    std::fs::create_dir(bench.project().join("src")).unwrap();
    std::fs::write(bench.project().join("src/app.py"), "print(6 * 7)\n").unwrap();
    std::fs::write(bench.project().join("important_file.txt"), "the only copy\n").unwrap();
    for words in [&["add", "src"][..], &["commit", "-qm", "one"]] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]).args(words);
        assert!(git.current_dir(bench.project()).status().unwrap().success());
    }
    std::os::unix::fs::symlink(DOORWARD, folder.join("doorward")).unwrap();
    bench
}

fn run(bench: &Bench, programs: &Path, command: &str) -> String {
    let output = Command::new("bash")
        .arg("-c")
        .arg(format!("{WITH_STATE}{command}"))
        .env_clear()
        .env("PATH", format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display()))
        .env("HOME", bench.home())
        .env("STATE", bench.state())
        .current_dir(bench.project())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// What is wrong on a page, in words.
fn wrong(topic: &str) -> Vec<String> {
    let page = std::fs::read_to_string(docs().join(topic).with_extension("md")).unwrap();
    let programs = tempfile::tempdir().unwrap();
    let mut bench = bench(programs.path());
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (language, text) in blocks(&page) {
        if language == "toml" {
            std::fs::write(bench.state().join("doorward.toml"), &text).unwrap();
            let told = run(&bench, programs.path(), "doorward config check; echo \"exit $?\"");
            if !told.ends_with("exit 0") {
                wrong.push(format!("docs/{topic}.md: settings that don't load:\n{text}{told}"));
            }
        }
        if language != "console" {
            continue;
        }
        for (command, expected) in commands(&text) {
            if command == "doorward serve &" {
                bench.serve();
                continue;
            }
            tried += 1;
            let told = run(&bench, programs.path(), &command);
            if !fits(expected.trim_end(), &told) {
                wrong.push(format!(
                    "docs/{topic}.md: $ {command}\n-- the page says\n{expected}-- it prints\n{told}"
                ));
            }
        }
    }
    assert!(tried >= 2, "docs/{topic}.md has {tried} examples");
    wrong
}

#[test]
fn every_example_of_the_pages_prints_what_the_page_says() {
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let pages: Vec<_> = PAGES.iter().map(|topic| scope.spawn(|| wrong(topic))).collect();
        pages.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_help_prints_these_pages() {
    let bench = Bench::new("");
    for topic in PAGES {
        let page = std::fs::read_to_string(docs().join(topic).with_extension("md")).unwrap();
        let (code, text) = bench.doorward(&["help", topic]);
        let title = page.lines().next().unwrap().trim_start_matches("# ");
        assert!(code == 0 && text.contains(title), "{topic}: {text}");
        assert!(!text.contains("```") && !text.contains("]("), "{topic}: {text}");
    }
    let (_, overview) = bench.doorward(&["help"]);
    let topics = overview.split_once("Topics").unwrap().1;
    let listed = topics.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let mut listed: Vec<&str> = listed
        .filter(|word| !["codes", "settings", "exit-codes"].contains(word) && !word.starts_with('-'))
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, PAGES, "every page is run, and every page that is run is a topic");
    let (code, text) = bench.doorward(&["help", "ConfirmRisky", "threshold"]);
    assert!(code == 0 && text.contains("confirm_unknown"), "{text}");
    let (code, text) = bench.doorward(&["help", "guardain"]);
    assert!(code == 2 && text.contains("did you mean `guardian`"), "{text}");
}

/// Each row of `docs/mission.md` names a page and a test; both are there.
#[test]
fn the_mission_leads_to_pages_and_tests_that_exist() {
    let root = docs().join("..");
    let text = std::fs::read_to_string(docs().join("mission.md")).unwrap();
    let mut rows = 0;
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| 0")) {
        rows += 1;
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, _, page, test, ..] = cells.as_slice() else { panic!("{line}") };
        let topic = page.trim_start_matches('[').split(']').next().unwrap();
        if !PAGES.contains(&topic) || *page != format!("[{topic}]({topic}.md)") {
            wrong.push(format!("no page: {line}"));
        }
        let (file, name) = test.trim_matches('`').split_once("::").unwrap();
        let file =
            if file.starts_with("bindings/") { root.join(file) } else { root.join("crates").join(file) };
        let source = std::fs::read_to_string(&file).unwrap_or_default();
        let is_test = |word: &str| source.contains(&format!("{word} {name}("));
        if !is_test("fn") && !is_test("def") {
            wrong.push(format!("no test: {line}"));
        }
    }
    assert!(rows >= 75, "{rows} rows");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
