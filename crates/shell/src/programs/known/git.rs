// Generated from knowledge/programs/git.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const DIFF: &str = "\
    -p|-u|--patch -s|--no-patch -U|--unified=num --output=write --output-indicator-new=data \
    --output-indicator-old=data --output-indicator-context=data --raw --patch-with-raw --indent-heuristic \
    --no-indent-heuristic --minimal --patience --histogram --anchored=data --diff-algorithm=data \
    --stat?=data --stat-width=num --stat-name-width=num --stat-count=num --stat-graph-width=num \
    --compact-summary --numstat --shortstat -X?=data --dirstat?=data --cumulative --dirstat-by-file?=data \
    --summary --patch-with-stat -z --name-only --name-status --submodule?=data --color?=data --no-color \
    --color-moved?=data --no-color-moved --color-moved-ws=data --no-color-moved-ws --word-diff?=data \
    --word-diff-regex=pat --color-words?=pat --no-renames --rename-empty --no-rename-empty --check \
    --ws-error-highlight=data --full-index --binary --abbrev?=num -B?=data --break-rewrites?=data -M?=data \
    --find-renames?=data -C?=data --find-copies?=data --find-copies-harder -D|--irreversible-delete -l=num \
    --diff-filter=data -S=pat -G=pat --find-object=data --pickaxe-all --pickaxe-regex -O=read \
    --skip-to=data --rotate-to=data -R --relative?=data --no-relative -a|--text --ignore-cr-at-eol \
    --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space --ignore-blank-lines \
    -I|--ignore-matching-lines=pat --inter-hunk-context=num -W|--function-context --exit-code --quiet \
    --ext-diff --no-ext-diff --textconv --no-textconv --ignore-submodules?=data --src-prefix=data \
    --dst-prefix=data --no-prefix --default-prefix --line-prefix=data --ita-invisible-in-index \
    --ita-visible-in-index --cached --staged --merge-base --no-index -1|--base -2|--ours -3|--theirs -0 -c \
    --cc -m -t -r --root --stdin --always -v --pretty?=data --no-commit-id --combined-all-paths \
    --diff-merges=data --no-diff-merges --remerge-diff --dd";

const LOG: &str = "\
    -# -n|--max-count=num --skip=num --since|--after=data --until|--before=data --since-as-filter=data \
    --author=pat --committer=pat --grep-reflog=pat --grep=pat --all-match --invert-grep \
    -i|--regexp-ignore-case --basic-regexp -E|--extended-regexp -F|--fixed-strings -P|--perl-regexp \
    --remove-empty --merges --no-merges --min-parents=num --max-parents=num --no-min-parents \
    --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches?=pat --tags?=pat \
    --remotes?=pat --glob=pat --exclude=pat --exclude-hidden=data --reflog --alternate-refs \
    --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only \
    --cherry -g|--walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history \
    --dense --sparse --simplify-merges --ancestry-path?=data --date-order --author-date-order --topo-order \
    --reverse --no-walk?=data --do-walk --format=data --abbrev-commit --no-abbrev-commit --oneline \
    --encoding=data --expand-tabs?=num --no-expand-tabs --notes?=data --no-notes --show-notes?=data \
    --show-notes-by-default --show-signature --relative-date --date=data --parents --children --left-right \
    --graph --show-linear-break?=data --no-graph --follow --no-decorate --decorate?=data \
    --decorate-refs=pat --decorate-refs-exclude=pat --clear-decorations --source --mailmap --use-mailmap \
    --no-mailmap --log-size -L=data --count --objects --timestamp --header --use-bitmap-index \
    --disk-usage?=data --no-object-names --filter=data --show-all --stdin --bisect-all --bisect-vars \
    --pretty?=data -h --progress?=data --objects-edge --in-commit-order --no-commit-header --commit-header \
    -e --email -s --summary --numbered -w?=data --group=data";

const REMOTE: &str = "\
    --upload-pack=sh --all -a|--append --atomic --depth=num --deepen=num --shallow-since=data \
    --shallow-exclude=data --unshallow --update-shallow --negotiation-tip=data --negotiate-only --dry-run \
    --write-fetch-head --no-write-fetch-head -f|--force -k|--keep --multiple --auto-maintenance \
    --no-auto-maintenance --auto-gc --no-auto-gc --write-commit-graph --prefetch -p|--prune \
    -P|--prune-tags --no-prune -n|--no-tags --refetch --refmap=data -t|--tags --recurse-submodules?=data \
    --no-recurse-submodules -j|--jobs=num --set-upstream --submodule-prefix=data \
    --recurse-submodules-default=data --update-head-ok -q|--quiet -v|--verbose --progress --no-progress \
    -o|--server-option=data --show-forced-updates --no-show-forced-updates -4|--ipv4 -6|--ipv6 --stdin \
    --porcelain --filter=data";

