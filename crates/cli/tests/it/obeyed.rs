//! Files of a project that everyday words run or obey: read where nobody committed them, quiet where git held them
//! before, and nothing where none is there. Judged by the built binary in a real repository.

use std::path::Path;
use std::process::Command;

use crate::support::Bench;
use serde_json::Value;

/// What a file says that a program obeys. `@` is what it runs.
const HARM: &str = "rm -rf /usr";
const HARMLESS: &str = "echo hello";

const PYTHON: &str = "import os\nos.system('@')\n";
const SCRIPT: &str = "require('child_process').execSync('@');\nmodule.exports = {};\n";
const RUBY: &str = "system('@')\n";
const SHELL: &str = "#!/bin/sh\n@\n";

/// Words that only look, and the files that they obey all the same.
const LOOKS: &[(&str, &[(&str, &str)])] = &[
    ("cargo tree", &[(".cargo/config.toml", "[build]\nrustc = \"./x.sh\"\n"), ("x.sh", SHELL)]),
    ("cargo metadata", &[(".cargo/config.toml", "[build]\nrustc-wrapper = \"./x.sh\"\n"), ("x.sh", SHELL)]),
    (
        "rustc --version",
        &[("rust-toolchain.toml", "[toolchain]\npath = \"./tc\"\n"), ("tc/bin/rustc", SHELL)],
    ),
    ("prettier --check .", &[(".prettierrc.js", SCRIPT)]),
    ("prettier -l src", &[(".prettierrc", "{\"plugins\": [\"./x.js\"]}\n"), ("x.js", SCRIPT)]),
    ("mypy .", &[("mypy.ini", "[mypy]\nplugins = ./x.py\n"), ("x.py", PYTHON)]),
    ("hg status", &[(".hg/hgrc", "[hooks]\npre-status = @\n")]),
    ("hg log", &[(".hg/hgrc", "[extensions]\nx = ./x.py\n"), ("x.py", PYTHON)]),
    ("jj st", &[(".jj/repo/config.toml", "ui.pager = \"@\"\n")]),
    ("yarn --version", &[(".yarnrc.yml", "yarnPath: ./y.cjs\n"), ("y.cjs", SCRIPT)]),
    ("pnpm ls", &[(".pnpmfile.cjs", SCRIPT)]),
    ("nox --list", &[("noxfile.py", PYTHON)]),
    ("invoke --list", &[("tasks.py", PYTHON)]),
    ("scons --help", &[("SConstruct", PYTHON)]),
    ("bazel info", &[("tools/bazel", SHELL)]),
    (
        "ansible-inventory --list",
        &[("ansible.cfg", "[defaults]\ninventory = ./inv.py\n"), ("inv.py", PYTHON)],
    ),
    ("python3 -m pip list", &[("pip/__init__.py", ""), ("pip/__main__.py", PYTHON)]),
];

