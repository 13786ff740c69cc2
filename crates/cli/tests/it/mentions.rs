//! Words of which no row says what they are for: a path that others obey may be written, a text may hold a command
//! line, a file may be obeyed. Judged by the built binary in a real repository, each harmful row beside its twin.

use crate::obeyed::{answers, git};
use crate::support::Bench;
use serde_json::Value;

/// The decisions on commands that run in the project.
fn decided(bench: &Bench, commands: &[String]) -> Vec<Value> {
    let folder = bench.project().display().to_string();
    let calls: Vec<_> = commands.iter().map(|command| (folder.clone(), command.clone())).collect();
    answers(bench, &calls)
}

/// Each command with the answer that isn't right.
fn wrong(bench: &Bench, commands: &[String], is_right: impl Fn(&Value) -> bool) -> String {
    let answers = decided(bench, commands);
    let wrong = commands.iter().zip(&answers).filter(|(_, answer)| !is_right(answer));
    wrong.map(|(command, answer)| format!("{command}: {answer}")).collect::<Vec<_>>().join("\n")
}

fn owned(commands: &[&str]) -> Vec<String> {
    commands.iter().map(|command| (*command).to_owned()).collect()
}

fn is_allowed(answer: &Value) -> bool {
    answer["decision"] == "ALLOW"
}

fn is_asked(answer: &Value) -> bool {
    answer["decision"] == "REQUIRE_USER_CONFIRMATION"
}

#[test]
fn any_word_that_names_what_others_obey_may_write_it() {
    const FORMS: &[&str] = &[
        "renderer in.x @",
        "renderer in.x -o@",
        "renderer --export-file=@ in.x",
        "renderer -sOutputFile=@ in.x",
        "renderer 'plot 3; save \"@\"'",
        "renderer -U flash:r:@:r",
        "renderer -v file://@",
        "renderer -e 'write(\"$HOME/~\")'",
        "typst compile in.typ @",
        "gnuplot -e \"set output '@'; plot x\"",
        "cmake --graphviz=@ .",
        "ssh -S @ example.org",
    ];
    const HARMLESS: &[&str] = &[
        "echo @",
        "cat @",
        "grep -n x @",
        "git commit -m 'about @'",
        "renderer -m 'about @'",
        "cp @ copy.txt",
        "renderer in.x -oout/picture.png",
    ];
    let bench = Bench::new("");
    let home = home();
    let filled = |forms: &[&str], name: &str| -> Vec<String> {
        let path = format!("{home}/{name}");
        forms
            .iter()
            .map(|form| form.replace('@', &path).replace("$HOME/~", &format!("$HOME/{name}")))
            .collect()
    };
    let own =
        wrong(&bench, &filled(FORMS, ".claude/settings.json"), |answer| answer["code"] == "path.own_files");
    assert!(own.is_empty(), "{own}");
    let start = wrong(&bench, &filled(FORMS, ".bashrc"), is_asked);
    assert!(start.is_empty(), "{start}");
    for name in [".claude/settings.json", ".bashrc"] {
        let needless = wrong(&bench, &filled(HARMLESS, name), is_allowed);
        assert!(needless.is_empty(), "{needless}");
    }
}

/// The home folder of the user who runs this, as the password file has it.
fn home() -> String {
    use std::os::unix::fs::MetadataExt;
    let user = std::fs::metadata("/proc/self").unwrap().uid().to_string();
    let table = std::fs::read_to_string("/etc/passwd").unwrap();
    let row = table.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|row| row[2] == user);
    row.expect("this user has a row in /etc/passwd")[5].to_owned()
}

#[test]
fn a_text_for_an_undescribed_program_may_hold_a_command_line() {
    const FORMS: &[&str] = &[
        "renderer -b 'shell @'",
        "renderer -d '!@'",
        "renderer <(echo 'shell @')",
        "renderer --in=<(printf 'exec @\\n')",
        "renderer <<< 'exec @'",
        "renderer <<E\nsystem(\"@\")\nE",
        "renderer -n -- '@'",
    ];
    let bench = Bench::new("");
    let filled = |with: &str| -> Vec<String> { FORMS.iter().map(|form| form.replace('@', with)).collect() };
    let missed = wrong(&bench, &filled("rm -rf /usr"), |answer| !is_allowed(answer));
    assert!(missed.is_empty(), "{missed}");
    // Whoever is plainly handed a command line is a wrapper that nobody described, whatever it runs.
    let texts: Vec<String> = filled("cat /etc/hostname")
        .into_iter()
        .filter(|text| !text.contains('!') && !text.contains("--"))
        .collect();
    let needless = wrong(&bench, &texts, is_allowed);
    assert!(needless.is_empty(), "{needless}");
    let fetched = wrong(&bench, &owned(&["renderer <(curl -s http://localhost:3000/x)"]), is_allowed);
    assert!(fetched.is_empty(), "{fetched}");
}

