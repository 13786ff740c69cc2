//! What people read: the sentence of every code, and the sentences that findings of real command lines make. One rule
//! for all: a verb, an object, at most 120 characters, and none of our own jargon. `docs/findings.md` is made from them:
//! `UPDATE_DOCS=1 cargo test -p doorward-inspect --test it words`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use doorward_core::effect::SandboxFacts;
use doorward_core::finding::{CATALOGUE, Severity};
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, Inspector, example_call};

/// Words of ours, and turns of phrase that a stranger has to read twice.
const BANNED: &[&str] = &[
    "openly",
    "stands",
    "treasure",
    "operand",
    "deed",
    "intent",
    "taint",
    "leaf",
    "scratch",
    "roots",
    "tables",
    "snippet",
    "opaque",
    "realised",
    "egress",
    "canonical",
    "noncharacter",
    "nobody can tell",
    "may be told",
    "beforehand",
    "manner",
    "errand",
    "ground",
    "custody",
    "attended",
    "basis",
    "scope",
    "the text",
];

const LONGEST: usize = 120;

/// What is wrong with a sentence.
fn faults(sentence: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lower = sentence.to_lowercase();
    // What is quoted is the call's own.
    let spoken: String = lower.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let spoken: String = spoken.split(' ').filter(|word| !word.contains('/')).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> =
        spoken.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).collect();
    let said = words.join(" ");
    let is_said = |banned: &&&str| format!(" {said} ").contains(&format!(" {banned} "));
    faults.extend(BANNED.iter().filter(is_said).map(|banned| format!("says \"{banned}\"")));
    if sentence.chars().count() > LONGEST {
        faults.push(format!("has {} characters", sentence.chars().count()));
    }
    if !sentence.ends_with('.') || sentence.ends_with("..") {
        faults.push("doesn't end with a full stop".to_owned());
    }
    let begins = sentence.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
    // A verb of the third person within the first words, and something after it.
    let verb = lower.split(' ').take(6).position(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic());
        word == "did"
            || (word.ends_with('s') && word.len() > 3 && !matches!(word, "this" | "options" | "tools"))
    });
    if !begins || verb.is_none_or(|at| lower.split(' ').count() < at + 2) {
        faults.push("has no verb with an object".to_owned());
    }
    faults
}

#[test]
fn every_code_has_a_sentence_and_an_example() {
    let mut faulty = Vec::new();
    for row in CATALOGUE {
        faulty.extend(
            faults(row.meaning).into_iter().map(|fault| format!("{}: \"{}\" {fault}", row.code, row.meaning)),
        );
        if row.example.is_empty() {
            faulty.push(format!("{}: has no example", row.code));
        }
    }
    assert!(faulty.is_empty(), "{}", faulty.join("\n"));
}

#[test]
fn the_rule_for_sentences_can_fail() {
    for bad in [
        "a protected name.",
        "Openly names a place outside.",
        "Deletes.",
        "Reads the file",
        "Reads the leaf `x`.",
    ] {
        assert!(!faults(bad).is_empty(), "{bad}");
    }
    for good in
        ["Deletes your home folder.", "Runs as root: installs jq.", "`kubectl delete` takes workloads away."]
    {
        assert!(faults(good).is_empty(), "{good}: {:?}", faults(good));
    }
}

/// Sentences of the findings in the blind rounds and the classes of attacks, each with the command it is about.
fn sentences() -> BTreeMap<(String, String), (Severity, String)> {
    let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
    let mut found = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let mut files: Vec<_> = ["", "blind", "classes"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
            let Some(command) = row["command"].as_str().or(Some(line).filter(|_| row.is_null())) else {
                continue;
            };
            // The tables of plain lines begin with what is expected.
            let expected =
                ["stop ", "told ", "pass "].into_iter().find_map(|word| command.strip_prefix(word));
            let command = expected.unwrap_or(command);
            if command.is_empty() || command.starts_with('#') || command.len() > 110 {
                continue;
            }
            let call = example_call("shell:execute", "command", command).unwrap();
            let seen = inspector.inspect(&call, &SessionView::default(), &SandboxFacts::default());
            for finding in seen.findings {
                // The same words about another file are the same sentence.
                let shape = finding.sentence();
                let command = command.to_owned();
                found.entry((finding.code.to_string(), shape)).or_insert((finding.severity, command));
            }
        }
    }
    found
}

#[test]
fn findings_of_real_commands_are_sentences_for_people() {
    let found = sentences();
    let mut faulty: BTreeSet<String> = BTreeSet::new();
    for (code, sentence) in found.keys() {
        faulty.extend(faults(sentence).into_iter().map(|fault| format!("{code}: \"{sentence}\" {fault}")));
    }
    assert!(found.len() >= 300, "only {} sentences", found.len());
    assert!(faulty.is_empty(), "{} of {}:\n{}", faulty.len(), found.len(), Vec::from_iter(faulty).join("\n"));

    // One hundred of them for the documentation: of each code in turn.
    let mut by_code: BTreeMap<&str, Vec<(&String, &String)>> = BTreeMap::new();
    for ((code, sentence), (_, command)) in &found {
        let own = by_code.entry(code).or_default();
        // One for each beginning: the rest differs in names.
        let begin = |text: &str| text.split(' ').take(3).collect::<Vec<_>>().join(" ");
        if !own.iter().any(|(other, _)| begin(other) == begin(sentence)) {
            own.push((sentence, command));
        }
    }
    let mut text = String::from(
        "# Findings\n\nWhat Doorward says about a call, by code. Made by `UPDATE_DOCS=1 cargo test -p doorward-inspect \
         --test it words`, which also checks each sentence: a verb, an object, at most 120 characters, plain words.\n\n\
         ## Codes\n\n| code | severity | what the call does | example |\n|---|---|---|---|\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    for row in CATALOGUE {
        let severity = format!("{:?}", row.severity).to_uppercase();
        writeln!(text, "| `{}` | {severity} | {} | `{}` |", row.code, cell(row.meaning), cell(row.example))
            .unwrap();
    }
    text.push_str("\n## One hundred findings\n\n| command | what is said | code |\n|---|---|---|\n");
    let mut shown = 0;
    for turn in 0..20 {
        for (code, own) in &by_code {
            if let Some((sentence, command)) = own.get(turn).filter(|_| shown < 100) {
                shown += 1;
                writeln!(text, "| `{}` | {} | `{code}` |", cell(command), cell(sentence)).unwrap();
            }
        }
    }
    assert_eq!(shown, 100);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == text,
        "docs/findings.md is old: UPDATE_DOCS=1 cargo test -p doorward-inspect --test it words"
    );
}
