//! git, by sub-command: from the manual pages of git 2.43.
//!
//! Configuration decides what git runs, so `-c KEY=VALUE`, `git config KEY VALUE` and `--config-env` go through one
//! table of keys. Reading commands are read-only here; whether the repository's own configuration is clean is for
//! `inspect`, which sees it.

use doorward_core::intent::{DeleteIntent, LossFacts, RecoverableBy, Untracked};

use crate::deed::{Run, Word};

use super::call::Call;
use super::row::Nature;
use super::{unknown, word};

mod reached;
mod remotes;
mod settings;
mod table;

use remotes::{clone, contact, contacts, push, remote, submodule};
use settings::{config, set_key};
use table::SUBS;

pub use reached::{Invocation, Reached, SettingRuns, invocation, setting_runs};
pub(super) use table::ROWS;

/// The words of `git-reset --hard`, as the programs in git's own folder are called: those of `git reset --hard`.
pub(super) fn dashed(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let sub = name.strip_prefix("git-").filter(|name| SUBS.iter().any(|row| row.is(name)))?;
    let (first, rest) = words.split_first()?;
    let mut spelled = vec![word::instead(first, "git"), word::instead(first, sub)];
    spelled.extend(rest.iter().cloned());
    Some(spelled)
}

fn global(call: &mut Call<'_>) {
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
    if call.any(&["--git-dir", "--work-tree"]) {
        call.beyond_plain = true;
    }
    if let Some(folder) = call.value("--git-dir") {
        call.look(&folder);
    }
    if call.operands.is_empty() {
        call.nature = Nature::Reads;
    }
}

