//! Real bash beside the analysis: shapes of shell text around a command. Where bash really runs the command, the same
//! shape around a harmful one must be HIGH or UNKNOWN.
//!
//! Each shape holds a place for a command. They are put into each other at random (the seed is fixed), the innermost
//! place makes a marker file when bash runs the text, and deletes a folder of the user's in the text that is judged.
//! `DOORWARD_SHAPES=20000 cargo test -p doorward-inspect --test it shapes` tries more.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use doorward_core::risk::SecurityRisk::{High, Unknown};
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, Inspector, example_call};

/// How the command is put into a shape.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hole {
    /// As it is.
    Text,
    /// Between single quotes.
    Quoted,
    /// As words of another command: only a simple command fits.
    Words,
}
use Hole::{Quoted, Text, Words};

/// Shapes; `§` is the place of the command.
const SHAPES: &[(Hole, &str)] = &[
    // Grouping.
    (Text, "( § )"),
    (Text, "{ §; }"),
    (Text, "((§) )"),
    (Text, "( (§))"),
    (Text, "(( (§) ); true)"),
    (Text, "! §"),
    (Text, "time §"),
    (Text, "{ §; } &\nwait"),
    (Text, "§ &\nwait"),
    (Text, "{ §; } | cat"),
    (Text, "true | { §; }"),
    (Text, "true && { §; }"),
    (Text, "false || { §; }"),
    (Text, "false && { §; }"),
    (Text, ": ; §"),
    (Text, ": &&\\\n   §"),
    (Text, "true &&\n§"),
    (Text, "\n§\n"),
    (Text, "exit 0; §"),
    // Conditions and loops.
    (Text, "if true; then §; fi"),
    (Text, "if §; then :; fi"),
    (Text, "if false; then :; else §; fi"),
    (Text, "if false; then :; elif §; then :; fi"),
    (Text, "while { §; }; do break; done"),
    (Text, "until false; do §; break; done"),
    (Text, "for i in 1 2; do §; done"),
    (Text, "for ((i=0; i<2; i++)); do §; done"),
    (Text, "for i in $(seq 70); do [ $i = 69 ] && { §; }; done"),
    (Text, "i=0; while [ $i -lt 70 ]; do i=$((i+1)); if [ $i = 69 ]; then §; fi; done"),
    (Text, "case a in b) ;; *) § ;; esac"),
    (Text, "case a in a) § ;; esac"),
    (Text, "[[ a = a ]] && { §; }"),
    (Text, "[ 1 -eq 1 ] && { §; }"),
    (Text, "((1)) && { §; }"),
    (Text, "echo x | while read -r l; do §; done"),
    // Functions.
    (Text, "f() { §; }; f"),
    (Text, "function g { §; }\ng"),
    (Text, "h() ( § ); h"),
    (Text, "h() ((§) ); h"),
    (Text, "k() { [ \"$1\" = 4 ] && { §; return; }; k $(($1 + 1)); }; k 0"),
    (Words, "f(){ \"$@\"; }; f f f §"),
    (Words, "f(){ \"$@\"; }; f f f f f f f f §"),
    (Words, "f(){ shift; \"$@\"; }; f x §"),
    (Words, "f(){ \"$1\" \"${@:2}\"; }; f f §"),
    (Words, "f(){ eval \"$@\"; }; f §"),
    (Words, "retry(){ for i in 1 2 3; do \"$@\" && return; done; }; retry retry §"),
    (Words, "command §"),
    (Words, "env §"),
    (Words, "eval §"),
    (Words, "builtin eval §"),
    (Words, "nice §"),
    (Words, "timeout 9 §"),
    (Words, "X=1 §"),
    (Words, ">/dev/null §"),
    (Words, "§ 2>/dev/null"),
    (Words, "a=(§); \"${a[@]}\""),
    (Words, "set -- §; \"$@\""),
    (Words, "set -- §; $*"),
    (Words, "x='§'; $x"),
    // Expansions.
    (Text, "echo \"$( § )\""),
    (Text, ": ${x:=$( § )}"),
    (Text, ": \"${x:-$( § )}\""),
    (Text, "[[ -z $( § ) ]]"),
    (Text, "(( $( § ; echo 1) ))"),
    (Text, "a[$( § ; echo 0)]=1"),
    (Text, "echo $(( $( § ; echo 1) + 1 ))"),
    (Text, "cat <( § )"),
    (Text, "read -r y < <( § ; echo a)"),
    (Text, "mapfile -t m < <( § )"),
    (Text, "cat <<E\n$( § )\nE"),
    (Text, "cat <<< \"$( § )\""),
    (Text, "export x=$( § )"),
    (Text, "x=$( § ) true"),
    (Text, "let \"y=$( § ; echo 1)\""),
    (Text, "for i in $( § ; echo a); do :; done"),
    (Text, "case $( § ) in *) ;; esac"),
    (Text, "printf -v y %s \"$( § )\""),
    (Text, "x=a; echo ${x/a/$( § )}"),
    (Text, "echo x > >( § ); sleep 0.1"),
    // Code as text.
    (Quoted, "eval §"),
    (Quoted, "bash -c §"),
    (Quoted, "sh -c §"),
    (Quoted, "bash <<< §"),
    (Quoted, "source /dev/stdin <<< §"),
    (Quoted, ". <(echo §)"),
    (Quoted, "echo § | sh"),
    (Quoted, "printf '%s\\n' § | bash"),
    (Quoted, "x=§; eval \"$x\""),
    (Quoted, "x=§; bash -c \"$x\""),
    (Quoted, "a=(:  §); eval \"${a[1]}\""),
    (Quoted, "declare -A m=([k]=§); eval \"${m[k]}\""),
    (Quoted, "trap § EXIT"),
    (Quoted, "trap § DEBUG; :"),
    (Quoted, "trap § USR1; kill -USR1 $$; :"),
    (Quoted, "(trap § EXIT)"),
    (Quoted, "shopt -s expand_aliases\nalias z=§\nz"),
    (Quoted, "echo § > t.sh; bash t.sh"),
    (Quoted, "echo § > t2.sh; . ./t2.sh"),
    (Text, "bash <<'E1'\n§\nE1"),
    (Text, "cat <<'E2' | bash\n§\nE2"),
    (Text, "coproc { §; }; wait"),
];

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text with each shape around the one before; `None` where the innermost command doesn't fit.
fn put_together(shapes: &[usize], command: &str) -> Option<String> {
    let mut text = command.to_owned();
    for (depth, shape) in shapes.iter().enumerate() {
        let (hole, shape) = SHAPES[*shape];
        let fits = hole != Words || depth == 0 && (!shape.contains("'§'") || !text.contains('\''));
        // A document inside of a document would end the outer one.
        if !fits || shape.contains("<<") && text.contains("<<") {
            return None;
        }
        let inner = if hole == Quoted { quoted(&text) } else { text.clone() };
        // What ends with a document or a comment needs its line end.
        let open = text.contains("<<") && hole == Text;
        text = shape.replace('§', &if open { format!("{inner}\n") } else { inner });
        if open && text.contains("\n;") {
            text = text.replace("\n;", "\n");
        }
    }
    Some(text)
}

