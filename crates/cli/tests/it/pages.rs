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

/// How a heading is named in a link to it.
fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || " _-".contains(*letter);
    heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

/// Whether a page of `docs/` has the heading that a link `PAGE.md#ANCHOR` names.
fn is_there(link: &str) -> bool {
    let Some((page, wanted)) = link.split_once('#') else { return false };
    let text = std::fs::read_to_string(docs().join(page)).unwrap_or_default();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    headings.any(|heading| anchor(heading.trim_start_matches('#').trim_start()) == wanted)
}

/// Whether a file of the repository has a test of this name: `PATH::NAME`.
fn is_a_test(named: &str) -> bool {
    let Some((file, name)) = named.trim_matches('`').split_once("::") else { return false };
    let below = if file.starts_with("bindings/") { ".." } else { "../crates" };
    let source = std::fs::read_to_string(docs().join(below).join(file)).unwrap_or_default();
    let marks = ["#[test]", "#[tokio::test", "proptest!", "def test_"];
    marks.iter().any(|mark| source.contains(mark))
        && ["fn", "def"].iter().any(|word| source.contains(&format!("{word} {name}(")))
}

/// Links of a cell: `[words](TARGET)`.
fn links(cell: &str) -> impl Iterator<Item = &str> {
    cell.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// Each sentence of `docs/mission.md` leads to a heading of a page and to a test, and every demand that is tried on
/// every way in belongs to one of the sentences.
#[test]
fn the_mission_leads_to_pages_tests_and_every_demand() {
    let text = std::fs::read_to_string(docs().join("mission.md")).unwrap();
    let mut numbers: std::collections::BTreeMap<&str, usize> = Default::default();
    let mut reached = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| 0")) {
        let cells: Vec<&str> = line.trim_start_matches("| ").split(" | ").map(str::trim).collect();
        let [number, place, quote, page, test, ways, ..] = cells.as_slice() else { panic!("{line}") };
        let (seed, at) = number.split_once('.').unwrap();
        let next = numbers.entry(seed).or_default();
        *next += 1;
        let counted = *at == next.to_string() && !place.is_empty() && !quote.is_empty();
        let leads = links(page).count() == 1 && links(page).chain(links(ways)).all(is_there);
        if !counted || !leads || !is_a_test(test) {
            wrong.push(line);
        }
        reached
            .extend(links(ways).filter_map(|link| link.strip_prefix("conformance.md#")).map(str::to_owned));
    }
    assert!(wrong.is_empty(), "wrong number, page, heading or test:\n{}", wrong.join("\n"));
    assert!(numbers.len() == 4 && numbers.values().all(|rows| *rows >= 20), "{numbers:?}");
    let rows = docs().join("../crates/cli/tests/it/conformance/rows");
    for seed in numbers.keys() {
        let demands = std::fs::read_to_string(rows.join(seed).with_extension("txt")).unwrap();
        for place in demands.lines().filter_map(|line| line.strip_prefix("## ")) {
            assert!(reached.contains(&anchor(place)), "no sentence of docs/mission.md leads to `{place}`");
        }
    }
}