fn revisions(call: &mut Call<'_>) {
    if call.any(&["--ext-diff"]) {
        call.beyond_plain = true;
        call.acts = true;
    }
    let content = !matches!(
        call.spelled,
        "log" | "shortlog" | "whatchanged" | "rev-list" | "ls-files" | "ls-tree" | "reflog-show"
    ) || call.any(&["-p", "-L", "-S", "-G"]) && call.path.last() == Some(&"log");
    names_listed(call);
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

fn grep(call: &mut Call<'_>) {
    let from = if call.any(&["-e", "-f"]) { 0 } else { 1 };
    for (at, operand) in call.operands.clone().iter().enumerate().skip(from) {
        if call.has("--no-index")
            || call.dashes_at.is_some_and(|dashes| at >= dashes)
            || operand.text.contains(['/', '.'])
        {
            call.read(&pathspec(operand));
        }
    }
    if call.any(&["-l", "-L"]) {
        call.lists("**");
    }
    if call
        .given
        .iter()
        .any(|given| matches!(given.name, "-O" | "--open-files-in-pager") && given.value.is_none())
    {
        call.acts = true;
    }
}

fn reflog(call: &mut Call<'_>) {
    match call.first() {
        Some("expire" | "delete" | "drop") => {
            call.nature = Nature::Works;
            if !call.has("--dry-run") {
                call.loses("the reflog, the last way back", RecoverableBy::None);
            }
        }
        _ => revisions(call),
    }
}

fn no_verify(call: &mut Call<'_>) {
    let skips = call.given.iter().any(|given| given.name == "--no-verify")
        || call.path.last() == Some(&"commit") && call.has("-n");
    if skips && !call.has("--dry-run") {
        call.finding("shell.tamper", "skips the hooks that check commits");
    }
}

fn checkout(call: &mut Call<'_>) {
    if call.has("-B") {
        call.loses("where the branch pointed", RecoverableBy::Reflog);
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

/// `git reset --hard TARGET`: changes of tracked files, and the commits after the target.
fn reset(call: &mut Call<'_>) {
    if !call.any(&["--hard", "--merge"]) {
        return;
    }
    let target = call.operands.first().map(|word| word.text.clone());
    let stays =
        call.operands.len() <= 1 && target.is_none_or(|target| matches!(target.as_str(), "HEAD" | "@"));
    let everything = vec![Word::literal(".", call.span())];
    let facts = looked_up(call, everything, true).map(|facts| LossFacts {
        everywhere: true,
        unpushed: !stays,
        moves: !stays,
        ..facts
    });
    let what =
        if stays { "uncommitted changes" } else { "uncommitted changes, and commits after the target" };
    call.loses_if(what, RecoverableBy::Reflog, facts);
}

/// `git restore`: from the index, or from a tree.
fn restore(call: &mut Call<'_>) {
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

fn stash(call: &mut Call<'_>) {
    match call.first() {
        Some("list") => call.nature = Nature::Reads,
        Some("show") => {
            call.nature = Nature::Reads;
            let dashes = call.dashes_at.unwrap_or(usize::MAX);
            call.operands.clone().iter().skip(dashes).for_each(|path| call.read(path));
        }
        Some("drop" | "clear") => call.loses("stashed changes", RecoverableBy::None),
        _ => {}
    }
}

fn branch(call: &mut Call<'_>) {
    let deletes = call.has("-D") || call.has("-d") && call.has("-f");
    if deletes {
        call.loses("commits that only this branch reached", RecoverableBy::Reflog);
    } else if call.any(&["-f", "-M", "-C"]) {
        call.loses("where the branch pointed", RecoverableBy::Reflog);
    }
    let changes = call.any(&[
        "-d",
        "-D",
        "-f",
        "-m",
        "-M",
        "-c",
        "-C",
        "-u",
        "--unset-upstream",
        "--edit-description",
        "-t",
        "--track",
    ]);
    let lists = call.any(&[
        "-l",
        "-a",
        "-r",
        "--contains",
        "--merged",
        "--no-merged",
        "--no-contains",
        "--points-at",
        "--show-current",
        "--format",
    ]);
    if !changes && (call.operands.is_empty() || lists) {
        call.nature = Nature::Reads;
    }
}

fn clean(call: &mut Call<'_>) {
    let forced = call.any(&["-f", "-i"])
        || call
            .values("-c")
            .iter()
            .any(|setting| setting.text.to_ascii_lowercase().starts_with("clean.requireforce"));
    if call.has("-n") || !forced {
        return;
    }
    let ignored_only = call.has("-X");
    let listed = !ignored_only && !call.any(&["-C", "--git-dir", "--work-tree", "-i", "-e"]);
    let recursive = call.has("-d") || !call.operands.is_empty();
    let mut paths = call.operands.clone();
    if paths.is_empty() {
        paths.push(Word::literal(".", call.span()));
    }
    for path in paths {
        call.deeds.deletes.push(DeleteIntent {
            path: path.operand(),
            recursive,
            force: true,
            own: false,
            ignored_only,
            untracked: listed.then_some(if call.has("-x") {
                Untracked::AndIgnored
            } else {
                Untracked::NotIgnored
            }),
        });
    }
    if !ignored_only {
        // What would be removed is listed, and each of it judged.
        let facts = listed.then(|| LossFacts { untracked: true, ..LossFacts::default() });
        call.loses_if("files that git doesn't track", RecoverableBy::None, facts);
    }
}

fn rewrites(call: &mut Call<'_>) {
    if !call.any(&["--analyze"]) {
        call.loses("the history as it was before", RecoverableBy::Reflog);
    }
    let operands = call.operands.clone();
    operands.iter().for_each(|word| unknown::mention(call, word));
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn reading_git_only_reads() {
        for line in [
            "git status",
            "git log --oneline -n 20",
            "git log -p --stat -- src",
            "git log --grep=x -i",
            "git log -1 --pretty=format:%h",
            "git diff --stat",
            "git diff HEAD~1 -- '*.rs'",
            "git diff --word-diff=plain",
            "git branch -a",
            "git remote -v",
            "git stash list",
            "git blame -L 1,20 src/main.rs",
            "git show HEAD",
            "git rev-parse --abbrev-ref HEAD",
            "git ls-files",
            "git config --get user.name",
            "git config -l",
            "git tag -l",
            "git reflog",
            "git -c color.ui=always diff",
            "git --no-pager log",
            "git worktree list",
            "git submodule status",
            "git describe --tags",
        ] {
            let deeds = super::super::compact::deeds(line);
            assert!(deeds.read_only && deeds.plain, "{line}: {}", super::super::compact::compact(&deeds));
        }
    }

    #[test]
    fn git_runs_writes_and_loses_what_its_words_say() {
        check(&[
            ("git log --output=x", "create x"),
            ("git log --outp=x", "create x; unknown_option; unknown"),
            ("git -c alias.x='!touch y' x", "sh touch y"),
            ("git -c core.pager='touch y' -p log", "sh touch y"),
            ("git -c core.sshCommand='touch y' ls-remote git@127.0.0.1:x", "fetch 127.0.0.1; sh touch y"),
            ("git config alias.x '!touch y'", "inplace .git/config; sh touch y"),
            ("git config core.hooksPath x", "inplace .git/config; persistence; file x"),
            ("git config user.name x", "plain"),
            ("git ls-remote --upload-pa='touch y' origin", "fetch origin; sh touch y"),
            ("git ls-remote 'ext::sh -c x'", "obfuscated; argv sh -c x"),
            ("git reset --hard HEAD~1", "loses reflog"),
            ("git reset --ha", "loses reflog"),
            ("git reset HEAD x", "plain"),
            ("git clean -fdx", "delete-rf .; loses none"),
            ("git clean -fdX", "delete-rf ."),
            ("git clean -n", "plain"),
            ("git checkout -- x", "loses none"),
            ("git checkout main", "plain"),
            ("git checkout -b x", "plain"),
            ("git restore x", "loses none"),
            ("git restore --staged x", "plain"),
            ("git stash drop", "loses none"),
            ("git stash", "plain"),
            ("git branch -D x", "loses reflog"),
            ("git branch -d x", "plain"),
            ("git push", "send origin; plain"),
            ("git push origin main", "send origin; plain"),
            ("git push -f origin x", "send origin; loses reflog"),
            ("git push origin +main", "send origin; loses reflog"),
            ("git push origin :x", "send origin; loses reflog"),
            ("git push --force-with-lease origin x", "send origin; plain"),
            ("git push --force-with-lease origin main", "send origin; loses reflog"),
            ("git push https://a.example/x main", "send a.example; plain"),
            ("git clone https://a.example/x.git", "download x; fetch a.example; plain"),
            ("git pull", "fetch origin; plain"),
            ("git commit -m 'rm -rf /'", "plain"),
            ("git commit --no-verify -m x", "tamper"),
            ("git rebase -x 'rm x' main", "sh rm x"),
            ("git bisect run sh -c x", "argv sh -c x"),
            ("git submodule foreach rm x", "sh rm x"),
            ("git grep -O'touch y' x", "argv touch y"),
            ("git credential fill", "secret_read"),
            ("git frobnicate", "unknown_program; unknown"),
            ("git reflog expire --expire=now --all", "loses none"),
            ("git rm -r x", "delete-r x; plain"),
        ]);
    }
}
