//! In which folders commands are judged that stand behind a `cd`, which fails where the folder isn't there.

use std::collections::BTreeSet;

use doorward_shell::{Folders, Options, Standing, analyze};

/// What is deleted, where `/work/there` is a folder and `/work/file` isn't one; the text starts in `/work`.
fn deleted(text: &str) -> String {
    let standing = |path: &str| match path {
        "/work/there" | "/work/there/in" | "/opt" => Standing::Folder,
        "/work/file" => Standing::Unknown,
        _ => Standing::Nothing,
    };
    let options = Options {
        home: Some("/home/user".to_owned()),
        cwd: Some("/work".to_owned()),
        folders: Folders::known_by(&standing),
        ..Options::default()
    };
    let intent = analyze(text, &options);
    let paths: BTreeSet<&str> = intent.deletes.iter().map(|delete| delete.path.text.as_str()).collect();
    paths.into_iter().collect::<Vec<_>>().join(" ")
}

fn all_hold(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, wanted)| (text, wanted, deleted(text)))
        .filter(|(_, wanted, found)| *wanted != found)
        .map(|(text, wanted, found)| format!("{text}\n  wanted {wanted:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_follows_a_cd_that_may_fail_is_judged_in_both_folders() {
    all_hold(&[
        ("cd gone; rm -rf *", "* gone/*"),
        ("cd gone\nrm -rf *", "* gone/*"),
        ("cd there; rm -rf *", "there/*"),
        ("cd there; cd gone; rm -rf *", "there/* there/gone/*"),
        ("cd /opt; rm -rf x", "/opt/x"),
        ("cd /gone; rm -rf x", "/gone/x x"),
        ("cd ..; rm -rf x", "../x"),
        ("cd; rm -rf x", "/home/user/x"),
        ("cd gone; cd -; rm -rf x", "x"),
        ("pushd gone; rm -rf x", "gone/x x"),
        ("pushd there; popd; rm -rf x", "x"),
        ("pushd there; pushd /opt; popd; popd; rm -rf x", "x"),
        ("pushd there; cd /opt; popd; rm -rf x", "x"),
        ("pushd there; pushd; rm -rf x", "x"),
        ("pushd gone; popd; rm -rf x", "gone/x x …/x"),
        ("popd; rm -rf x", "x …/x"),
        ("pushd there; pushd +1; rm -rf x", "there/x …/x"),
        ("pushd there; popd -n; popd; rm -rf x", "there/x …/x"),
        ("cd gone && ls; rm -rf x", "gone/x x"),
        ("cd gone | true; rm -rf x", "x"),
        ("cd gone & rm -rf x", "x"),
        ("(cd gone); rm -rf x", "x"),
        ("(cd gone) && rm -rf x", "x"),
        ("f() { cd gone; }; f; rm -rf x", "gone/x x"),
        ("eval 'cd gone'; rm -rf x", "gone/x x"),
        ("D=gone; cd $D; rm -rf x", "gone/x x"),
        ("cd $UNKNOWN; rm -rf x", "x …/x"),
        ("cd there more; rm -rf x", "x …/x"),
        ("CDPATH=/etc; cd there; rm -rf x", "x …/x"),
        ("ssh host 'cd there; rm -rf x'", "there/x x"),
    ]);
}

#[test]
fn each_way_on_is_judged_where_it_leads() {
    all_hold(&[
        ("cd gone && rm -rf x", "gone/x"),
        ("cd gone || rm -rf x", "x"),
        ("cd gone && rm -rf x || rm -rf y", "gone/x gone/y y"),
        ("! cd gone && rm -rf x", "x"),
        ("if cd gone; then rm -rf x; else rm -rf y; fi", "gone/x y"),
        ("if ! cd gone; then rm -rf x; fi; rm -rf y", "gone/y x y"),
        ("if ls; then :; elif cd gone; then rm -rf x; else rm -rf y; fi", "gone/x y"),
        ("{ cd gone; } && rm -rf x", "gone/x"),
        ("f() { cd gone; }; f && rm -rf x", "gone/x"),
        ("f() { cd gone; return 0; }; f && rm -rf x", "gone/x x"),
        ("while cd gone; do rm -rf x; done", "gone/x x"),
    ]);
}

#[test]
fn a_shell_that_ended_runs_nothing_more() {
    all_hold(&[
        ("cd gone || exit 1; rm -rf x", "gone/x"),
        ("cd gone || { echo no >&2; exit 1; }; rm -rf x", "gone/x"),
        ("die() { echo \"$1\" >&2; exit 1; }; cd gone || die no; rm -rf x", "gone/x"),
        ("if ! cd gone; then exit 1; fi; rm -rf x", "gone/x"),
        ("set -e; cd gone; rm -rf x", "gone/x"),
        ("set -euo pipefail\ncd gone\nrm -rf x", "gone/x"),
        ("set -o errexit; ls && cd gone; rm -rf x", "gone/x x"),
    ]);
}

#[test]
fn a_shell_that_only_seems_to_end_goes_on() {
    all_hold(&[
        // Too many words, a redirection that may fail, another program or function of that name, another shell.
        ("cd gone || exit 1 2; rm -rf x", "gone/x x"),
        ("cd gone || exit >/none/f; rm -rf x", "gone/x x"),
        ("cd gone || { exit 1; } >/none/f; rm -rf x", "gone/x x"),
        ("exit() { :; }; cd gone || exit; rm -rf x", "gone/x x"),
        ("cd gone || (exit 1); rm -rf x", "gone/x x"),
        ("cd gone || $(exit 1); rm -rf x", "gone/x x"),
        ("cd gone || exit 1 | cat; rm -rf x", "gone/x x"),
        ("cd gone || exit & rm -rf x", "x"),
        ("cd gone || /bin/exit; rm -rf x", "gone/x x"),
        ("cd gone || return; rm -rf x", "gone/x x"),
        ("cd gone || break; rm -rf x", "gone/x x"),
        ("cd gone || { ls && exit 1; }; rm -rf x", "gone/x x"),
        // Where `set -e` doesn't end the shell.
        ("set -e; cd gone || true; rm -rf x", "gone/x x"),
        ("set -e; cd gone && ls; rm -rf x", "gone/x x"),
        ("set -e; ! cd gone; rm -rf x", "gone/x x"),
        ("set -e; if cd gone; then :; fi; rm -rf x", "gone/x x"),
        ("set -e; f() { cd gone; rm -rf x; }; f || true", "gone/x x"),
        ("set -e; f() { cd gone; rm -rf x; }; if f; then :; fi", "gone/x x"),
        ("set -e; set +e; cd gone; rm -rf x", "gone/x x"),
        ("set -e; echo $(cd gone; rm -rf x)", "gone/x x"),
    ]);
}

#[test]
fn a_folder_counts_as_there_only_while_nothing_took_it_away() {
    all_hold(&[
        ("rm -rf there; cd there; rm -rf x", "there there/x x"),
        ("rm -rf the*; cd there; rm -rf x", "the* there/x x"),
        ("rm -rf other; cd there; rm -rf x", "other there/x"),
        ("mv there away; cd there; rm -rf x", "there/x x"),
        ("rm -rf there; cd there/in; rm -rf x", "there there/in/x x"),
        ("mkdir new; cd new; rm -rf x", "new/x"),
        ("mkdir -p new/deep; cd new/deep; rm -rf x", "new/deep/x"),
        ("mkdir new; rm -rf new; cd new; rm -rf x", "new new/x x"),
        ("rm -rf new; mkdir new; cd new; rm -rf x", "new new/x"),
        ("mkdir file; cd file; rm -rf x", "file/x x"),
        ("mkdir /new; cd /new; rm -rf x", "/new/x x"),
        ("mkdir ../new; cd ../new; rm -rf x", "../new/x x"),
        ("ls && mkdir new; cd new; rm -rf x", "new/x x"),
        ("mkdir new >/none/f; cd new; rm -rf x", "new/x x"),
        ("cd there >/none/f; rm -rf x", "there/x x"),
        ("{ cd there; } >/none/f; rm -rf x", "there/x x"),
        ("cd there >/dev/null 2>&1; rm -rf x", "there/x"),
    ]);
}

/// What is deleted where the working folder holds `target` and `notes`, of which patterns stand for one.
fn globbed(text: &str) -> String {
    let names = ["target", "notes", ".env"].map(str::to_owned).to_vec();
    let there = |_: &str| Standing::Folder;
    let options = Options {
        cwd: Some("/work".to_owned()),
        names,
        folders: Folders::known_by(&there),
        ..Options::default()
    };
    let intent = analyze(text, &options);
    let paths: BTreeSet<&str> = intent.deletes.iter().map(|delete| delete.path.text.as_str()).collect();
    paths.into_iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_pattern_stands_for_names_only_where_all_of_them_are_known() {
    let rows = [
        ("rm -rf t*", "target"),
        ("rm -rf *", "notes target"),
        ("cd .; rm -rf t*", "target"),
        ("ls; rm -rf t*", "target"),
        ("touch tables; rm -rf t*", "tables target"),
        ("mkdir -p tmp/deep; rm -rf t*", "target tmp"),
        ("echo 1 > /work/text; rm -rf t*", "target text"),
        // Another folder, and names that came in a way that isn't followed.
        ("cd data; rm -rf t*", "data/t*"),
        ("cd data && cd .. && rm -rf t*", "target"),
        ("cd $SOMEWHERE; rm -rf t*", "t* …/t*"),
        ("mv ../tables .; rm -rf t*", "t*"),
        ("tar xf a.tar; rm -rf t*", "t*"),
        ("git checkout other; rm -rf t*", "t*"),
        ("./make-tables; rm -rf t*", "t*"),
        ("touch $NAME; rm -rf t*", "t*"),
        ("ssh host 'rm -rf t*'", "t*"),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, wanted)| (text, wanted, globbed(text)))
        .filter(|(_, wanted, found)| *wanted != found)
        .map(|(text, wanted, found)| format!("{text}\n  wanted {wanted:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let dotted = globbed("shopt -s dotglob; rm -rf *");
    assert!(dotted.contains('*'), "{dotted}");
}

#[test]
fn a_pattern_for_too_many_names_stays() {
    let names = (0..65).map(|number| format!("a{number}.log")).collect();
    let options = Options { cwd: Some("/work".to_owned()), names, ..Options::default() };
    let intent = analyze("rm *", &options);
    assert_eq!(intent.deletes[0].path.text, "*");
}
