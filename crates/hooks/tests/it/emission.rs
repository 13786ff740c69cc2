//! Checks every cell of the emission table against the rules, and docs/emission.md against the table.

use std::fmt::Write as _;

use doorward_core::decision::{Basis, Verdict};
use doorward_core::json::Value;
use doorward_core::tool::ToolName;
use doorward_hooks::clients::{self, Asked, ClientMode, Contract, Untold};
use doorward_hooks::emission::{Emission, Situation, emission, then};
use doorward_hooks::{Answer, HookCall, reply};

const BASES: [Basis; 5] = [Basis::Rule, Basis::Risk, Basis::Finding, Basis::Guardian, Basis::Mode];

/// The clients that have hooks.
fn installed() -> impl Iterator<Item = &'static Contract> {
    clients::all().filter(|contract| contract.install.is_some())
}

fn call(command: &str) -> HookCall {
    HookCall {
        event: "PreToolUse".to_owned(),
        session: "s".to_owned(),
        agent: None,
        call: None,
        turn: None,
        tool: ToolName::new("shell:execute").unwrap(),
        args: [("command".to_owned(), Value::from(command))].into(),
        raw_args: Value::Null,
        cwd: "/".to_owned(),
        mode: None,
    }
}

fn situations(contract: &Contract) -> Vec<(ClientMode, bool, Situation)> {
    let mut all = Vec::new();
    for mode in ClientMode::ALL {
        for attended in [true, false] {
            for command in ["cargo build", "rm -r build"] {
                let (untold, asked) = contract.does(mode, attended, &call(command));
                for verdict in [Verdict::Allow, Verdict::Confirm, Verdict::Deny] {
                    for basis in BASES {
                        for level in 1..=3 {
                            for bits in 0..8 {
                                let (waives, queue_first, bound) =
                                    (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
                                let situation = Situation {
                                    verdict,
                                    basis,
                                    level,
                                    untold,
                                    asked,
                                    waives,
                                    queue_first,
                                    bound,
                                };
                                all.push((mode, attended, situation));
                            }
                        }
                    }
                }
            }
        }
    }
    all
}

#[test]
fn no_verdict_is_lost_in_any_cell() {
    let mut cells = 0;
    for contract in installed() {
        for (mode, attended, situation) in situations(contract) {
            cells += 1;
            let said = emission(&situation);
            let cell = format!("{} {mode:?} attended={attended} {situation:?} -> {said:?}", contract.title);
            match situation.verdict {
                Verdict::Deny => assert_eq!(said, Emission::No, "{cell}"),
                Verdict::Allow if situation.waives => assert_eq!(said, Emission::Yes, "{cell}"),
                Verdict::Allow => assert_eq!(said, Emission::Nothing, "{cell}"),
                Verdict::Confirm => {
                    assert!(!matches!(said, Emission::Yes | Emission::No), "{cell}");
                    if situation.level > 1 {
                        assert_eq!(said, Emission::Queue, "{cell}");
                    }
                    if said == Emission::Nothing {
                        assert_eq!(situation.basis, Basis::Mode, "{cell}");
                        assert!(!situation.bound, "{cell}");
                        assert_ne!(situation.untold, Untold::Runs, "{cell}");
                        assert!(!matches!(mode, ClientMode::Bypass | ClientMode::Unknown), "{cell}");
                    }
                    if said == Emission::Ask {
                        assert_eq!(situation.asked, Asked::Asks, "{cell}");
                        assert!(attended && !situation.queue_first, "{cell}");
                        assert!(!contract.measured.is_empty(), "{cell}: never measured");
                    }
                }
            }
        }
    }
    assert_eq!(cells, 7 * 7 * 2 * 2 * 3 * 5 * 3 * 8);
}

/// An emission in the client's format must equal the one measured in `hook_replies.jsonl`.
#[test]
fn what_is_said_has_the_clients_shape() {
    for contract in installed() {
        let event = contract.install.unwrap().events[0];
        let said = |answer: &Answer| reply(contract.client, event, answer);
        let no = said(&Answer::Deny { reason: "because".to_owned() });
        assert!(no.exit == 2 && no.stderr.contains("because") || no.stdout.contains("because"), "{no:?}");
        let nothing = said(&Answer::NoOpinion);
        assert!(!nothing.stdout.contains("deny") && nothing.exit == 0, "{nothing:?}");
        // `ask` must not be used where it wasn't measured to stop the call.
        if contract.behaviour.attended.iter().all(|(_, asked)| *asked != Asked::Asks) {
            let situation = Situation {
                verdict: Verdict::Confirm,
                basis: Basis::Rule,
                level: 1,
                untold: Untold::Asks,
                asked: Asked::Runs,
                waives: false,
                queue_first: false,
                bound: false,
            };
            assert_eq!(emission(&situation), Emission::Queue, "{}", contract.title);
        }
    }
}

#[test]
fn acceptedits_of_claude_code_is_told_of_what_it_wouldnt_ask_about() {
    let claude = installed().find(|contract| contract.title == "Claude Code").unwrap();
    for (command, untold) in [
        ("cargo build", Untold::Asks),
        ("npm install", Untold::Asks),
        ("rm -rf docs", Untold::Runs),
        ("ls; touch x", Untold::Runs),
        ("/bin/rm x", Untold::Runs),
    ] {
        assert_eq!(claude.does(ClientMode::AcceptEdits, true, &call(command)).0, untold, "{command}");
        assert_eq!(claude.does(ClientMode::Default, true, &call(command)).0, Untold::Asks, "{command}");
    }
}

#[test]
fn the_document_is_the_table() {
    let path = format!("{}/../../docs/emission.md", env!("CARGO_MANIFEST_DIR"));
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let (begin, end) = ("<!-- table: begin -->\n", "<!-- table: end -->\n");
    let table = document();
    let (before, rest) = kept.split_once(begin).expect("the marks of the table");
    let (shown, after) = rest.split_once(end).expect("the marks of the table");
    if std::env::var_os("DOORWARD_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{table}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, table, "docs/emission.md differs from the table: run with DOORWARD_WRITE_DOCS=1");
}

fn document() -> String {
    let mut text = String::new();
    for contract in installed() {
        let measured = if contract.measured.is_empty() {
            "documented, not measured".to_owned()
        } else {
            format!("measured on {}", contract.measured.join(", "))
        };
        writeln!(text, "\n### {} ({measured})\n", contract.title).unwrap();
        text += "| mode | person at its prompt | confirm by mode | then it | \
                 confirm by rule, risk, finding, guardian | then it |\n\
                 |---|---|---|---|---|---|\n";
        let mut rows: Vec<(String, &str, String)> = Vec::new();
        for attended in [true, false] {
            for mode in ClientMode::ALL {
                let (untold, asked) = contract.does(mode, attended, &call("cargo build"));
                let cell = |basis| {
                    let situation = Situation {
                        verdict: Verdict::Confirm,
                        basis,
                        level: 1,
                        untold,
                        asked,
                        waives: false,
                        queue_first: false,
                        bound: false,
                    };
                    let said = emission(&situation);
                    format!("{} | {}", said.as_str(), then(contract, said, untold))
                };
                let cells = format!("{} | {}", cell(Basis::Mode), cell(Basis::Rule));
                let there = if attended { "yes" } else { "no" };
                match rows.iter_mut().find(|(_, other, same)| *other == there && *same == cells) {
                    Some((modes, ..)) => *modes += &format!(", {}", mode.as_str()),
                    None => rows.push((mode.as_str().to_owned(), there, cells)),
                }
            }
        }
        for (modes, there, cells) in rows {
            writeln!(text, "| {modes} | {there} | {cells} |").unwrap();
        }
        let yes = then(contract, Emission::Yes, Untold::Asks);
        writeln!(text, "\nAllowed by a rule of the user's, an approval or `relieve`: it {yes}.").unwrap();
    }
    text.push('\n');
    text
}
