//! git, by sub-command: from the manual pages of git 2.43.
//!
//! Configuration decides what git runs, so `-c KEY=VALUE`, `git config KEY VALUE` and `--config-env` go through one
//! table of keys. Reading commands are read-only here; whether the repository's own configuration is clean is for
//! `inspect`, which sees it.

use doorward_core::intent::{DeleteIntent, Direction, RecoverableBy, WriteMode};

use crate::deed::{Output, Run, StdinRole, Word};

use super::call::Call;
use super::row::{Nature, Row, Style, named, reads, works};
use super::{unknown, url, word};

const GLOBAL: &str = "-C=data -c=data --config-env=data --exec-path?=file --git-dir=choose --work-tree=choose --namespace=data --super-prefix=data --attr-source=data --list-cmds=data \
    -p|--paginate -P|--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path -v|--version -h|--help";
const DIFF: &str = "-p|-u|--patch -s|--no-patch -U|--unified=num --output=write --output-indicator-new=data --output-indicator-old=data --output-indicator-context=data --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram \
    --anchored=data --diff-algorithm=data --stat?=data --stat-width=num --stat-name-width=num --stat-count=num --stat-graph-width=num --compact-summary --numstat --shortstat -X?=data --dirstat?=data --cumulative --dirstat-by-file?=data --summary --patch-with-stat -z --name-only --name-status \
    --submodule?=data --color?=data --no-color --color-moved?=data --no-color-moved --color-moved-ws=data --no-color-moved-ws --word-diff?=data --word-diff-regex=pat --color-words?=pat --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=data --full-index --binary --abbrev?=num \
    -B?=data --break-rewrites?=data -M?=data --find-renames?=data -C?=data --find-copies?=data --find-copies-harder -D|--irreversible-delete -l=num --diff-filter=data -S=pat -G=pat --find-object=data --pickaxe-all --pickaxe-regex -O=read --skip-to=data --rotate-to=data -R --relative?=data --no-relative \
    -a|--text --ignore-cr-at-eol --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space --ignore-blank-lines -I|--ignore-matching-lines=pat --inter-hunk-context=num -W|--function-context --exit-code --quiet --ext-diff --no-ext-diff --textconv --no-textconv --ignore-submodules?=data --src-prefix=data \
    --dst-prefix=data --no-prefix --default-prefix --line-prefix=data --ita-invisible-in-index --ita-visible-in-index --cached --staged --merge-base --no-index -1|--base -2|--ours -3|--theirs -0 -c --cc -m -t -r --root --stdin --always -v --pretty?=data --no-commit-id --combined-all-paths --diff-merges=data --no-diff-merges --remerge-diff --dd";
const LOG: &str = "-# -n|--max-count=num --skip=num --since|--after=data --until|--before=data --since-as-filter=data --author=pat --committer=pat --grep-reflog=pat --grep=pat --all-match --invert-grep -i|--regexp-ignore-case --basic-regexp -E|--extended-regexp -F|--fixed-strings -P|--perl-regexp --remove-empty \
    --merges --no-merges --min-parents=num --max-parents=num --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches?=pat --tags?=pat --remotes?=pat --glob=pat --exclude=pat --exclude-hidden=data --reflog --alternate-refs --single-worktree --ignore-missing --bisect \
    --cherry-mark --cherry-pick --left-only --right-only --cherry -g|--walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path?=data --date-order --author-date-order --topo-order --reverse --no-walk?=data --do-walk --format=data --abbrev-commit \
    --no-abbrev-commit --oneline --encoding=data --expand-tabs?=num --no-expand-tabs --notes?=data --no-notes --show-notes?=data --show-notes-by-default --show-signature --relative-date --date=data --parents --children --left-right --graph --show-linear-break?=data --no-graph --follow --no-decorate --decorate?=data --decorate-refs=pat \
    --decorate-refs-exclude=pat --clear-decorations --source --mailmap --use-mailmap --no-mailmap --log-size -L=data --count --objects --timestamp --header --use-bitmap-index --disk-usage?=data --no-object-names --filter=data --show-all --stdin --bisect-all --bisect-vars --pretty?=data -h --progress?=data --objects-edge --in-commit-order --no-commit-header --commit-header -e --email -s --summary --numbered -w?=data --group=data";
const REMOTE: &str = "--upload-pack=sh --all -a|--append --atomic --depth=num --deepen=num --shallow-since=data --shallow-exclude=data --unshallow --update-shallow --negotiation-tip=data --negotiate-only --dry-run --write-fetch-head --no-write-fetch-head -f|--force -k|--keep --multiple --auto-maintenance --no-auto-maintenance \
    --auto-gc --no-auto-gc --write-commit-graph --prefetch -p|--prune -P|--prune-tags --no-prune -n|--no-tags --refetch --refmap=data -t|--tags --recurse-submodules?=data --no-recurse-submodules -j|--jobs=num --set-upstream --submodule-prefix=data --recurse-submodules-default=data --update-head-ok -q|--quiet -v|--verbose --progress \
    --no-progress -o|--server-option=data --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6 --stdin --porcelain --filter=data";

macro_rules! page {
    () => {
        "git(1) 2.43 and its sub-commands"
    };
}

pub(super) static ROWS: &[Row] = &[works("git hub yadm dotbare", page!(), GLOBAL, "").act(global).subs(SUBS)];

