//! git, by sub-command: from the manual pages of git 2.43.
//!
//! Configuration decides what git runs, so `-c KEY=VALUE`, `git config KEY VALUE` and `--config-env` go through one
//! table of keys. Reading commands are read-only here; whether the repository's own configuration is clean is for
//! `inspect`, which sees it.

use doorward_core::intent::{Below, DeleteIntent, LossFacts, RecoverableBy, Untracked};
use doorward_knowledge::row::Nature;

use crate::deed::{Run, Word};

use super::call::Call;
use super::word;

mod reached;
mod remotes;
mod settings;

use settings::set_key;

pub(super) use remotes::{clone, remote};
pub(super) use settings::config;

pub use reached::{Invocation, Reached, SettingRuns, invocation, setting_runs};

/// The words of `git-reset --hard`, as the programs in git's own folder are called: those of `git reset --hard`.
pub(super) fn dashed(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let sub = name
        .strip_prefix("git-")
        .filter(|name| super::lookup("git").is_some_and(|git| git.commands().any(|row| row.is(name))))?;
    let (first, rest) = words.split_first()?;
    let mut spelled = vec![word::instead(first, "git"), word::instead(first, sub)];
    spelled.extend(rest.iter().cloned());
    Some(spelled)
}

pub(super) fn global(call: &mut Call<'_>) {
    for setting in call.values("-c") {
        match word::halves(&setting, '=') {
            Some((name, value)) => set_key(call, &name, &value),
            None => {
                let yes = word::instead(&setting, "true");
                set_key(call, &setting, &yes);
            }
        }
    }
    for setting in call.values("--config-env") {
        if let Some((name, variable)) = word::halves(&setting, '=') {
            let mut value = word::instead(&variable, "…");
            value.form = doorward_core::intent::Form::Unknown;
            set_key(call, &name, &value);
        }
    }
    if let Some(folder) = call.value("--git-dir") {
        call.look(&folder);
    }
}

pub(super) fn revisions(call: &mut Call<'_>) {
    if call.any(&["--ext-diff"]) {
        call.beyond_plain = true;
        call.acts = true;
    }
    let content = !matches!(
        call.spelled,
        "log" | "shortlog" | "whatchanged" | "rev-list" | "ls-files" | "ls-tree" | "reflog-show"
    ) || call.any(&["-p", "-L", "-S", "-G"]) && call.path.last() == Some(&"log");
    names_listed(call);
    if call.has("--no-index") {
        return call.operands.clone().iter().for_each(|operand| call.read_below(operand, Below::Everything));
    }
    let dashes = call.dashes_at.unwrap_or(usize::MAX);
    // `-L1,9:FILE` shows these lines of every version.
    for lines in call.values("-L") {
        if let Some((_, path)) = lines.text.rsplit_once(':') {
            call.read(&word::instead(&lines, path));
        }
    }
    if call.any(&["--batch", "--batch-command"]) {
        for name in call.stdin_names() {
            if let Some((_, path)) = word::halves(&name, ':') {
                call.read(&path);
            }
        }
    }
    for (at, operand) in call.operands.clone().iter().enumerate() {
        let text = operand.text.as_str();
        if at >= dashes {
            let path = pathspec(operand);
            if content { call.read(&path) } else { call.look(&path) }
        } else if let Some((_, path)) = word::halves(operand, ':') {
            if content && !path.text.is_empty() {
                call.read(&path);
            }
        } else if content
            && (call.has("--no-index")
                || !text.trim_start_matches("../").contains("..")
                    && (text.starts_with(['.', '/', '~'])
                        || text.contains("/.")
                        || call.path.last() == Some(&"blame")))
        {
            call.read(operand);
        }
    }
}

