//! Who may do what: every endpoint of the router × every kind of caller, and the ways around it.

use crate::support::{Bench, PASSPHRASE};
use doorward::rooms::store::Role;
use doorward_server::{Endpoint, endpoints};
use serde_json::{Value, json};

const ROLES: [Role; 4] = [Role::Agent, Role::Viewer, Role::Approver, Role::Admin];

fn path(endpoint: &Endpoint) -> String {
    let parts = endpoint.path.split('/').map(|part| if part.starts_with('{') { "0" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

#[test]
fn no_endpoint_without_its_role() {
    let bench = Bench::new("");
    let tokens = ROLES.map(|role| (role, bench.account(&format!("{role:?}").to_lowercase(), role, &[])));
    let agent = std::fs::read_to_string(bench.path("state/token")).unwrap();
    let mut rows = 0;
    for endpoint in endpoints() {
        let path = path(&endpoint);
        let body = (endpoint.method == "POST").then_some("{}");
        let send = |credential: Option<&str>| {
            let bearer = credential.map(|token| format!("Bearer {token}"));
            let headers: Vec<(&str, &str)> =
                bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
            bench.port(endpoint.method, &path, &headers, body).status
        };
        let name = format!("{} {}", endpoint.method, endpoint.path);
        let Some(role) = endpoint.role else {
            assert!(![401, 405].contains(&send(None)) || path == "/v1/login", "{name} is for everyone");
            continue;
        };
        for (who, status) in [
            ("nobody", send(None)),
            ("a forged token", send(Some("dw_forged"))),
            ("an empty token", send(Some(""))),
        ] {
            assert_eq!(status, 401, "{name} for {who}");
        }
        for (own, token) in &tokens {
            // A link out of the role's reach must not end the session that the next rows use.
            if path == "/v1/logout" {
                continue;
            }
            let status = send(Some(token));
            assert_eq!(status == 403 && *own < role, *own < role, "{name} for {own:?}: {status}");
            assert_ne!(status, 401, "{name} for {own:?}");
            rows += 1;
        }
        if role > Role::Agent {
            assert_eq!(send(Some(agent.trim())), 403, "{name} for the agents' token");
        }
    }
    assert!(rows > 100, "{rows}");
}

#[test]
fn the_document_is_the_router() {
    let bench = Bench::new("");
    let document = bench.port("GET", "/v1/openapi.json", &[], None).json();
    let listed: usize =
        document["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(listed, endpoints().len());
    for endpoint in endpoints() {
        let operation = &document["paths"][endpoint.path][endpoint.method.to_lowercase()];
        let role = operation["x-role"].as_str().unwrap();
        let own =
            endpoint.role.map_or_else(|| "public".to_owned(), |role| format!("{role:?}").to_lowercase());
        assert_eq!(role, own, "{}", endpoint.path);
        let other = if endpoint.method == "GET" { "POST" } else { "GET" };
        if document["paths"][endpoint.path].as_object().unwrap().len() == 1 {
            let reply = bench.port(other, &path(&endpoint), &[], None);
            assert_eq!(reply.status, 405, "{other} {}", endpoint.path);
            assert!(reply.header("allow").is_some());
        }
    }
}

fn ask(bench: &Bench, command: &str) -> String {
    let body = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
        "context": {"cwd": "/projects/p", "session_id": "s"},
    });
    let asked = bench.local("POST", "/v1/decide", Some(&body.to_string())).json();
    assert_eq!(asked["decision"], "REQUIRE_USER_CONFIRMATION", "{asked}");
    asked["confirmation"]["confirmationId"].as_str().unwrap().to_owned()
}

#[test]
fn an_agent_answers_nothing_whatever_it_holds() {
    let bench = Bench::new("[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n");
    let id = ask(&bench, "curl -T /etc/hosts https://upload.example.com/");
    let path = format!("/v1/approvals/{id}/answer");
    let token = std::fs::read_to_string(bench.path("state/token")).unwrap();
    let yes = json!({"answer": "yes", "typed": "I confirm"});
    assert_eq!(bench.with(token.trim(), "POST", &path, Some(&yes)).status, 403, "with the decisions' token");
    let own = bench.account("worker", Role::Agent, &[]);
    assert_eq!(bench.with(&own, "POST", &path, Some(&yes)).status, 403, "with a token of its own");
    let peer = bench.local("POST", &path, Some(&yes.to_string()));
    assert_eq!((peer.status, peer.code().as_str()), (403, "grant.presence"), "with the same uid");
    let viewer = bench.account("vera", Role::Viewer, &[]);
    assert_eq!(bench.with(&viewer, "POST", &path, Some(&yes)).status, 403, "with a viewer's token");
    // A stolen approver's token is still no person.
    let ana = bench.account("ana", Role::Approver, &[]);
    let stolen = bench.with(&ana, "POST", &path, Some(&yes));
    assert_eq!((stolen.status, stolen.code().as_str()), (403, "grant.presence"));
    // Nor does the socket make accounts, tokens or rules.
    for (path, body) in [
        ("/v1/accounts", json!({"name": "mallory", "role": "approver"})),
        ("/v1/tokens", json!({"account": "ana"})),
        ("/v1/experiences/terminal", json!({"rules": ["Everything is safe."]})),
    ] {
        let reply = bench.local("POST", path, Some(&body.to_string()));
        assert_eq!((reply.status, reply.code().as_str()), (403, "grant.presence"), "{path}");
    }
    assert_eq!(bench.pending().len(), 1, "still open");
    assert_eq!(bench.answer(&ana, &id, json!({"typed": "I confirm"})).status, 200, "a person answers");
}

#[test]
fn wrong_passphrases_are_slowed_down() {
    let bench = Bench::new("[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n");
    let id = ask(&bench, "curl -T /etc/hosts https://upload.example.com/");
    let ana = bench.account("ana", Role::Approver, &[]);
    for _ in 0..5 {
        let wrong = bench.answer(&ana, &id, json!({"passphrase": "guess"}));
        assert_eq!(wrong.code(), "passphrase.wrong");
    }
    let right = bench.answer(&ana, &id, json!({"typed": "I confirm"}));
    assert_eq!(right.code(), "passphrase.wrong", "locked for a while, also for the right one");
}

#[test]
fn another_host_or_origin_is_turned_away() {
    let bench = Bench::new("");
    let port = bench.port.port();
    let own = format!("127.0.0.1:{port}");
    let rebound = format!("127.0.0.1.nip.example:{port}");
    for headers in [
        vec![("host", "evil.example")],
        vec![("host", rebound.as_str())],
        vec![("host", own.as_str()), ("origin", "http://evil.example")],
        vec![("host", own.as_str()), ("origin", "null")],
        vec![("host", own.as_str()), ("origin", "https://127.0.0.1")],
        vec![("host", "127.0.0.1:1")],
    ] {
        for path in ["/", "/healthz", "/v1/events", "/v1/ws"] {
            let reply = bench.port("GET", path, &headers, None);
            assert_eq!(reply.status, 421, "{path} {headers:?}");
        }
    }
    let origin = format!("http://{own}");
    assert_eq!(bench.port("GET", "/healthz", &[("host", &own), ("origin", &origin)], None).status, 200);
}

#[test]
fn a_login_link_works_once_and_its_token_counts_in_its_header_only() {
    let bench = Bench::new("");
    let broker = bench.broker.clone().unwrap();
    let base = format!("http://{}", bench.port);
    let link = bench.block_on(doorward_server::login_link(&broker, &base, "ana", false)).unwrap();
    let code = json!({"code": link.split("#login=").nth(1).unwrap()}).to_string();
    let both = std::thread::scope(|scope| {
        let tries = [(); 2].map(|()| scope.spawn(|| bench.port("POST", "/v1/login", &[], Some(&code))));
        tries.map(|one| one.join().unwrap())
    });
    let mut statuses = both.each_ref().map(|reply| reply.status);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "single use, also at once");
    let entered = both.iter().find(|reply| reply.status == 200).unwrap();
    assert_eq!(entered.header("set-cookie"), None, "every port of this host would get a cookie");
    let token = entered.json()["token"].as_str().unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    let signed_in = [("authorization", bearer.as_str())];
    assert_eq!(bench.port("GET", "/v1/me", &signed_in, None).status, 200);
    let cookie = format!("doorward={token}");
    assert_eq!(bench.port("GET", "/v1/me", &[("cookie", &cookie)], None).status, 401);
    let first = json!({"passphrase": "an agent's own"}).to_string();
    let refused = bench.port("POST", "/v1/passphrase", &signed_in, Some(&first));
    assert_eq!(refused.code(), "passphrase.terminal", "no terminal showed the link");
    assert_eq!(bench.port("POST", "/v1/logout", &signed_in, None).status, 200);
    assert_eq!(bench.port("GET", "/v1/me", &signed_in, None).status, 401, "signed out");
    // The code itself opens nothing but the login.
    let link = bench.block_on(doorward_server::login_link(&broker, &base, "ana", true)).unwrap();
    let code = link.split("#login=").nth(1).unwrap();
    let entered = bench.port("POST", "/v1/login", &[], Some(&json!({"code": code}).to_string()));
    let bearer = format!("Bearer {}", entered.json()["token"].as_str().unwrap());
    let at_terminal = [("authorization", bearer.as_str())];
    assert_eq!(bench.port("POST", "/v1/passphrase", &at_terminal, Some(&first)).status, 200);
    let unlocked = bench.port("POST", "/v1/unlock", &at_terminal, Some(&first)).json();
    let word = unlocked["unlocked"].as_str().unwrap().to_owned();
    let presence =
        |headers: &[(&str, &str)]| bench.port("GET", "/v1/me", headers, None).json()["presence"].clone();
    assert_eq!(presence(&at_terminal), "peer_uid", "the token alone isn't the page that was unlocked");
    assert_eq!(presence(&[at_terminal[0], ("x-doorward-unlocked", &"0".repeat(32))]), "peer_uid");
    assert_eq!(presence(&[at_terminal[0], ("x-doorward-unlocked", &word)]), "passphrase");
}

#[test]
fn accounts_and_tokens_come_and_go() {
    let bench = Bench::new("");
    let root = bench.account("root", Role::Admin, &[]);
    let make = |path: &str, mut body: Value| {
        body["passphrase"] = json!(PASSPHRASE);
        bench.with(&root, "POST", path, Some(&body))
    };
    assert_eq!(
        make("/v1/accounts", json!({"name": "bob", "role": "approver", "groups": ["oncall"]})).status,
        200
    );
    let made = make("/v1/tokens", json!({"account": "bob", "label": "phone", "days": 1})).json();
    let bob = made["token"].as_str().unwrap().to_owned();
    assert_eq!(bench.with(&bob, "GET", "/v1/me", None).json()["role"], "approver");
    let listed = bench.with(&root, "GET", "/v1/tokens", None);
    assert!(!listed.text.contains(&bob), "never listed");
    assert_eq!(make("/v1/accounts", json!({"name": "bob", "role": "viewer"})).status, 200);
    assert_eq!(bench.with(&bob, "GET", "/v1/me", None).json()["role"], "viewer", "a role is read every time");
    assert_eq!(make("/v1/accounts", json!({"name": "bob", "role": "viewer", "disabled": true})).status, 200);
    assert_eq!(bench.with(&bob, "GET", "/v1/me", None).status, 401, "locked out");
    make("/v1/accounts", json!({"name": "bob", "role": "viewer"}));
    let path = format!("/v1/tokens/{}/revoke", made["id"].as_str().unwrap());
    assert_eq!(bench.with(&root, "POST", &path, None).status, 200);
    assert_eq!(bench.with(&bob, "GET", "/v1/me", None).status, 401, "revoked");
    assert_eq!(make("/v1/accounts", json!({"name": "root", "role": "viewer"})).code(), "account.own");
    assert_eq!(make("/v1/tokens", json!({"account": "nobody"})).status, 404);
    assert_eq!(make("/v1/accounts", json!({"name": "", "role": "viewer"})).status, 400);
    assert_eq!(make("/v1/accounts", json!({"name": "x", "role": "god"})).status, 400);
}

#[test]
fn headers_are_on_every_answer() {
    let bench = Bench::new("");
    for path in ["/", "/app.js", "/healthz", "/v1/me", "/nowhere"] {
        let reply = bench.port("GET", path, &[], None);
        let header = |name| reply.header(name).unwrap_or_else(|| panic!("{path}: no {name}"));
        let csp = header("content-security-policy");
        for word in ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"] {
            assert!(csp.contains(word), "{path}: {csp}");
        }
        assert!(!csp.contains("unsafe"), "{csp}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("x-frame-options"), "DENY");
    }
}

#[test]
fn bodies_are_read_strictly() {
    let bench = Bench::new("");
    let ana = bench.account("ana", Role::Approver, &[]);
    let bearer = format!("Bearer {ana}");
    let plain = [("authorization", bearer.as_str()), ("content-type", "text/plain")];
    let reply = bench.port("POST", "/v1/stops/new", &plain, Some("{\"scope\": \"all\"}"));
    assert_eq!((reply.status, reply.code().as_str()), (415, "request.type"));
    let own = [("authorization", bearer.as_str())];
    for body in [
        "",
        "{",
        "[]",
        "{\"scope\": 1}",
        "{\"scope\": \"all\", \"more\": 1}",
        "{\"scope\":\"all\",\"scope\":\"all\"}",
    ] {
        let reply = bench.port("POST", "/v1/stops/new", &own, Some(body));
        assert_eq!((reply.status, reply.code().as_str()), (400, "request.invalid"), "{body}");
    }
    let reply = bench.port("GET", "/v1/records?limit=x", &own, None);
    assert_eq!((reply.status, reply.code().as_str()), (400, "request.query"));
    let large = "x".repeat(9 * 1024 * 1024);
    assert_eq!(bench.port("POST", "/v1/simulate", &own, Some(&large)).status, 413);
}

#[test]
fn a_ledger_that_was_rolled_back_does_not_open() {
    let bench = Bench::new("");
    let copy = bench.path("copy");
    let ledger = bench.path("state/ledger");
    let copied = |from: &std::path::Path, to: &std::path::Path| {
        let done = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
        assert!(done.success());
    };
    let dir = std::sync::Arc::clone(&bench.dir);
    let before = bench.restarted();
    before.door.log().unwrap().checkpoint().unwrap();
    drop(before);
    copied(&ledger, &copy);
    let again = Bench::at(std::sync::Arc::clone(&dir), None, true);
    ask_read(&again);
    again.door.log().unwrap().checkpoint().unwrap();
    let signed = again.door.log().unwrap().size();
    // Remembered behind the log's back: wait for it.
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while again.block_on(again.store().anchors()).unwrap().first().is_none_or(|anchor| anchor.size < signed) {
        assert!(std::time::Instant::now() < until, "never remembered");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drop(again);
    std::fs::remove_dir_all(&ledger).unwrap();
    copied(&copy, &ledger);
    let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Bench::at(dir, None, true)));
    assert!(opened.is_err(), "an older copy was put in its place");
}