static SUBS: &[Row] = &[
    // Reading.
    reads("status", page!(), "-s|--short -b|--branch --show-stash --porcelain?=data --long -v|--verbose -u?=data --untracked-files?=data --ignore-submodules?=data --ignored?=data -z --column?=data --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?=data -M?=data", "look*"),
    reads("log shortlog whatchanged rev-list show reflog-show", page!(), LOG, "").also(DIFF).act(revisions),
    reads("diff diff-tree diff-files diff-index range-diff", page!(), DIFF, "").also("--no-dual-color --dual-color --creation-factor=num --left-only --right-only --stdin --no-notes --notes?=data --theirs --ours --base").act(revisions),
    reads("blame annotate", page!(), "-b --root --show-stats -L=data -l -t -S=read --reverse=data --first-parent -p|--porcelain --line-porcelain --incremental --encoding=data --contents=read --date=data --progress --no-progress -M?=num -C?=num --ignore-rev=data --ignore-revs-file=read --color-lines --color-by-age -h -c --score-debug -f|--show-name \
        -n|--show-number -s -e|--show-email -w --abbrev=num", "").act(revisions),
    reads("grep", page!(), "--cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules -a|--text --textconv --no-textconv -i|--ignore-case -I --max-depth=num -r|--recursive --no-recursive -w|--word-regexp -v|--invert-match -h -H --full-name -E|--extended-regexp -G|--basic-regexp -P|--perl-regexp -F|--fixed-strings \
        -n|--line-number --column -l|--files-with-matches --name-only -L|--files-without-match -O?=prog --open-files-in-pager?=prog -z|--null -o|--only-matching -c|--count --color?=data --no-color --break --heading -p|--show-function -# -C|--context=num -A|--after-context=num -B|--before-context=num -W|--function-context -m|--max-count=num --threads=num \
        -f=read -e=pat --and --or --not --all-match -q|--quiet", "").act(grep),
    reads("rev-parse name-rev describe merge-base cherry show-ref for-each-ref show-branch count-objects verify-commit verify-tag verify-pack check-ref-format check-ignore check-attr check-mailmap var version get-tar-commit-id patch-id merge-tree fmt-merge-msg stripspace column", page!(),
        "--abbrev?=num --abbrev-ref?=data --show-toplevel --git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --short?=num --verify --symbolic --symbolic-full-name --all --branches?=pat --tags?=pat --remotes?=pat -q|--quiet --show-cdup --show-prefix --absolute-git-dir --git-path=data --git-common-dir --show-superproject-working-tree \
        --sq --not --default=data --parseopt --contains?=data --candidates=num --exact-match --debug --long --match=pat --exclude=pat --always --first-parent --dirty?=data --broken?=data --name-only --refs=pat --no-undefined --is-ancestor --independent --octopus --fork-point -a -v --head --heads -d|--dereference -s|--hash?=num --exclude-existing?=pat \
        --count=num --sort=data --format=data --shell --perl --python --tcl --points-at=data --merged?=data --no-merged?=data --no-contains=data --ignore-case --omit-empty --list --topics --current --sparse -r --no-index --stdin -z -n -H|--human-readable --normalize --branch --raw --verbose --cached --source=data --path-format=data --show-object-format --local-env-vars --write-tree --stable --unstable \
        --show-ref-format --resolve-git-dir=data --disambiguate=data --since=data --until=data -l", "data*"),
    reads("ls-files ls-tree cat-file", page!(), "-c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage --directory --no-empty-directory -u|--unmerged -k|--killed --resolve-undo -z --deduplicate -x|--exclude=pat -X|--exclude-from=read --exclude-per-directory=data --exclude-standard --error-unmatch --with-tree=data -t -v -f --full-name --recurse-submodules \
        --abbrev?=num --debug --eol --sparse --format=data -r -l|--long --name-only --name-status --object-only --full-tree -p -e --batch?=data --batch-check?=data --batch-command?=data --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks --textconv --filters --path=data --use-mailmap -h", "").act(revisions),
    reads("ls-remote", page!(), "-h|--heads --branches -t|--tags --refs -q|--quiet --upload-pack=sh --exec=sh -o|--server-option=data --exit-code --get-url --sort=data --symref", "").act(|call| contacts(call, Direction::Fetch)),
    reads("help", page!(), "-a|--all -g|--guides -i|--info -m|--man -w|--web -c|--config --no-verbose --verbose --user-interfaces", "data*"),
    reads("fsck", page!(), "--tags --root --unreachable --cache --no-reflogs --full --no-full --strict --lost-found --no-dangling --dangling --progress --no-progress --connectivity-only --name-objects --verbose", "data*"),
    reads("reflog", page!(), LOG, "").also("--expire=data --expire-unreachable=data --rewrite --updateref --stale-fix --verbose --dry-run").act(reflog),
    reads("interpret-trailers", page!(), "--in-place --trim-empty --trailer=data --where=data --if-exists=data --if-missing=data --only-trailers --only-input --unfold --parse --no-divider", "").act(|call| {
        for file in call.operands.clone() {
            if call.has("--in-place") { call.write(&file, WriteMode::InPlace) } else { call.read(&file) }
        }
    }),
    reads("archive", page!(), "--format=data -l|--list -v|--verbose --prefix=data -o|--output=write --add-file=read --add-virtual-file=data --worktree-attributes --mtime=data --remote=url --exec=sh -0 -1 -9", "data read*").prints(Output::Filtered),
    // Everyday work.
    works("add stage", page!(), "-n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update -A|--all --no-ignore-removal --ignore-removal --no-all -N|--intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod=data --pathspec-from-file=read --pathspec-file-nul --sparse", "look*"),
    works("commit", page!(), "-a|--all -p|--patch -C|--reuse-message=data -c|--reedit-message=data --fixup=data --squash=data --reset-author --short --branch --porcelain --long -z|--null -F|--file=read --author=data --date=data -m|--message=data -t|--template=read -s|--signoff --no-signoff --trailer=data -n|--no-verify --verify --allow-empty \
        --allow-empty-message --cleanup=data -e|--edit --no-edit --amend --no-post-rewrite -i|--include -o|--only --pathspec-from-file=read --pathspec-file-nul -u?=data --untracked-files?=data -v|--verbose -q|--quiet --dry-run --status --no-status -S?=data --gpg-sign?=data --no-gpg-sign", "look*").act(no_verify),
    works("switch", page!(), "-c|--create=data -C|--force-create=data -d|--detach --guess --no-guess -f|--force|--discard-changes -m|--merge --conflict=data -q|--quiet --progress --no-progress -t?=data --track?=data --no-track --orphan=data --ignore-other-worktrees --recurse-submodules --no-recurse-submodules", "data*").act(|call| {
        if call.has("-f") { call.loses("uncommitted changes", RecoverableBy::None); }
        if call.has("-C") { call.loses("where the branch pointed", RecoverableBy::Reflog); }
    }),
    works("checkout", page!(), "-q|--quiet --progress --no-progress -f|--force --ours --theirs -2 -3 -b=data -B=data -t?=data --track?=data --no-track --guess --no-guess -l -d|--detach --orphan=data --ignore-skip-worktree-bits -m|--merge --conflict=data -p|--patch --ignore-other-worktrees --overwrite-ignore --no-overwrite-ignore --recurse-submodules \
        --no-recurse-submodules --overlay --no-overlay --pathspec-from-file=read --pathspec-file-nul", "").act(checkout),
    works("restore", page!(), "-s|--source=data -p|--patch -W|--worktree -S|--staged -q|--quiet --progress --no-progress --ours --theirs -m|--merge --conflict=data --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file=read --pathspec-file-nul", "").act(|call| {
        if !call.has("-S") || call.has("-W") {
            call.loses("uncommitted changes of these files", RecoverableBy::None);
        }
    }),
    works("merge", page!(), "--commit --no-commit --edit -e --no-edit --cleanup=data --ff --no-ff --ff-only -S?=data --gpg-sign?=data --log?=num --no-log --signoff --no-signoff --stat -n --no-stat --squash --no-squash --verify --no-verify -s|--strategy=data -X|--strategy-option=data --verify-signatures -q|--quiet -v|--verbose --progress --no-progress --autostash --no-autostash \
        --allow-unrelated-histories -m=data -F|--file=read --into-name=data --rerere-autoupdate --overwrite-ignore --abort --quit --continue", "data*").act(no_verify),
    works("rebase", page!(), "--onto=data --keep-base --continue --abort --quit --edit-todo --skip --show-current-patch --apply --empty=data --no-keep-empty --keep-empty --reapply-cherry-picks --no-reapply-cherry-picks --allow-empty-message -m|--merge -s|--strategy=data -X|--strategy-option=data --rerere-autoupdate -S?=data --gpg-sign?=data -q|--quiet -v|--verbose --stat -n|--no-stat \
        --no-verify --verify -C=num --no-ff -f|--force-rebase --fork-point --no-fork-point --ignore-whitespace --whitespace=data --committer-date-is-author-date --reset-author-date --signoff -i|--interactive -r?=data --rebase-merges?=data --no-rebase-merges -x|--exec=sh --root --autosquash --no-autosquash --autostash --no-autostash --reschedule-failed-exec --update-refs", "data*"),
    works("cherry-pick revert", page!(), "-e|--edit --no-edit --cleanup=data -x -r -m|--mainline=num -n|--no-commit -s|--signoff -S?=data --gpg-sign?=data --ff --allow-empty --allow-empty-message --keep-redundant-commits --strategy=data -X|--strategy-option=data --rerere-autoupdate --continue --skip --quit --abort --reference", "data*"),
    works("stash", page!(), "-p|--patch -S|--staged -k|--keep-index --no-keep-index -u|--include-untracked -a|--all -q|--quiet -m|--message=data --index --pathspec-from-file=read --pathspec-file-nul --stat --only-untracked", "").also(DIFF).act(stash),
    works("branch", page!(), "-d|--delete -D --create-reflog -f|--force -m|--move -M -c|--copy -C -i|--ignore-case --omit-empty --color?=data --no-color --column?=data --no-column -r|--remotes -a|--all -l|--list --show-current -v|--verbose -vv -q|--quiet --abbrev=num --no-abbrev -t?=data --track?=data --no-track -u|--set-upstream-to=data --unset-upstream --edit-description \
        --contains?=data --no-contains?=data --merged?=data --no-merged?=data --sort=data --points-at=data --format=data --recurse-submodules", "").act(branch),
    works("tag", page!(), "-a|--annotate -s|--sign --no-sign -u|--local-user=data -f|--force -d|--delete -v|--verify -n?=num -l|--list --sort=data --color?=data -i|--ignore-case --omit-empty --column?=data --no-column --contains?=data --no-contains?=data --merged?=data --no-merged?=data --points-at=data -m|--message=data -F|--file=read --trailer=data -e|--edit --cleanup=data \
        --create-reflog --format=data", "").act(|call| {
        let lists = call.any(&["-l", "-n", "--contains", "--merged", "--no-merged", "--points-at", "-v"]) || call.operands.is_empty();
        if lists && !call.any(&["-d", "-f", "-a", "-s"]) { call.nature = Nature::Reads; }
    }),
    works("fetch", page!(), REMOTE, "").act(|call| contacts(call, Direction::Fetch)),
    works("pull", page!(), REMOTE, "").also("--rebase?=data -r?=data --no-rebase --commit --no-commit --edit -e --no-edit --cleanup=data --ff --no-ff --ff-only -S?=data --gpg-sign?=data --log?=num --signoff --stat -n --no-stat --squash --verify --no-verify -s|--strategy=data -X|--strategy-option=data --verify-signatures --autostash --no-autostash --allow-unrelated-histories").act(|call| contacts(call, Direction::Fetch)),
    works("push", page!(), "--all --branches --prune --mirror -n|--dry-run --porcelain -d|--delete --tags --follow-tags --no-follow-tags --signed?=data --no-signed --atomic --no-atomic -o|--push-option=data --receive-pack=sh --exec=sh --force-with-lease?=data --no-force-with-lease -f|--force --force-if-includes --no-force-if-includes --repo=data -u|--set-upstream --thin --no-thin -q|--quiet \
        -v|--verbose --progress --no-progress --recurse-submodules=data --no-recurse-submodules --verify --no-verify -4|--ipv4 -6|--ipv6", "").act(push).takes(StdinRole::Ignored),
    works("send-pack fetch-pack http-push http-fetch", page!(), "--all --dry-run --force --mirror --thin --atomic --verbose --quiet -q -v -k|--keep --stdin --include-tag --depth=num --no-progress --receive-pack=sh --exec=sh --upload-pack=sh --check-self-contained-and-connected --refetch --shallow-since=data --shallow-exclude=data --deepen-relative --stateless-rpc --signed?=data -a -c -d -D", "").act(|call| {
        let sends = matches!(call.spelled, "send-pack" | "http-push");
        let target = call.operand(0);
        contact(call, target, if sends { Direction::Send } else { Direction::Fetch });
        if sends {
            as_git(call);
        }
        let plus = call.operands.iter().skip(1).any(|spec| spec.text.starts_with('+'));
        if sends && (plus || call.any(&["--force", "--mirror", "-d", "-D"])) {
            call.loses("what the remote branch held", RecoverableBy::Reflog);
        }
    }),
    works("upload-pack receive-pack upload-archive", page!(), "--strict --no-strict --timeout=num --stateless-rpc --advertise-refs --http-backend-info-refs", "look*"),
    works("clone", page!(), "-l|--local --no-hardlinks -s|--shared --reference=data --reference-if-able=data --dissociate -q|--quiet -v|--verbose --progress --server-option=data -n|--no-checkout --reject-shallow --no-reject-shallow --bare --sparse --filter=data --also-filter-submodules --mirror -o|--origin=data -b|--branch=data --revision=data -u|--upload-pack=sh --template=file -c|--config=data \
        --depth=num --shallow-since=data --shallow-exclude=data --single-branch --no-single-branch --no-tags --tags --recurse-submodules?=data --recursive?=data --shallow-submodules --no-shallow-submodules --remote-submodules --separate-git-dir=write --ref-format=data -j|--jobs=num --bundle-uri=url -4 -6", "").act(clone),
    works("init init-db", page!(), "-q|--quiet --bare --template=file --separate-git-dir=write --object-format=data --ref-format=data -b|--initial-branch=data --shared?=data", "write*"),
    works("remote", page!(), "-v|--verbose", "").act(remote),
    works("config", page!(), "--global --system --local --worktree -f|--file=data --blob=data --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --add --replace-all --unset --unset-all --rename-section --remove-section -l|--list -e|--edit --type=data --bool --int --bool-or-int --bool-or-str --path --expiry-date --no-type -z|--null --name-only --show-origin --show-scope --fixed-value \
        --default=data --includes --no-includes --all --regexp --value=data --url=data --comment=data --append", "").act(config),
    works("worktree", page!(), "-f|--force --detach --checkout --no-checkout --lock --reason=data --orphan -b=data -B=data -q|--quiet --track --guess-remote -n|--dry-run -v|--verbose --expire=data --porcelain -z", "").act(|call| match call.first() {
        Some("list") => call.nature = Nature::Reads,
        Some("add") => if let Some(path) = call.operand(1) { call.write(&path, WriteMode::Create); },
        Some("remove") => {
            if let Some(path) = call.operand(1) { call.delete(&path, true, call.has("-f")); }
        }
        _ => {}
    }),
    works("submodule", page!(), "-q|--quiet --cached -b|--branch=data -f|--force --name=data --reference=data --depth=num --all --init --remote -N|--no-fetch --recommend-shallow --checkout --merge --rebase --recursive --single-branch --progress --files --for-status -n|--summary-limit=num -j|--jobs=num --filter=data --default", "").style(Style::Gnu).act(submodule),
    works("bisect", page!(), "--term-old=data --term-new=data --term-good=data --term-bad=data --no-checkout --first-parent", "").style(Style::Posix).act(|call| if call.first() == Some("run") { let words = call.operands_from(1); call.run_argv(words); }),
    works("apply am", page!(), "--stat --numstat --summary --check --index --cached -3|--3way --build-fake-ancestor=write -R|--reverse --reject -z --unidiff-zero --apply --no-add --allow-binary-replacement --binary --exclude=pat --include=pat --ignore-space-change --ignore-whitespace --whitespace=data --inaccurate-eof -v|--verbose -q|--quiet --recount --directory=data --unsafe-paths --allow-empty -p=num -C=num \
        -s|--signoff -k|--keep --keep-non-patch --no-keep-cr --keep-cr -c|--scissors -u|--utf8 -m|--message-id -i|--interactive --patch-format=data --continue --resolved -r --skip --abort --quit --show-current-patch?=data -S?=data --committer-date-is-author-date --ignore-date --no-verify", "read*").act(|call| {
        // What a pipe brings is kept nowhere: taking it out again loses it.
        let piped = matches!(call.argv.stdin, crate::deed::Stdin::Unknown { .. }) && call.operands.is_empty();
        if call.has("-R") && piped && !call.any(&["--check", "--stat", "--numstat", "--summary"]) {
            call.loses("changes that a patch takes out again", RecoverableBy::None);
        }
    }),
    named("mv", page!(), "-f|--force -k -n|--dry-run -v|--verbose", "").act(|call| {
        let mut operands = call.operands.clone();
        let Some(target) = operands.pop() else { return };
        let into = operands.len() > 1 || target.text.ends_with('/');
        for source in &operands {
            let at = super::coreutils::lands_at(source, &target, into);
            call.move_to(source, &at);
        }
    }),
    named("rm", page!(), "-f|--force -n|--dry-run -r --cached --ignore-unmatch -q|--quiet --pathspec-from-file=read --pathspec-file-nul --sparse", "").act(|call| {
        if !call.any(&["--cached", "-n"]) {
            for path in call.operands.clone() { call.delete(&path, call.has("-r"), call.has("-f")); }
        }
    }),
    works("reset", page!(), "-q|--quiet --no-quiet --refresh --no-refresh --mixed --soft --hard --merge --keep -N|--intent-to-add -p|--patch --pathspec-from-file=read --pathspec-file-nul --recurse-submodules --no-recurse-submodules", "").act(|call| {
        if call.any(&["--hard", "--merge"]) { call.loses("uncommitted changes, and commits after the target", RecoverableBy::Reflog); }
    }),
    works("clean", page!(), "-d -f|--force -i|--interactive -n|--dry-run -q|--quiet -e|--exclude=pat -x -X", "").act(clean),
    works("gc prune maintenance repack prune-packed", page!(), "--aggressive --auto --detach --no-detach --cruft --no-cruft --max-cruft-size=num --prune?=data --no-prune -q|--quiet --force --keep-largest-pack -n|--dry-run -v|--verbose --expire=data --progress -a -A -d -f -F -l -b --depth=num --window=num --task=data --schedule?=data", "data*").act(|call| {
        let now = call.value("--prune").or_else(|| call.value("--expire")).is_some_and(|when| when.text.contains("now") || when.text == "all");
        if now || call.path.last() == Some(&"prune") && !call.has("-n") || call.first() == Some("prune") {
            call.loses("objects that nothing reaches any more", RecoverableBy::None);
        }
    }),
    works("filter-branch", page!(), "--setup=sh --subdirectory-filter=data --env-filter=sh --tree-filter=sh --index-filter=sh --parent-filter=sh --msg-filter=sh --commit-filter=sh --tag-name-filter=sh --prune-empty --original=data -d=dir -f|--force --state-branch=data --all", "data*").act(rewrites),
    works("filter-repo", page!(), "--path=data --invert-paths --path-glob=pat --path-regex=pat --path-rename=data --paths-from-file=read --replace-text=read --replace-message=read --commit-callback=lang:python --blob-callback=lang:python --message-callback=lang:python --name-callback=lang:python --email-callback=lang:python --refname-callback=lang:python \
        --filename-callback=lang:python --tag-callback=lang:python --reset-callback=lang:python --mailmap=read --force --analyze --strip-blobs-bigger-than=num --strip-blobs-with-ids=read --subdirectory-filter=data --to-subdirectory-filter=data --refs=data --partial --use-base-name", "data*").act(rewrites),
    works("update-ref symbolic-ref replace", page!(), "-d|--delete -m=data --no-deref --create-reflog --stdin -z -q|--quiet --short --recurse --no-recurse -f|--force -l|--list --edit --graft --convert-graft-file --format=data --raw", "data*").act(|call| {
        let branch = call.operands.first().is_some_and(|name| !name.text.starts_with("refs/tags/") && !name.text.starts_with("refs/notes/"));
        if call.spelled == "update-ref" && (call.any(&["-d", "--stdin"]) || branch && call.operands.len() == 2) {
            call.loses("where a reference pointed", RecoverableBy::Reflog);
        }
    }),
    works("update-index read-tree write-tree commit-tree hash-object mktree mktag pack-refs pack-objects unpack-objects index-pack rerere notes sparse-checkout pack-redundant commit-graph multi-pack-index merge-file merge-index merge-one-file checkout-index mailinfo mailsplit update-server-info show-index for-each-repo refs backfill", page!(),
        "--add --remove --refresh -q --ignore-missing --cacheinfo=data --chmod=data --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --force-remove --replace --stdin --index-info --really-refresh -m -u --reset --prefix=data -i -v -n --empty --missing-ok -p=data -F=read -S?=data -t=data -w --path=data --no-filters --literally -z --missing --batch --strict --all \
        -C=data --ref=data -f|--force --cone --no-cone --sparse-index --stdout --local --revs --thin --delta-base-offset -o=write -a --message=data --write-index -d", "data*").act(|call| {
        match call.spelled {
            "read-tree" if call.any(&["-u", "--reset"]) => call.loses("uncommitted changes", RecoverableBy::None),
            "checkout-index" if call.has("-f") => call.loses("uncommitted changes", RecoverableBy::None),
            // Their content is put into the repository, and shown by `cat-file`.
            "hash-object" => call.operands.clone().iter().for_each(|file| call.read(file)),
            "merge-file" => call.operands.clone().iter().for_each(|file| call.read(file)),
            "notes" if call.operands.first().is_some_and(|verb| matches!(verb.text.as_str(), "remove" | "prune")) => {
                call.loses("notes", RecoverableBy::Reflog);
            }
            _ => {}
        }
    }),
    works("format-patch", page!(), LOG, "").also(DIFF).and("-o|--output-directory=write --stdout --cover-letter -k|--keep-subject --thread?=data --no-thread --in-reply-to=data --start-number=num --numbered-files --suffix=data --to=data --cc=data --from?=data --add-header=data --attach?=data --inline?=data --base=data --reroll-count=num --rfc --subject-prefix=data --interdiff=data --range-diff=data --zero-commit --signature=data --no-signature --signature-file=read --ignore-if-in-upstream --always").act(|call| {
        if !call.any(&["-o", "--stdout"]) {
            call.write_named("0001-patch.patch", WriteMode::Create);
        }
    }),
    works("bundle", page!(), "--all --branches --tags --quiet --progress --version=num --stdin", "").act(|call| match call.first() {
        Some("create") => if let Some(file) = call.operand(1) { call.write(&file, WriteMode::Create); },
        _ => if let Some(file) = call.operand(1) { call.read(&file); },
    }),
    works("difftool", page!(), DIFF, "data*").also("-d|--dir-diff -y|--no-prompt --prompt --tool=prog --tool-help --symlinks --no-symlinks -x|--extcmd=sh -g|--gui --no-gui --trust-exit-code"),
    works("mergetool gui citool gitk", page!(), "--tool=prog --tool-help -y|--no-prompt --prompt -g|--gui --no-gui -O=read", "data*"),
    works("credential credential-store credential-cache credential-osxkeychain credential-manager credential-libsecret", page!(), "--file=read --timeout=num --socket=data", "").act(|call| {
        if matches!(call.first(), Some("fill" | "get" | "capability")) { call.secret("asks git for a stored password"); }
    }),
    works("lfs annex svn p4 subtree flow send-email imap-send request-pull cvsimport", page!(), "--all --force -f -m=data -p|--prefix=data -P=data -b=data --squash --onto=data --to=data --cc=data --from=data --smtp-server=host --smtp-user=data --smtp-pass=data --dry-run --annotate --compose -n -v -r=data --branch=data --include=pat --exclude=pat", "").act(|call| {
        let sends = matches!(call.path.first(), Some(&("send-email" | "imap-send"))) || matches!(call.first(), Some("push" | "dcommit" | "send"));
        let local = matches!(call.first(), Some("ls-files" | "status" | "track" | "untrack" | "install" | "env" | "split" | "add" | "feature" | "init"));
        if call.spelled == "send-email" && !call.any(&["--dry-run", "-n"]) {
            call.finding("shell.upload", "sends patches by mail");
        }
        if !local { call.contact_remote("origin", "git", if sends { Direction::Send } else { Direction::Fetch }); }
    }),
    works("daemon instaweb", page!(), "--verbose --syslog --export-all --port=num --listen=data --base-path=data --enable=data --reuseaddr --strict-paths --user=data --start --stop -d|--httpd=prog -p=num -b|--browser=prog -l|--local --init-timeout=num --timeout=num --access-hook=prog", "data*").act(|call| {
        call.listen("*", call.value("--port").and_then(|port| port.text.parse().ok()), "git");
    }),
    works("fast-export fast-import bugreport diagnose shell", page!(), "--all -o|--output-directory=write -s|--suffix=data --export-marks=write --import-marks=read --quiet --force --date-format=data --tag-of-filtered-object=data --signed-tags=data", "data*").act(|call| {
        if call.spelled == "fast-import" && call.has("--force") {
            call.loses("where branches pointed", RecoverableBy::Reflog);
        }
    }),
];