/// A path without the magic in front of it: `:(glob)x`, `:/x` (gitglossary(7), pathspec).
fn pathspec(operand: &Word) -> Word {
    let Some(rest) = operand.text.strip_prefix(':') else { return operand.clone() };
    let (plain, matches) = match rest.strip_prefix('(').and_then(|long| long.split_once(')')) {
        Some((magic, path)) => (path, !magic.contains("literal")),
        None => (rest.trim_start_matches(['/', '!', '^', ':']), true),
    };
    let mut path = word::instead(operand, plain);
    if matches && plain.contains(['*', '?', '[']) && path.form == doorward_core::intent::Form::Literal {
        path.form = doorward_core::intent::Form::Glob;
    }
    path
}

/// `ls-files`, `diff --name-only`: names of the working tree, one a line.
fn names_listed(call: &mut Call<'_>) {
    let plain = match call.spelled {
        "ls-files" => !call.any(&["-s", "-u", "-t", "-v", "-f", "--format", "--debug", "--eol"]),
        _ => call.has("--name-only") && call.any(&["--name-only"]),
    };
    if !plain {
        return;
    }
    let patterns: Vec<Word> = match (call.spelled, call.dashes_at) {
        ("ls-files", _) => call.operands.clone(),
        (_, Some(at)) => call.operands_from(at),
        _ => Vec::new(),
    };
    if patterns.is_empty() {
        return call.lists("**");
    }
    for pattern in &patterns {
        // Git's own pattern: `*` reaches into folders.
        if pattern.text.contains(['*', '?', '[']) {
            call.lists(format!("**/{}", pattern.text))
        } else {
            call.lists_below(pattern)
        }
    }
}

pub(super) fn grep(call: &mut Call<'_>) {
    let from = if call.any(&["-e", "-f"]) { 0 } else { 1 };
    let below = if call.any(&["--no-index", "--untracked"]) { Below::Everything } else { Below::Nothing };
    for (at, operand) in call.operands.clone().iter().enumerate().skip(from) {
        if call.has("--no-index")
            || call.dashes_at.is_some_and(|dashes| at >= dashes)
            || operand.text.contains(['/', '.'])
        {
            call.read_below(&pathspec(operand), below);
        }
    }
    // Files that git doesn't hold, and ignored ones.
    if call.any(&["--no-index", "--untracked"]) && call.operands.len() <= from {
        call.read_below(&Word::literal(".", call.span()), Below::Everything);
    }
    if call.any(&["-l", "-L"]) {
        call.lists("**");
    }
}

pub(super) fn checkout(call: &mut Call<'_>) {
    if let Some(name) = call.value("-B") {
        unreached(call, &[name], "");
    }
    let names = call.operands.len();
    let after_dashes = call.dashes_at.map_or(0, |at| names.saturating_sub(at));
    let one_path = names == 1
        && call.dashes_at.is_none()
        && call.operands.first().is_some_and(|word| {
            // Names that a command lists are files, not branches.
            is_path(&word.text) || word.form == doorward_core::intent::Form::Glob
        })
        && !call.any(&["-b", "-B", "--orphan", "-d"]);
    let tree_and_path = names > 1 && !call.any(&["-b", "-B", "--orphan", "-d", "-t", "--track"]);
    let patch = call.has("-p");
    if call.has("-f")
        || (after_dashes > 0 || one_path || tree_and_path || call.has("--pathspec-from-file")) && !patch
    {
        // `git checkout TREE -- PATH` also puts the index back; `git checkout -- PATH` takes what the index holds.
        let from_index = !call.has("-f") && (one_path || after_dashes == names && names > 0);
        let operands = call.operands.clone();
        let paths = if call.has("-f") {
            vec![Word::literal(".", call.span())]
        } else {
            let first = if after_dashes > 0 { names - after_dashes } else { usize::from(tree_and_path) };
            operands.into_iter().skip(first).collect()
        };
        let known = !call.has("--pathspec-from-file");
        let facts = looked_up(call, paths, !from_index).filter(|_| known).map(|facts| LossFacts {
            everywhere: call.has("-f"),
            moves: call.has("-f") && names > 0,
            ..facts
        });
        call.loses_if("uncommitted changes", RecoverableBy::None, facts);
    }
}

