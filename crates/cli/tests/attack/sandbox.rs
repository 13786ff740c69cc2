//! A hostile program inside the sandbox: what it leaves for others to run, what it hides from its limits, and what the
//! sandbox itself shows to the world outside.
//!
//! The program is a shell under another name that reads its steps from standard input, so that the gate can't read them:
//! what is attacked here is what holds once something runs.

use std::io::Write as _;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use doorward_paths::PROTECTED;

use crate::world::{User, World};
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[
    Attack {
        class: "sandbox",
        tries: "arms the project's git directory, its submodule and its remote, so that the next git outside runs code",
        run: arm_known_repositories,
    },
    Attack {
        class: "sandbox",
        tries: "makes a repository that runs code and adds it to the project as a submodule",
        run: arm_new_repositories,
    },
    Attack {
        class: "sandbox",
        tries: "makes each file that another program of the table runs",
        run: make_protected_names,
    },
    Attack {
        class: "sandbox",
        tries: "waits until somebody outside replaces a protected file, then writes the new one",
        run: write_what_was_replaced,
    },
    Attack { class: "sandbox", tries: "hides memory from the limit", run: hide_memory },
    Attack { class: "sandbox", tries: "leaves programs with set-user-id bits", run: set_ids },
    Attack {
        class: "sandbox",
        tries: "a run disturbs the service, git and editors outside by what keeps withheld names",
        run: disturb_outside,
    },
    Attack {
        class: "sandbox",
        tries: "an enclosed agent arms the repository, or finds withheld files that aren't plainly absent",
        run: enclosed_agent,
    },
    Attack {
        class: "sandbox",
        tries: "run in the home folder, it reads, moves, replaces or makes Doorward's state, settings and hook entries",
        run: own_files_below_the_root,
    },
    Attack {
        class: "sandbox",
        tries: "a bound call arms a repository and no record tells of it",
        run: bound_call,
    },
];

/// A rule of the user's.
const LETS_TOOL_RUN: &str = "[rules]\nallow = [\"shell(./tool *)\", \"shell(./tool)\"]\n";

/// Steps that are no attack and must work: else an attack could "fail" because nothing ran.
const RAN: &str = "\necho ran > ran.txt\n";

