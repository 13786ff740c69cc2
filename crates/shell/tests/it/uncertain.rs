//! What a shell may do otherwise than the last assignment or definition says: each row deletes `src`, or may.

use doorward_shell::{Options, analyze};

/// Whether the analysis says that `src`, or something that isn't known, may be deleted.
fn may_delete_src(text: &str) -> bool {
    let options = Options { cwd: Some("/work".to_owned()), ..Options::default() };
    let intent = analyze(text, &options);
    let reaches = |path: &str| path == "src" || path == "src/" || path.contains('…');
    intent.deletes.iter().any(|delete| reaches(&delete.path.text))
}

#[test]
fn an_assignment_that_fails_or_is_overtaken_leaves_the_other_value() {
    for text in [
        "readonly D=src\nD=target\nrm -rf $D",
        "declare -r D=src; D=target; rm -rf $D",
        "typeset -r D=src\nunset D\nD=target\nrm -rf $D",
        "FUNCNAME=target; rm -rf src/$FUNCNAME",
        "RANDOM=target; rm -rf $RANDOM",
        "trap 'D=src' DEBUG; D=target; rm -rf $D",
        "D=target; trap 'D=src' USR1; kill -USR1 $$; rm -rf $D",
        "D=target; . ./env.sh; rm -rf $D",
        "D=target; source env.sh; rm -rf $D",
        "D=target; eval \"$(cat env.sh)\"; rm -rf $D",
        "set -- src target; shift 9; rm -rf $1",
        "D=src; D=target rm -rf $D",
    ] {
        assert!(may_delete_src(text), "{text}");
    }
}

#[test]
fn what_stands_behind_a_way_out_may_not_run() {
    for text in [
        "for d in src target; do break; done; rm -rf $d",
        "for d in src target; do [ x = x ] && break; done; rm -rf $d",
        "for d in a b; do D=src; break; D=target; done; rm -rf $D",
        "D=target; while read l; do D=src; continue; D=target; done < f; rm -rf $D",
        "D=x; for d in a b; do rm -rf $D; [ $y ] && { D=src; continue; }; D=x; done",
        "for a in 1; do for b in 1; do D=src; break 2; done; D=target; done; rm -rf $D",
        "f() { D=src; return; D=target; }; f; rm -rf $D",
        "f() { if [ $x ]; then D=src; return; fi; D=target; }; f; rm -rf $D",
    ] {
        assert!(may_delete_src(text), "{text}");
    }
}

#[test]
fn a_name_that_may_stand_for_a_program_is_judged_as_one() {
    for text in [
        "alias rm=echo; rm -rf src",
        "[ -f none ] && rm() { :; }; rm -rf src",
        "if [ -f none ]; then rm() { :; }; fi; rm -rf src",
        "true | rm() { :; }; rm -rf src",
        "(rm() { :; }); rm -rf src",
        "set +h; hash -p /bin/echo rm; rm -rf src",
        "echo : > rm; PATH=.:$PATH; rm -rf src",
        "if [ $x ]; then f() { rm -rf src; }; else f() { :; }; fi; f",
        "if [ $x ]; then f() { :; }; else f() { rm -rf src; }; fi; f",
        "f() { :; }; [ $x ] && f() { rm -rf src; }; f",
    ] {
        assert!(may_delete_src(text), "{text}");
    }
}

#[test]
fn a_file_that_may_keep_its_content_is_not_known_by_the_new_one() {
    let known = |text: &str| {
        let intent = analyze(text, &Options { cwd: Some("/work".to_owned()), ..Options::default() });
        let code = |finding: &doorward_core::finding::Finding| finding.code == "shell.generated_code";
        !intent.findings.iter().any(code)
    };
    assert!(known("echo ls > x.sh; sh x.sh"));
    assert!(!known("set -C; echo ls > x.sh; sh x.sh"));
    assert!(!known("set -o noclobber; echo ls > x.sh; sh x.sh"));
}

#[test]
fn what_is_sure_stays_exact() {
    for text in [
        "D=target; rm -rf $D",
        "rm() { :; }; rm -rf src",
        "readonly D=target; rm -rf $D",
        "for d in src target; do :; done; rm -rf $d",
        "f() { local D=src; }; D=target; f; rm -rf $D",
        "f() { D=target; return; }; f; rm -rf $D",
        "trap 'echo bye' EXIT; D=target; rm -rf $D",
        ". ./env.sh; D=target; rm -rf $D",
        "set -- src target; shift; rm -rf $1",
    ] {
        assert!(!may_delete_src(text), "{text}");
    }
}

/// `@P` expands a value again, and the value may hold the same expansion: bash says so with an error, and the analysis
/// has to end.
#[test]
fn a_value_that_expands_itself_ends_as_too_deep() {
    for text in [
        r#"x='${x@P}'; echo "${x@P}""#,
        r#"x='${y@P}'; y='${x@P}'; echo "${x@P}""#,
        r#"set -- '${1@P}'; echo "${1@P}""#,
        r#"x=('${x[0]@P}'); echo "${x[0]@P}""#,
        r"x='a[$(rm -rf src)${x@P}]'; : $((x))",
        r#"PS4='${PS4@P}'; set -x; ls"#,
        r#"a='${b@P}${b@P}'; b='${c@P}${c@P}'; c='${a@P}${a@P}'; echo "${a@P}""#,
    ] {
        let intent = doorward_shell::analyze(text, &doorward_shell::Options::default());
        assert!(intent.unknown.iter().any(|unknown| unknown.code == "shell.too_deep"), "{text}: {intent:?}");
    }
    let once =
        doorward_shell::analyze(r#"x='$(rm -rf src)'; echo "${x@P}""#, &doorward_shell::Options::default());
    assert!(once.unknown.is_empty() && !once.deletes.is_empty(), "{once:?}");
}