#[test]
fn a_file_that_an_undescribed_program_may_obey_is_read_where_nobody_committed_it() {
    const CALLS: &[&str] = &[
        "launcher work.py",
        "launcher run --app=work.py",
        "launcher work:app",
        "launcher work.Settings",
        "launcher work",
    ];
    let bench = Bench::new("");
    let folder = bench.project();
    let outside = bench.file("elsewhere");
    std::fs::create_dir_all(&outside).unwrap();
    let settings = outside.join("tool.conf");
    let calls: Vec<String> = CALLS
        .iter()
        .map(|call| (*call).to_owned())
        .chain([format!("tool -c {}", settings.display())])
        .collect();
    let write = |runs: &str| {
        std::fs::write(folder.join("work.py"), format!("import os\nos.system('{runs}')\n")).unwrap();
        std::fs::write(&settings, format!("on_start = sh -c '{runs}'\n")).unwrap();
    };
    write("rm -rf /usr");
    let missed = wrong(&bench, &calls, |answer| !is_allowed(answer));
    assert!(missed.is_empty(), "{missed}");
    write("echo hello");
    let needless = wrong(&bench, &calls, is_allowed);
    assert!(needless.is_empty(), "{needless}");
    write("rm -rf build");
    git(&folder, &["add", "-f", "work.py"]);
    git(&folder, &["commit", "-q", "-m", "held"]);
    let held = wrong(&bench, &owned(CALLS), is_allowed);
    assert!(held.is_empty(), "{held}");
}

#[test]
fn what_a_file_says_is_evaluated_as_a_number() {
    const CALLS: &[&str] = &[
        "x=$(cat n.txt); echo $((x))",
        "x=$(cat n.txt); (( x > 1 ))",
        "x=$(cat n.txt); [[ $x -eq 0 ]]",
        "x=$(<n.txt); y=(1 2); echo ${y[$x]}",
        "declare -i n; n=$(cat n.txt)",
        "x=$(cat n.txt); let x+=1",
        "read x < n.txt; (( x > 1 ))",
        "while read n; do echo $((n+1)); done < n.txt",
    ];
    let bench = Bench::new("");
    std::fs::write(bench.project().join("n.txt"), "a[$(rm -rf /usr)]\n").unwrap();
    let missed = wrong(&bench, &owned(CALLS), |answer| !is_allowed(answer));
    assert!(missed.is_empty(), "{missed}");
    std::fs::write(bench.project().join("n.txt"), "5\n").unwrap();
    let raised = wrong(&bench, &owned(CALLS), |answer| answer["risk"] == "LOW");
    assert!(raised.is_empty(), "{raised}");
}

#[test]
fn typing_for_a_person_is_asked_about() {
    const TYPES: &[&str] = &[
        "tmux send-keys -t 0 y Enter",
        "screen -S x -X stuff y",
        "xdotool key Return",
        "ydotool key 28:1",
        "wtype y",
        "kitty @ send-text y",
        "wezterm cli send-text y",
        "python3 -c \"import fcntl,termios; fcntl.ioctl(0, termios.TIOCSTI, b'y')\"",
    ];
    let bench = Bench::new("");
    let missed = wrong(&bench, &owned(TYPES), is_asked);
    assert!(missed.is_empty(), "{missed}");
    let twins =
        ["tmux ls", "tmux capture-pane -p", "screen -ls", "xdotool getmouselocation", "grep TIOCSTI x.c"];
    let needless = wrong(&bench, &owned(&twins), is_allowed);
    assert!(needless.is_empty(), "{needless}");
}

#[test]
fn statements_and_requests_that_delete_are_what_they_are_for_known_clients() {
    let bench = Bench::new("");
    let harmful = [
        "dbtool -q 'DROP TABLE users'",
        "dbtool --execute='truncate table users'",
        "dbtool run \"DELETE FROM users\"",
        "http DELETE https://example.org/x",
        "xh delete https://example.org/x",
    ];
    let missed = wrong(&bench, &owned(&harmful), is_asked);
    assert!(missed.is_empty(), "{missed}");
    let twins = [
        "dbtool -q 'SELECT 1'",
        "dbtool run 'drop the ball'",
        "forge note --title 'Drop table users'",
        "git commit -m 'Drop table users'",
        "http GET https://example.org/x",
    ];
    let needless = wrong(&bench, &owned(&twins), is_allowed);
    assert!(needless.is_empty(), "{needless}");
}

#[test]
fn a_relative_name_in_a_worktree_beside_the_project_is_judged_as_the_absolute_one() {
    let bench = Bench::new("");
    let beside = bench.file("beside");
    std::fs::create_dir_all(beside.join("src")).unwrap();
    let folder = beside.display().to_string();
    let calls =
        ["touch src/x".to_owned(), format!("touch {folder}/src/x"), "touch ../project-2/x".to_owned()];
    let answers = answers(&bench, &calls.map(|command| (folder.clone(), command)));
    assert_eq!(answers[0]["code"], answers[1]["code"], "{answers:?}");
    assert_eq!(answers[0]["decision"], answers[1]["decision"], "{answers:?}");
}
