//! Settings and rules: text of the user, and of a project that the agent can write to.

use doorward_policy::shorthand::{RuleSet, RuleSources, common, generalised, reach};
use doorward_settings::{Layer, LayerKind, Settings};
use miette::GraphicalReportHandler;

use crate::mutate::Mutator;

const WORDS: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "\n",
    "#",
    ".",
    "[rules]",
    "allow",
    "deny",
    "ask",
    "= [",
    "[modes]",
    "[confirm]",
    "[policy]",
    "[hooks]",
    "[paths]",
    "[shell]",
    "[net]",
    "[egress]",
    "[sandbox]",
    "[guardian]",
    "[approvals]",
    "[ledger]",
    "[service]",
    "[store]",
    "[counters]",
    "shell = \"bind\"",
    "true",
    "false",
    "0",
    "-1",
    "9223372036854775808",
    "1e400",
    "inf",
    "1979-05-27",
    "\\u0000",
    "é",
    "\u{202e}",
    "managed_only = true",
    "rule = \"shell(ls)\"",
    "until = \"2030-01-01T00:00:00Z\"",
];
const RULE_WORDS: &[&str] = &[
    "shell(",
    "Bash(",
    "Read(",
    "Edit(",
    "net(",
    "mcp(",
    "call(",
    ")",
    "(",
    "*",
    "**",
    "<int>",
    "<path>",
    "<",
    ">",
    "//",
    "/",
    "~/",
    "..",
    "{",
    "}",
    "\"a\":",
    "https://",
    "a.example",
    ":443",
    ":*",
    " ",
    "git ",
    "push ",
    "--force",
    "\\",
    "'",
    "\"",
    "[a-z]",
    "?",
    "!",
    "|",
    ";",
    "&&",
    "$x",
    "é",
    "\u{202e}",
    "\0",
    "mcp__a__b",
    "shell:execute",
];

/// Text in every layer: it loads, or is refused with an error that can be displayed at its position.
pub(super) fn check_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for kind in [LayerKind::User, LayerKind::Project, LayerKind::Admin] {
        let layers = [Layer::new(kind, "doorward.toml", text.clone())];
        match Settings::load(&layers) {
            Ok(loaded) => {
                let again = Settings::load(&layers).expect("what loaded once loads again");
                assert_eq!(again.identity, loaded.identity);
                let _ = loaded.explain();
                let _ =
                    RuleSet::compile(&RuleSources::of(&loaded.settings.rules, Some("/home/u".to_owned())));
            }
            Err(error) => {
                let mut drawn = String::new();
                GraphicalReportHandler::new()
                    .render_report(&mut drawn, &error)
                    .expect("an error that can be drawn");
            }
        }
    }
}

/// One rule per line: it compiles in each list, or is refused.
pub(super) fn check_rules(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines {
        for sources in [
            RuleSources::lists(&[line], &[], &[]),
            RuleSources::lists(&[], &[line], &[]),
            RuleSources::lists(&[], &[], &[line]),
        ] {
            let compiled = RuleSet::compile(&sources);
            assert!(
                compiled.is_err() || !compiled.is_ok_and(|set| set.is_empty()),
                "{line:?} is a rule of nothing"
            );
        }
        let _ = (reach(line), generalised(line));
    }
    if let [one, other, ..] = lines.as_slice() {
        let _ = common(one, other);
    }
}

pub(super) fn settings() -> Mutator {
    let seeds = [
        "[rules]\nallow = [\"shell(git status)\", { rule = \"Read(//w/**)\", reason = \"docs\" }]\n\
        deny = [\"net(*)\"]\n",
        "[hooks]\nshell = \"bind\"\n[service]\nhttp_port = 0\n[ledger]\nargs = \"digest\"\n",
        "[egress]\nallow = [\"https://a.example\"]\n[sandbox]\ntier = \"full\"\n",
        "[confirm]\nthreshold = \"HIGH\"\n\n[[counters]]\nname = \"x\"\n",
    ];
    Mutator::new(seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect(), WORDS)
}

pub(super) fn rules() -> Mutator {
    let seeds = [
        "shell(git push *)\nshell(gh pr view <int>)",
        "Read(~/.ssh/**)\nEdit(//w/docs/*.md)",
        "net(https://a.example:443)\nnet(*.example)",
        "call(mcp__a__b {\"x\": \"<int>\"})\nmcp(a/b)",
        "Bash(npm run test:*)",
    ];
    Mutator::new(seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect(), RULE_WORDS)
}
