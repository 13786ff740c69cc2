//! The two cells of AuthZEN's certification that once failed, through the built binary: a body of another type is a bad
//! request, and a subject that the directory doesn't know has no actions.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use crate::support::Bench;
use serde_json::{Value, json};

/// Status and body of a request whose content type is this line, or none.
fn posted(bench: &Bench, path: &str, kind: &str, body: &str) -> (u16, String) {
    let mut stream = UnixStream::connect(bench.state().join("doorward.sock")).unwrap();
    let kind = if kind.is_empty() { String::new() } else { format!("Content-Type: {kind}\r\n") };
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: x\r\n{kind}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
}

const ENDPOINTS: [&str; 5] = [
    "/access/v1/evaluation",
    "/access/v1/evaluations",
    "/access/v1/search/subject",
    "/access/v1/search/resource",
    "/access/v1/search/action",
];

#[test]
fn a_body_of_another_content_type_is_a_bad_request() {
    let mut bench = Bench::new("");
    bench.serve();
    let asked = json!({"subject": {"type": "user", "id": "u"}, "action": {"name": "tool:execute"},
        "resource": {"type": "tool", "id": "shell:execute", "properties": {"args": {"command": "ls"}}}})
    .to_string();
    for path in ENDPOINTS {
        for kind in
            ["text/plain", "application/xml", "application/x-www-form-urlencoded", "application/jsonp", ""]
        {
            let (status, body) = posted(&bench, path, kind, &asked);
            assert_eq!(status, 400, "{path} {kind:?}: {body}");
        }
        for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
            let (status, body) = posted(&bench, path, kind, &asked);
            assert_eq!(status, 200, "{path} {kind:?}: {body}");
        }
    }
}

#[test]
fn a_subject_that_the_directory_does_not_know_has_no_actions() {
    let bench = Bench::new("");
    let directory = bench.file("directory.json");
    std::fs::write(
        &directory,
        json!({"subjects": [{"type": "user", "id": "alice"}, {"type": "user", "id": "bob"}],
            "actions": [{"name": "tool:execute"}],
            "resources": [{"type": "tool", "id": "plan:think"}]})
        .to_string(),
    )
    .unwrap();
    let config = format!(
        "[authzen]\ndirectory = {:?}\n[policy]\non_no_match = \"mode\"\n",
        directory.display().to_string()
    );
    std::fs::write(bench.state().join("doorward.toml"), config).unwrap();
    let mut bench = bench;
    bench.serve();
    let actions = |subject: Value| {
        let asked = json!({"subject": subject,
            "resource": {"type": "tool", "id": "plan:think", "properties": {"args": {"thought": "x"}}}});
        let (status, body) =
            posted(&bench, "/access/v1/search/action", "application/json", &asked.to_string());
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<Value>(&body).unwrap()["results"].clone()
    };
    // A breaker: those who are known have one, so that the answer to the others isn't empty for everybody.
    assert_eq!(actions(json!({"type": "user", "id": "alice"})), json!([{"name": "tool:execute"}]));
    assert_eq!(actions(json!({"type": "user", "id": "bob"})), json!([{"name": "tool:execute"}]));
    for unknown in [
        json!({"type": "user", "id": "mallory"}),
        json!({"type": "user", "id": "Alice"}),
        json!({"type": "service", "id": "alice"}),
    ] {
        assert_eq!(actions(unknown.clone()), json!([]), "{unknown}");
    }
}
