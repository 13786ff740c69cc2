//! Two services on one PostgreSQL, through the built programs: a stop said to one holds for both within a second, and a
//! database that is gone, refuses or says nothing makes no call slower that only reads, lets nothing through, and is
//! told once. A row that somebody wrote there is no yes.

use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::http::Http;
use crate::postgres::Postgres;
use crate::store_proxy::{StoreProxy, Way};
use crate::support::Bench;
use doorward::rooms::core::approval::Presence;
use doorward::rooms::store::{Answered, Answering, Store};
use serde_json::{Value, json};

/// What the product promises about two services on one store.
const AGREED: Duration = Duration::from_secs(1);
/// What a call that only reads may cost more while the store is down.
const SLOWER: Duration = Duration::from_millis(5);

struct Service {
    bench: Bench,
    api: Http<UnixStream>,
}

impl Service {
    fn on(url: &str) -> Self {
        Self::with(url, "")
    }

    fn with(url: &str, more: &str) -> Self {
        let rules = "[rules]\nallow = [\"shell(ls *)\", \"shell(mkdir *)\"]\n";
        let mut bench = Bench::new(&format!("{rules}[store]\nurl = \"{url}\"\n{more}"));
        bench.serve();
        let api = Http::local(&bench.state());
        Self { bench, api }
    }

    /// Code and verdict of a shell command.
    fn decide(&mut self, command: &str) -> (String, Value) {
        self.decide_in("s", command)
    }

