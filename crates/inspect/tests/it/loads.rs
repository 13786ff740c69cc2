//! Files that run because something loads them by name: a module of the project, a tool of a compiler, a script of a
//! debugger. Each command is judged with a harmful file there, with a harmless one, and with the harmful one gone.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use doorward_core::call::Root;
use doorward_core::risk::SecurityRisk::{High, Unknown};
use doorward_core::session::SessionView;
use doorward_inspect::{Inspector, LiveWorld, codes, example_call};

const PYTHON: (&str, &str) = ("import shutil\nshutil.rmtree('OTHER')\n", "print(1)\n");
const NODE: (&str, &str) =
    ("require('fs').rmSync('OTHER', {recursive: true, force: true})\n", "console.log(1)\n");
const PERL: (&str, &str) = ("package Foo; system('rm -rf OTHER'); 1;\n", "package Foo; 1;\n");
const SHELL: (&str, &str) = ("#!/bin/sh\nrm -rf OTHER\n", "#!/bin/sh\ntrue\n");

/// The file, its harmful and harmless content, and the command that loads it.
const ROWS: &[(&str, (&str, &str), &str)] = &[
    ("ut.py", PYTHON, "python3 -c 'import ut'"),
    ("ut.py", PYTHON, "python3 -c 'from ut import f'"),
    ("ut.py", PYTHON, "python3 -c '__import__(\"ut\")'"),
    ("ut.py", PYTHON, "python3 -c 'import importlib; importlib.import_module(\"ut\")'"),
    ("ut.py", PYTHON, "python3 -c 'import runpy; runpy.run_module(\"ut\")'"),
    ("ut.py", PYTHON, "cd /tmp && cd - && python3 -c 'import ut'"),
    ("pkg/ut.py", PYTHON, "cd pkg && python3 -c 'import ut'"),
    ("pkg/ut.py", PYTHON, "python3 -c 'import pkg.ut'"),
    ("pkg/__init__.py", PYTHON, "python3 -c 'import pkg.nothing'"),
    ("pkg/__main__.py", PYTHON, "python3 -m pkg"),
    ("pkg/ut.py", PYTHON, "python3 -c 'import sys; sys.path.insert(0, \"pkg\"); import ut'"),
    ("pkg/ut.py", PYTHON, "PYTHONPATH=pkg python3 -c 'import ut'"),
    ("pkg/sitecustomize.py", PYTHON, "PYTHONPATH=pkg python3 -c 1"),
    ("ut.py", PYTHON, "python3 -m unittest ut"),
    ("ut.py", PYTHON, "python3 -m unittest discover -p 'u*.py'"),
    ("ut.py", PYTHON, "python3 -m pydoc ut"),
    ("ut.py", PYTHON, "python3 -m pydoc ./ut.py"),
    ("ut.py", PYTHON, "python3 -m inspect ut"),
    ("ut.py", PYTHON, "python3 -m pdb -c c ut.py"),
    ("ut.py", PYTHON, "python3 -m timeit -s 'import ut'"),
    ("ut.py", PYTHON, "python3 -m idlelib -r ut.py"),
    (".pdbrc", ("import os; os.system('rm -rf OTHER')\n", "alias x print(1)\n"), "python3 -m pdb clean.py"),
    ("ut.py", PYTHON, "PYTHONPATH=. python3 -W error::ut.x -c 1"),
    ("ut.py", PYTHON, "PYTHONWARNINGS=error::ut.x python3 -c 1"),
    ("ut.py", PYTHON, "pytest -p ut"),
    ("ut.py", PYTHON, "pytest ut.py::test_x"),
    ("ut.py", PYTHON, "python3 -m pytest ut.py"),
    ("ut.py", PYTHON, "locust -f ut.py"),
    ("ut.py", PYTHON, "gunicorn ut:app"),
    ("ut.py", PYTHON, "python3 loader.py"),
    ("v.js", NODE, "node -e 'require(\"./v.js\")'"),
    ("v.js", NODE, "node -e 'require(\"./v\")'"),
    ("v.js", NODE, "node -e 'import(\"./v.js\")'"),
    ("v.js", NODE, "node --input-type=module -e 'import \"./v.js\"'"),
    ("Devel/Foo.pm", PERL, "perl -I. -d:Foo -e 1"),
    ("Foo.pm", PERL, "perl -I. -MFoo -e 1"),
    ("lib/Foo.pm", PERL, "perl -e 'use lib \"lib\"; use Foo;'"),
    ("lib/Foo.pm", PERL, "PERL5LIB=lib perl -e 'require Foo;'"),
    ("ut.rb", ("system('rm -rf OTHER')\n", "puts 1\n"), "ruby -I. -rut -e 1"),
    ("ut.lua", ("os.execute('rm -rf OTHER')\n", "print(1)\n"), "lua -e 'require(\"ut\")'"),
    ("bin/cc1", SHELL, "gcc -B bin main.c"),
    ("cc1", SHELL, "gcc -B. main.c"),
    ("bin/as", SHELL, "COMPILER_PATH=bin gcc main.c"),
    ("ut.py", PYTHON, "gdb -batch -x ut.py"),
    ("ut.py", PYTHON, "gdb -batch -ex 'source ut.py'"),
    ("ut.py", PYTHON, "lldb -b -o 'command script import ut.py'"),
    ("v.sh", SHELL, "tar cf - v.sh | tar xf - -C drafts && drafts/v.sh"),
    ("src/v.sh", SHELL, "tar cf - src | tar xf - -C drafts && sh drafts/src/v.sh"),
    ("v.sh", SHELL, "zip z.zip v.sh && unzip -o -d drafts z.zip && bash drafts/v.sh"),
    ("v.sh", SHELL, "cp v.sh q.sh; sh q.sh"),
    ("v.sh", SHELL, "cp v.sh q.sh; ./q.sh"),
    ("v.sh", SHELL, "mkdir -p bin && install v.sh bin && bin/v.sh"),
    ("my.vim", ("!rm -rf OTHER\n", "set nu\n"), "vim -es -u my.vim -c q"),
];