/// The words of `git-reset --hard`, as the programs in git's own folder are called: those of `git reset --hard`.
pub(super) fn dashed(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let sub = name.strip_prefix("git-").filter(|name| SUBS.iter().any(|row| row.is(name)))?;
    let (first, rest) = words.split_first()?;
    let mut spelled = vec![word::instead(first, "git"), word::instead(first, sub)];
    spelled.extend(rest.iter().cloned());
    Some(spelled)
}

/// Configuration keys and what their values do.
enum Key {
    /// The value is run by a shell, unless it is a plain boolean or pager name.
    Runs,
    /// The value is a file or folder that is loaded or run.
    Loads,
    /// `!text` is run by a shell; anything else names a helper.
    Helper,
    /// An alias.
    Alias,
    /// Transports, checks and places are changed.
    Trust,
    /// Changes nothing that runs.
    Harmless,
}

fn key(name: &str) -> Key {
    let name = name.to_ascii_lowercase();
    let first = name.split('.').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    match (first, last) {
        ("alias", _) => Key::Alias,
        (
            "core",
            "pager" | "editor" | "sshcommand" | "fsmonitor" | "askpass" | "gitproxy" | "alternaterefscommand",
        ) => Key::Runs,
        ("core", "hookspath" | "attributesfile" | "worktree")
        | ("include" | "includeif", "path")
        | ("init", "templatedir") => Key::Loads,
        ("pager", _) | ("sequence" | "interactive", "editor" | "difffilter") => Key::Runs,
        ("diff", "external" | "textconv" | "command") => Key::Runs,
        ("difftool" | "mergetool" | "man" | "browser" | "guitool", "cmd" | "path")
        | ("merge", "driver")
        | ("web", "browser") => Key::Runs,
        ("filter", "clean" | "smudge" | "process") => Key::Runs,
        ("credential", "helper") => Key::Helper,
        ("gpg" | "instaweb", "program" | "httpd" | "defaultkeycommand") => Key::Runs,
        ("uploadpack", "packobjectshook") | ("receive", "procreceiverefs") => Key::Runs,
        ("remote", "uploadpack" | "receivepack" | "vcs") | ("trailer" | "tar", "command" | "cmd") => {
            Key::Runs
        }
        ("sendemail", "tocmd" | "cccmd" | "headercmd" | "smtpserver" | "sendmailcmd") => Key::Runs,
        ("submodule", "update") | ("imap", "tunnel") | ("lfs", "extension") => Key::Runs,
        ("protocol", "allow")
        | ("url", "insteadof" | "pushinsteadof")
        | ("http", "proxy" | "sslverify" | "sslcainfo" | "extraheader" | "cookiefile")
        | ("safe", "directory" | "barerepository")
        | ("remote", "proxy" | "url" | "pushurl" | "push" | "mirror")
        | ("core", "gitproxycommand")
        | ("transfer" | "fetch" | "receive", "fsckobjects") => Key::Trust,
        _ => Key::Harmless,
    }
}