/// Whether bash makes the marker when it runs a text.
fn runs(text: &str, folder: &Path) -> bool {
    let marker = folder.join("marker");
    let _ = std::fs::remove_file(&marker);
    // In a process namespace of its own, whose end is the end of all that the text started.
    let ended = Command::new("timeout")
        .args(["-s", "KILL", "5"])
        .args(["unshare", "--map-root-user", "--pid", "--fork", "--kill-child"])
        .args(["bash", "--norc", "--noprofile", "-c", text])
        .current_dir(folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ended.unwrap();
    marker.exists()
}

fn is_stopped(text: &str) -> bool {
    let call = example_call("shell:execute", "command", text).unwrap();
    let inspector = Inspector::new(Arc::new(EmptyWorld::at_home("/home/user")));
    let inspected = inspector.inspect(&call, &SessionView::default(), &Default::default());
    matches!(inspected.risk, High | Unknown)
}

/// Shapes put into each other that an ordinary run tries, beside each one alone.
const ORDINARY: usize = 400;

#[test]
fn what_bash_runs_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    if !runs("touch marker", folder.path()) {
        doorward_needs::lacking!("bash, timeout and process namespaces: shapes of text are not run");
        return;
    }
    let wanted = std::env::var("DOORWARD_SHAPES").ok().and_then(|text| text.parse().ok()).unwrap_or(ORDINARY);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let mut tried: Vec<Vec<usize>> = (0..SHAPES.len()).map(|shape| vec![shape]).collect();
    while tried.len() < SHAPES.len() + wanted {
        let depth = 2 + next(2);
        tried.push((0..depth).map(|_| next(SHAPES.len())).collect());
    }
    let (mut ran, mut passed) = (0, Vec::new());
    for shapes in &tried {
        let Some(marked) = put_together(shapes, "touch marker") else { continue };
        if !runs(&marked, folder.path()) {
            continue;
        }
        ran += 1;
        let harmful = put_together(shapes, "rm -rf /home/user/Documents").unwrap();
        if !is_stopped(&harmful) {
            passed.push(harmful);
        }
    }
    println!("{} texts, bash ran the command in {ran}, {} of these pass", tried.len(), passed.len());
    assert!(ran > tried.len() / 4, "only {ran} of {} texts run their command", tried.len());
    assert!(passed.is_empty(), "bash runs these, and they pass:\n{}", passed.join("\n--\n"));
}

/// A job in the background is a shell of its own: what it sets a trap for runs when it ends. Found by the long run.
#[test]
fn traps_of_jobs_in_the_background_are_seen() {
    for shape in [
        "trap '§' EXIT &\nwait",
        "{ trap '§' DEBUG; :; } &\nwait",
        "coproc { trap '§' EXIT; }; wait",
        "echo x | while read -r l; do coproc { trap '§' EXIT; }; wait; done",
    ] {
        assert!(is_stopped(&shape.replace('§', "rm -rf /home/user/Documents")), "{shape}");
    }
    assert!(!is_stopped("trap 'echo done' EXIT &\nwait"));
}