impl User {
    /// Runs steps in the sandbox as `doorward run` does, in the project.
    fn inside(&self, options: &[&str], steps: &str) -> Output {
        self.sh("cp /bin/bash project/tool; rm -f project/ran.txt");
        // The user lets this program run: what it does then is the sandbox's to hold.
        if !self.home.join(".config/doorward/doorward.toml").exists() {
            self.settings(LETS_TOOL_RUN);
        }
        let mut child = self
            .command(self.program("doorward"))
            .arg("run")
            .args(options)
            .args(["--", "./tool"])
            .current_dir(self.project())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all((steps.to_owned() + RAN).as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn ran(&self) -> bool {
        self.project().join("ran.txt").exists()
    }

    /// Git outside, in each folder that a person would call it in. True if a planted program ran.
    fn git_runs_code(&self, folders: &[&str]) -> bool {
        for folder in folders {
            self.sh(&format!(
                "cd project/{folder} 2>/dev/null && git status; git diff; git log -1; git fetch -q; git commit -qm x --allow-empty --dry-run"
            ));
        }
        self.home.join("code-ran").exists()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

/// The project with a submodule and a remote, and what an attack plants: a program that leaves a mark, and a repository
/// that would run it.
fn prepared(world: &World) -> User {
    let user = world.user();
    let made = user.sh("set -e; export GIT_ALLOW_PROTOCOL=file; git init -q src; cd src; git config user.email a@b; \
        git config user.name a; echo x > x; git add x; git commit -qm x; cd ../project; \
        git -c protocol.file.allow=always submodule --quiet add ../src sub; git init -q --bare remote.git; \
        git remote add origin ./remote.git; git commit -qm sub; mkdir -p evil/objects evil/refs evil/hooks; \
        echo 'ref: refs/heads/main' > evil/HEAD; printf '#!/bin/sh\\ntouch ~/code-ran\\n' > evil/run; chmod 755 evil/run; \
        cp evil/run evil/hooks/post-index-change; printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s/evil/run\\n' $PWD > evil/config");
    assert!(made.status.success(), "{}", text(&made));
    user
}

fn arm_known_repositories(world: &World) -> Tried {
    const STEPS: &[&str] = &[
        "echo ../evil > .git/commondir",
        "ln -s ../evil/commondir .git/commondir; ln evil/config .git/config.worktree",
        "mkdir .git/commondir",
        "cp evil/config .git/config; cat evil/config >> .git/config",
        "git config core.fsmonitor $PWD/evil/run",
        "cp evil/config .git/index.lock; mv .git/index.lock .git/config; perl -e 'rename q(.git/index.lock), q(.git/config)'",
        "perl -e 'for (1..2000) { fork or do { for (1..50) { rename q(evil/config), q(.git/config); symlink q(../evil), q(.git/commondir); } exit }; wait }'",
        "cp evil/run .git/hooks/post-index-change; mv .git/hooks .git/h; cp -r evil/hooks .git/hooks",
        "echo '* diff=x filter=x' > .git/info/attributes",
        "cat evil/config >> .git/modules/sub/config; cp evil/run .git/modules/sub/hooks/post-index-change",
        "echo ../../../evil > .git/modules/sub/commondir",
        "mkdir -p .git/modules/x; cp -r evil/* .git/modules/x; echo 'gitdir: ../.git/modules/x' > sub/.git",
        "mkdir -p .git/worktrees/w; echo ../../../evil > .git/worktrees/w/commondir; echo $PWD/w/.git > .git/worktrees/w/gitdir; cp .git/HEAD .git/worktrees/w/HEAD; mkdir w; echo 'gitdir: ../.git/worktrees/w' > w/.git",
        "echo 'gitdir: ../evil' > sub/.git; mv sub/.git sub/g; rm -rf sub/.git",
        "mv .git g; cp -r evil .git; rm -rf .git",
        "rm -f .git/logs/HEAD; ln -s $HOME/.bashrc .git/logs/HEAD; ln -s $HOME .git/objects/aa; ln -s $HOME .git/logs/x",
        "cp evil/run remote.git/hooks/post-receive; cat evil/config >> remote.git/config; echo ../evil > remote.git/commondir",
    ];
    let user = prepared(world);
    let state = |user: &User| {
        let files = ".git/config .git/modules/sub/config sub/.git remote.git/config";
        let links = "find .git/logs .git/objects -maxdepth 1 -type l | grep -v quarantined";
        text(&user.sh(&format!("cd project; cat {files}; ls .git/hooks; {links}")))
    };
    let before = state(&user);
    let mut succeeded = Vec::new();
    for steps in STEPS {
        let output = user.inside(&[], steps);
        let armed = user.git_runs_code(&[".", "sub", "w", "remote.git"]);
        let now = state(&user);
        if armed || now != before || !user.ran() {
            let ran = user.ran();
            succeeded.push(format!("{steps}: armed {armed}, now {now:?}, ran {ran}: {}", text(&output)));
            break;
        }
        user.sh("rm -f code-ran project/.git/index.lock; rm -rf project/w project/.git/worktrees");
    }
    // What is in `objects` can be removed from inside, and one of the ways did; so this is another project.
    let user = prepared(world);
    let work = user.inside(&[], "set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; echo y > y; git add y; git commit -qm y; git push -q origin HEAD; git switch -qc b; git stash -q || true; git log -1 --format=%s; cd sub; echo z > x; git commit -qam z");
    let works = work.status.success() && text(&work).contains('y');
    judged(
        succeeded.is_empty() && works,
        format!(
            "{} ways, succeeded {succeeded:?}, a commit still works {works}: {}",
            STEPS.len(),
            text(&work).trim()
        ),
    )
}

fn arm_new_repositories(world: &World) -> Tried {
    const STEPS: &[&str] = &[
        "git init -q n; cd n; git config user.name a; git config user.email a@b; git commit -q --allow-empty -m x; git config core.fsmonitor $PWD/../evil/run; cd ..; git add n",
        "git clone -q sub n; cp evil/run n/.git/hooks/post-index-change; cp evil/run n/.git/hooks/reference-transaction; git add n",
        "mkdir -p a/b/c/d/e/f; git init -q a/b/c/d/e/f/n; cp evil/config a/b/c/d/e/f/n/.git/config; mv a/b/c/d/e/f/n n",
        "mkdir n; cp -r evil/* n/; cp evil/config n/config; git -C n config core.bare false; git -C n config core.worktree $PWD",
        "mkdir n; echo 'gitdir: ../evil' > n/.git; touch evil/config",
        "git init -q n; cat evil/config >> n/.git/config; mkdir m; mv n m/n; chmod 0111 m",
        "git worktree add -q n -b n; echo 'gitdir: ../evil' > n/.git",
        "git init -q n; mkdir n/c; mv n/.git/config n/.git/objects n/.git/refs n/c; cat evil/config >> n/c/config; echo ../c > n/.git/commondir",
    ];
    let mut succeeded = Vec::new();
    for steps in STEPS {
        let user = prepared(world);
        let output = user.inside(&[], steps);
        let armed = user.git_runs_code(&[".", "n", "m/n", "evil"]);
        let told = text(&output).contains("sandbox.repository_quarantined");
        if armed || !told || !user.ran() {
            succeeded.push(format!(
                "{steps}: armed {armed}, told {told}, ran {}: {}",
                user.ran(),
                text(&output)
            ));
        }
    }
    // What is no attack stays as it was made.
    let user = prepared(world);
    let output = user
        .inside(&[], "git init -q n; git -C n config user.name a; git clone -q sub c; git worktree add -q w");
    let kept =
        user.sh("cd project && git -C n status && git -C c log -1 && git -C w status").status.success();
    judged(
        succeeded.is_empty() && kept,
        format!(
            "{} ways, succeeded {succeeded:?}; ordinary repositories kept: {kept} {}",
            STEPS.len(),
            if kept { String::new() } else { text(&output) }
        ),
    )
}

fn make_protected_names(world: &World) -> Tried {
    use doorward::rooms::core::effect::Protection;
    let user = world.user();
    let mut steps = String::new();
    for row in PROTECTED {
        let name = row.names.join("/");
        // As a file, and as a folder with a file in it; both at the top and in a folder of the project.
        steps.push_str(&format!("mkdir -p \"$(dirname {name})\"; echo x > {name}; rmdir {name}; mv steps {name}; mkdir -p {name} && echo x > {name}/x\n"));
    }
    user.sh("cd project; mkdir .github; touch steps");
    let output = user.inside(&[], &steps);
    let told = text(&output);
    let (mut made, mut untold) = (Vec::new(), Vec::new());
    for row in PROTECTED {
        let name = row.names.join("/");
        let path = user.project().join(&name);
        let there = std::fs::symlink_metadata(&path).is_ok() && name != ".git";
        let is_told = told.lines().any(|line| {
            line.contains(&format!("{}: ", path.display())) && line.contains("sandbox.runs_later")
        });
        // Mercurial's and Jujutsu's folders and the list of submodules can't be kept by an empty folder: they are told.
        // A name that is only asked about is kept with the folder around it, where that is.
        let is_kept = |own: &doorward_paths::ProtectedName| {
            own.class != Protection::Ask && row.names.starts_with(own.names)
        };
        let kept = PROTECTED.iter().any(is_kept) && ![".gitmodules", ".hg", ".jj"].contains(&name.as_str());
        if kept && there {
            made.push(name);
        } else if !kept && (!there || !is_told) {
            untold.push(name);
        }
    }
    // Git's own directory, and what is already there.
    user.sh("cd project; rm -rf .claude .vscode; mkdir -p .claude .vscode; echo '{}' > .claude/settings.json; echo '{}' > .vscode/tasks.json; echo x > .envrc");
    user.inside(&[], "echo y > .claude/settings.json; echo y > .claude/new; rm -rf .claude .vscode .envrc; mv .vscode v; echo y > .envrc; sed -i s/x/y/ .envrc; chmod 777 .envrc");
    let changed = text(&user.sh(
        "cd project; cat .claude/settings.json .vscode/tasks.json .envrc; ls .claude; stat -c %a .envrc",
    ));
    let same = changed == "{}\n{}\nx\nsettings.json\n644\n";
    judged(
        made.is_empty() && untold.is_empty() && same && user.ran(),
        format!(
            "{} names; made {made:?}, allowed and not told {untold:?}; existing ones unchanged: {same}",
            PROTECTED.len()
        ),
    )
}

/// Starts steps inside, calls `outside` once they wrote `ready`, and waits for the end.
fn meanwhile(user: &User, steps: &str, outside: impl FnOnce()) -> Output {
    let ready = user.project().join("ready");
    let _ = std::fs::remove_file(&ready);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| user.inside(&[], &format!("touch ready; {steps}")));
        let until = Instant::now() + Duration::from_secs(20);
        while !ready.exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        outside();
        running.join().unwrap()
    })
}

fn write_what_was_replaced(world: &World) -> Tried {
    let user = prepared(world);
    user.sh("cd project; echo first > .envrc; echo '{}' > .mcp.json");
    let steps = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; done; echo evil > .envrc; mv evil/run .envrc; echo evil > .mcp.json; \
        mkdir .claude && echo evil > .claude/settings.json; echo evil > .claude/settings.json; cat evil/config >> .git/config; echo ../evil > .git/commondir";
    let output = meanwhile(&user, steps, || {
        // As an editor saves, as a person tidies up, and as git itself replaces its configuration.
        user.sh("cd project; echo second > fresh; mv fresh .envrc; rm .mcp.json; rmdir .claude; git config user.name b; git remote add other ./remote.git");
    });
    let found = text(&user.sh("cd project; cat .envrc; ls -A .claude .mcp.json 2>&1 | grep -v 'No such'; grep -c fsmonitor .git/config; ls .git/commondir 2>&1 | grep -v 'No such'"));
    let armed = user.git_runs_code(&["."]);
    judged(
        found == "second\n0\n" && !armed && user.ran(),
        format!("{found:?}, armed {armed}: {}", text(&output).trim()),
    )
}

fn hide_memory(world: &World) -> Tried {
    const STEPS: &[(&str, &str)] = &[
        (
            "System V segments",
            "for (1..300) { $i = shmget(0, 1 << 20, 01600); defined $i or last; shmwrite($i, $x, 0, 1 << 20) } sleep 3",
        ),
        (
            "anonymous files",
            "$f = syscall(319, $n = q(x), 0); $f >= 0 or exit; open F, q(>&=), $f; syswrite F, $x for 1..300; sleep 3",
        ),
        (
            "anonymous files of secret memory",
            "$f = syscall(447, 0); $f >= 0 or exit; syscall(77, $f, 300 << 20); sleep 3",
        ),
        (
            "a shared mapping",
            "open Z, q(<), q(/dev/zero); $a = syscall(9, 0, 300 << 20, 3, 0x21, -1, 0); syscall(0, fileno(Z), $a + ($_ << 20), 1 << 20) for 0..299; sleep 3",
        ),
        (
            "a mapping of /dev/zero",
            "open Z, q(+<), q(/dev/zero); $a = syscall(9, 0, 300 << 20, 3, 0x01, fileno(Z), 0); $a > 0 or exit; syscall(0, fileno(Z), $a + ($_ << 20), 1 << 20) for 0..299; sleep 3",
        ),
        ("/dev/shm", "open F, q(>), q(/dev/shm/x); syswrite F, $x for 1..300; sleep 3"),
        ("the temp folder", "open F, q(>), q(/tmp/x); syswrite F, $x for 1..300; sleep 3"),
        (
            "messages",
            "for (1..2000) { $q = msgget($_, 01600); defined $q or last; msgsnd($q, pack(q(l! a*), 1, q(y) x 8000), 04000) for 1..2 } sleep 3",
        ),
    ];
    let user = world.user();
    let mut hidden = Vec::new();
    for (what, program) in STEPS {
        let before = shared_memory();
        let steps = format!("perl -e '$x = q(x) x (1 << 20); {program}'; echo over");
        let mut highest = 0;
        let output = std::thread::scope(|scope| {
            let running = scope.spawn(|| user.inside(&["--memory", "64", "--wall", "20"], &steps));
            while !running.is_finished() {
                highest = highest.max(shared_memory().saturating_sub(before));
                std::thread::sleep(Duration::from_millis(20));
            }
            running.join().unwrap()
        });
        let ended = text(&output).contains("stopped at 64 MiB of memory");
        if !ended && !text(&output).contains("over") {
            hidden.push(format!("{what}: nothing ran: {}", text(&output)));
        }
        if highest > 150 << 20 && !ended {
            hidden.push(format!("{what}: {} MiB under a limit of 64: {}", highest >> 20, text(&output)));
        }
    }
    let left = text(&user.sh("ipcs -m | grep -c $USER; ipcs -q | grep -c $USER"));
    judged(
        hidden.is_empty() && left == "0\n0\n",
        format!("{} ways; hidden {hidden:?}; left behind {left:?}", STEPS.len()),
    )
}

/// Bytes of shared memory on the whole machine.
fn shared_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("Shmem:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}

fn set_ids(world: &World) -> Tried {
    let user = world.user();
    let steps = "cp /bin/bash a; chmod 4755 a; cp /bin/bash b; chmod u+s,g+s b; install -m 6755 /bin/bash c; mkdir -m 2777 d; \
        perl -e 'use Fcntl; sysopen(F, \"e\", O_CREAT | O_WRONLY, 04755)'; perl -e 'syscall(85, $n = q(f), 04755); syscall(133, $n = q(g), 0106755, 0)'; \
        perl -e 'open F, q(>), q(h); syscall(91, fileno(F), 04755); syscall(452, -100, $n = q(h), 06755, 0); syscall(268, -100, $n = q(h), 06755)'; \
        perl -e '$h = pack(q(QQQ), 0101, 04755, 0); syscall(437, -100, $n = q(i), $h, 24)'; tar --mode=6755 -cf t tool; mkdir x; tar -C x -xpf t; git init -q --shared=all s";
    let output = user.inside(&[], steps);
    let found = text(&user.sh("find project -perm /6000"));
    judged(
        found.is_empty() && user.ran(),
        format!("left: {found:?} {}", if user.ran() { String::new() } else { text(&output) }),
    )
}

fn disturb_outside(world: &World) -> Tried {
    let user = world.user();
    user.settings(&format!("{LETS_TOOL_RUN}deny = [\"shell(touch *)\"]\n"));
    user.shell("default", "ls");
    let mut seen = Vec::new();
    let mut kinds = String::new();
    meanwhile(&user, "sleep 9", || {
        kinds = text(&user.sh("cd project; find . -mindepth 1 -maxdepth 1 -not -type d -not -type f; find . -mindepth 1 -maxdepth 1 -type d -not -name .git -not -empty"));
        seen.push((
            "git status",
            text(&user.sh("cd project; git status --short --untracked-files=all | grep -v -e tool -e ready"))
                .is_empty(),
        ));
        let missing = user.sh("cd project; cat .claude/settings.json .vscode/tasks.json .husky/pre-commit 2>&1 | grep -vc 'No such file'");
        seen.push(("files below withheld names are absent", text(&missing) == "0\n"));
        let denied = user.shell("default", "touch x");
        seen.push((
            "the service reads the project's settings",
            denied.decision() == "deny" && denied.reason().contains("rule.deny"),
        ));
        let (code, told) = user.doorward(&["config", "check"]);
        seen.push(("config check", code == 0 && !told.contains("unreadable")));
        // For two seconds after the run created anything, a protected name that appears counts as the run's.
        std::thread::sleep(Duration::from_millis(2_500));
        seen.push((
            "a person makes a settings file",
            user.sh("cd project; mkdir .claude && echo '{}' > .claude/settings.local.json").status.success(),
        ));
    });
    std::thread::sleep(Duration::from_millis(500));
    let after = text(&user.sh("cd project; ls -A | tr '\\n' ' '; cat .claude/settings.local.json"));
    let clean = after == ".claude .git ran.txt ready tool tracked.txt {}\n";
    let held = seen.iter().all(|(_, held)| *held) && kinds.is_empty() && clean && user.ran();
    judged(held, format!("{seen:?}; no folders or files: {kinds:?}; afterwards: {after:?}"))
}

fn enclosed_agent(world: &World) -> Tried {
    let user = prepared(world);
    let script = user.home.join("bin/claude");
    user.write(
        &script,
        "#!/bin/bash\nfor name in .claude/settings.json .claude/settings.local.json .vscode/tasks.json .husky/x; do [ -e $name ] && echo found $name; cat $name 2>&1 | grep -v 'No such file'; done\n\
         for name in .claude .vscode .mcp.json .envrc doorward.toml; do [ -e $name ] || [ -L $name ] && echo odd $name; done\n\
         echo ../evil > .git/commondir; git config core.fsmonitor $PWD/evil/run; cp evil/run .git/hooks/post-index-change; echo '{}' > .mcp.json; mkdir .claude/hooks\n\
         git init -q n; cp evil/config n/.git/config\necho z > z; git add z; git commit -qm enclosed; git log -1 --format=%s\n",
    );
    user.sh("chmod +x bin/claude");
    let output = user
        .command(user.program("doorward"))
        .args(["guard", "--"])
        .arg(&script)
        .current_dir(user.project())
        .output()
        .unwrap();
    let armed = user.git_runs_code(&[".", "n"]);
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let left = text(&user.sh("cd project; ls -A | grep -e claude -e mcp -e envrc -e doorward.toml"));
    judged(
        out == "enclosed\n" && !armed && left.is_empty(),
        format!("{out:?}, armed {armed}, left {left:?}: {}", String::from_utf8_lossy(&output.stderr).trim()),
    )
}

/// The home folder as the writable root, so that everything of Doorward's lies inside it: run by the service, and by
/// the command itself.
fn own_files_below_the_root(world: &World) -> Tried {
    const STEPS: &str = "cat .local/state/doorward/token .local/state/doorward/ledger/key 2>/dev/null | head -c 9 >> seen; \
        cp -r .local/state/doorward copied; ls .local/state/doorward/doorward.db && echo database >> seen; \
        mv .local .l; mv .local/state .s; mv .config .c; mv .local/state/doorward .d; rm -rf .local/state; rm -rf .config/doorward; \
        mkdir -p .config/doorward; echo '[rules]' > .config/doorward/doorward.toml; echo '{}' > .claude/settings.json; mv .claude .k; \
        perl -e 'rename q(.local), q(.l); rename q(.config), q(.c); rename q(.claude), q(.k)'";
    let mut succeeded = Vec::new();
    for options in [&[][..], &["--wall", "20"], &["--read", "/usr/share"]] {
        for has_settings in [true, false] {
            let user = world.user();
            user.doorward(&["install", "claude-code"]);
            if has_settings {
                user.settings(LETS_TOOL_RUN);
            } else {
                // Where the user has no settings of their own, the run could make them.
                user.sh("mkdir -p .config/git");
            }
            user.sh("cp /bin/bash tool");
            user.shell("default", "true");
            let files =
                ".local/state/doorward/token .claude/settings.json $(ls .config/doorward/doorward.toml)";
            let state = |user: &User| {
                text(&user.sh(&format!(
                    "cat {files} 2>&1; ls -d .l .c .k 2>/dev/null; find .s .d -type f 2>/dev/null"
                )))
            };
            let before = state(&user);
            // Without settings nothing lets the tool run: a person at a terminal types the yes.
            let words = options.join(" ");
            let line = format!("cat steps | doorward run {words} -- ./tool");
            user.write(&user.home.join("steps"), &format!("{STEPS}{RAN}"));
            let output = if has_settings {
                user.sh(&line)
            } else {
                user.sh(&format!("(sleep 2; echo y) | script -qefc '{line}' /dev/null"))
            };
            let ran = user.home.join("ran.txt").exists();
            let seen = std::fs::read_to_string(user.home.join("seen")).unwrap_or_default();
            let copied = user.home.join("copied/token").exists();
            let after = state(&user);
            if !ran || !seen.is_empty() || copied || before != after {
                succeeded.push(format!(
                    "{words:?}, settings {has_settings}: ran {ran}, seen {seen:?}, copied {copied}, {before:?} -> {after:?}: {}",
                    text(&output)
                ));
            }
        }
    }
    judged(succeeded.is_empty(), format!("6 runs; succeeded {succeeded:#?}"))
}

fn bound_call(world: &World) -> Tried {
    let user = prepared(world);
    user.settings("[hooks]\nshell = \"bind\"\n[rules]\nallow = [\"shell(./tool *)\"]\n");
    user.sh("cp /bin/bash project/tool");
    user.write(
        &user.project().join("steps"),
        "git init -q n; cp evil/config n/.git/config; echo ../evil > .git/commondir; cp evil/run .git/hooks/post-index-change; echo x > .npmrc; echo ran > ran.txt\n",
    );
    // A client: a shell that asks the hook and runs what it is given.
    let event = user.shell_event("default", "./tool steps").to_string();
    user.write(&user.home.join("event"), &event);
    let output = user.sh("cd project; said=$(doorward-thin hook claude-code --deadline-ms 5000 < ~/event); \
        new=$(printf %s \"$said\" | python3 -c 'import json,sys; print(json.load(sys.stdin)[\"hookSpecificOutput\"][\"updatedInput\"][\"command\"])'); eval \"$new\"");
    let armed = user.git_runs_code(&[".", "n"]);
    user.end_service();
    let outcome = user
        .ledger()
        .into_iter()
        .filter(|entry| entry["kind"] == "outcome")
        .map(|entry| entry.to_string())
        .collect::<String>();
    let recorded = outcome.contains("sandbox.repository_quarantined")
        && outcome.contains("sandbox.runs_later")
        && outcome.contains(".npmrc");
    let told = text(&output).contains("put out of effect");
    judged(
        !armed && recorded && told && user.ran(),
        format!(
            "armed {armed}, recorded {recorded}, told {told}, ran {}: {} {}",
            user.ran(),
            text(&output).trim(),
            if recorded { "" } else { &outcome }
        ),
    )
}