    fn decide_in(&mut self, session: &str, command: &str) -> (String, Value) {
        let project = self.bench.project();
        let request = json!({"principal": {"id": "u"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": session}});
        let (status, answer) = self.api.send("POST", "/v1/decide", &request);
        assert_eq!(status, 200, "{answer}");
        (answer["decision"].as_str().unwrap_or_default().to_owned(), answer)
    }

    fn until(&mut self, command: &str, verdict: &str, since: Instant) -> Duration {
        loop {
            let (now, answer) = self.decide(command);
            if now == verdict {
                return since.elapsed();
            }
            assert!(since.elapsed() < Duration::from_secs(10), "still {answer}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Median of calls that only read.
    fn reading(&mut self) -> Duration {
        let mut times: Vec<Duration> = (0..60)
            .map(|_| {
                let started = Instant::now();
                assert_eq!(self.decide("ls -la").0, "ALLOW");
                started.elapsed()
            })
            .collect();
        times.sort();
        times[times.len() / 2]
    }
}

#[test]
fn two_services_on_one_database_agree_and_its_loss_lets_nothing_through() {
    let Some(mut server) = Postgres::start() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let third = runtime.block_on(async {
        for _ in 0..50 {
            if let Ok(store) = Store::open(&server.url()).await {
                return store;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Store::open(&server.url()).await.unwrap()
    });
    let mut one = Service::on(&server.url());
    let key = std::fs::read_to_string(one.bench.state().join("ledger/vkey")).unwrap();
    let mut other = Service::with(&server.url(), &format!("signers = [\"{}\"]\n", key.trim()));
    assert_eq!(one.decide("mkdir a").0, "ALLOW");
    assert_eq!(other.decide("mkdir a").0, "ALLOW");

    let (status, answer) =
        one.api.send("POST", "/v1/stops/new", &json!({"scope": "session:halted", "reason": "enough"}));
    let said = Instant::now();
    assert_eq!(status, 200, "{answer}");
    assert_eq!(one.decide_in("halted", "mkdir a").0, "DENY", "where it is said it counts at once");
    while other.decide_in("halted", "mkdir a").1["code"] != "kill_switch" {
        assert!(said.elapsed() <= AGREED, "the other service doesn't stop");
        std::thread::sleep(Duration::from_millis(10));
    }
    // Whoever else can write to the database lifts nothing; `doorward-store` tests lifts that count.
    assert!(runtime.block_on(third.lift("session:halted")).unwrap());
    std::thread::sleep(3 * AGREED);
    for service in [&mut one, &mut other] {
        assert_eq!(service.decide_in("halted", "mkdir a").1["code"], "kill_switch");
        assert_eq!(service.decide("mkdir a").0, "ALLOW", "the stop is of that session");
        let told = service.bench.ledger().iter().any(|entry| entry["code"] == "approvals.forged");
        assert!(told, "an alarm: {}", service.bench.log());
    }

    let before = other.reading();
    server.end();
    let gone = Instant::now();
    // At once, while it isn't known yet, and from then on. On a busy machine one quiet round in three is enough.
    let after = (0..3).map(|_| other.reading()).min().unwrap();
    assert!(after <= before + SLOWER, "{before:?} before, {after:?} without the store");
    let took = other.until("mkdir a", "DENY", gone);
    assert!(took <= Duration::from_secs(5), "{took:?}");
    assert_eq!(other.decide("mkdir a").1["code"], "kill_switch.unknown", "a stop could have been missed");
    let later = (0..3).map(|_| other.reading()).min().unwrap();
    assert!(later <= before + SLOWER, "{before:?} before, {later:?} long without the store");
    eprintln!("a call that reads: {before:?} with the store, {after:?} and {later:?} without");

    let (code, status) = other.bench.doorward(&["status", "--state", other.bench.state().to_str().unwrap()]);
    assert!(status.contains("problem ") && status.contains("store.unavailable"), "{code} {status}");
    std::thread::sleep(Duration::from_secs(2));
    let log = other.bench.log();
    let told = log.lines().filter(|line| line.contains("store.unavailable")).count();
    assert_eq!(told, 1, "told once:\n{log}");
}

/// The longest of calls that only read, each in a session of its own, which the store has never told of.
fn slowest(service: &mut Service, round: &str) -> Duration {
    let times = (0..12).map(|at| {
        let started = Instant::now();
        let (verdict, answer) = service.decide_in(&format!("{round} {at}"), "ls -la");
        assert_eq!(verdict, "ALLOW", "{answer}");
        started.elapsed()
    });
    times.max().unwrap()
}

#[test]
fn over_tcp_a_database_that_refuses_or_says_nothing_holds_up_no_call_and_no_start() {
    let Some(server) = Postgres::start() else { return };
    let proxy = StoreProxy::to(&server.socket());
    let mut service = Service::on(&proxy.url());
    assert_eq!(service.decide("mkdir a").0, "ALLOW");
    for way in [Way::Silent, Way::Refusing] {
        let round = format!("{way:?}");
        proxy.set(way);
        let gone = Instant::now();
        // At once, while nobody knows yet, and from then on.
        for _ in 0..3 {
            let took = slowest(&mut service, &round);
            assert!(took < Duration::from_millis(1_000), "{way:?}: a call took {took:?}");
        }
        let took = service.until("mkdir a", "DENY", gone);
        assert!(took <= Duration::from_secs(6), "{way:?}: {took:?}");
        assert_eq!(service.decide("mkdir a").1["code"], "kill_switch.unknown");
        let took = slowest(&mut service, &format!("{round} later"));
        assert!(took < Duration::from_millis(400), "{way:?}: a later call took {took:?}");
        proxy.set(Way::Open);
        let back = service.until("mkdir a", "ALLOW", Instant::now());
        assert!(back <= Duration::from_secs(9), "{way:?}: back after {back:?}");
    }
    drop(service);
    for way in [Way::Refusing, Way::Silent] {
        proxy.set(way);
        let started = Instant::now();
        let mut service = Service::on(&proxy.url());
        assert!(started.elapsed() < Duration::from_secs(10), "{way:?}: {:?}", started.elapsed());
        assert_eq!(service.decide("ls -la").0, "ALLOW", "{way:?}");
        assert_eq!(service.decide("mkdir a").1["code"], "kill_switch.unknown", "{way:?}");
        proxy.set(Way::Open);
        let back = service.until("mkdir a", "ALLOW", Instant::now());
        assert!(back <= Duration::from_secs(9), "{way:?}: back after {back:?}");
    }
}

/// What a program with the right to write to the database writes: a person's yes, as the service itself would have it.
#[test]
fn a_yes_that_was_written_into_the_database_is_no_yes() {
    let mut bench = Bench::new("[rules]\nask = [\"shell(mkdir *)\"]\n");
    bench.serve();
    let mut api = Http::local(&bench.state());
    let project = bench.project();
    let request = |command: &str| {
        json!({"principal": {"id": "u"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
            "context": {"cwd": project, "roots": [project], "session_id": "s"}})
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // Just written, and written a while ago.
    for (command, age) in [("mkdir a", 0), ("mkdir b", 11)] {
        let (_, asked) = api.send("POST", "/v1/decide", &request(command));
        let id = asked["confirmation"]["confirmationId"].as_str().unwrap_or_else(|| panic!("{asked}"));
        runtime.block_on(async {
            let store = Store::open_file(&bench.state().join("doorward.db")).await.unwrap();
            let yes = Answering::new("ana", Presence::Passphrase, "console", true);
            let at = jiff::Timestamp::now() - jiff::SignedDuration::from_secs(age);
            let answered = store.answer(&id.into(), &yes, at).await.unwrap();
            assert!(matches!(answered, Answered::Settled(_)), "{answered:?}");
            store.close().await;
        });
        let (_, answer) = api.send("POST", "/v1/decide", &request(command));
        assert_ne!(answer["decision"], "ALLOW", "{command}: {answer}");
    }
    let told = bench.ledger().into_iter().find(|entry| entry["code"] == "approvals.forged");
    assert!(told.is_some(), "an alarm: {:?}", bench.log());
    let allowed =
        bench.ledger().into_iter().find(|entry| entry["verdict"] == "ALLOW" && !entry["user"].is_null());
    assert!(allowed.is_none(), "the record says that a person agreed: {allowed:?}");
}