/// What git runs because a setting names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingRuns {
    /// A shell runs this text.
    Shell(String),
    /// Hooks are looked for in this folder.
    Hooks(String),
}

/// When git runs what a setting names: the sub-commands that reach it, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// By every sub-command that looks at the work tree or the index.
    Always,
    /// By these sub-commands.
    By(&'static [&'static str]),
    /// By the sub-command of this very name (an alias).
    ByName,
}

const SHOWS: &[&str] = &[
    "add",
    "blame",
    "branch",
    "cat-file",
    "checkout",
    "commit",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "format-patch",
    "grep",
    "help",
    "log",
    "merge",
    "reflog",
    "restore",
    "shortlog",
    "show",
    "stash",
    "tag",
    "whatchanged",
];
const RECORDS: &[&str] = &[
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clone",
    "commit",
    "gc",
    "merge",
    "notes",
    "pull",
    "push",
    "rebase",
    "replay",
    "reset",
    "restore",
    "revert",
    "stash",
    "switch",
    "tag",
    "verify-commit",
    "verify-tag",
    "worktree",
];
const CONTACTS: &[&str] = &[
    "archive",
    "clone",
    "credential",
    "fetch",
    "fetch-pack",
    "lfs",
    "ls-remote",
    "maintenance",
    "pull",
    "push",
    "remote",
    "send-pack",
    "submodule",
];