struct Project {
    _base: tempfile::TempDir,
    root: String,
    other: String,
}

impl Project {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let home = base.path().canonicalize().unwrap();
        let (root, other) = (home.join("p"), home.join("other"));
        for (path, text) in [
            (root.join("clean.py"), "print(1)\n"),
            (root.join("loader.py"), "import ut\n"),
            (root.join("main.c"), "int main(void) { return 0; }\n"),
            (other.join("notes.txt"), "n"),
        ] {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        Self { root: text(&root), other: text(&other), _base: base }
    }

    fn put(&self, name: &str, text: &str) {
        let path = Path::new(&self.root).join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.replace("OTHER", &self.other)).unwrap();
    }

    fn commit(&self) -> bool {
        let git = |args: &[&str]| {
            let done = Command::new("git")
                .current_dir(&self.root)
                .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
                .args(args)
                .output();
            done.is_ok_and(|output| output.status.success())
        };
        git(&["init", "-q"]) && git(&["add", "."]) && git(&["commit", "-q", "-m", "x"])
    }

    /// Whether a command is stopped, with what was found.
    fn stops(&self, command: &str) -> (bool, String) {
        let mut call = example_call("shell:execute", "command", command).unwrap();
        call.cwd = self.root.clone();
        call.roots = vec![Root { path: self.root.clone(), access: doorward_core::call::RootAccess::Write }];
        let inspector = Inspector::new(Arc::new(LiveWorld::new(None, vec![])));
        let inspected = inspector.inspect(&call, &SessionView::default(), &Default::default());
        let codes = codes(&inspected).into_iter().collect::<Vec<_>>().join(" ");
        (matches!(inspected.risk, High | Unknown), format!("{:?} {codes}", inspected.risk))
    }
}

#[test]
fn what_is_loaded_by_name_is_judged_like_what_is_run() {
    let project = Project::new();
    let mut wrong = Vec::new();
    for (name, (harmful, harmless), command) in ROWS {
        project.put(name, harmful);
        let (stopped, found) = project.stops(command);
        if !stopped {
            wrong.push(format!("passes: {command} ({name}): {found}"));
        }
        project.put(name, harmless);
        let (stopped, found) = project.stops(command);
        if stopped {
            wrong.push(format!("needless: {command} ({name}): {found}"));
        }
        std::fs::remove_file(Path::new(&project.root).join(name)).unwrap();
        let (stopped, found) = project.stops(command);
        if stopped {
            wrong.push(format!("needless without the file: {command} ({name}): {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ROWS.len(), wrong.join("\n"));
}

#[test]
fn a_committed_module_of_the_project_is_its_own_business() {
    let project = Project::new();
    project.put("ut.py", "import subprocess, sys\nsubprocess.run(sys.argv[1], shell=True)\n");
    if !project.commit() {
        doorward_needs::lacking!("no git here, so no module is committed");
        return;
    }
    assert!(!project.stops("python3 -c 'import ut'").0);
    project.put("ut.py", "import subprocess, sys\nsubprocess.run(sys.argv[1], shell=True)\n# changed\n");
    assert!(project.stops("python3 -c 'import ut'").0, "a changed one is read");
}

#[test]
fn a_call_that_names_too_many_files_is_unknown_at_once() {
    let project = Project::new();
    let many: Vec<String> = (0..30_000).map(|number| format!("f{number}")).collect();
    let (stopped, found) = project.stops(&format!("rm {}", many.join(" ")));
    assert!(stopped && found.starts_with("Unknown"), "{found}");
    let found = project.stops(&format!("rm -rf {} /", many.join(" "))).1;
    assert!(found.contains("shell.delete_everything"), "{found}");
    assert!(!project.stops(&format!("rm {}", many[..1000].join(" "))).0);
}