/// Words that build and test, and the files by their real names.
const WORKS: &[(&str, &[(&str, &str)])] = &[
    ("scons", &[("SConstruct", PYTHON)]),
    (
        "ant",
        &[(
            "build.xml",
            "<project><target><exec executable=\"sh\"><arg line=\"-c '@'\"/></exec></target></project>\n",
        )],
    ),
    ("rspec", &[("spec/spec_helper.rb", RUBY)]),
    ("python3 -m ast package.json", &[("argparse.py", PYTHON)]),
    ("python3 -m calendar", &[("locale.py", PYTHON)]),
    ("python3 -m json.tool package.json", &[("json/__init__.py", ""), ("json/tool.py", PYTHON)]),
    ("bundle exec rspec", &[("Gemfile", RUBY)]),
    ("fastlane lanes", &[("fastlane/Fastfile", RUBY)]),
    ("doit", &[("dodo.py", PYTHON)]),
    ("waf configure", &[("wscript", PYTHON)]),
    ("conan install .", &[("conanfile.py", PYTHON)]),
    ("sphinx-build . out", &[("conf.py", PYTHON)]),
    ("mkdocs build", &[("mkdocs.yml", "hooks:\n  - x.py\n"), ("x.py", PYTHON)]),
    ("jake", &[("Jakefile", SCRIPT)]),
    ("karma start", &[("karma.conf.js", SCRIPT)]),
    ("gatsby build", &[("gatsby-node.js", SCRIPT)]),
    ("jest", &[("jest.config.js", SCRIPT)]),
    ("vite build", &[("vite.config.js", SCRIPT)]),
    ("eslint .", &[("eslint.config.js", SCRIPT)]),
    ("lefthook run pre-commit", &[("lefthook.yml", "pre-commit:\n  commands:\n    a:\n      run: @\n")]),
    ("pytest", &[("conftest.py", PYTHON)]),
    ("pytest -q", &[("tests/test_a.py", PYTHON)]),
    ("npm ci", &[("package.json", "{\"scripts\": {\"preinstall\": \"@\"}}\n")]),
    ("pip install -e .", &[("setup.py", PYTHON)]),
    ("go generate ./...", &[("a.go", "package main\n//go:generate @\nfunc main() {}\n")]),
    (
        "dotnet build",
        &[("a.csproj", "<Project><Target Name=\"a\"><Exec Command=\"@\"/></Target></Project>\n")],
    ),
    ("premake5 gmake", &[("premake5.lua", "os.execute('@')\n")]),
    ("latexmk a.tex", &[("latexmkrc", "system('@');\n")]),
    ("turbo run build", &[("package.json", "{\"scripts\": {\"build\": \"@\"}}\n")]),
];

pub(crate) fn write(folder: &Path, files: &[(&str, &str)], runs: &str) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.replace('@', runs)).unwrap();
    }
}

pub(crate) fn git(folder: &Path, words: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git").current_dir(folder).args(who).args(words).output().unwrap();
    assert!(output.status.success(), "git {words:?}: {output:?}");
}

/// The answers to calls, each in a folder of its own: risk and reason.
pub(crate) fn answers(bench: &Bench, calls: &[(String, String)]) -> Vec<Value> {
    let project = bench.project().display().to_string();
    let rows: String = calls
        .iter()
        .enumerate()
        .map(|(at, (folder, command))| {
            let request = serde_json::json!({
                "id": at.to_string(),
                "principal": { "id": "agent" },
                "action": "tool:execute",
                "resource": {
                    "type": "tool", "name": "shell:execute", "attributes": { "args": { "command": command } },
                },
                "context": { "mode": "bypassPermissions", "cwd": folder, "roots": [project] },
            });
            format!("{request}\n")
        })
        .collect();
    let path = bench.file("rows.jsonl");
    std::fs::write(&path, rows).unwrap();
    let output = Command::new(crate::support::DOORWARD)
        .args(["check", "--no-config", "--batch", "--json"])
        .stdin(std::fs::File::open(&path).unwrap())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), calls.len(), "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

/// The rows below `kind`, each in its own folder; the answers in their order.
fn judged(bench: &Bench, kind: &str, rows: &[(&str, &[(&str, &str)])], runs: Option<&str>) -> Vec<Value> {
    let calls: Vec<(String, String)> = rows
        .iter()
        .enumerate()
        .map(|(at, (command, files))| {
            let folder = bench.project().join(kind).join(at.to_string());
            std::fs::create_dir_all(&folder).unwrap();
            runs.iter().for_each(|runs| write(&folder, files, runs));
            (folder.display().to_string(), (*command).to_owned())
        })
        .collect();
    if kind == "held" {
        git(&bench.project(), &["add", "-f", kind]);
        git(&bench.project(), &["commit", "-q", "-m", "held"]);
    }
    answers(bench, &calls)
}

fn wrong(
    rows: &[(&str, &[(&str, &str)])],
    answers: &[Value],
    is_right: impl Fn(&Value) -> bool,
) -> Vec<String> {
    let rows = rows.iter().zip(answers).filter(|(_, answer)| !is_right(answer));
    rows.map(|((command, _), answer)| format!("{command}: {answer}")).collect()
}