/// What a setting makes git run, and when; `None` where it runs nothing.
///
/// The key is written as `git config --list` writes it. Source: git-config(1), git 2.51.
#[must_use]
pub fn setting_runs(name: &str, value: &str) -> Option<(SettingRuns, Reached)> {
    let name = name.to_ascii_lowercase();
    let first = name.split('.').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    let shell = |text: &str| SettingRuns::Shell(text.to_owned());
    let reached = match (first, last) {
        ("core", "fsmonitor") | ("filter", _) | ("submodule", "update") => Reached::Always,
        ("core", "pager") | ("pager" | "diff" | "interactive" | "man" | "browser" | "web", _) => {
            Reached::By(SHOWS)
        }
        ("core", "sshcommand" | "askpass" | "gitproxy" | "alternaterefscommand")
        | ("credential" | "remote" | "uploadpack" | "receive" | "imap", _) => Reached::By(CONTACTS),
        ("core", "editor" | "hookspath") | ("sequence" | "gpg" | "merge" | "trailer", _) => {
            Reached::By(RECORDS)
        }
        ("alias", _) => Reached::ByName,
        ("tar", _) => Reached::By(&["archive"]),
        ("difftool", _) => Reached::By(&["difftool"]),
        ("mergetool" | "guitool" | "instaweb" | "sendemail" | "lfs", _) => {
            Reached::By(&["citool", "gui", "instaweb", "lfs", "mergetool", "send-email"])
        }
        _ => Reached::Always,
    };
    let runs = match key(&name) {
        Key::Runs if last == "update" => shell(value.strip_prefix('!')?),
        Key::Runs if is_plain_value(value) => return None,
        Key::Runs => shell(value),
        Key::Helper => match value.strip_prefix('!') {
            Some(text) => shell(text),
            None if value.is_empty() => return None,
            None if value.contains('/') => shell(value),
            None => shell(&format!("git credential-{value}")),
        },
        Key::Alias => match value.strip_prefix('!') {
            Some(text) => shell(text),
            None => shell(&format!("git {value}")),
        },
        Key::Loads if last == "hookspath" => SettingRuns::Hooks(value.to_owned()),
        Key::Loads | Key::Trust | Key::Harmless => return None,
    };
    Some((runs, reached))
}