/// Words of the four documents, with the page that people find by them and the key that sets the thing.
const SEARCHED: &[(&str, &str, &str)] = &[
    ("acceptEdits", "modes", "modes.default"),
    ("allowedHosts", "network", "net.allowed_hosts"),
    ("AlwaysConfirm", "modes", "confirm.policy"),
    ("argument sanitization", "arguments", "paths.roots"),
    ("audit logging", "record", "ledger.args"),
    ("auto_detect_safety_experiences", "analyzers", "toolshield.safety_experiences"),
    ("blacklist", "rules", "rules.deny"),
    ("bypassPermissions", "modes", "modes.max"),
    ("command injection", "arguments", "shell.structure"),
    ("command whitelist", "rules", "rules.allow"),
    ("confirm_unknown", "modes", "confirm.policy"),
    ("confirmation mode", "modes", "confirm.policy"),
    ("confirmationId", "events", "notify.webhooks"),
    ("ConfirmRisky threshold", "modes", "confirm.policy"),
    ("disableBypass", "modes", "modes.disable_bypass"),
    ("dontAsk", "modes", "modes.dont_ask"),
    ("EDIT_TOOLS", "modes", "modes.default"),
    ("execution time", "sandbox", "sandbox.wall_s"),
    ("extraBlockedHosts", "network", "net.extra_blocked_hosts"),
    ("fail-closed", "guardian", "guardian.on_unavailable"),
    ("fine-grained policy rules", "rules", "rules.deny"),
    ("GuardianContext", "guardian", "guardian.history_window"),
    ("GuardianEvaluation", "guardian", "guardian.prompt_at"),
    ("guardrail", "analyzers", "toolshield.model"),
    ("history_window", "analyzers", "toolshield.history_window"),
    ("I confirm", "events", "notify.console"),
    ("ip_address", "policy-engine", "policy.remote"),
    ("LLMSecurityAnalyzer", "analyzers", "analyzers.list"),
    ("mandatory sandboxing", "sandbox", "sandbox.min_tier"),
    ("MCP hints", "analyzers", "mcp.trusted"),
    ("memory usage", "sandbox", "sandbox.memory_mb"),
    ("network access restrictions", "sandbox", "hooks.shell"),
    ("NeverConfirm", "modes", "hooks.relieve"),
    ("NoOpSecurityAnalyzer", "analyzers", "analyzers.list"),
    ("obligations", "policy-engine", "obligations.*"),
    ("onToolCallRequest", "events", "notify.webhooks"),
    ("path traversal", "arguments", "paths.relative_only"),
    ("permission modes", "modes", "modes.default"),
    ("permission tiers", "modes", "modes.default"),
    ("permitted roots", "arguments", "paths.roots"),
    ("Policy & Guardrails Engine", "policy-engine", "policy.remote"),
    ("principal", "policy-engine", "policy.remote"),
    ("python_interpreter", "sandbox", "sandbox.min_tier"),
    ("READ_ONLY_TOOLS", "modes", "modes.default"),
    ("recentFiles", "guardian", "guardian.model"),
    ("REQUIRE_USER_CONFIRMATION", "policy-engine", "policy.remote"),
    ("resolveDns", "network", "net.resolve_dns"),
    ("riskScore", "guardian", "guardian.prompt_at"),
    ("safety_experiences", "analyzers", "toolshield.safety_experiences"),
    ("SecretFinding", "secrets", "flows.private"),
    ("secrets detection", "secrets", "flows.private"),
    ("Secrets Detector", "secrets", "flows.private"),
    ("security_risk", "analyzers", "analyzers.list"),
    ("security_warning", "events", "notify.webhooks"),
    ("SSRF Guard", "network", "net.allowed_hosts"),
    ("ToolShield", "analyzers", "toolshield.model"),
    ("yoloMode", "guardian", "guardian.review"),
];

/// Somebody who knows one of the four documents finds the page and the key: by one `doorward help WORD`, and from
/// README by one click.
#[test]
fn words_of_the_seeds_lead_to_their_page_and_key() {
    let bench = Bench::new("");
    let readme = std::fs::read_to_string(docs().join("../README.md")).unwrap();
    let mut wrong = Vec::new();
    for (word, topic, key) in SEARCHED {
        let (code, told) = bench.doorward(&["help", word]);
        let page = std::fs::read_to_string(docs().join(topic).with_extension("md")).unwrap();
        let title = page.lines().next().unwrap().trim_start_matches("# ");
        let found = code == 0 && told.trim_start().starts_with(title);
        let says = page.to_lowercase().contains(&word.to_lowercase());
        let sets = told.contains(key) && page.contains(&format!("| `{key}` | "));
        if !found || !says || !sets || !readme.contains(&format!("(docs/{topic}.md)")) {
            wrong.push(format!("{word}: found {found}, says {says}, sets {sets}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