/// Facts that say whether a command loses changes at these paths. None where another repository than the one around
/// the working folder is meant, or where a path isn't plain.
fn looked_up(call: &Call<'_>, paths: Vec<Word>, staged: bool) -> Option<LossFacts> {
    let elsewhere = call.any(&["-C", "--git-dir", "--work-tree", "--pathspec-from-file"]);
    let plain =
        |word: &Word| word.form == doorward_core::intent::Form::Literal && !word.text.starts_with(':');
    if elsewhere || paths.is_empty() || !paths.iter().all(plain) {
        return None;
    }
    let changed = paths.iter().map(Word::operand).collect();
    Some(LossFacts { changed, staged, ..LossFacts::default() })
}

/// `git push --force-with-lease` without a branch pushes the one that is checked out.
pub(super) fn push(call: &mut Call<'_>) {
    let names_none =
        call.operands.len() <= 1 && !call.any(&["-C", "--git-dir", "--all", "--branches", "--tags"]);
    if call.any(&["--force-with-lease", "--force-if-includes"]) && names_none {
        let facts = LossFacts { on_default_branch: true, ..LossFacts::default() };
        call.loses_if("what the default branch of the remote held", RecoverableBy::Reflog, Some(facts));
    }
}

/// `git reset --hard TARGET`: changes of tracked files, and the commits after the target. With `--keep` git refuses to
/// lose changes.
pub(super) fn reset(call: &mut Call<'_>) {
    let keeps_changes = call.has("--keep") && !call.any(&["--hard", "--merge"]);
    if !call.any(&["--hard", "--merge", "--keep"]) {
        return;
    }
    let target = call.operands.first().map(|word| word.text.clone());
    let stays =
        call.operands.len() <= 1 && target.is_none_or(|target| matches!(target.as_str(), "HEAD" | "@"));
    if stays && keeps_changes {
        return;
    }
    let everything = vec![Word::literal(".", call.span())];
    // What a word that isn't plain stands for is looked up nowhere: then the loss stays.
    let known = call.operands.first().filter(|_| !stays).map(|word| match word.form {
        doorward_core::intent::Form::Literal => word.text.clone(),
        _ => String::new(),
    });
    let facts = looked_up(call, everything, !keeps_changes).map(|facts| LossFacts {
        changed: if keeps_changes { Vec::new() } else { facts.changed },
        everywhere: true,
        target: known,
        moves: !stays && !keeps_changes,
        ..facts
    });
    let what = if keeps_changes {
        "commits after the target"
    } else if stays {
        "uncommitted changes"
    } else {
        "uncommitted changes, and commits after the target"
    };
    call.loses_if(what, RecoverableBy::Reflog, facts);
}

/// `git branch -D NAME`, `git branch -f NAME TARGET`: commits that no other branch or tag reaches.
pub(super) fn branch(call: &mut Call<'_>) {
    let moved = !call.any(&["-D", "-d", "--delete"]);
    let count = if moved { 1 } else { call.operands.len() };
    let names = call.operands.get(..count).unwrap_or_default().to_vec();
    unreached(call, &names, "");
}

/// `git tag -d NAME`: commits that no branch and no other tag reaches.
pub(super) fn tag(call: &mut Call<'_>) {
    let names = call.operands.clone();
    unreached(call, &names, "refs/tags/");
}

/// Commits that only these names reach, which the call takes away or moves.
fn unreached(call: &mut Call<'_>, names: &[Word], kind: &str) {
    let here = vec![Word::literal(".", call.span())];
    let plain = |word: &Word| {
        word.form == doorward_core::intent::Form::Literal
            && !word.text.is_empty()
            && word.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+#".contains(&byte))
    };
    let known = !call.any(&["-r", "-a"]) && !names.is_empty() && names.iter().all(plain);
    let branches: Vec<String> = names.iter().map(|word| format!("{kind}{}", word.text)).collect();
    let facts = looked_up(call, here, false).filter(|_| known).map(|facts| LossFacts { branches, ..facts });
    call.loses_if("commits that nothing else reached", RecoverableBy::Reflog, facts);
}