/// The global options of a git command line that choose its folder, and its sub-command.
#[must_use]
pub fn invocation(words: &[String]) -> Invocation {
    let mut found = Invocation::default();
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        match word {
            "-C" => found.folders.extend(rest.next().map(str::to_owned)),
            "-c" | "--config-env" | "--namespace" | "--super-prefix" | "--attr-source" => drop(rest.next()),
            "--git-dir" => found.directory = rest.next().map(str::to_owned),
            "--work-tree" | "--exec-path" => drop(rest.next()),
            _ if word.starts_with("--git-dir=") => {
                found.directory = word.strip_prefix("--git-dir=").map(str::to_owned);
            }
            _ if word.starts_with('-') => {}
            _ => {
                found.subcommand = Some(word.to_owned());
                break;
            }
        }
    }
    found
}

/// Where a git command line looks, and what it does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Values of `-C`, each relative to the one before.
    pub folders: Vec<String>,
    /// The repository, where `--git-dir` names it.
    pub directory: Option<String>,
    /// The sub-command.
    pub subcommand: Option<String>,
}

fn is_plain_value(value: &str) -> bool {
    matches!(
        value,
        "" | "true"
            | "false"
            | "yes"
            | "no"
            | "on"
            | "off"
            | "0"
            | "1"
            | "cat"
            | "less"
            | "less -R"
            | "less -FRX"
            | "more"
            | "vim"
            | "vi"
            | "nano"
            | "emacs"
            | "code --wait"
            | "nvim"
            | "delta"
            | "gpg"
            | "gpg2"
            | "ssh"
            | ":"
    )
}

