//! The limits hold for the languages that agents run, by control group as well as by supervision.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use doorward_core::Tier;

use super::{Workspace, err, python};
use crate::{Cause, Engine, LimitName, Limits, Report, Root, Spec, Status};

/// Programs in one language.
struct Acts {
    name: &'static str,
    /// Allocates memory without end.
    hog: &'static str,
    /// Sleeps longer than the wall limit.
    idle: &'static str,
    /// Makes children or threads without end, ignoring errors.
    swarm: &'static str,
    start: fn(&Workspace, &str) -> Option<Spec>,
}

const LANGUAGES: &[Acts] = &[
    Acts {
        name: "python",
        hog: "b = []\nwhile True: b.append(bytearray(b'x') * (1 << 20))",
        idle: "import time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(40)",
        swarm: "import os, time\nwhile True:\n try:\n  if os.fork() == 0: time.sleep(40)\n except OSError: \
            time.sleep(0.01)",
        start: |work, code| python(&work.path(), code),
    },
    Acts {
        name: "node",
        hog: "const b = []; for (;;) b.push(Buffer.alloc(1 << 20, 1))",
        idle: "process.on('SIGTERM', () => {}); setTimeout(() => {}, 40000)",
        swarm: "const { spawn } = require('child_process');\
            const more = () => { for (let i = 0; i < 20; i++) spawn('sleep', ['40']).on('error', () => {}); \
            setTimeout(more, 5) }; more()",
        start: |work, code| {
            let program = Path::new("/usr/bin/node");
            program
                .exists()
                .then(|| Spec::new(program.as_os_str().as_encoded_bytes(), work.path()).arg("-e").arg(code))
        },
    },
    Acts {
        name: "java",
        hog: "var b = new java.util.ArrayList<byte[]>(); while (true) { var x = new byte[1 << 20]; \
            java.util.Arrays.fill(x, (byte) 1); b.add(x); }",
        idle: "Thread.sleep(40000);",
        swarm: "while (true) { try { Thread t = new Thread(() -> { try { Thread.sleep(40000); } catch (Exception \
            e) { } }); t.start(); } catch (Throwable e) { Thread.sleep(5); } }",
        start: java,
    },
];

/// A class with one method, compiled outside.
fn java(work: &Workspace, code: &str) -> Option<Spec> {
    let source =
        format!("public class Act {{ public static void main(String[] a) throws Exception {{ {code} }} }}");
    std::fs::write(work.path().join("Act.java"), source).unwrap();
    let compiled = Command::new("javac").arg("Act.java").current_dir(work.path()).status();
    if !compiled.is_ok_and(|status| status.success()) {
        return None;
    }
    let program = std::fs::canonicalize("/usr/bin/java").ok()?;
    let home = program.parent()?.parent()?.to_owned();
    let spec = Spec::new(program.as_os_str().as_encoded_bytes(), work.path());
    // An unlimited heap, so that only our limit applies.
    let spec = ["-Xmx4g", "-XX:+UseSerialGC", "-cp", ".", "Act"].into_iter().fold(spec, Spec::arg);
    Some(spec.root(Root::read(home)))
}

fn ends(acts: &Acts, code: &str, limits: Limits, cause: Cause, limit: LimitName) {
    for (engine, tier) in [
        (Engine::new(), Tier::Full),
        (Engine::new().without_cgroup(), Tier::Full),
        (Engine::new(), Tier::Restricted),
        (Engine::new().without_cgroup(), Tier::Restricted),
    ] {
        let work = Workspace::new();
        let Some(mut spec) = (acts.start)(&work, code) else {
            doorward_needs::lacking!("{} isn't here or this user can't run it", acts.name);
            return;
        };
        if tier == Tier::Restricted && crate::sys::ids().0 == 0 {
            for place in [work.path(), work.path().join("Act.class")] {
                let _ = std::os::unix::fs::chown(place, Some(1000), Some(1000));
            }
            // The workspace's owner can't run what it can't reach.
            if spec.roots.iter().any(|root| root.path.starts_with("/root")) {
                continue;
            }
        }
        (spec.tier, spec.min_tier, spec.limits) = (tier, tier, limits.clone());
        let report: Report = engine.run(spec).unwrap();
        let what = format!("{} {tier:?} {:?}", acts.name, report.limits.memory_by);
        assert_eq!(report.status, Status::Killed { by: cause }, "{what}: {}", err(&report));
        assert_eq!(report.limits_hit.first().map(|hit| hit.limit), Some(limit), "{what}");
    }
}

fn bounds() -> Limits {
    Limits { grace: Duration::from_millis(100), cpu: Duration::from_secs(60), ..Limits::default() }
}

#[test]
fn memory() {
    for acts in LANGUAGES {
        let limits = Limits { memory: 160 << 20, ..bounds() };
        ends(acts, acts.hog, limits, Cause::Memory, LimitName::Memory);
    }
}

#[test]
fn wall_time() {
    for acts in LANGUAGES {
        let limits = Limits { wall: Duration::from_secs(1), ..bounds() };
        ends(acts, acts.idle, limits, Cause::Wall, LimitName::Wall);
    }
}

#[test]
fn processes_and_threads() {
    for acts in LANGUAGES {
        let limits = Limits { processes: 64, memory: 1 << 30, ..bounds() };
        ends(acts, acts.swarm, limits, Cause::Pids, LimitName::Pids);
    }
}
