//! The reviewers that settings name, through the service's own contract, against local servers that speak the wire
//! formats: what is decided, what is recorded, what is counted.

use std::os::unix::fs::DirBuilderExt as _;
use std::sync::Arc;

use doorward::contract::{self, Trust};
use doorward::hook::{self, Peer};
use doorward::layers::Places;
use doorward::reviewing::reviews;
use doorward::{Door, Options};
use doorward_core::decision::Verdict;
use doorward_core::evaluation::{GuardianDecision, GuardianStatus};
use doorward_core::record::Record;
use doorward_core::risk::SecurityRisk;
use doorward_core::tool::Client;
use doorward_guardian::testing::{Does, ModelServer, status, verdict};
use doorward_ledger::Reader;
use doorward_store::Store;
use serde_json::{Value, json};

const FORMATS: [&str; 5] = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

/// A door with these settings, in a folder of its own.
struct House {
    folder: tempfile::TempDir,
    door: Arc<Door>,
}

impl House {
    async fn with(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["project", "config"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        // What lies beside the settings is Doorward's own.
        let file = folder.path().join("config/doorward.toml");
        std::fs::write(&file, settings).unwrap();
        let places = Places { user: Some(file), admin: None };
        let state = folder.path().join("state");
        let options = Options::at(state.clone(), places);
        std::fs::DirBuilder::new().mode(0o700).create(&state).unwrap();
        let store = Store::open_file(&state.join("doorward.db")).await.unwrap();
        let remembered = doorward::anchoring::Remembered::OfItsFolder;
        let door = Door::open_with_store(options, store, remembered).await.unwrap();
        Self { folder, door }
    }

    fn request(&self, command: &str) -> String {
        let project = self.folder.path().join("project");
        json!({
            "principal": {"id": "u"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": "s"},
        })
        .to_string()
    }

    async fn decides(&self, command: &str) -> contract::Response {
        contract::decide(&self.door, Trust::Local, self.request(command).as_bytes()).await.unwrap()
    }

    async fn simulates(&self, command: &str) -> contract::Simulated {
        contract::simulate(&self.door, self.request(command).as_bytes()).await.unwrap()
    }

    /// The guardian's part of the last decision on record.
    fn recorded(&self) -> Option<doorward_core::record::GuardianSummary> {
        let reader = Reader::open(self.folder.path().join("state/ledger")).unwrap();
        let stored = reader.tail(20).unwrap();
        stored.iter().rev().find_map(|stored| match stored.record() {
            Some(Record::Decision(decision)) => Some(decision.guardian),
            _ => None,
        })?
    }
}

fn guardian(provider: &str, base: &str, more: &str) -> String {
    format!("[guardian]\nmodel = \"{provider}/m\"\nbase_url = \"{base}\"\ntimeout_ms = 60000\n{more}\n")
}

fn counted(status: GuardianStatus, decision: GuardianDecision) -> u64 {
    let ended = reviews().ended();
    ended.iter().filter(|(s, d, _)| (*s, *d) == (status, decision)).map(|(_, _, count)| count).sum()
}

/// A command that the mode asks about: delegable once a model is configured.
const ASKED: &str = "touch built";

#[tokio::test]
async fn every_ending_has_its_decision_its_record_and_its_count() {
    use GuardianStatus::{Evaluated, Invalid, TimedOut, Unavailable};
    let silent = "timeout_ms = 3000";
    for (name, does, ended, said, decided, code) in [
        (
            "a yes",
            Does::Answers(verdict(10)),
            Evaluated,
            GuardianDecision::Approve,
            Verdict::Allow,
            "guardian.approve",
        ),
        ("doubt", Does::Answers(verdict(85)), Evaluated, GuardianDecision::PromptUser, Verdict::Confirm, ""),
        (
            "unreachable",
            status(401, ""),
            Unavailable,
            GuardianDecision::Deny,
            Verdict::Deny,
            "guardian.unavailable",
        ),
        (
            "prose",
            Does::Answers("fine".into()),
            Invalid,
            GuardianDecision::Deny,
            Verdict::Deny,
            "guardian.invalid_reply",
        ),
        ("silence", Does::Hangs, TimedOut, GuardianDecision::Deny, Verdict::Deny, "guardian.timed_out"),
    ] {
        for provider in FORMATS {
            let server = ModelServer::start(vec![does.clone()]);
            let mut settings = guardian(provider, &server.base, "");
            if name == "silence" {
                settings = settings.replace("timeout_ms = 60000", silent);
            }
            let house = House::with(&settings).await;
            let before = counted(ended, said);
            let response = house.decides(ASKED).await;
            let told = format!("{provider}, {name}: {response:?}");
            assert_eq!(response.decision, decided, "{told}");
            if !code.is_empty() {
                assert_eq!(response.code, code, "{told}");
            }
            let recorded = house.recorded().expect(&told);
            assert_eq!((recorded.status, recorded.decision), (ended, said), "{told}");
            assert_eq!(recorded.model, format!("{provider}/m"), "{told}");
            assert_eq!(recorded.score.is_some(), ended == Evaluated, "{told}");
            let spent = recorded.spent.expect(&told);
            assert!(spent.requests > 0 && recorded.prompt_digest.is_some(), "{told}");
            assert_eq!(spent.tokens_in > 0, matches!(ended, Evaluated | Invalid), "{told} {spent:?}");
            assert_eq!(spent.cost_micro_usd, None, "no price is no price of 0: {told}");
            assert!(counted(ended, said) > before, "{told}");
        }
    }
}

#[tokio::test]
async fn a_hooks_time_bounds_the_review_and_its_end_is_a_denial() {
    let server = ModelServer::start(vec![Does::Hangs]);
    let house = House::with(&guardian("openai", &server.base, "")).await;
    let project = house.folder.path().join("project");
    let event = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": project, "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": ASKED}});
    let peer = Peer { uid: rustix::process::getuid().as_raw(), pid: None };
    let started = std::time::Instant::now();
    let left = Some(std::time::Duration::from_secs(5));
    let reply = hook::answer(&house.door, peer, Client::ClaudeCode, event.to_string().as_bytes(), left).await;
    assert!(reply.stdout.contains("\"deny\"") && reply.stdout.contains("guardian.timed_out"), "{reply:?}");
    // The configured minute would be a hook that the client has given up long ago.
    assert!(started.elapsed() < std::time::Duration::from_secs(40), "{:?}", started.elapsed());
    let recorded = house.recorded().unwrap();
    assert_eq!(recorded.status, GuardianStatus::TimedOut);
}

/// What a hook of Claude Code in this mode answers to a command that changes something.
async fn hooked(house: &House, mode: &str) -> String {
    let project = house.folder.path().join("project");
    let event = json!({"hook_event_name": "PreToolUse", "session_id": mode, "cwd": project, "permission_mode": mode,
        "tool_name": "Bash", "tool_input": {"command": ASKED}});
    let peer = Peer { uid: rustix::process::getuid().as_raw(), pid: None };
    hook::answer(&house.door, peer, Client::ClaudeCode, event.to_string().as_bytes(), None).await.stdout
}

#[tokio::test]
async fn the_guardian_judges_what_a_mode_lets_run_without_a_person() {
    let server = ModelServer::start(vec![Does::Answers(verdict(95))]);
    let house = House::with(&guardian("openai", &server.base, "")).await;
    // Claude Code's own dialog stops a call in bypassPermissions, and nothing is asked in dontAsk.
    let (asks, denies) = ("\"ask\"", "\"deny\"");
    for (mode, answer) in [("bypassPermissions", asks), ("dontAsk", denies)] {
        let (before, said) = (server.seen().len(), hooked(&house, mode).await);
        assert_eq!(server.seen().len(), before + 1, "{mode}");
        assert!(said.contains(answer) && said.contains("95 of 100"), "{mode}: {said}");
    }
    // There the question waits for whoever can answer it.
    let broker = house.door.approvals().broker().unwrap();
    let waiting = broker.store().pending(jiff::Timestamp::now()).await.unwrap();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    let server = ModelServer::start(vec![status(500, "")]);
    let house = House::with(&guardian("openai", &server.base, "")).await;
    let said = hooked(&house, "bypassPermissions").await;
    assert!(said.contains("\"deny\"") && said.contains("guardian.unavailable"), "{said}");
    // As it was: questions only.
    let house = House::with(&guardian("openai", &server.base, "review = \"asked\"")).await;
    let before = server.seen().len();
    assert!(!hooked(&house, "bypassPermissions").await.contains("deny"));
    assert_eq!(server.seen().len(), before);
}

#[tokio::test]
async fn what_the_users_policy_allows_is_answered_in_the_clients_place() {
    let never = "[confirm]\npolicy = { kind = \"NeverConfirm\" }\n";
    for (relieve, answered) in [("", false), ("[hooks]\nrelieve = \"policy\"\n", true)] {
        let house = House::with(&format!("{never}{relieve}")).await;
        let said = hooked(&house, "default").await;
        assert_eq!(said.contains("\"allow\""), answered, "{relieve}: {said}");
    }
}

#[tokio::test]
async fn an_outage_stops_nothing_that_is_proved_to_only_read() {
    let server = ModelServer::start(vec![status(500, "")]);
    let house = House::with(&guardian("openai", &server.base, "review = \"all\"")).await;
    assert_eq!(house.decides("ls").await.decision, Verdict::Allow);
    assert_eq!(server.seen().len(), 0, "nobody was asked");
}

#[tokio::test]
async fn a_yes_settles_only_what_policy_delegates_and_never_a_denial() {
    let server = ModelServer::start(vec![Does::Answers(verdict(0))]);
    let rules = "\n[rules]\nask = [\"Bash(touch:*)\"]\ndeny = [\"Bash(mkdir:*)\"]\n";
    let house = House::with(&(guardian("openai", &server.base, "") + rules)).await;
    assert_eq!(
        house.decides("touch built").await.decision,
        Verdict::Confirm,
        "a rule's question is the user's"
    );
    assert_eq!(house.decides("mkdir built").await.decision, Verdict::Deny);
    assert_eq!(server.seen().len(), 0, "it isn't asked where its yes can't matter");
    // What the effects prove is a floor under whatever it says.
    let house = House::with(&guardian("openai", &server.base, "delegate = [\"mode\", \"risk\"]")).await;
    let source = house.folder.path().join("project/src");
    std::fs::create_dir(&source).unwrap();
    std::fs::write(source.join("a.rs"), "1").unwrap();
    assert_ne!(house.decides("rm -rf src").await.decision, Verdict::Allow);
    let house = House::with(&guardian("openai", &server.base, "delegate = []")).await;
    assert_eq!(house.decides(ASKED).await.decision, Verdict::Confirm);
}

#[tokio::test]
async fn thresholds_are_the_operators() {
    let server = ModelServer::start(vec![Does::Answers(verdict(50))]);
    for (more, decided) in [
        ("", Verdict::Allow),
        ("prompt_at = 50", Verdict::Confirm),
        ("prompt_at = 30\ndeny_at = 50", Verdict::Deny),
        ("deny_at = 51", Verdict::Allow),
    ] {
        let house = House::with(&guardian("openai", &server.base, more)).await;
        assert_eq!(house.decides(ASKED).await.decision, decided, "{more}");
    }
}

#[tokio::test]
async fn a_model_that_cannot_be_set_up_is_an_outage_and_not_the_built_in_score() {
    let prices = "prices = \"/nowhere/prices.json\"";
    for settings in
        ["[guardian]\nmodel = \"nobody/m\"\n".to_owned(), guardian("openai", "http://127.0.0.1:1", prices)]
    {
        let house = House::with(&settings).await;
        let response = house.decides(ASKED).await;
        assert_eq!(
            (response.decision, response.code.as_str()),
            (Verdict::Deny, "guardian.unavailable"),
            "{settings}"
        );
    }
}

fn toolshield(base: &str, more: &str) -> String {
    let approves = "delegate = []";
    guardian("openai", base, approves) + &format!("[analyzers]\nlist = [\"toolshield\"]\n{more}\n")
}

#[tokio::test]
async fn toolshield_chosen_in_the_settings_asks_on_high_and_is_unknown_when_it_cannot_be_reached() {
    let compat = "profile = \"openhands-compat\"\n[confirm]\npolicy = { kind = \"ConfirmRisky\" }";
    for (name, does, more, risk, code, decided) in [
        ("low", Does::Answers(verdict(10)), "", SecurityRisk::Low, "", Verdict::Allow),
        ("high", Does::Answers(verdict(90)), "", SecurityRisk::High, "", Verdict::Confirm),
        ("down", status(500, ""), "", SecurityRisk::Unknown, "guardrail.unavailable", Verdict::Confirm),
        (
            "prose",
            Does::Answers("hm".into()),
            "",
            SecurityRisk::High,
            "guardrail.unparseable",
            Verdict::Confirm,
        ),
        (
            "label",
            Does::Answers("RISK: HIGH\nbecause".into()),
            compat,
            SecurityRisk::High,
            "",
            Verdict::Confirm,
        ),
        (
            "two labels",
            Does::Answers("RISK: LOW\nRISK: HIGH".into()),
            compat,
            SecurityRisk::Unknown,
            "guardrail.unparseable",
            // Upstream's policy asks about what isn't known.
            Verdict::Confirm,
        ),
    ] {
        let server = ModelServer::start(vec![does]);
        let house = House::with(&toolshield(&server.base, more)).await;
        let simulated = house.simulates("cat notes.md").await;
        let judged = simulated.judged();
        let by = judged.assessment().by.iter().find(|verdict| verdict.analyzer == "toolshield").unwrap();
        assert_eq!(by.risk, risk, "{name} {by:?}");
        let codes: Vec<String> = by.findings.iter().map(|finding| finding.code.to_string()).collect();
        assert_eq!(codes.first().map(String::as_str).unwrap_or_default(), code, "{name} {codes:?}");
        assert_eq!(simulated.verdict(), decided, "{name} {}", simulated.reason());
        assert!(!server.seen().is_empty(), "{name}: it asks for itself, whatever the actor says");
    }
}

#[tokio::test]
async fn the_history_of_one_session_stays_there() {
    let server = ModelServer::start(vec![Does::Answers(verdict(10))]);
    let house = House::with(&toolshield(&server.base, "")).await;
    house.decides("echo first-of-s").await;
    house.decides("echo second-of-s").await;
    let other = house.request("echo first-of-t").replace("\"session_id\":\"s\"", "\"session_id\":\"t\"");
    contract::decide(&house.door, Trust::Local, other.as_bytes()).await.unwrap();
    let texts: Vec<String> = server.seen().iter().map(|seen| seen.texts().concat()).collect();
    let of_s = texts.iter().find(|text| text.contains("second-of-s")).unwrap();
    assert!(of_s.contains("first-of-s"));
    let of_t = texts.iter().find(|text| text.contains("first-of-t")).unwrap();
    assert!(!of_t.contains("of-s"), "{of_t}");
}

#[tokio::test]
async fn analyzers_are_known_by_our_names_and_by_openhands_and_an_unknown_one_is_refused_with_the_nearest() {
    for (list, taking_part) in [
        ("pattern", "pattern"),
        ("PolicyRailSecurityAnalyzer", "rail"),
        ("EnsembleSecurityAnalyzer", "ensemble"),
        ("noop", "noop"),
    ] {
        let house = House::with(&format!("[analyzers]\nlist = [\"{list}\"]\n")).await;
        let simulated = house.simulates("rm -rf /tmp/x").await;
        let by = &simulated.judged().assessment().by;
        assert!(by.iter().any(|verdict| verdict.analyzer == taking_part), "{list} {by:?}");
    }
    let compat = House::with("[analyzers]\nprofile = \"openhands-compat\"\n").await;
    let simulated = compat.simulates("ls").await;
    assert!(simulated.judged().assessment().by.iter().any(|verdict| verdict.analyzer == "llm"));

    let house = House::with("[analyzers]\nlist = [\"patern\"]\n").await;
    let response = house.decides("ls").await;
    assert_eq!((response.decision, response.code.as_str()), (Verdict::Deny, "settings.unknown_analyzer"));
    assert!(response.reason.contains("did you mean \"pattern\""), "{}", response.reason);
    let house = House::with("[guardian]\ndelegate = [\"mood\"]\n").await;
    assert!(house.decides("ls").await.reason.contains("guardian.delegate"));
}

#[tokio::test]
async fn a_reviewer_in_doubt_reads_the_project_and_asks_what_a_command_would_do() {
    let look = |tool: &str, path: &str, text: &str| json!({"tool": tool, "path": path, "text": text, "offset": 0, "limit": 0});
    let looks: Value = json!({"calls": [look("read_file", "notes.md", ""), look("effects_of", "", "rm -r src"),
        look("read_file", "../config/doorward.toml", "")]});
    let server = ModelServer::start(vec![
        Does::Answers(verdict(75)),
        Does::Answers(looks.to_string()),
        Does::Answers(json!({"calls": []}).to_string()),
        Does::Answers(verdict(45)),
    ]);
    let house = House::with(&guardian("openai", &server.base, "investigate = true")).await;
    std::fs::write(house.folder.path().join("project/notes.md"), "the marker of the notes\n").unwrap();
    assert_eq!(house.decides(ASKED).await.decision, Verdict::Allow);
    let last = server.seen()[3].texts().concat();
    assert!(last.contains("the marker of the notes"), "{last}");
    assert!(last.contains("deletes"), "{last}");
    assert!(last.contains("refused: path."), "{last}");
}