fn set_key(call: &mut Call<'_>, name: &Word, value: &Word) {
    let run = |text: Word| Run::Shell {
        text,
        args: Vec::new(),
        via: "git -c".to_owned(),
        place: call.argv.place.clone(),
    };
    match key(&name.text) {
        Key::Harmless if name.text.eq_ignore_ascii_case("core.sharedRepository") => {
            let world = matches!(value.text.as_str(), "all" | "world" | "everybody" | "2");
            if !world && value.text.starts_with('0') {
                super::coreutils::judge_mode(call, value);
            } else if world {
                call.beyond_plain = true;
            }
        }
        Key::Harmless => {
            if name.text.eq_ignore_ascii_case("clean.requireForce") {
                call.beyond_plain = true;
            }
        }
        Key::Runs if is_plain_value(&value.text) => {}
        Key::Runs => {
            let run = run(value.clone());
            call.run(run);
        }
        Key::Helper => match word::after(value, "!") {
            Some(text) => {
                let run = run(text);
                call.run(run);
            }
            None if value.text.contains('/') => call.run_file(value, "", Vec::new()),
            None => {
                call.beyond_plain |= !matches!(
                    value.text.as_str(),
                    "" | "cache" | "store" | "osxkeychain" | "manager" | "libsecret"
                )
            }
        },
        Key::Loads => call.run_file(value, "", Vec::new()),
        Key::Alias => {
            let via = "git alias".to_owned();
            let place = call.argv.place.clone();
            match word::after(value, "!") {
                Some(text) => call.run(Run::Shell { text, args: Vec::new(), via, place }),
                None => {
                    let mut words = vec![Word::literal("git", call.span())];
                    words.extend(word::fields(value));
                    call.run(Run::Argv {
                        words,
                        assignments: Vec::new(),
                        more_operands: true,
                        via,
                        place,
                        chdir: None,
                        passes_stdin: true,
                    });
                }
            }
        }
        Key::Trust => {
            call.beyond_plain = true;
            call.acts = true;
            let lower = name.text.to_ascii_lowercase();
            if lower.ends_with("sslverify") && matches!(value.text.as_str(), "false" | "0" | "no" | "off") {
                call.finding("shell.tamper", "switches certificate checks off");
            } else if lower.starts_with("protocol") && value.text == "always" {
                call.finding("shell.tamper", "lets git run commands named in URLs");
            } else if lower.starts_with("remote.") && lower.ends_with(".push") && value.text.starts_with('+')
                || lower.ends_with(".mirror") && value.text != "false"
            {
                call.loses("what the remote's branches hold, at every push", RecoverableBy::Reflog);
            } else if lower.ends_with("insteadof") && leads_elsewhere(&name.text, &value.text) {
                call.finding("shell.tamper", "sends git to another host than the one written");
            } else if lower.ends_with("insteadof") || lower.ends_with("proxy") {
                call.remark("shell.shadowed", "sends git to another host than the one written");
            }
        }
    }
}

/// Whether `url.NEW.insteadOf OLD` leads to another host: changing how the same one is reached is everyday work.
fn leads_elsewhere(key: &str, old: &str) -> bool {
    let host = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let name = rest.split(['/', ':']).next().unwrap_or_default();
        let name = name.rsplit('@').next().unwrap_or_default();
        (name.contains('.') && !name.contains('…')).then(|| name.to_ascii_lowercase())
    };
    let middle = key.split_once('.').and_then(|(_, rest)| rest.rsplit_once('.')).map(|(url, _)| url);
    // `https://token@host:443/`: the credentials may hold a colon.
    let new = middle.and_then(|url| host(url.rsplit('@').next().unwrap_or(url)));
    matches!((new, host(old)), (Some(new), Some(old)) if new != old)
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
        call.loses("uncommitted changes", RecoverableBy::None);
    }
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

/// A remote by name or URL.
fn contact(call: &mut Call<'_>, target: Option<Word>, direction: Direction) {
    let Some(target) = target else {
        return call.contact_remote("origin", "git", direction);
    };
    if let Some(text) = word::after(&target, "ext::") {
        // `% ` is a space inside a word, `%%` a percent sign (git-remote-ext(1)).
        call.finding("shell.obfuscated", "git runs a command as its transport");
        let words: Vec<Word> = text
            .text
            .replace("%%", "\u{1}")
            .replace("% ", "\u{2}")
            .split(' ')
            .filter(|part| !part.is_empty())
            .map(|part| word::instead(&text, part.replace('\u{2}', " ").replace('\u{1}', "%")))
            .collect();
        return call.run_argv(words);
    }
    if let Some((helper, _)) = target.text.split_once("::")
        && !helper.contains(['/', '[', '@'])
    {
        call.finding("shell.obfuscated", format!("git runs the helper git-remote-{helper}"));
        return;
    }
    if url::is_remote(&target.text) {
        let host = url::scp_host(&target.text).filter(|_| !target.text.contains("://"));
        match host {
            Some(host) => {
                let mut word = target.clone();
                word.text = host.to_owned();
                call.contact(&word, "ssh", direction, Vec::new());
                if let Some(last) = call.deeds.hosts.last_mut() {
                    last.url = Some(target.text.clone());
                }
            }
            None => call.contact(&target, "git", direction, Vec::new()),
        }
    } else if target.text.starts_with(['/', '.', '~']) || target.text.starts_with("file://") {
        if direction == Direction::Send {
            call.write(&target, WriteMode::InPlace)
        } else {
            call.read(&target)
        }
    } else if target.known().is_none() {
        call.contact_unknown("git", direction);
    } else {
        call.contact_remote(&target.text, "git", direction);
    }
}

fn contacts(call: &mut Call<'_>, direction: Direction) {
    no_verify(call);
    if call.has("--get-url") {
        return;
    }
    let target = call.operand(0);
    contact(call, target, direction);
    if call.path.last() == Some(&"fetch") {
        let forced = call.has("-f");
        call.beyond_plain |= forced;
        // `+x:y`: the local branch y is set to what arrives, whatever it held.
        let overwrites = call.operands.iter().skip(1).any(|spec| {
            (forced || spec.text.starts_with('+'))
                && spec.text.split_once(':').is_some_and(|(_, to)| {
                    !to.is_empty() && (!to.starts_with("refs/") || to.starts_with("refs/heads/"))
                })
        });
        if overwrites {
            call.loses("where local branches pointed", RecoverableBy::Reflog);
        }
    }
}

const DEFAULT_BRANCHES: &[&str] =
    &["main", "master", "trunk", "default", "develop", "production", "prod", "release"];