const SUBMODULE: &str = "\
    -q|--quiet --cached -b|--branch=data -f|--force --name=data --reference=data --depth=num --all --init \
    --remote -N|--no-fetch --recommend-shallow --checkout --merge --rebase --recursive --single-branch \
    --progress --files --for-status -n|--summary-limit=num -j|--jobs=num --filter=data --default";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "git hub yadm dotbare",
        "git(1) and its sub-commands 2.43",
        "\
            -C=data -c=data --config-env=data --exec-path?=file --git-dir=choose --work-tree=choose \
            --namespace=data --super-prefix=data --attr-source=data --list-cmds=data -p|--paginate \
            -P|--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare \
            --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path \
            --man-path --info-path -v|--version -h|--help",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::git::global),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--git-dir", "--work-tree"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .subs(&[
        reads(
            "status",
            "git(1) and its sub-commands 2.43",
            "\
                -s|--short -b|--branch --show-stash --porcelain?=data --long -v|--verbose -u?=data \
                --untracked-files?=data --ignore-submodules?=data --ignored?=data -z --column?=data \
                --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?=data \
                -M?=data",
            "look*",
        )
        ,
        reads(
            "log shortlog whatchanged rev-list show reflog-show",
            "git(1) and its sub-commands 2.43",
            "",
            "",
        )
        .also(LOG)
        .and(DIFF)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::revisions),
                ],
            },
        ])
        ,
        reads(
            "diff diff-tree diff-files diff-index range-diff",
            "git(1) and its sub-commands 2.43",
            "\
                --no-dual-color --dual-color --creation-factor=num --left-only --right-only --stdin \
                --no-notes --notes?=data --theirs --ours --base",
            "",
        )
        .also(DIFF)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::revisions),
                ],
            },
        ])
        ,
        reads(
            "blame annotate",
            "git(1) and its sub-commands 2.43",
            "\
                -b --root --show-stats -L=data -l -t -S=read --reverse=data --first-parent -p|--porcelain \
                --line-porcelain --incremental --encoding=data --contents=read --date=data --progress \
                --no-progress -M?=num -C?=num --ignore-rev=data --ignore-revs-file=read --color-lines \
                --color-by-age -h -c --score-debug -f|--show-name -n|--show-number -s -e|--show-email -w \
                --abbrev=num",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::revisions),
                ],
            },
        ])
        ,
        reads(
            "grep",
            "git(1) and its sub-commands 2.43",
            "\
                --cached --untracked --no-index --no-exclude-standard --exclude-standard \
                --recurse-submodules -a|--text --textconv --no-textconv -i|--ignore-case -I \
                --max-depth=num -r|--recursive --no-recursive -w|--word-regexp -v|--invert-match -h -H \
                --full-name -E|--extended-regexp -G|--basic-regexp -P|--perl-regexp -F|--fixed-strings \
                -n|--line-number --column -l|--files-with-matches --name-only -L|--files-without-match \
                -O?=prog --open-files-in-pager?=prog -z|--null -o|--only-matching -c|--count --color?=data \
                --no-color --break --heading -p|--show-function -# -C|--context=num -A|--after-context=num \
                -B|--before-context=num -W|--function-context -m|--max-count=num --threads=num -f=read \
                -e=pat --and --or --not --all-match -q|--quiet",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::grep),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-O", "--open-files-in-pager"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        reads(
            "\
                rev-parse name-rev describe merge-base cherry show-ref for-each-ref show-branch \
                count-objects verify-commit verify-tag verify-pack check-ref-format check-ignore \
                check-attr check-mailmap var version get-tar-commit-id patch-id merge-tree fmt-merge-msg \
                stripspace column",
            "git(1) and its sub-commands 2.43",
            "\
                --abbrev?=num --abbrev-ref?=data --show-toplevel --git-dir --is-inside-work-tree \
                --is-inside-git-dir --is-bare-repository --short?=num --verify --symbolic \
                --symbolic-full-name --all --branches?=pat --tags?=pat --remotes?=pat -q|--quiet \
                --show-cdup --show-prefix --absolute-git-dir --git-path=data --git-common-dir \
                --show-superproject-working-tree --sq --not --default=data --parseopt --contains?=data \
                --candidates=num --exact-match --debug --long --match=pat --exclude=pat --always \
                --first-parent --dirty?=data --broken?=data --name-only --refs=pat --no-undefined \
                --is-ancestor --independent --octopus --fork-point -a -v --head --heads -d|--dereference \
                -s|--hash?=num --exclude-existing?=pat --count=num --sort=data --format=data --shell \
                --perl --python --tcl --points-at=data --merged?=data --no-merged?=data --no-contains=data \
                --ignore-case --omit-empty --list --topics --current --sparse -r --no-index --stdin -z -n \
                -H|--human-readable --normalize --branch --raw --verbose --cached --source=data \
                --path-format=data --show-object-format --local-env-vars --write-tree --stable --unstable \
                --show-ref-format --resolve-git-dir=data --disambiguate=data --since=data --until=data -l",
            "data*",
        )
        ,
        reads(
            "ls-files ls-tree cat-file",
            "git(1) and its sub-commands 2.43",
            "\
                -c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage --directory \
                --no-empty-directory -u|--unmerged -k|--killed --resolve-undo -z --deduplicate \
                -x|--exclude=pat -X|--exclude-from=read --exclude-per-directory=data --exclude-standard \
                --error-unmatch --with-tree=data -t -v -f --full-name --recurse-submodules --abbrev?=num \
                --debug --eol --sparse --format=data -r -l|--long --name-only --name-status --object-only \
                --full-tree -p -e --batch?=data --batch-check?=data --batch-command?=data \
                --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks --textconv \
                --filters --path=data --use-mailmap -h",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::revisions),
                ],
            },
        ])
        ,
        reads(
            "ls-remote",
            "git(1) and its sub-commands 2.43",
            "\
                -h|--heads --branches -t|--tags --refs -q|--quiet --upload-pack=sh --exec=sh \
                -o|--server-option=data --exit-code --get-url --sort=data --symref",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--get-url"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(false)),
                ],
            },
        ])
        ,
        reads(
            "help",
            "git(1) and its sub-commands 2.43",
            "\
                -a|--all -g|--guides -i|--info -m|--man -w|--web -c|--config --no-verbose --verbose \
                --user-interfaces",
            "data*",
        )
        ,
        reads(
            "fsck",
            "git(1) and its sub-commands 2.43",
            "\
                --tags --root --unreachable --cache --no-reflogs --full --no-full --strict --lost-found \
                --no-dangling --dangling --progress --no-progress --connectivity-only --name-objects \
                --verbose",
            "data*",
        )
        ,
        works(
            "reflog",
            "git(1) and its sub-commands 2.43",
            "\
                --expire=data --expire-unreachable=data --rewrite --updateref --stale-fix --verbose \
                --dry-run",
            "",
        )
        .also(LOG)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["expire", "delete", "drop"]),
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Loses("the reflog, the last way back", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["expire", "delete", "drop"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Rust(crate::programs::git::revisions),
                ],
            },
        ])
        ,
        reads(
            "interpret-trailers",
            "git(1) and its sub-commands 2.43",
            "\
                --in-place --trim-empty --trailer=data --where=data --if-exists=data --if-missing=data \
                --only-trailers --only-input --unfold --parse --no-divider",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--in-place"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::InPlace),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--in-place"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Read),
                ],
            },
        ])
        ,
        reads(
            "archive",
            "git(1) and its sub-commands 2.43",
            "\
                --format=data -l|--list -v|--verbose --prefix=data -o|--output=write --add-file=read \
                --add-virtual-file=data --worktree-attributes --mtime=data --remote=url --exec=sh -0 -1 -9",
            "data read*",
        )
        .prints(Output::Filtered)
        ,
        works(
            "add stage",
            "git(1) and its sub-commands 2.43",
            "\
                -n|--dry-run -v|--verbose -f|--force -i|--interactive -p|--patch -e|--edit -u|--update \
                -A|--all --no-ignore-removal --ignore-removal --no-all -N|--intent-to-add --refresh \
                --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod=data \
                --pathspec-from-file=read --pathspec-file-nul --sparse",
            "look*",
        )
        ,
        works(
            "commit",
            "git(1) and its sub-commands 2.43",
            "\
                -a|--all -p|--patch -C|--reuse-message=data -c|--reedit-message=data --fixup=data \
                --squash=data --reset-author --short --branch --porcelain --long -z|--null -F|--file=read \
                --author=data --date=data -m|--message=data -t|--template=read -s|--signoff --no-signoff \
                --trailer=data -n|--no-verify --verify --allow-empty --allow-empty-message --cleanup=data \
                -e|--edit --no-edit --amend --no-post-rewrite -i|--include -o|--only \
                --pathspec-from-file=read --pathspec-file-nul -u?=data --untracked-files?=data \
                -v|--verbose -q|--quiet --dry-run --status --no-status -S?=data --gpg-sign?=data \
                --no-gpg-sign",
            "look*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-n"]),
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hooks that check commits"),
                ],
            },
        ])
        ,
        works(
            "switch",
            "git(1) and its sub-commands 2.43",
            "\
                -c|--create=data -C|--force-create=data -d|--detach --guess --no-guess \
                -f|--force|--discard-changes -m|--merge --conflict=data -q|--quiet --progress \
                --no-progress -t?=data --track?=data --no-track --orphan=data --ignore-other-worktrees \
                --recurse-submodules --no-recurse-submodules",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-C"]),
                ],
                acts: &[
                    Act::Loses("where the branch pointed", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "checkout",
            "git(1) and its sub-commands 2.43",
            "\
                -q|--quiet --progress --no-progress -f|--force --ours --theirs -2 -3 -b=data -B=data \
                -t?=data --track?=data --no-track --guess --no-guess -l -d|--detach --orphan=data \
                --ignore-skip-worktree-bits -m|--merge --conflict=data -p|--patch --ignore-other-worktrees \
                --overwrite-ignore --no-overwrite-ignore --recurse-submodules --no-recurse-submodules \
                --overlay --no-overlay --pathspec-from-file=read --pathspec-file-nul",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::checkout),
                ],
            },
        ])
        ,
        works(
            "restore",
            "git(1) and its sub-commands 2.43",
            "\
                -s|--source=data -p|--patch -W|--worktree -S|--staged -q|--quiet --progress --no-progress \
                --ours --theirs -m|--merge --conflict=data --ignore-unmerged --ignore-skip-worktree-bits \
                --recurse-submodules --no-recurse-submodules --overlay --no-overlay \
                --pathspec-from-file=read --pathspec-file-nul",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::restore),
                ],
            },
        ])
        ,
        works(
            "merge",
            "git(1) and its sub-commands 2.43",
            "\
                --commit --no-commit --edit -e --no-edit --cleanup=data --ff --no-ff --ff-only -S?=data \
                --gpg-sign?=data --log?=num --no-log --signoff --no-signoff --stat -n --no-stat --squash \
                --no-squash --verify --no-verify -s|--strategy=data -X|--strategy-option=data \
                --verify-signatures -q|--quiet -v|--verbose --progress --no-progress --autostash \
                --no-autostash --allow-unrelated-histories -m=data -F|--file=read --into-name=data \
                --rerere-autoupdate --overwrite-ignore --abort --quit --continue",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--no-verify"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hooks that check commits"),
                ],
            },
        ])
        ,
        works(
            "rebase",
            "git(1) and its sub-commands 2.43",
            "\
                --onto=data --keep-base --continue --abort --quit --edit-todo --skip --show-current-patch \
                --apply --empty=data --no-keep-empty --keep-empty --reapply-cherry-picks \
                --no-reapply-cherry-picks --allow-empty-message -m|--merge -s|--strategy=data \
                -X|--strategy-option=data --rerere-autoupdate -S?=data --gpg-sign?=data -q|--quiet \
                -v|--verbose --stat -n|--no-stat --no-verify --verify -C=num --no-ff -f|--force-rebase \
                --fork-point --no-fork-point --ignore-whitespace --whitespace=data \
                --committer-date-is-author-date --reset-author-date --signoff -i|--interactive -r?=data \
                --rebase-merges?=data --no-rebase-merges -x|--exec=sh --root --autosquash --no-autosquash \
                --autostash --no-autostash --reschedule-failed-exec --update-refs",
            "data*",
        )
        ,
        works(
            "cherry-pick revert",
            "git(1) and its sub-commands 2.43",
            "\
                -e|--edit --no-edit --cleanup=data -x -r -m|--mainline=num -n|--no-commit -s|--signoff \
                -S?=data --gpg-sign?=data --ff --allow-empty --allow-empty-message \
                --keep-redundant-commits --strategy=data -X|--strategy-option=data --rerere-autoupdate \
                --continue --skip --quit --abort --reference",
            "data*",
        )
        ,
        works(
            "stash",
            "git(1) and its sub-commands 2.43",
            "\
                -p|--patch -S|--staged -k|--keep-index --no-keep-index -u|--include-untracked -a|--all \
                -q|--quiet -m|--message=data --index --pathspec-from-file=read --pathspec-file-nul --stat \
                --only-untracked",
            "",
        )
        .also(DIFF)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["show"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Operand(AFTER_DASHES, true, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["drop", "clear"]),
                ],
                acts: &[
                    Act::Loses("stashed changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "branch",
            "git(1) and its sub-commands 2.43",
            "\
                -d|--delete -D --create-reflog -f|--force -m|--move -M -c|--copy -C -i|--ignore-case \
                --omit-empty --color?=data --no-color --column?=data --no-column -r|--remotes -a|--all \
                -l|--list --show-current -v|--verbose -vv -q|--quiet --abbrev=num --no-abbrev -t?=data \
                --track?=data --no-track -u|--set-upstream-to=data --unset-upstream --edit-description \
                --contains?=data --no-contains?=data --merged?=data --no-merged?=data --sort=data \
                --points-at=data --format=data --recurse-submodules",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-D"]),
                ],
                acts: &[
                    Act::Loses("commits that only this branch reached", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                    Condition::Has(&["-d"]),
                ],
                acts: &[
                    Act::Loses("commits that only this branch reached", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f", "-M", "-C"]),
                ],
                acts: &[
                    Act::Loses("where the branch pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-d", "-m", "-c", "-u", "--unset-upstream", "--edit-description", "-t",
                        "--track"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-l", "-a", "-r", "--contains", "--merged", "--no-merged",
                        "--no-contains", "--points-at", "--show-current", "--format"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "tag",
            "git(1) and its sub-commands 2.43",
            "\
                -a|--annotate -s|--sign --no-sign -u|--local-user=data -f|--force -d|--delete -v|--verify \
                -n?=num -l|--list --sort=data --color?=data -i|--ignore-case --omit-empty --column?=data \
                --no-column --contains?=data --no-contains?=data --merged?=data --no-merged?=data \
                --points-at=data -m|--message=data -F|--file=read --trailer=data -e|--edit --cleanup=data \
                --create-reflog --format=data",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-l", "-n", "--contains", "--merged", "--no-merged", "--points-at",
                        "-v"]),
                    Condition::Lacks(&["-d", "-f", "-a", "-s"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-d", "-f", "-a", "-s"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "fetch",
            "git(1) and its sub-commands 2.43",
            "",
            "",
        )
        .also(REMOTE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(false)),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["+*:*"], except: &["*:", "*:refs/*"], after: &[] }),
                ],
                acts: &[
                    Act::Loses("where local branches pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["+*:refs/heads/*"], except: &[], after: &[] }),
                ],
                acts: &[
                    Act::Loses("where local branches pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["*:*"], except: &["*:", "*:refs/*"], after: &[] }),
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("where local branches pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["*:refs/heads/*"], except: &[], after: &[] }),
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("where local branches pointed", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "pull",
            "git(1) and its sub-commands 2.43",
            "\
                --rebase?=data -r?=data --no-rebase --commit --no-commit --edit -e --no-edit \
                --cleanup=data --ff --no-ff --ff-only -S?=data --gpg-sign?=data --log?=num --signoff \
                --stat -n --no-stat --squash --verify --no-verify -s|--strategy=data \
                -X|--strategy-option=data --verify-signatures --autostash --no-autostash \
                --allow-unrelated-histories",
            "",
        )
        .also(REMOTE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--no-verify"]),
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hooks that check commits"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "push",
            "git(1) and its sub-commands 2.43",
            "\
                --all --branches --prune --mirror -n|--dry-run --porcelain -d|--delete --tags \
                --follow-tags --no-follow-tags --signed?=data --no-signed --atomic --no-atomic \
                -o|--push-option=data --receive-pack=sh --exec=sh --force-with-lease?=data \
                --no-force-with-lease -f|--force --force-if-includes --no-force-if-includes --repo=data \
                -u|--set-upstream --thin --no-thin -q|--quiet -v|--verbose --progress --no-progress \
                --recurse-submodules=data --no-recurse-submodules --verify --no-verify -4|--ipv4 -6|--ipv6",
            "",
        )
        .takes(StdinRole::Ignored)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--no-verify"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hooks that check commits"),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--repo"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::Value("--repo", Role::Remote(true)),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(true)),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-n"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-d", "--mirror", "--prune"]),
                ],
                acts: &[
                    Act::Loses("branches or tags of the remote", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &[":*"], except: &[":"], after: &[] }),
                ],
                acts: &[
                    Act::Loses("branches or tags of the remote", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("what the remote branch held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["+*"], except: &[], after: &[] }),
                ],
                acts: &[
                    Act::Loses("what the remote branch held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["main", "master", "trunk", "default",
                        "develop", "production", "prod", "release"], except: &[], after: &[] }),
                    Condition::Has(&["--force-with-lease", "--force-if-includes"]),
                ],
                acts: &[
                    Act::Loses("what the default branch of the remote held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["*:main", "*:master", "*:trunk",
                        "*:default", "*:develop", "*:production", "*:prod", "*:release"], except: &[],
                        after: &[] }),
                    Condition::Has(&["--force-with-lease", "--force-if-includes"]),
                ],
                acts: &[
                    Act::Loses("what the default branch of the remote held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["*refs/heads/main",
                        "*refs/heads/master", "*refs/heads/trunk", "*refs/heads/default",
                        "*refs/heads/develop"], except: &[], after: &[] }),
                    Condition::Has(&["--force-with-lease", "--force-if-includes"]),
                ],
                acts: &[
                    Act::Loses("what the default branch of the remote held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::At(Pick { at: &["1.."], fits: &["*refs/heads/production",
                        "*refs/heads/prod", "*refs/heads/release"], except: &[], after: &[] }),
                    Condition::Has(&["--force-with-lease", "--force-if-includes"]),
                ],
                acts: &[
                    Act::Loses("what the default branch of the remote held", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "send-pack fetch-pack http-push http-fetch",
            "git(1) and its sub-commands 2.43",
            "\
                --all --dry-run --force --mirror --thin --atomic --verbose --quiet -q -v -k|--keep --stdin \
                --include-tag --depth=num --no-progress --receive-pack=sh --exec=sh --upload-pack=sh \
                --check-self-contained-and-connected --refetch --shallow-since=data --shallow-exclude=data \
                --deepen-relative --stateless-rpc --signed?=data -a -c -d -D",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["fetch-pack", "http-fetch"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["fetch-pack", "http-fetch"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(false)),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Remote(true)),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--force", "--mirror", "-d", "-D"]),
                ],
                acts: &[
                    Act::Loses("what the remote branch held", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["+*"]),
                ],
                acts: &[
                    Act::Loses("what the remote branch held", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "upload-pack receive-pack upload-archive",
            "git(1) and its sub-commands 2.43",
            "\
                --strict --no-strict --timeout=num --stateless-rpc --advertise-refs \
                --http-backend-info-refs",
            "look*",
        )
        ,
        works(
            "clone",
            "git(1) and its sub-commands 2.43",
            "\
                -l|--local --no-hardlinks -s|--shared --reference=data --reference-if-able=data \
                --dissociate -q|--quiet -v|--verbose --progress --server-option=data -n|--no-checkout \
                --reject-shallow --no-reject-shallow --bare --sparse --filter=data \
                --also-filter-submodules --mirror -o|--origin=data -b|--branch=data --revision=data \
                -u|--upload-pack=sh --template=file -c|--config=data --depth=num --shallow-since=data \
                --shallow-exclude=data --single-branch --no-single-branch --no-tags --tags \
                --recurse-submodules?=data --recursive?=data --shallow-submodules --no-shallow-submodules \
                --remote-submodules --separate-git-dir=write --ref-format=data -j|--jobs=num \
                --bundle-uri=url -4 -6",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::clone),
                ],
            },
        ])
        ,
        works(
            "init init-db",
            "git(1) and its sub-commands 2.43",
            "\
                -q|--quiet --bare --template=file --separate-git-dir=write --object-format=data \
                --ref-format=data -b|--initial-branch=data --shared?=data",
            "write*",
        )
        ,
        works(
            "remote",
            "git(1) and its sub-commands 2.43",
            "-v|--verbose",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["show"]),
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Remote(false)),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["get-url", "show"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["update", "prune"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Remote(false)),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["update", "prune"]),
                    Condition::Operands(1, 1),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["add", "set-url"]),
                ],
                acts: &[
                    Act::Picked(Pick { at: &["2"], fits: &["*::*"], except: &[], after: &[] }, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "config",
            "git(1) and its sub-commands 2.43",
            "\
                --global --system --local --worktree -f|--file=data --blob=data --get --get-all \
                --get-regexp --get-urlmatch --get-color --get-colorbool --add --replace-all --unset \
                --unset-all --rename-section --remove-section -l|--list -e|--edit --type=data --bool --int \
                --bool-or-int --bool-or-str --path --expiry-date --no-type -z|--null --name-only \
                --show-origin --show-scope --fixed-value --default=data --includes --no-includes --all \
                --regexp --value=data --url=data --comment=data --append",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color",
                        "--get-colorbool", "-l"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::config),
                ],
            },
        ])
        ,
        works(
            "worktree",
            "git(1) and its sub-commands 2.43",
            "\
                -f|--force --detach --checkout --no-checkout --lock --reason=data --orphan -b=data -B=data \
                -q|--quiet --track --guess-remote -n|--dry-run -v|--verbose --expire=data --porcelain -z",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["add"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["remove"]),
                ],
                acts: &[
                    Act::DeletesOperand(1, false, &["always"], &["-f"]),
                ],
            },
        ])
        ,
        works(
            "submodule",
            "git(1) and its sub-commands 2.43",
            "",
            "",
        )
        .also(SUBMODULE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        .subs(&[
            works(
                "status summary",
                "git(1) and its sub-commands 2.43",
                "",
                "",
            )
            .also(SUBMODULE)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
            ])
            ,
            works(
                "foreach",
                "git(1) and its sub-commands 2.43",
                "--recursive -q|--quiet",
                "",
            )
            .style(Style::Posix)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsShell(0),
                    ],
                },
            ])
            ,
            works(
                "add",
                "git(1) and its sub-commands 2.43",
                "",
                "",
            )
            .also(SUBMODULE)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Remote(false)),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Operands(0, 0),
                    ],
                    acts: &[
                        Act::ContactsRemote("origin", "git", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "update",
                "git(1) and its sub-commands 2.43",
                "",
                "",
            )
            .also(SUBMODULE)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsRemote("submodules", "git", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "deinit",
                "git(1) and its sub-commands 2.43",
                "",
                "data*",
            )
            .also(SUBMODULE)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-f"]),
                    ],
                    acts: &[
                        Act::Loses("changes inside submodules", RecoverableBy::None),
                    ],
                },
            ])
            ,
            works(
                "init sync set-branch set-url absorbgitdirs",
                "git(1) and its sub-commands 2.43",
                "",
                "data*",
            )
            .also(SUBMODULE)
            ,
        ])
        ,
        works(
            "bisect",
            "git(1) and its sub-commands 2.43",
            "\
                --term-old=data --term-new=data --term-good=data --term-bad=data --no-checkout \
                --first-parent",
            "",
        )
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["run"]),
                ],
                acts: &[
                    Act::Runs(1),
                ],
            },
        ])
        ,
        works(
            "apply am",
            "git(1) and its sub-commands 2.43",
            "\
                --stat --numstat --summary --check --index --cached -3|--3way --build-fake-ancestor=write \
                -R|--reverse --reject -z --unidiff-zero --apply --no-add --allow-binary-replacement \
                --binary --exclude=pat --include=pat --ignore-space-change --ignore-whitespace \
                --whitespace=data --inaccurate-eof -v|--verbose -q|--quiet --recount --directory=dir \
                --unsafe-paths --allow-empty -p=num -C=num -s|--signoff -k|--keep --keep-non-patch \
                --no-keep-cr --keep-cr -c|--scissors -u|--utf8 -m|--message-id -i|--interactive \
                --patch-format=data --continue --resolved -r --skip --abort --quit \
                --show-current-patch?=data -S?=data --committer-date-is-author-date --ignore-date \
                --no-verify",
            "read*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-R"]),
                    Condition::Lacks(&["--check", "--stat", "--numstat", "--summary"]),
                    Condition::Operands(0, 0),
                    Condition::Stdin(Arrives::Piped),
                ],
                acts: &[
                    Act::Loses("changes that a patch takes out again", RecoverableBy::None),
                ],
            },
        ])
        ,
        named(
            "mv",
            "git(1) and its sub-commands 2.43",
            "-f|--force -k -n|--dry-run -v|--verbose",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::moves),
                ],
            },
        ])
        ,
        named(
            "rm",
            "git(1) and its sub-commands 2.43",
            "\
                -f|--force -n|--dry-run -r --cached --ignore-unmatch -q|--quiet --pathspec-from-file=read \
                --pathspec-file-nul --sparse",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--cached", "-n"]),
                ],
                acts: &[
                    Act::DeletesOperand(0, true, &["-r"], &["-f"]),
                ],
            },
        ])
        ,
        works(
            "reset",
            "git(1) and its sub-commands 2.43",
            "\
                -q|--quiet --no-quiet --refresh --no-refresh --mixed --soft --hard --merge --keep \
                -N|--intent-to-add -p|--patch --pathspec-from-file=read --pathspec-file-nul \
                --recurse-submodules --no-recurse-submodules",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::reset),
                ],
            },
        ])
        ,
        works(
            "clean",
            "git(1) and its sub-commands 2.43",
            "-d -f|--force -i|--interactive -n|--dry-run -q|--quiet -e|--exclude=pat -x -X",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::git::clean),
                ],
            },
        ])
        ,
        works(
            "gc prune maintenance repack prune-packed",
            "git(1) and its sub-commands 2.43",
            "\
                --aggressive --auto --detach --no-detach --cruft --no-cruft --max-cruft-size=num \
                --prune?=data --no-prune -q|--quiet --force --keep-largest-pack -n|--dry-run -v|--verbose \
                --expire=data --progress -a -A -d -f -F -l -b --depth=num --window=num --task=data \
                --schedule?=data",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["maintenance"]),
                    Condition::First(&["start", "register"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "runs git in the background from now on"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--prune", "--expire"], &["*now*", "all"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["prune"]),
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["prune"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "filter-branch",
            "git(1) and its sub-commands 2.43",
            "\
                --setup=sh --subdirectory-filter=data --env-filter=sh --tree-filter=sh --index-filter=sh \
                --parent-filter=sh --msg-filter=sh --commit-filter=sh --tag-name-filter=sh --prune-empty \
                --original=data -d=dir -f|--force --state-branch=data --all",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Loses("the history as it was before", RecoverableBy::Reflog),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "filter-repo",
            "git(1) and its sub-commands 2.43",
            "\
                --path=data --invert-paths --path-glob=pat --path-regex=pat --path-rename=data \
                --paths-from-file=read --replace-text=read --replace-message=read \
                --commit-callback=lang:python --blob-callback=lang:python --message-callback=lang:python \
                --name-callback=lang:python --email-callback=lang:python --refname-callback=lang:python \
                --filename-callback=lang:python --tag-callback=lang:python --reset-callback=lang:python \
                --mailmap=read --force --analyze --strip-blobs-bigger-than=num --strip-blobs-with-ids=read \
                --subdirectory-filter=data --to-subdirectory-filter=data --refs=data --partial \
                --use-base-name",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--analyze"]),
                ],
                acts: &[
                    Act::Loses("the history as it was before", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "update-ref symbolic-ref replace",
            "git(1) and its sub-commands 2.43",
            "\
                -d|--delete -m=data --no-deref --create-reflog --stdin -z -q|--quiet --short --recurse \
                --no-recurse -f|--force -l|--list --edit --graft --convert-graft-file --format=data --raw",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["update-ref"]),
                    Condition::Has(&["-d", "--stdin"]),
                ],
                acts: &[
                    Act::Loses("where a reference pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["update-ref"]),
                    Condition::FirstNot(&["refs/tags/*", "refs/notes/*"]),
                    Condition::Operands(2, 2),
                ],
                acts: &[
                    Act::Loses("where a reference pointed", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "\
                update-index read-tree write-tree commit-tree hash-object mktree mktag pack-refs \
                unpack-objects index-pack rerere notes sparse-checkout pack-redundant commit-graph \
                multi-pack-index merge-one-file mailsplit update-server-info show-index for-each-repo refs \
                backfill",
            "git(1) and its sub-commands 2.43",
            "\
                --add --remove --refresh -q --ignore-missing --cacheinfo=data --chmod=data \
                --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --force-remove \
                --replace --stdin --index-info --really-refresh -m -u --reset --prefix=data -i -v -n \
                --empty --missing-ok -p=data -F=read -S?=data -t=data -w --path=data --no-filters \
                --literally -z --missing --batch --strict --all -C=data --ref=data -f|--force --cone \
                --no-cone --sparse-index --stdout --local --revs --thin --delta-base-offset -o=write -a \
                --message=data --write-index -d",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["read-tree"]),
                    Condition::Has(&["-u", "--reset"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["hash-object"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["notes"]),
                    Condition::First(&["remove", "prune"]),
                ],
                acts: &[
                    Act::Loses("notes", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "pack-objects",
            "git(1) and its sub-commands 2.43",
            "\
                --all --delta-base-offset --depth=num --local -q --revs --stdout --thin --window=num",
            "write",
        )
        ,
        works(
            "shell",
            "git(1) and its sub-commands 2.43",
            "-c=sh",
            "data*",
        )
        ,
        works(
            "web--browse",
            "git(1) and its sub-commands 2.43",
            "-b|--browser=prog -c|--config=data -t|--tool=prog",
            "url*",
        )
        ,
        works(
            "merge-index",
            "git(1) and its sub-commands 2.43",
            "-a -o -q",
            "prog data*",
        )
        ,
        works(
            "merge-file",
            "git(1) and its sub-commands 2.43",
            "\
                -L=data --diff-algorithm=data --diff3 --marker-size=num --object-id --ours -p|--stdout \
                -q|--quiet --theirs --union --zdiff3",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, true, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                ],
            },
        ])
        ,
        works(
            "mailinfo",
            "git(1) and its sub-commands 2.43",
            "\
                -b --encoding=data -k -m|--message-id -n --no-scissors --quoted-cr=data --scissors -u",
            "write*",
        )
        ,
        works(
            "checkout-index",
            "git(1) and its sub-commands 2.43",
            "\
                -a|--all -f|--force --ignore-skip-worktree-bits -n|--no-create --prefix=dir -q|--quiet \
                --stage=data --stdin --temp -u|--index -z",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "format-patch",
            "git(1) and its sub-commands 2.43",
            "\
                -o|--output-directory=write --stdout --cover-letter -k|--keep-subject --thread?=data \
                --no-thread --in-reply-to=data --start-number=num --numbered-files --suffix=data --to=data \
                --cc=data --from?=data --add-header=data --attach?=data --inline?=data --base=data \
                --reroll-count=num --rfc --subject-prefix=data --interdiff=data --range-diff=data \
                --zero-commit --signature=data --no-signature --signature-file=read \
                --ignore-if-in-upstream --always",
            "",
        )
        .also(LOG)
        .and(DIFF)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-o", "--stdout"]),
                ],
                acts: &[
                    Act::WritesFile("0001-patch.patch"),
                ],
            },
        ])
        ,
        works(
            "bundle",
            "git(1) and its sub-commands 2.43",
            "--all --branches --tags --quiet --progress --version=num --stdin",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["create"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["create"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Read),
                ],
            },
        ])
        ,
        works(
            "difftool",
            "git(1) and its sub-commands 2.43",
            "\
                -d|--dir-diff -y|--no-prompt --prompt --tool=prog --tool-help --symlinks --no-symlinks \
                -x|--extcmd=sh -g|--gui --no-gui --trust-exit-code",
            "data*",
        )
        .also(DIFF)
        ,
        works(
            "mergetool gui citool gitk",
            "git(1) and its sub-commands 2.43",
            "--tool=prog --tool-help -y|--no-prompt --prompt -g|--gui --no-gui -O=read",
            "data*",
        )
        ,
        works(
            "\
                credential credential-store credential-cache credential-osxkeychain credential-manager \
                credential-libsecret",
            "git(1) and its sub-commands 2.43",
            "--file=read --timeout=num --socket=data",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["fill", "get", "capability"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "asks git for a stored password"),
                ],
            },
        ])
        ,
        works(
            "lfs annex svn p4 subtree flow send-email imap-send request-pull cvsimport",
            "git(1) and its sub-commands 2.43",
            "\
                --all --force -f -m=data -p|--prefix=data -P=data -b=data --squash --onto=data --to=data \
                --cc=data --from=data --smtp-server=host --smtp-user=data --smtp-pass=data --dry-run \
                --annotate --compose -n -v -r=data --branch=data --include=pat --exclude=pat",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["send-email"]),
                    Condition::Has(&["--smtp-server"]),
                ],
                acts: &[
                    Act::RunsPath("--smtp-server"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["send-email"]),
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "sends patches by mail"),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["ls-files", "status", "track", "untrack", "install", "env", "split",
                        "add", "feature", "init"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["send-email", "imap-send"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["push", "dcommit", "send"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "daemon instaweb",
            "git(1) and its sub-commands 2.43",
            "\
                --verbose --syslog --export-all --port=num --listen=data --base-path=data --enable=data \
                --reuseaddr --strict-paths --user=data --start --stop -d|--httpd=prog -p=num \
                -b|--browser=prog -l|--local --init-timeout=num --timeout=num --access-hook=prog",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("*", "git", &["--port"]),
                ],
            },
        ])
        ,
        works(
            "fast-export fast-import bugreport diagnose",
            "git(1) and its sub-commands 2.43",
            "\
                --all -o|--output-directory=write -s|--suffix=data --export-marks=write \
                --import-marks=read --quiet --force --date-format=data --tag-of-filtered-object=data \
                --signed-tags=data",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["fast-import"]),
                    Condition::Has(&["--force"]),
                ],
                acts: &[
                    Act::Loses("where branches pointed", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
