//! Many decisions over HTTP that nobody reports an outcome of, and what is left of them.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::Http;

/// Callers at once, each with a connection of its own that it keeps.
const CALLERS: usize = 16;
/// `ledger.outcome_s` of the service: when an allowed call is closed that nobody spoke about.
const LIMIT: Duration = Duration::from_secs(2);

/// What was measured.
pub struct Measured {
    /// All decisions, from the first to the last.
    pub took: Duration,
    /// Permits that were open when the last decision was answered.
    pub open_at_the_end: u64,
    /// Permits that were open once their limit was over and the service had looked.
    pub open_after_the_limit: u64,
    /// From SIGTERM to the end of the process.
    pub stopped_in: Duration,
    /// Ended by itself, with success.
    pub stopped_well: bool,
}

/// Starts a service below `folder`, asks it for `count` decisions over its port, waits for their limit and stops it.
pub fn run(binary: &Path, folder: &Path, count: usize) -> Measured {
    let (state, project) = (folder.join("state"), folder.join("project"));
    std::fs::create_dir_all(&state).unwrap();
    std::fs::create_dir_all(&project).unwrap();
    let settings = format!("[rules]\nallow = [\"shell(ls *)\"]\n[ledger]\noutcome_s = {}\n", LIMIT.as_secs());
    std::fs::write(state.join("doorward.toml"), settings).unwrap();
    let mut service = Command::new(binary)
        .args(["serve", "--port", "0", "--state"])
        .arg(&state)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(service.stderr.take().unwrap());
    let address = loop {
        let mut line = String::new();
        assert_ne!(log.read_line(&mut line).unwrap(), 0, "the service ended");
        if let Some((_, rest)) = line.split_once("listening on http://") {
            break rest.split(' ').next().unwrap().to_owned();
        }
    };
    // Somebody has to read on, or the service waits for its log to be read.
    std::thread::spawn(move || drop(std::io::copy(&mut log, &mut std::io::sink())));
    let token = std::fs::read_to_string(state.join("token")).unwrap().trim().to_owned();

    let started = Instant::now();
    std::thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (address, token, project) = (&address, token.clone(), &project);
            scope.spawn(move || {
                let stream = TcpStream::connect(address).unwrap();
                stream.set_nodelay(true).unwrap();
                let mut http = Http::over(stream, address, Some(token));
                for number in (caller..count).step_by(CALLERS) {
                    let request = json!({"principal": {"id": "many"}, "action": "tool:execute",
                        "resource": {"type": "tool", "name": "shell:execute",
                            "attributes": {"args": {"command": format!("ls -la src/{number}")}}},
                        "context": {"cwd": project, "roots": [project], "session_id": format!("s{caller}")}});
                    let (status, answer) = http.send("POST", "/v1/decide", &request);
                    assert_eq!((status, &answer["decision"]), (200, &json!("ALLOW")), "{answer}");
                }
            });
        }
    });
    let took = started.elapsed();
    let mut local = Http::local(&state);
    let mut open = || local.send("GET", "/healthz", &Value::Null).1["open_permits"].as_u64().unwrap();
    let open_at_the_end = open();
    // The service looks every second.
    let patience = Instant::now() + LIMIT + Duration::from_secs(3);
    let mut open_after_the_limit = open();
    while open_after_the_limit > 0 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(50));
        open_after_the_limit = open();
    }
    let stopping = Instant::now();
    assert!(Command::new("kill").arg(service.id().to_string()).status().unwrap().success());
    let ended = service.wait().unwrap();
    Measured {
        took,
        open_at_the_end,
        open_after_the_limit,
        stopped_in: stopping.elapsed(),
        stopped_well: ended.success(),
    }
}