/// Bytes go out through git, whatever carries them.
fn as_git(call: &mut Call<'_>) {
    for host in call.deeds.hosts.iter_mut().filter(|host| host.configured_remote.is_none()) {
        if !host.scheme.starts_with("git") {
            host.scheme = format!("git+{}", host.scheme);
        }
    }
}

fn push(call: &mut Call<'_>) {
    no_verify(call);
    let target = call.operand(0).or_else(|| call.value("--repo"));
    contact(call, target, Direction::Send);
    as_git(call);
    if call.has("-n") {
        return;
    }
    let refspecs = call.operands_from(1);
    let leased = call.any(&["--force-with-lease", "--force-if-includes"]);
    let forced = call.has("-f") || refspecs.iter().any(|spec| spec.text.starts_with('+'));
    let deleted = call.any(&["-d", "--mirror", "--prune"])
        || refspecs.iter().any(|spec| spec.text.starts_with(':') && spec.text.len() > 1);
    let to_default = refspecs.iter().any(|spec| {
        let name = spec
            .text
            .rsplit(':')
            .next()
            .unwrap_or_default()
            .trim_start_matches("refs/heads/")
            .trim_start_matches('+');
        DEFAULT_BRANCHES.contains(&name)
    });
    if deleted {
        call.loses("branches or tags of the remote", RecoverableBy::Reflog);
    } else if forced {
        call.loses("what the remote branch held", RecoverableBy::Reflog);
    } else if leased && to_default {
        call.loses("what the default branch of the remote held", RecoverableBy::Reflog);
    }
}

fn clone(call: &mut Call<'_>) {
    for setting in call.values("-c") {
        if let Some((name, value)) = word::halves(&setting, '=') {
            set_key(call, &name, &value);
        }
    }
    let Some(source) = call.operand(0) else { return };
    contact(call, Some(source.clone()), Direction::Fetch);
    match call.operand(1) {
        Some(folder) => call.write(&folder, WriteMode::Create),
        None => {
            let name = source
                .text
                .trim_end_matches('/')
                .trim_end_matches(".git")
                .rsplit(['/', ':'])
                .next()
                .unwrap_or_default()
                .to_owned();
            if !name.is_empty() {
                call.write_named(&name, WriteMode::Create);
            }
        }
    }
    // The clone's target is what the command is for.
    call.deeds.writes.iter_mut().for_each(|write| write.downloaded = true);
    call.nature = Nature::Named;
}

fn remote(call: &mut Call<'_>) {
    match call.first() {
        None => call.nature = Nature::Reads,
        Some("show") if call.operands.len() > 1 => {
            let target = call.operand(1);
            contact(call, target, Direction::Fetch);
        }
        Some("-v" | "get-url" | "show") => call.nature = Nature::Reads,
        Some("update" | "prune") => {
            let target = call.operand(1);
            contact(call, target, Direction::Fetch);
        }
        Some("add" | "set-url") => {
            if let Some(target) = call.operand(2).filter(|target| target.text.contains("::")) {
                contact(call, Some(target), Direction::Fetch);
            }
        }
        _ => {}
    }
}

fn config(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let verb = operands.first().map(|first| first.text.clone()).unwrap_or_default();
    let modern = matches!(
        verb.as_str(),
        "list" | "get" | "set" | "unset" | "rename-section" | "remove-section" | "edit"
    ) && !verb.contains('.');
    if modern {
        operands.remove(0);
    }
    let reads = call.any(&[
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
        "-l",
    ]) || matches!(verb.as_str(), "list" | "get") && modern
        || operands.len() == 1 && !modern && !call.any(&["--unset", "--unset-all", "--remove-section", "-e"]);
    if let Some(file) = call.value("-f") {
        if reads { call.read(&file) } else { call.write(&file, WriteMode::InPlace) }
    }
    if reads {
        call.nature = Nature::Reads;
        return;
    }
    if let (Some(name), Some(value)) = (operands.first(), operands.get(1))
        && !call.any(&["--unset", "--unset-all", "--remove-section", "--rename-section"])
    {
        set_key(call, name, value);
        if call.any(&["--global", "--system"]) && !matches!(key(&name.text), Key::Harmless) {
            call.finding("shell.persistence", "changes git for every repository");
        }
        // A key that names a program is a write of a protected name: later git commands run what it says.
        let own = !call.any(&["--global", "--system"]) && call.value("-f").is_none();
        if own && names_a_program(name, value) {
            call.write_named(".git/config", WriteMode::InPlace);
        }
    }
}

/// Whether git would run something because of this setting; one that isn't known exactly might.
fn names_a_program(name: &Word, value: &Word) -> bool {
    let (Some(name), Some(value)) = (name.known(), value.known()) else { return true };
    match setting_runs(name, value) {
        None => false,
        Some((SettingRuns::Hooks(_), _)) => true,
        // An alias of git's own words runs git, unless it brings settings along.
        Some((SettingRuns::Shell(text), Reached::ByName)) => {
            value.starts_with('!') || text.contains(" -c") || text.contains("--config-env")
        }
        Some((SettingRuns::Shell(text), _)) => {
            !matches!(
                text.as_str(),
                "git credential-cache" | "git credential-store" | "git-lfs filter-process"
            ) && !text.starts_with("git-lfs ")
        }
    }
}

fn submodule(call: &mut Call<'_>) {
    match call.first() {
        None | Some("status" | "summary") => call.nature = Nature::Reads,
        Some("foreach") => {
            // Its command has options of its own: the words as they stand.
            let words = &call.argv.words;
            let from = words.iter().position(|word| word.text == "foreach").map_or(words.len(), |at| at + 1);
            let words: Vec<Word> = words
                .iter()
                .skip(from)
                .skip_while(|word| matches!(word.text.as_str(), "--recursive" | "-q" | "--quiet"))
                .cloned()
                .collect();
            call.strangers.clear();
            if let Some(text) = word::join(&words) {
                call.run_shell(text);
            }
        }
        Some("add") => {
            let target = call.operand(1);
            contact(call, target, Direction::Fetch);
        }
        Some("update") => call.contact_remote("submodules", "git", Direction::Fetch),
        Some("deinit") if call.has("-f") => call.loses("changes inside submodules", RecoverableBy::None),
        _ => {}
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
        });
    }
    if !ignored_only {
        call.loses("files that git doesn't track", RecoverableBy::None);
    }
}

fn rewrites(call: &mut Call<'_>) {
    if !call.any(&["--analyze"]) {
        call.loses("the history is written anew", RecoverableBy::Reflog);
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
