//! Questions, answers and grants on each database: the rules of answering, and concurrent answers.

use crate::common;
use crate::common::on_each;
use doorward_core::approval::{Answer, Approver as _, Ask, AskOrigin, Binding, Presence, Reach, Warning};
use doorward_core::decision::Confirm;
use doorward_core::finding::Severity;
use doorward_core::id::QuestionId;
use doorward_core::json::Value;
use doorward_store::{Answered, Answering, AskState, GrantRequest, Redemption, Store};
use jiff::{SignedDuration, Timestamp};

fn binding() -> Binding {
    Binding {
        caller: "agent-a".into(),
        session: "s1".into(),
        project: "P".into(),
        cwd: "/w".into(),
        server: "files".into(),
        tool: "write_text".into(),
        args_digest: Value::parse(r#"{"path":"/w/a.txt","mode":"w"}"#).unwrap().digest(),
        effects_digest: "sha256:e".into(),
        pin_digest: Some("sha256:p".into()),
        preview_digest: "sha256:v".into(),
        policy_version: "p1".into(),
    }
}

fn question(id: &str, level: u8, severity: Severity) -> Ask {
    Ask {
        id: id.into(),
        decision: format!("d-{id}").into(),
        binding: binding(),
        confirm: Confirm { level, ..Confirm::default() },
        warning: Warning { level: severity, message: "writes a file".into() },
        args: Value::parse(r#"{"path":"/w/a.txt"}"#).unwrap(),
        reason: "rule fs-write asks".into(),
        guardian: None,
        origin: AskOrigin::default(),
        expires: Timestamp::now() + SignedDuration::from_secs(3600),
    }
}

fn yes(by: &str) -> Answering {
    Answering::new(by, Presence::Webauthn, "console", true)
}

async fn ask(store: &Store, id: &str, level: u8, severity: Severity) {
    store.put_ask(&question(id, level, severity), false, Timestamp::now()).await.unwrap();
}

async fn redeem(store: &Store, binding: &Binding, now: Timestamp) -> Redemption {
    store
        .redeem_grant(&GrantRequest { binding, severity: Some(Severity::High), nonce: None }, now)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_good_for_one_identical_call() {
    on_each(async |store| {
        ask(&store, "q1", 1, Severity::High).await;
        let now = Timestamp::now();
        assert_eq!(store.pending(now).await.unwrap().len(), 1);
        assert_eq!(redeem(&store, &binding(), now).await, Redemption::None);
        let Answered::Settled(record) = store.answer(&"q1".into(), &yes("user:ana"), now).await.unwrap()
        else {
            panic!()
        };
        assert_eq!((record.state, record.answered_by.as_str()), (AskState::Allowed, "user:ana"));
        type Change = fn(&mut Binding);
        let changes: [(&str, Change); 11] = [
            ("grant.tool", |b| b.tool = "other".into()),
            ("grant.server", |b| b.server = "files2".into()),
            ("grant.args", |b| b.args_digest = "sha256:x".into()),
            ("grant.session", |b| b.session = "s2".into()),
            ("grant.project", |b| b.project = "Q".into()),
            ("grant.cwd", |b| b.cwd = "/x".into()),
            ("grant.effects", |b| b.effects_digest = "sha256:x".into()),
            ("grant.pin", |b| b.pin_digest = Some("sha256:x".into())),
            ("grant.preview", |b| b.preview_digest = "sha256:x".into()),
            ("grant.policy", |b| b.policy_version = "p2".into()),
            ("grant.caller", |b| b.caller = "agent-b".into()),
        ];
        for (code, change) in changes {
            let mut other = binding();
            change(&mut other);
            assert_eq!(redeem(&store, &other, now).await, Redemption::Differs(code));
        }
        let nonce = |nonce| GrantRequest {
            binding: &*Box::leak(Box::new(binding())),
            severity: None,
            nonce: Some(nonce),
        };
        let forged = store.redeem_grant(&nonce("00ff"), now).await.unwrap();
        assert_eq!(forged, Redemption::Differs("grant.nonce"));
        let mut stolen = binding();
        stolen.caller = "agent-b".into();
        let presented = GrantRequest { binding: &stolen, severity: None, nonce: Some(&record.nonce) };
        assert_eq!(store.redeem_grant(&presented, now).await.unwrap(), Redemption::Differs("grant.caller"));
        let critical = GrantRequest { binding: &binding(), severity: Some(Severity::Critical), nonce: None };
        assert_eq!(store.redeem_grant(&critical, now).await.unwrap(), Redemption::Differs("grant.level"));
        let late = now + SignedDuration::from_secs(601);
        assert_eq!(redeem(&store, &binding(), late).await, Redemption::Differs("grant.expired"));
        let Redemption::Granted(grant) = redeem(&store, &binding(), now).await else { panic!() };
        assert_eq!(
            (grant.nonce.as_str(), grant.by.as_str(), grant.uses_left),
            (record.nonce.as_str(), "user:ana", Some(0))
        );
        assert_eq!(redeem(&store, &binding(), now).await, Redemption::Differs("grant.used"));
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_was_set_back_voids_what_was_granted() {
    let store = Store::in_memory().await.unwrap();
    ask(&store, "q1", 1, Severity::High).await;
    let now = Timestamp::now();
    store.answer(&"q1".into(), &yes("user:ana"), now).await.unwrap();
    let before = now - SignedDuration::from_secs(3600);
    assert_eq!(redeem(&store, &binding(), before).await, Redemption::Differs("grant.clock"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_exactly_one_redeems_and_exactly_one_answer_is_recorded() {
    on_each(async |store| {
        for round in 0..5 {
            let id = QuestionId::from(format!("q{round}"));
            ask(&store, id.as_str(), 1, Severity::High).await;
            let answers: Vec<_> = (0..16)
                .map(|n| {
                    let (store, id) = (store.clone(), id.clone());
                    tokio::spawn(async move {
                        let answering = Answering { yes: n % 2 == 0, ..yes(&format!("user:{n}")) };
                        store.answer(&id, &answering, Timestamp::now()).await.unwrap()
                    })
                })
                .collect();
            let mut settled = Vec::new();
            let mut told = Vec::new();
            for answer in answers {
                match answer.await.unwrap() {
                    Answered::Settled(record) => settled.push(record.answered_by),
                    Answered::Already(record) => told.push(record.answered_by),
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((settled.len(), told.len()), (1, 15));
            assert!(told.iter().all(|by| *by == settled[0]), "everyone is told the recorded answer");
        }
        ask(&store, "race", 1, Severity::High).await;
        let _ = redeem(&store, &binding(), Timestamp::now()).await;
        store.answer(&"race".into(), &yes("user:ana"), Timestamp::now()).await.unwrap();
        // Uses up the grants of earlier rounds first.
        let grants =
            store.asks(100).await.unwrap().iter().filter(|record| record.state == AskState::Allowed).count();
        let calls: Vec<_> = (0..32)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move { redeem(&store, &binding(), Timestamp::now()).await })
            })
            .collect();
        let mut taken = std::collections::HashSet::new();
        let mut granted = 0;
        for call in calls {
            if let Redemption::Granted(grant) = call.await.unwrap() {
                granted += 1;
                taken.insert(grant.nonce);
            }
        }
        assert!(granted <= grants && granted == taken.len(), "{granted} calls got {} grants", taken.len());
        assert!(granted >= 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_of_answering_hold() {
    on_each(async |store| {
        let now = Timestamp::now();
        let refused = async |id: &str, answering: Answering| match store
            .answer(&id.into(), &answering, now)
            .await
            .unwrap()
        {
            Answered::Refused(code) => code,
            other => panic!("{id}: {other:?}"),
        };
        ask(&store, "crit", 2, Severity::Critical).await;
        for typed in [None, Some(""), Some("i confirm"), Some("I  confirm")] {
            let answering = Answering { typed: typed.map(str::to_owned), ..yes("user:ana") };
            assert_eq!(refused("crit", answering).await, "approve.phrase");
        }
        let always = Answering {
            reach: Reach::Always,
            rule: Some("x".into()),
            typed: Some("I confirm".into()),
            ..yes("user:ana")
        };
        assert_eq!(refused("crit", always).await, "always.strict");
        let typed = Answering { typed: Some(" I confirm ".into()), ..yes("user:ana") };
        assert!(matches!(store.answer(&"crit".into(), &typed, now).await.unwrap(), Answered::Settled(_)));

        ask(&store, "peer", 1, Severity::High).await;
        let peer = Answering { presence: Presence::PeerUid, ..yes("user:ana") };
        assert_eq!(refused("peer", peer.clone()).await, "grant.presence");
        ask(&store, "peer-low", 1, Severity::Medium).await;
        let rule = Answering { reach: Reach::Always, rule: Some("x".into()), ..peer.clone() };
        assert_eq!(refused("peer-low", rule).await, "grant.presence");
        assert!(matches!(store.answer(&"peer-low".into(), &peer, now).await.unwrap(), Answered::Settled(_)));

        let mut grouped = question("group", 1, Severity::Medium);
        grouped.confirm.groups = vec!["oncall".into()];
        store.put_ask(&grouped, false, now).await.unwrap();
        assert_eq!(refused("group", yes("user:ana")).await, "approver.group");
        assert_eq!(refused("group", Answering { yes: false, ..yes("user:ana") }).await, "approver.group");

        store.put_ask(&question("strict", 1, Severity::Medium), true, now).await.unwrap();
        let always = Answering {
            reach: Reach::Always,
            rule: Some("shell:execute git status".into()),
            ..yes("user:ana")
        };
        assert_eq!(refused("strict", always.clone()).await, "always.strict");
        ask(&store, "rule", 1, Severity::Medium).await;
        assert_eq!(refused("rule", Answering { rule: None, ..always.clone() }).await, "always.rule");
        let Answered::Settled(record) = store.answer(&"rule".into(), &always, now).await.unwrap() else {
            panic!()
        };
        let grant = store.grant(&record.nonce).await.unwrap().unwrap();
        assert_eq!(
            (grant.reach, grant.uses_left),
            (Reach::Always, Some(1)),
            "the rule itself is kept elsewhere"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_means_two_other_people() {
    on_each(async |store| {
        let now = Timestamp::now();
        ask(&store, "two", 3, Severity::High).await;
        let own = store.answer(&"two".into(), &yes("agent-a"), now).await.unwrap();
        assert_eq!(own, Answered::Refused("approver.self"));
        for _ in 0..2 {
            let same = store.answer(&"two".into(), &yes("user:alice"), now).await.unwrap();
            assert_eq!(same, Answered::Pending { have: 1, need: 2 });
        }
        let Answered::Settled(record) = store.answer(&"two".into(), &yes("user:bob"), now).await.unwrap()
        else {
            panic!()
        };
        assert_eq!((record.state, record.votes.len()), (AskState::Allowed, 2));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_ends_with_the_answer_or_the_deadline_and_a_late_yes_still_counts() {
    on_each(async |store| {
        let now = Timestamp::now();
        store.ask(&question("late", 1, Severity::High)).await.unwrap();
        assert_eq!(
            store.wait(&"late".into(), now + SignedDuration::from_millis(100)).await,
            Answer::TimedOut
        );
        let waiting = {
            let store = store.clone();
            tokio::spawn(async move {
                store.wait(&"late".into(), Timestamp::now() + SignedDuration::from_secs(20)).await
            })
        };
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        store.answer(&"late".into(), &yes("user:ana"), Timestamp::now()).await.unwrap();
        let Answer::Allowed { grant } = waiting.await.unwrap() else { panic!() };
        let taken = store.redeem(&binding(), Severity::High, Timestamp::now()).await.unwrap();
        assert_eq!(taken.nonce, grant.nonce);
        assert!(store.redeem(&binding(), Severity::High, Timestamp::now()).await.is_none());

        for (id, state, answer) in [
            ("e1", AskState::NoApprover, Answer::NoApprover),
            ("e2", AskState::Error, Answer::Error { reason: "io".into() }),
            ("e3", AskState::TimedOut, Answer::TimedOut),
        ] {
            Store::put_ask(&store, &question(id, 1, Severity::High), false, now).await.unwrap();
            let id = &QuestionId::from(id);
            assert!(store.end_ask(id, state, "io", now).await.unwrap());
            assert!(!store.end_ask(id, AskState::Cancelled, "", now).await.unwrap(), "settled once");
            assert_eq!(store.wait(id, now).await, answer);
            assert!(matches!(store.answer(id, &yes("user:ana"), now).await.unwrap(), Answered::Already(_)));
        }
        assert!(store.end_ask(&"e1".into(), AskState::Allowed, "", now).await.is_err());
        let mut lapsed = question("lapsed", 1, Severity::High);
        lapsed.expires = now - SignedDuration::from_secs(1);
        store.put_ask(&lapsed, false, now).await.unwrap();
        let Answered::Already(record) = store.answer(&"lapsed".into(), &yes("user:ana"), now).await.unwrap()
        else {
            panic!()
        };
        assert_eq!(record.state, AskState::TimedOut);
        assert_eq!(store.sweep(now).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn questions_and_unused_grants_survive_a_restart_and_recalled_ones_do_not_count() {
    let dir = tempfile::tempdir().unwrap();
    let now = Timestamp::now();
    let store = common::sqlite(dir.path()).await;
    ask(&store, "open", 1, Severity::High).await;
    ask(&store, "yes", 1, Severity::High).await;
    let Answered::Settled(record) = store.answer(&"yes".into(), &yes("user:ana"), now).await.unwrap() else {
        panic!()
    };
    store.close().await;
    let store = common::sqlite(dir.path()).await;
    assert_eq!(store.pending(now).await.unwrap()[0].ask.id, "open");
    assert!(store.revoke_grant(&record.nonce).await.unwrap());
    assert!(!store.revoke_grant(&record.nonce).await.unwrap());
    assert_eq!(redeem(&store, &binding(), now).await, Redemption::Differs("grant.revoked"));
    let mode =
        std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(dir.path().join("a store.db")).unwrap());
    assert_eq!(mode & 0o777, 0o600);
}

/// The rows of the approval data about the binding of grants; other rows belong to the channels.
#[tokio::test]
async fn the_binding_rows_hold() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/approval_binding.jsonl"))
            .unwrap();
    let base = r#"{"path":"/w/a.txt","mode":"w"}"#;
    let cases = [
        ("appr-001", base.to_owned(), None),
        ("appr-003", base.replace("a.txt", "b.txt"), Some("grant.args")),
        ("appr-004", r#"{"path":"/w/a.txt","mode":"w","force":true}"#.to_owned(), Some("grant.args")),
        ("appr-005", r#"{"path":"/w/a.txt"}"#.to_owned(), Some("grant.args")),
        ("appr-006", "{ \"mode\":\"w\",\n \"path\" : \"/w/a.txt\" }".to_owned(), None),
    ];
    for (id, args, code) in cases {
        let row: serde_json::Value = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .find(|row: &serde_json::Value| row["id"] == id)
            .unwrap();
        assert_eq!(row["reason"].as_str(), code, "{id}");
        let store = Store::in_memory().await.unwrap();
        ask(&store, "q", 1, Severity::High).await;
        let now = Timestamp::now();
        store.answer(&"q".into(), &yes("user:ana"), now).await.unwrap();
        let call = Binding { args_digest: Value::parse(&args).unwrap().digest(), ..binding() };
        match (redeem(&store, &call, now).await, code) {
            (Redemption::Granted(_), None) => {}
            (Redemption::Differs(found), Some(code)) => assert_eq!(found, code, "{id}"),
            other => panic!("{id}: {other:?}"),
        }
    }
    let digest = |text: &str| Value::parse(text).unwrap().digest();
    assert_eq!(digest(r#"{"n":1}"#), digest(r#"{"n":1.0}"#), "appr-007");
    assert_ne!(digest(r#"{"n":9007199254740992}"#), digest(r#"{"n":9007199254740993}"#), "appr-008");
    assert_ne!(digest("{\"path\":\"/w/\u{e9}.txt\"}"), digest("{\"path\":\"/w/e\u{301}.txt\"}"), "appr-010");
    assert!(Value::parse(r#"{"path":"/w/a.txt","path":"/etc/passwd"}"#).is_err(), "appr-009");
}