#[test]
fn files_that_everyday_words_obey_are_read_where_nobody_committed_them() {
    let bench = Bench::new("");
    let rows: Vec<_> = LOOKS.iter().chain(WORKS).copied().collect();
    let stopped = |answer: &Value| answer["risk"] == "HIGH" && answer["decision"] != "ALLOW";
    let missed = wrong(&rows, &judged(&bench, "strange", &rows, Some(HARM)), stopped);
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    let needless =
        wrong(&rows, &judged(&bench, "plain", &rows, Some(HARMLESS)), |answer| answer["risk"] != "HIGH");
    assert!(needless.is_empty(), "{}", needless.join("\n"));
}

#[test]
fn words_that_only_look_stay_low_where_no_file_is_or_git_held_it() {
    let bench = Bench::new("");
    for (kind, runs) in [("empty", None), ("held", Some(HARMLESS))] {
        let raised = wrong(LOOKS, &judged(&bench, kind, LOOKS, runs), |answer| answer["risk"] == "LOW");
        assert!(raised.is_empty(), "{kind}: {}", raised.join("\n"));
    }
}

#[test]
fn installed_programs_are_read_and_stay_ordinary() {
    let bench = Bench::new("");
    let bin = "node_modules/.bin/prettier";
    let folder = bench.project();
    let risk = || {
        let call = (folder.display().to_string(), "npx prettier --check .".to_owned());
        answers(&bench, &[call])[0]["risk"].clone()
    };
    let usual = "#!/usr/bin/env node\nrequire('child_process').spawnSync('npm', ['init', 'x']);\n";
    write(&folder, &[(bin, usual)], "");
    assert_eq!(risk(), "LOW");
    write(&folder, &[(bin, "#!/usr/bin/env node\nrequire('child_process').execSync('@');\n")], HARM);
    assert_eq!(risk(), "HIGH");
}

#[test]
fn build_files_are_never_said_to_be_missing_where_they_are_there() {
    let bench = Bench::new("");
    for answer in judged(&bench, "plain", WORKS, Some(HARMLESS)) {
        assert!(!answer.to_string().contains("build file"), "{answer}");
    }
}

/// Git never holds its own configuration: what is committed is as strange as the setting that names it.
#[test]
fn a_committed_file_that_gits_settings_run_is_read() {
    let bench = Bench::new("");
    let folder = bench.project();
    let program =
        |runs: &str| write(&folder, &[("x.sh", SHELL), ("hooks/pre-commit", SHELL), ("a", "a\n")], runs);
    let rows = [
        ("diff.external", "./x.sh", "git diff"),
        ("core.fsmonitor", "./x.sh", "git status"),
        ("core.pager", "./x.sh", "git log"),
        ("core.sshCommand", "./x.sh", "git fetch"),
        ("core.hooksPath", "hooks", "git commit -m x"),
        ("gpg.program", "./x.sh", "git log --show-signature"),
        ("gpg.program", "./x.sh", "git log --format=%G?"),
        ("gpg.ssh.program", "./x.sh", "git show --show-signature"),
        ("trailer.x.command", "./x.sh", "git interpret-trailers a"),
        ("pager.status", "./x.sh", "git status"),
    ];
    for (runs, stopped) in [(HARMLESS, false), (HARM, true)] {
        program(runs);
        git(&folder, &["add", "."]);
        git(&folder, &["commit", "-q", "-m", "x", "--no-verify"]);
        for (key, value, command) in rows {
            git(&folder, &["config", key, value]);
            let call = (folder.display().to_string(), command.to_owned());
            let answer = &answers(&bench, &[call])[0];
            assert_eq!(answer["risk"] == "HIGH", stopped, "{key} {command}: {answer}");
            git(&folder, &["config", "--unset", key]);
        }
    }
    // Nothing shows signatures: the program isn't run.
    git(&folder, &["config", "gpg.program", "./x.sh"]);
    let call = |command: &str| (folder.display().to_string(), command.to_owned());
    assert_eq!(answers(&bench, &[call("git log")])[0]["risk"], "LOW");
    git(&folder, &["config", "log.showSignature", "true"]);
    assert_eq!(answers(&bench, &[call("git log")])[0]["risk"], "HIGH");
}