fn ask_read(bench: &Bench) {
    let body = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "ls"}}},
        "context": {"cwd": "/projects/p", "session_id": "s"},
    });
    assert_eq!(bench.local("POST", "/v1/decide", Some(&body.to_string())).status, 200);
}

#[test]
fn failed_authentications_are_counted_and_recorded() {
    let bench = Bench::new("");
    let ana = bench.account("ana", Role::Approver, &[]);
    for _ in 0..3 {
        assert_eq!(bench.with("dw_forged", "GET", "/v1/me", None).status, 401);
    }
    assert_eq!(bench.port("POST", "/v1/login", &[], Some(r#"{"code": "dw_used"}"#)).code(), "login.used");
    let wrong = json!({"answer": "yes", "passphrase": "wrong horse"});
    let asked = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "rm -rf src"}}},
        "context": {"cwd": "/projects/p", "session_id": "s"},
    });
    let asked = bench.local("POST", "/v1/decide", Some(&asked.to_string())).json();
    let id = asked["confirmation"]["confirmationId"].as_str().unwrap();
    let answered = bench.with(&ana, "POST", &format!("/v1/approvals/{id}/answer"), Some(&wrong));
    assert_eq!(answered.code(), "passphrase.wrong");
    let metrics = bench.local("GET", "/metrics", None).text;
    for line in ["kind=\"token\"} 3", "kind=\"login\"} 1", "kind=\"passphrase\"} 1"] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    let end = std::time::Instant::now() + std::time::Duration::from_secs(120);
    loop {
        let notes = bench.local("GET", "/v1/records?kind=note", None).text;
        if ["3 failed authentications: token", "login", "passphrase of ana"]
            .iter()
            .all(|word| notes.contains(word))
        {
            assert!(!notes.contains("dw_forged") && !notes.contains("wrong horse"));
            break;
        }
        assert!(std::time::Instant::now() < end, "never recorded: {notes}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn settings_are_chosen_by_a_person_and_hold_at_once() {
    let bench = Bench::new("# mine\n[modes]\ndefault = 'default'\n");
    let boss = bench.account("boss", Role::Admin, &[]);
    let ana = bench.account("ana", Role::Approver, &[]);
    let choose = |token: &str, body: Value| bench.with(token, "POST", "/v1/settings/choose", Some(&body));
    let person = |mut body: Value| {
        body["passphrase"] = json!(PASSPHRASE);
        body
    };
    assert_eq!(choose(&ana, person(json!({"analyzer": "noop"}))).status, 403, "an approver isn't an admin");
    assert_eq!(
        choose(&boss, json!({"analyzer": "noop"})).code(),
        "grant.presence",
        "a credential is no person"
    );
    let local = bench.local("POST", "/v1/settings/choose", Some(r#"{"analyzer": "noop"}"#));
    assert_eq!(local.code(), "grant.presence", "nor are peer credentials");
    assert_eq!(choose(&boss, person(json!({"analyzer": "unheard"}))).code(), "settings.unknown");
    assert_eq!(choose(&boss, person(json!({}))).code(), "request.invalid");
    for body in [json!({"confirm": "NeverConfirm"}), json!({"mode": "bypassPermissions"})] {
        assert_eq!(choose(&boss, person(body)).code(), "approve.phrase");
    }
    let settings = || bench.local("GET", "/v1/settings", None).json();
    assert_eq!(choose(&boss, person(json!({"analyzer": "pattern"}))).status, 200);
    assert_eq!(settings()["analyzers"]["list"], json!(["pattern"]));
    assert_eq!(choose(&boss, person(json!({"analyzer": "effects"}))).status, 200);
    assert_eq!(settings()["analyzers"]["list"], json!([]));
    assert_eq!(choose(&boss, person(json!({"mode": "plan"}))).status, 200);
    assert_eq!(settings()["modes"]["default"], "plan");
    let risky = json!({"confirm": "ConfirmRisky", "threshold": "MEDIUM", "confirm_unknown": false});
    assert_eq!(choose(&boss, person(risky)).status, 200);
    assert_eq!(settings()["confirm"]["policy"]["threshold"], "MEDIUM");
    let never = person(json!({"confirm": "NeverConfirm", "typed": "I confirm"}));
    assert_eq!(choose(&boss, never).status, 200);
    let text = std::fs::read_to_string(bench.path("doorward.toml")).unwrap();
    assert!(text.starts_with("# mine\n"), "{text}");
    let notes = bench.local("GET", "/v1/records?kind=note", None).text;
    assert!(notes.contains("approvals.setting") && notes.contains("boss sets"), "{notes}");
    // What can't be read isn't written over.
    std::fs::write(bench.path("doorward.toml"), "[modes\n").unwrap();
    assert_eq!(choose(&boss, person(json!({"mode": "plan"}))).code(), "settings.invalid");
    assert_eq!(std::fs::read_to_string(bench.path("doorward.toml")).unwrap(), "[modes\n");
}