/// `git stash drop`, `git stash clear`: entries of the stash.
pub(super) fn stash(call: &mut Call<'_>) {
    let Some(first) = call.operands.first().map(|word| word.text.clone()) else { return };
    if !matches!(first.as_str(), "drop" | "clear") {
        return;
    }
    let entry = match (first.as_str(), call.operands.get(1)) {
        ("clear", _) => "*".to_owned(),
        (_, None) => "stash@{0}".to_owned(),
        (_, Some(word)) if word.text.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("stash@{{{}}}", word.text)
        }
        (_, Some(word)) => word.text.clone(),
    };
    let here = vec![Word::literal(".", call.span())];
    let facts = looked_up(call, here, false).map(|facts| LossFacts { stash: Some(entry), ..facts });
    call.loses_if("stashed changes", RecoverableBy::None, facts);
}

/// `git switch --discard-changes`: changes of tracked files, anywhere in the repository.
pub(super) fn switch(call: &mut Call<'_>) {
    if call.any(&["-f", "--force", "--discard-changes"]) {
        let everything = vec![Word::literal(".", call.span())];
        let facts = looked_up(call, everything, true).map(|facts| LossFacts {
            everywhere: true,
            moves: true,
            ..facts
        });
        call.loses_if("uncommitted changes", RecoverableBy::None, facts);
    }
}

/// `git restore`: from the index, or from a tree.
pub(super) fn restore(call: &mut Call<'_>) {
    if call.has("-S") && !call.has("-W") {
        return;
    }
    let facts = looked_up(call, call.operands.clone(), call.any(&["-s", "-S"]));
    call.loses_if("uncommitted changes of these files", RecoverableBy::None, facts);
}

/// Whether a lone operand of checkout is a path rather than a branch.
fn is_path(text: &str) -> bool {
    let extension = text.rsplit_once('.').map(|(_, extension)| extension);
    text == "."
        || text.starts_with("./")
        || text.starts_with("../")
        || text.starts_with(':')
        || text.ends_with('/')
        || extension.is_some_and(|extension| {
            (1..=4).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}

pub(super) fn clean(call: &mut Call<'_>) {
    let forced = call.any(&["-f", "-i"])
        || call
            .values("-c")
            .iter()
            .any(|setting| setting.text.to_ascii_lowercase().starts_with("clean.requireforce"));
    if call.has("-n") || !forced {
        return;
    }
    let which = match (call.has("-X"), call.has("-x")) {
        (true, _) => Untracked::OnlyIgnored,
        (false, true) => Untracked::AndIgnored,
        (false, false) => Untracked::NotIgnored,
    };
    let listed = !call.any(&["-C", "--git-dir", "--work-tree", "-i", "-e"]);
    let recursive = call.has("-d") || !call.operands.is_empty();
    let mut paths = call.operands.clone();
    if paths.is_empty() {
        paths.push(Word::literal(".", call.span()));
    }
    // Each `-C` is relative to the one before.
    let folders: Vec<Word> = call.values("-C").into_iter().chain(call.value("--work-tree")).collect();
    for path in paths {
        let path = folders.iter().rev().fold(path, |path, folder| match path.text.as_str() {
            text if text.starts_with('/') => path,
            "." => folder.clone(),
            text => word::instead(folder, format!("{}/{text}", folder.text.trim_end_matches('/'))),
        });
        call.deeds.deletes.push(DeleteIntent {
            path: path.operand(),
            recursive,
            force: true,
            own: false,
            untracked: listed.then_some(which),
        });
    }
    // What would be removed is listed, and each of it judged.
    let facts = listed.then(|| LossFacts { untracked: true, ..LossFacts::default() });
    call.loses_if("files that git doesn't track", RecoverableBy::None, facts);
}

/// `git mv`: into a folder, or to another name.
pub(super) fn moves(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let Some(target) = operands.pop() else { return };
    let into = operands.len() > 1 || target.text.ends_with('/');
    for source in &operands {
        let at = super::copying::lands_at(source, &target, into);
        call.move_to(source, &at);
    }
}
