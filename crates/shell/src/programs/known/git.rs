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
    --ws-error-highlight=data --full-index --binary --abbrev?=num --no-abbrev -B?=data \
    --break-rewrites?=data -M?=data --find-renames?=data -C?=data --find-copies?=data --find-copies-harder \
    -D|--irreversible-delete -l=num --diff-filter=data -S=pat -G=pat --find-object=data --pickaxe-all \
    --pickaxe-regex -O=read --skip-to=data --rotate-to=data -R --relative?=data --no-relative -a|--text \
    --ignore-cr-at-eol --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space \
    --ignore-blank-lines -I|--ignore-matching-lines=pat --inter-hunk-context=num -W|--function-context \
    --exit-code --quiet --ext-diff --no-ext-diff --textconv --no-textconv --ignore-submodules?=data \
    --src-prefix=data --dst-prefix=data --no-prefix --default-prefix --line-prefix=data \
    --ita-invisible-in-index --ita-visible-in-index --cached --staged --merge-base --no-index -1|--base \
    -2|--ours -3|--theirs -0 -c --cc -m -t -r --root --stdin --always -v --pretty?=data --no-commit-id \
    --combined-all-paths --diff-merges=data --no-stat --no-diff-merges --remerge-diff --dd";

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
    --reverse --no-walk?=data --do-walk --format=data --abbrev-commit --no-abbrev-commit --full-diff \
    --standard-notes --no-standard-notes --max-age=num --min-age=num --objects-edge-aggressive \
    --indexed-objects --unpacked --object-names --no-filter --filter-provided-objects \
    --filter-print-omitted --missing=data --exclude-promisor-objects -q|--no-quiet --no-use-mailmap \
    --oneline --encoding=data --expand-tabs?=num --no-expand-tabs --notes?=data --no-notes \
    --show-notes?=data --show-notes-by-default --show-signature --relative-date --date=data --parents \
    --children --left-right --graph --show-linear-break?=data --no-graph --follow --no-decorate \
    --no-decorate-refs --no-decorate-refs-exclude --no-source --decorate?=data --decorate-refs=pat \
    --decorate-refs-exclude=pat --clear-decorations --source --mailmap --use-mailmap --no-mailmap \
    --log-size -L=data --count --objects --timestamp --header --use-bitmap-index --disk-usage?=data \
    --no-object-names --filter=data --show-all --stdin --bisect-all --bisect-vars --pretty?=data -h \
    --progress?=data --objects-edge --in-commit-order --no-commit-header --commit-header -e --email -s \
    --summary --numbered -w?=data --group=data";

const REMOTE: &str = "\
    --upload-pack=sh --all -a|--append --atomic --depth=num --deepen=num --shallow-since=data \
    --shallow-exclude=data --unshallow --update-shallow --negotiation-tip=data --negotiate-only --dry-run \
    --write-fetch-head --no-write-fetch-head -f|--force -k|--keep -m|--multiple --auto-maintenance \
    --no-auto-maintenance --auto-gc --no-auto-gc --write-commit-graph --no-write-commit-graph --prefetch \
    -p|--prune -P|--prune-tags --no-prune-tags --no-prune -n|--no-tags --refetch --refmap=data -t|--tags \
    --recurse-submodules?=data --no-recurse-submodules -j|--jobs=num --set-upstream \
    --submodule-prefix=data --recurse-submodules-default=data -u|--update-head-ok -q|--quiet -v|--verbose \
    --progress --no-progress -o|--server-option=data --show-forced-updates --no-show-forced-updates \
    -4|--ipv4 -6|--ipv6 --stdin --porcelain --filter=data";

const SUBMODULE: &str = "\
    -q|--quiet --cached -b|--branch=data -f|--force --name=data --reference=data --depth=num --all --init \
    --remote -N|--no-fetch --recommend-shallow --no-recommend-shallow --no-single-branch --dissociate \
    --checkout --merge --rebase --recursive --single-branch --progress --files --for-status \
    -n|--summary-limit=num -j|--jobs=num --filter=data --default";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "git hub yadm dotbare",
        "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -s|--short -b|--branch --show-stash --porcelain?=data --long -v|--verbose -u?=data \
                --untracked-files?=data --ignore-submodules?=data --ignored?=data -z|--null --column?=data \
                --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?=data \
                -M?=data",
            "look*",
        )
        ,
        reads(
            "log whatchanged rev-list show reflog-show",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "shortlog",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -c|--committer -n|--numbered -s|--summary -e|--email -w?=num --group=data --format?=data",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --no-dual-color --dual-color --creation-factor=num --left-only --right-only --stdin \
                --no-notes --notes?=data --theirs --ours --base -q --follow --format=data --abbrev-commit \
                --no-abbrev-commit --oneline --encoding=data --expand-tabs?=num --no-expand-tabs \
                --show-notes?=data --standard-notes --no-standard-notes --show-signature \
                --diff-merges=data",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -b --root --show-stats -L=data -l -t -S=read --reverse=data --first-parent -p|--porcelain \
                --line-porcelain --incremental --encoding=data --contents=read --date=data --progress \
                --no-progress -M?=num -C?=num --ignore-rev=data --ignore-revs-file=read --color-lines \
                --color-by-age -h -c --score-debug -f|--show-name -n|--show-number -s -e|--show-email -w \
                --abbrev?=num --no-abbrev --minimal",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --cached --untracked --no-index --no-exclude-standard --index --exclude-standard \
                --recurse-submodules -a|--text --textconv --no-textconv -i|--ignore-case -I \
                --max-depth=num -r|--recursive --no-recursive -w|--word-regexp -v|--invert-match -h -H \
                --full-name -E|--extended-regexp -G|--basic-regexp -P|--perl-regexp -F|--fixed-strings \
                -n|--line-number --column -l|--files-with-matches --name-only -L|--files-without-match \
                -O?=prog --open-files-in-pager?=prog -z|--null -o|--only-matching -c|--count --color?=data \
                --no-color --break --heading -p|--show-function -# -C|--context=num -A|--after-context=num \
                -B|--before-context=num -W|--function-context -m|--max-count=num --threads=num -f=read \
                -e=pat --and --or --not --all-match -q|--quiet --ext-grep --no-ext-grep --no-text",
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
            "rev-parse",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --revs-only \
                --no-revs --flags --no-flags --default=data --prefix=data --verify --end-of-options \
                -q|--quiet --sq --short?=num --not --abbrev-ref?=data --symbolic --symbolic-full-name \
                --all --branches?=pat --tags?=pat --remotes?=pat --glob=pat --exclude=pat \
                --exclude-hidden=data --disambiguate=data --local-env-vars --path-format=data --git-dir \
                --git-common-dir --resolve-git-dir=data --git-path=data --show-toplevel \
                --show-superproject-working-tree --shared-index-path --absolute-git-dir \
                --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository \
                --show-cdup --show-prefix --show-object-format?=data --since|--after=data \
                --until|--before=data --show-ref-format",
            "data*",
        )
        ,
        reads(
            "name-rev",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --name-only --tags --refs=pat --no-refs --exclude=pat --no-exclude --all --annotate-stdin \
                --undefined --no-undefined --always --stdin",
            "data*",
        )
        ,
        reads(
            "describe",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --contains --debug --all --tags --long --first-parent --abbrev?=num --exact-match \
                --candidates=num --match=pat --no-match --exclude=pat --no-exclude --always --dirty?=data \
                --broken?=data",
            "data*",
        )
        ,
        reads(
            "merge-base",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-a|--all --octopus --independent --is-ancestor --fork-point",
            "data*",
        )
        ,
        reads(
            "cherry",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--abbrev?=num -v|--verbose",
            "data*",
        )
        ,
        reads(
            "show-ref",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --tags --branches --exists --verify --head -d|--dereference -s|--hash?=num --abbrev?=num \
                -q|--quiet --exclude-existing?=pat --heads",
            "data*",
        )
        ,
        reads(
            "for-each-ref",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -s|--shell -p|--perl --python --tcl --omit-empty --count=num --format=data --color?=data \
                --exclude=pat --sort=data --points-at=data --ignore-case --stdin --include-root-refs \
                --merged?=data --no-merged?=data --contains?=data --no-contains?=data",
            "data*",
        )
        ,
        reads(
            "show-branch",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a|--all -r|--remotes --color?=data --no-color --more?=num --list --no-name --name \
                --current --sha1-name --merge-base --independent --topo-order --topics --sparse \
                --date-order -g|--reflog?=data",
            "data*",
        )
        ,
        reads(
            "count-objects",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-v|--verbose -H|--human-readable",
            "data*",
        )
        ,
        reads(
            "verify-commit",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-v|--verbose --raw",
            "data*",
        )
        ,
        reads(
            "verify-tag",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-v|--verbose --raw --format=data",
            "data*",
        )
        ,
        reads(
            "verify-pack",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-v|--verbose -s|--stat-only --object-format=data",
            "look*",
        )
        ,
        reads(
            "check-ref-format",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--refspec-pattern --normalize --allow-onelevel --no-allow-onelevel --branch --print",
            "data*",
        )
        ,
        reads(
            "check-ignore",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-q|--quiet -v|--verbose --stdin -z -n|--non-matching --no-index",
            "data*",
        )
        ,
        reads(
            "check-attr",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-a|--all --cached --stdin -z --source=data",
            "data*",
        )
        ,
        reads(
            "check-mailmap",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--stdin --mailmap-file=read --mailmap-blob=data",
            "data*",
        )
        ,
        reads(
            "var",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-l",
            "data*",
        )
        ,
        reads(
            "version",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--build-options",
            "data*",
        )
        ,
        reads(
            "get-tar-commit-id",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "",
            "data*",
        )
        ,
        reads(
            "patch-id",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--unstable --stable --verbatim",
            "data*",
        )
        ,
        reads(
            "merge-tree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --write-tree --trivial-merge --messages -z --name-only --allow-unrelated-histories --stdin \
                --merge-base=data -X|--strategy-option=data --no-messages",
            "data*",
        )
        ,
        reads(
            "fmt-merge-msg",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --log?=num --no-log -m|--message=data --into-name=data -F|--file=read --summary \
                --no-summary",
            "data*",
        )
        ,
        reads(
            "stripspace",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-s|--strip-comments -c|--comment-lines",
            "data*",
        )
        ,
        reads(
            "column",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --command=data --mode?=data --raw-mode=data --width=num --indent=num --nl=data \
                --padding=num",
            "data*",
        )
        ,
        reads(
            "ls-files",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -z -t -v -f -c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage \
                -k|--killed --directory --eol --empty-directory --no-empty-directory -u|--unmerged \
                --resolve-undo -x|--exclude=pat -X|--exclude-from=read --exclude-per-directory=data \
                --exclude-standard --full-name --recurse-submodules --error-unmatch --with-tree=data \
                --abbrev?=num --debug --deduplicate --sparse --format=data --no-sparse",
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
            "ls-tree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -d -r -t -z -l|--long --name-only --name-status --object-only --full-name --full-tree \
                --format=data --abbrev?=num",
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
            "cat-file",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -e -p -t -s --allow-unknown-type --use-mailmap --mailmap --batch?=data --batch-check?=data \
                -Z --batch-command?=data --batch-all-objects --buffer --follow-symlinks --unordered \
                --textconv --filters --path=data --no-mailmap --no-use-mailmap -z",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -h|--heads -b|--branches -t|--tags --refs -q|--quiet --upload-pack=sh --exec=sh \
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a|--all --external-commands --no-external-commands --aliases --no-aliases -m|--man \
                -w|--web -i|--info -v|--verbose -g|--guides --user-interfaces --developer-interfaces \
                -c|--config",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-w"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        reads(
            "fsck fsck-objects",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -v|--verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs \
                --no-reflogs --full --no-full --connectivity-only --strict --lost-found --progress \
                --no-progress --name-objects",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--lost-found"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "reflog",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                    Condition::FirstNot(&["expire", "delete", "drop", "write"]),
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --in-place --trim-empty --trailer=data --where=data --if-exists=data --if-missing=data \
                --only-trailers --only-input --unfold --parse --no-divider --divider --no-where \
                --no-if-exists --no-if-missing",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --format=data -l|--list -v|--verbose --prefix=data -o|--output=write --add-file=read \
                --add-virtual-file=data --worktree-attributes --mtime=data --remote=url --exec=sh -#",
            "data read*",
        )
        .prints(Output::Filtered)
        ,
        works(
            "add stage",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a|--all -p|--patch --interactive --ahead-behind --no-ahead-behind --post-rewrite \
                -C|--reuse-message=data -c|--reedit-message=data --fixup=data --squash=data --reset-author \
                --short --branch --porcelain --long -z|--null -F|--file=read --author=data --date=data \
                -m|--message=data -t|--template=read -s|--signoff --no-signoff --trailer=data \
                -n|--no-verify --verify --allow-empty --allow-empty-message --cleanup=data -e|--edit \
                --no-edit --amend --no-post-rewrite -i|--include -o|--only --pathspec-from-file=read \
                --pathspec-file-nul -u?=data --untracked-files?=data -v|--verbose -q|--quiet --dry-run \
                --status --no-status -S?=data --gpg-sign?=data --no-gpg-sign",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -c|--create=data -C|--force-create=data -d|--detach --guess --no-guess \
                -f|--force|--discard-changes -m|--merge --conflict=data -q|--quiet --progress \
                --no-progress -t?=data --track?=data --no-track --orphan=data --ignore-other-worktrees \
                --overwrite-ignore --no-overwrite-ignore --recurse-submodules?=data \
                --no-recurse-submodules",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --progress --no-progress -f|--force -2|--ours -3|--theirs -b=data -B=data \
                -t?=data --track?=data --no-track --guess --no-guess -l -d|--detach --orphan=data \
                --ignore-skip-worktree-bits -m|--merge --conflict=data -p|--patch --ignore-other-worktrees \
                --overwrite-ignore --no-overwrite-ignore --recurse-submodules?=data \
                --no-recurse-submodules --overlay --no-overlay --pathspec-from-file=read \
                --pathspec-file-nul",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -s|--source=data -p|--patch -W|--worktree -S|--staged -q|--quiet --progress --no-progress \
                -2|--ours -3|--theirs -m|--merge --conflict=data --ignore-unmerged \
                --ignore-skip-worktree-bits --recurse-submodules?=data --no-recurse-submodules --overlay \
                --no-overlay --pathspec-from-file=read --pathspec-file-nul",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --commit --no-commit --edit -e --no-edit --cleanup=data --ff --no-ff --ff-only -S?=data \
                --gpg-sign?=data --log?=num --no-log --signoff --no-signoff --stat -n --no-stat --squash \
                --no-squash --verify --no-verify -s|--strategy=data -X|--strategy-option=data \
                --verify-signatures -q|--quiet -v|--verbose --progress --no-progress --autostash \
                --no-autostash --allow-unrelated-histories -m|--message=data --summary --no-summary \
                --no-gpg-sign --no-verify-signatures --no-rerere-autoupdate --no-overwrite-ignore \
                -F|--file=read --into-name=data --rerere-autoupdate --overwrite-ignore --abort --quit \
                --continue",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --onto=data --keep-base --continue --abort --quit --edit-todo --skip --show-current-patch \
                --apply --empty=data --no-keep-empty --keep-empty --reapply-cherry-picks \
                --no-reapply-cherry-picks --allow-empty-message -m|--merge -s|--strategy=data \
                -X|--strategy-option=data --rerere-autoupdate -S?=data --gpg-sign?=data -q|--quiet \
                -v|--verbose --stat -n|--no-stat --no-verify --verify -C=num --no-ff -f|--force-rebase \
                --fork-point --no-fork-point --ignore-whitespace --whitespace=data \
                --committer-date-is-author-date --reset-author-date|--ignore-date --signoff \
                -i|--interactive -r?=data --rebase-merges?=data --no-rebase-merges -x|--exec=sh --root \
                --autosquash --no-autosquash --autostash --no-autostash --reschedule-failed-exec \
                --update-refs --no-update-refs --no-rerere-autoupdate --no-gpg-sign \
                --no-reschedule-failed-exec --ff",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--no-verify"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hook that checks before commits are moved"),
                ],
            },
        ])
        ,
        works(
            "cherry-pick revert",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -e|--edit --no-edit --cleanup=data -x -r -m|--mainline=num -n|--no-commit -s|--signoff \
                -S?=data --gpg-sign?=data --ff --allow-empty --allow-empty-message \
                --keep-redundant-commits --strategy=data -X|--strategy-option=data --rerere-autoupdate \
                --continue --skip --quit --abort --reference --commit --no-gpg-sign --no-rerere-autoupdate \
                --empty=data",
            "data*",
        )
        ,
        works(
            "stash",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -p|--patch -S|--staged -k|--keep-index --no-keep-index -u|--include-untracked -a|--all \
                -q|--quiet -m|--message=data --index --pathspec-from-file=read --pathspec-file-nul --stat \
                --only-untracked --no-include-untracked",
            "",
        )
        .also(LOG)
        .and(DIFF)
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
                    Condition::First(&["list", "show"]),
                    Condition::Has(&["--ext-diff"]),
                ],
                acts: &[
                    Act::Acts,
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -d|--delete -D --create-reflog --no-create-reflog -f|--force -m|--move -M -c|--copy -C \
                -i|--ignore-case --omit-empty --color?=data --no-color --column?=data --no-column \
                -r|--remotes -a|--all -l|--list --show-current -v|--verbose -vv -q|--quiet --abbrev?=num \
                --no-abbrev -t?=data --track?=data --no-track -u|--set-upstream-to=data --unset-upstream \
                --edit-description --contains?=data --no-contains?=data --merged?=data --no-merged?=data \
                --sort=data --points-at=data --format=data --recurse-submodules",
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
                        "--no-contains", "--points-at", "--show-current"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "tag",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a|--annotate -s|--sign --no-sign -u|--local-user=data -f|--force -d|--delete -v|--verify \
                -n?=num -l|--list --sort=data --color?=data -i|--ignore-case --omit-empty --column?=data \
                --no-column --contains?=data --no-contains?=data --merged?=data --no-merged?=data \
                --points-at=data -m|--message=data -F|--file=read --trailer=data -e|--edit --cleanup=data \
                --create-reflog --no-create-reflog --format=data",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                    Condition::Has(&["-m"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::Remote(false)),
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --rebase?=data -r?=data --no-rebase --commit --no-commit --edit -e --no-edit \
                --cleanup=data --ff --no-ff --ff-only -S?=data --gpg-sign?=data --log?=num --signoff \
                --stat -n --no-stat --squash --verify --no-verify -s|--strategy=data \
                -X|--strategy-option=data --verify-signatures --no-verify-signatures --no-gpg-sign \
                --no-log --no-signoff --no-squash --summary --no-summary --autostash --no-autostash \
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --all --branches --prune --mirror -n|--dry-run --porcelain -d|--delete --tags \
                --follow-tags --no-follow-tags --signed?=data --no-signed --atomic --no-atomic \
                -o|--push-option=data --receive-pack=sh --exec=sh --force-with-lease?=data \
                --no-force-with-lease -f|--force --no-force --force-if-includes --no-force-if-includes \
                --repo=data -u|--set-upstream --thin --no-thin -q|--quiet -v|--verbose --progress \
                --no-progress --recurse-submodules=data --no-recurse-submodules --verify --no-verify \
                -4|--ipv4 -6|--ipv6",
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
            "send-pack",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -v|--verbose -q|--quiet --receive-pack=sh --exec=sh --remote=data --all -n|--dry-run \
                --mirror --force|-f --signed?=data --no-signed --push-option=data --progress --thin \
                --atomic --stateless-rpc --stdin --helper-status --force-with-lease?=data \
                --force-if-includes",
            "",
        )
        .rules(&[
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
                    Condition::Has(&["--force", "--mirror"]),
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
            "fetch-pack",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --all --stdin -q|--quiet -k|--keep --thin --include-tag --upload-pack=sh --exec=sh \
                --depth=num --shallow-since=data --shallow-exclude=data --deepen-relative --refetch \
                --no-progress --check-self-contained-and-connected -v",
            "",
        )
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
        ])
        ,
        works(
            "http-push",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--all --force --dry-run --verbose -d|-D",
            "",
        )
        .rules(&[
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
                    Condition::Has(&["--force", "-d"]),
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
            "http-fetch",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-a -c -t -v -w=data --stdin --packfile=data --recover",
            "",
        )
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
                    Act::Picked(Pick { at: &["last"], fits: &[], except: &[], after: &[] }, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "upload-pack receive-pack upload-archive",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --strict --no-strict --timeout=num --stateless-rpc --advertise-refs \
                --http-backend-info-refs",
            "look*",
        )
        ,
        works(
            "clone",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -l|--local --no-hardlinks -s|--shared --reference=data --reference-if-able=data \
                --dissociate -q|--quiet -v|--verbose --progress --server-option=data -n|--no-checkout \
                --reject-shallow --no-reject-shallow --bare --sparse --filter=data \
                --also-filter-submodules --mirror -o|--origin=data -b|--branch=data --revision=data \
                -u|--upload-pack=sh --template=file -c|--config=data --depth=num --shallow-since=data \
                --shallow-exclude=data --single-branch --no-single-branch --no-tags --tags \
                --recurse-submodules?=data --recursive?=data --shallow-submodules --no-shallow-submodules \
                --remote-submodules --separate-git-dir=write --ref-format=data -j|--jobs=num \
                --bundle-uri=url -4|--ipv4 -6|--ipv6 --no-local --hardlinks --checkout \
                --no-remote-submodules",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --bare --template=file --separate-git-dir=write --object-format=data \
                --ref-format=data -b|--initial-branch=data --shared?=data",
            "write*",
        )
        ,
        works(
            "remote",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -v|--verbose -t|--track=data -m|--master=data -f|--fetch --tags --no-tags --mirror?=data \
                --progress --no-progress -a|--auto -d|--delete --add --push --all -n|--dry-run -p|--prune",
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
            Rule {
                when: &[
                    Condition::First(&["add"]),
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["add"]),
                    Condition::Has(&["--mirror"]),
                ],
                acts: &[
                    Act::Loses("what the remote's branches hold, at every push", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["set-head"]),
                    Condition::Has(&["-a"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "config",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --global --system --local --worktree -f|--file=data --blob=data --get --get-all \
                --get-regexp --get-urlmatch --get-color --get-colorbool --add --replace-all --unset \
                --unset-all --rename-section --remove-section -l|--list -e|--edit -t|--type=data \
                --show-names --no-show-names --bool --int --bool-or-int --bool-or-str --path --expiry-date \
                --no-type -z|--null --name-only --show-origin --show-scope --fixed-value --default=data \
                --includes --no-includes --all --regexp --value=data --url=data --comment=data --append",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -f|--force -d|--detach --checkout --no-checkout --lock --reason=data --orphan -b=data \
                -B=data -q|--quiet --track --no-track --guess-remote --no-guess-remote -n|--dry-run \
                -v|--verbose --expire=data --porcelain -z",
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
                    Condition::First(&["add"]),
                    Condition::Has(&["-B"]),
                ],
                acts: &[
                    Act::Loses("where the branch pointed", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["move"]),
                ],
                acts: &[
                    Act::Operand(2, false, Role::Write),
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(2, false, Role::Write),
                    ],
                },
            ])
            ,
            works(
                "update",
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                "deinit",
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
                "git(1) and the page of each sub-command 2.47, compared with 2.39",
                "",
                "data*",
            )
            .also(SUBMODULE)
            ,
        ])
        ,
        works(
            "bisect",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            Rule {
                when: &[
                    Condition::First(&["replay"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["log", "terms"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "apply",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --exclude=pat --include=pat -p=num --no-add --add --stat --numstat --summary --check \
                --index -N|--intent-to-add --cached --unsafe-paths --apply -3|--3way --ours --theirs \
                --union --build-fake-ancestor=write -z -C=num --whitespace=data --ignore-space-change \
                --ignore-whitespace -R|--reverse --unidiff-zero --reject --allow-overlap -v|--verbose \
                -q|--quiet --inaccurate-eof --recount --directory=dir --allow-empty \
                --allow-binary-replacement|--binary",
            "read*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--check", "--stat", "--numstat", "--summary"]),
                    Condition::Lacks(&["--apply", "-3", "--build-fake-ancestor"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--unsafe-paths"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
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
        works(
            "am",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -i|--interactive --verify -3|--3way --no-3way -q|--quiet -s|--signoff -u|--utf8 --no-utf8 \
                -k|--keep --no-keep --keep-non-patch -m|--message-id --no-message-id --keep-cr \
                --no-keep-cr -c|--scissors --no-scissors --quoted-cr=data --whitespace=data \
                --ignore-space-change --ignore-whitespace --directory=dir --exclude=pat --include=pat \
                -C=num -p=num --patch-format=data --reject --resolvemsg=data --continue -r|--resolved \
                --skip --abort --quit --show-current-patch?=data --retry --allow-empty \
                --committer-date-is-author-date --rerere-autoupdate --no-rerere-autoupdate \
                -S|--gpg-sign?=data --no-gpg-sign --empty=data -n|--no-verify -b --ignore-date",
            "read*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-n"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hooks that check commits"),
                ],
            },
        ])
        ,
        named(
            "mv",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-f|--force -k -n|--dry-run -v|--verbose --sparse",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --no-quiet --refresh --no-refresh --mixed --soft --hard --merge --keep \
                -N|--intent-to-add -p|--patch --pathspec-from-file=read --pathspec-file-nul \
                --recurse-submodules?=data --no-recurse-submodules",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "gc",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --prune?=data --no-prune --cruft --max-cruft-size=data --aggressive --auto \
                --detach --force --keep-largest-pack --no-cruft --no-detach",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Value(&["--prune"], &["never", "*.week*", "*.month*", "*.year*"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--prune"], &["*"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "prune",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-n|--dry-run -v|--verbose --progress --expire=data --exclude-promisor-objects",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "maintenance",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --auto --schedule?=data --quiet --no-quiet --task=data --scheduler=data \
                --config-file=inplace -f|--force --detach --no-detach",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["start", "register"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "runs git in the background from now on"),
                ],
            },
        ])
        ,
        works(
            "repack",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a -A --cruft --cruft-expiration=data --max-cruft-size=data -d -f -F -n -q|--quiet \
                -l|--local -b|--write-bitmap-index -i|--delta-islands --unpack-unreachable=data \
                -k|--keep-unreachable --window=num --window-memory=data --depth=num --threads=num \
                --max-pack-size=num --filter=data --pack-kept-objects --keep-pack=data -g|--geometric=data \
                -m|--write-midx --expire-to=write --filter-to=write",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-d"]),
                    Condition::Has(&["-a"]),
                    Condition::Lacks(&["-k", "--cruft", "-A"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--cruft-expiration"], &["never", "*.week*", "*.month*", "*.year*"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--unpack-unreachable"], &["never", "*.week*", "*.month*", "*.year*"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--cruft-expiration", "--unpack-unreachable"], &["*"]),
                ],
                acts: &[
                    Act::Loses("objects that nothing reaches any more", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "prune-packed",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-n|--dry-run -q|--quiet",
            "",
        )
        ,
        works(
            "filter-branch",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --analyze --invert-paths --path-match|--path=data --path-glob=pat --path-regex=pat \
                --use-base-name --path-rename|--path-rename-match=data --paths-from-file=read \
                --subdirectory-filter=data --to-subdirectory-filter=data --replace-text=read \
                --strip-blobs-bigger-than=num --strip-blobs-with-ids=read --tag-rename=data \
                --replace-message=read --preserve-commit-hashes --preserve-commit-encoding --mailmap=read \
                --use-mailmap --replace-refs=data --prune-empty=data --prune-degenerate=data --no-ff \
                --filename-callback=lang:python --message-callback=lang:python --name-callback=lang:python \
                --email-callback=lang:python --refname-callback=lang:python --blob-callback=lang:python \
                --commit-callback=lang:python --tag-callback=lang:python --reset-callback=lang:python \
                --source=choose --target=choose -h|--help -f|--force --partial --refs=data --dry-run \
                --debug --stdin --quiet",
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
            "update-ref",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-m=data -d --no-deref --deref -z --stdin --create-reflog",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-d", "--stdin"]),
                ],
                acts: &[
                    Act::Loses("where a reference pointed", RecoverableBy::Reflog),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
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
            "symbolic-ref",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-q|--quiet -d|--delete --short --recurse --no-recurse -m=data",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-d"]),
                    Condition::Operands(1, 1),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "replace",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -l|--list -d|--delete -e|--edit -g|--graft --convert-graft-file -f|--force --raw \
                --format=data",
            "data*",
        )
        ,
        works(
            "update-index",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q --ignore-submodules --add --replace --remove --unmerged --refresh --really-refresh \
                --chmod=data --assume-unchanged --no-assume-unchanged --skip-worktree \
                --ignore-skip-worktree-entries --info-only --force-remove -z --stdin --index-info \
                --unresolve -g|--again --ignore-missing --verbose --clear-resolve-undo --index-version=num \
                --show-index-version --split-index --no-split-index --untracked-cache --no-untracked-cache \
                --test-untracked-cache --force-untracked-cache --force-write-index --fsmonitor \
                --no-fsmonitor --fsmonitor-valid --no-skip-worktree --no-ignore-skip-worktree-entries \
                --no-fsmonitor-valid --cacheinfo=data",
            "data*",
        )
        ,
        works(
            "read-tree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --index-output=write --empty -v|--verbose -m --trivial --aggressive --reset --prefix=data \
                -u --exclude-per-directory=data -i -n|--dry-run --no-sparse-checkout --sparse-checkout \
                --debug-unpack --recurse-submodules?=data -q|--quiet --no-recurse-submodules",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-u", "--reset"]),
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "write-tree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--missing-ok --prefix=data",
            "",
        )
        ,
        works(
            "commit-tree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-p=data -m=data -F=read -S|--gpg-sign?=data --no-gpg-sign",
            "data*",
        )
        ,
        works(
            "hash-object",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-t=data -w --stdin --stdin-paths --no-filters --filters --literally --path=data",
            "read*",
        )
        ,
        works(
            "mktree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-z --missing --batch",
            "",
        )
        ,
        works(
            "mktag",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--strict --no-strict",
            "",
        )
        ,
        works(
            "pack-refs",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--all --prune --no-prune --auto --include=pat --exclude=pat",
            "",
        )
        ,
        works(
            "unpack-objects",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-n -q -r --strict --max-input-size=num",
            "",
        )
        ,
        works(
            "index-pack",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -v -o=write --rev-index --no-rev-index --stdin --fix-thin --keep?=data \
                --index-version=data --strict?=data --progress-title=data \
                --check-self-contained-and-connected --fsck-objects?=data --threads=num \
                --max-input-size=num --object-format=data --promisor?=data",
            "look",
        )
        ,
        works(
            "rerere",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--rerere-autoupdate --no-rerere-autoupdate",
            "data*",
        )
        ,
        works(
            "notes",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --ref=data -f|--force -m|--message=data -F|--file=read -C|--reuse-message=data \
                -c|--reedit-message=data --allow-empty --ignore-missing --stdin -n|--dry-run \
                -s|--strategy=data --commit --abort -q|--quiet -v|--verbose --separator?=data \
                --no-separator --stripspace --no-stripspace",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list", "show", "get-ref"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["remove", "prune"]),
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("notes", RecoverableBy::Reflog),
                ],
            },
        ])
        ,
        works(
            "sparse-checkout",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --cone --no-cone --sparse-index --no-sparse-index --skip-checks --stdin -z \
                --rules-file=read -f|--force -n|--dry-run --verbose",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list", "check-rules"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["set", "init"]),
                ],
                acts: &[
                    Act::Loses("ignored files outside the chosen folders", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["clean"]),
                    Condition::Has(&["-f"]),
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Loses("files outside the chosen folders", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "pack-redundant",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--all --alt-odb --verbose",
            "data*",
        )
        ,
        works(
            "commit-graph",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --object-dir=choose --progress --no-progress --reachable --stdin-packs --stdin-commits \
                --append --changed-paths --no-changed-paths --split?=data --max-commits=num \
                --size-multiple=num --expire-time=data --max-new-filters=num --shallow",
            "data*",
        )
        ,
        works(
            "multi-pack-index",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --object-dir=choose --progress --no-progress --preferred-pack=data --bitmap --no-bitmap \
                --stdin-packs --refs-snapshot=read --incremental --batch-size=num",
            "data*",
        )
        ,
        works(
            "merge-one-file",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "",
            "data*",
        )
        ,
        works(
            "mailsplit",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-b -d?=num -f?=num --keep-cr --mboxrd -o?=write",
            "read*",
        )
        ,
        works(
            "update-server-info",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-f|--force",
            "",
        )
        ,
        works(
            "show-index",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--object-format=data",
            "",
        )
        ,
        works(
            "refs",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--dry-run --ref-format=data --strict --verbose --no-reflog",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["exists", "list", "verify"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["migrate"]),
                    Condition::Has(&["--no-reflog"]),
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Loses("the reflog, the last way back", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "for-each-repo",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--config=data --keep-going",
            "",
        )
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsAs("git", 0),
                ],
            },
        ])
        ,
        works(
            "backfill",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--min-batch-size=num --no-sparse --sparse",
            "",
        )
        .rules(&[
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
            "pack-objects",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --progress --all-progress --all-progress-implied --index-version=data \
                --max-pack-size=num --local --incremental --window=num --window-memory=num --depth=num \
                --reuse-delta --no-reuse-delta --reuse-object --no-reuse-object --delta-base-offset \
                --threads=num --non-empty --revs --unpacked --all --reflog --indexed-objects --stdin-packs \
                --stdout --include-tag --keep-unreachable --pack-loose-unreachable \
                --unpack-unreachable?=data --cruft --cruft-expiration?=data --sparse --thin --shallow \
                --honor-pack-keep --keep-pack=data --compression=num --keep-true-parents \
                --use-bitmap-index --write-bitmap-index --filter=data --no-filter --missing=data \
                --exclude-promisor-objects --delta-islands --uri-protocol=data --no-sparse",
            "write",
        )
        ,
        works(
            "shell",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-c=sh",
            "data*",
        )
        ,
        works(
            "web--browse",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-b|--browser=prog -c|--config=data -t|--tool=prog",
            "url*",
        )
        ,
        works(
            "merge-index",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-a -o -q",
            "prog data*",
        )
        ,
        works(
            "merge-file",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -b --encoding=data -k -m|--message-id -n --no-scissors --quoted-cr=data --scissors -u",
            "write*",
        )
        ,
        works(
            "checkout-index",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -a|--all -f|--force --ignore-skip-worktree-bits -n|--no-create --prefix=dir -q|--quiet \
                --stage=data --stdin --temp -u|--index -z --create",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -n|--numbered -N|--no-numbered -s|--signoff -v|--reroll-count=num -p|--no-stat -q|--quiet \
                --progress --filename-max-length=num --cover-from-description=data --description-file=read \
                --force-in-body-from --no-force-in-body-from --encode-email-headers \
                --no-encode-email-headers --creation-factor=num --no-attach --no-binary --no-base \
                --no-add-header --no-to --no-cc --no-cover-letter --no-from -o|--output-directory=write \
                --stdout --cover-letter -k|--keep-subject --thread?=data --no-thread --in-reply-to=data \
                --start-number=num --numbered-files --suffix=data --to=data --cc=data --from?=data \
                --add-header=data --attach?=data --inline?=data --base=data --rfc?=data \
                --subject-prefix=data --interdiff=data --range-diff=data --zero-commit --signature=data \
                --no-signature --signature-file=read --ignore-if-in-upstream --always",
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet --progress --all-progress --all-progress-implied --version=num --all --branches \
                --tags --stdin",
            "",
        )
        .also(LOG)
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
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -d|--dir-diff -y|--no-prompt --prompt -t|--tool=prog --no-trust-exit-code --tool-help \
                --symlinks --no-symlinks -x|--extcmd=sh -g|--gui --no-gui --trust-exit-code",
            "data*",
        )
        .also(DIFF)
        ,
        works(
            "mergetool",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-t|--tool=prog --tool-help -y|--no-prompt --prompt -g|--gui --no-gui -O=read",
            "data*",
        )
        ,
        works(
            "gui citool gitk",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "",
            "data*",
        )
        ,
        works(
            "\
                credential credential-store credential-cache credential-osxkeychain credential-manager \
                credential-libsecret",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "--file=read --timeout=num --socket=data",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["credential-store"]),
                    Condition::First(&["store", "erase"]),
                ],
                acts: &[
                    Act::Value("--file", Role::InPlace),
                ],
            },
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
            "send-email",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --annotate --no-annotate --bcc=data --cc=data --compose --from=data --reply-to=data \
                --in-reply-to=data --subject=data --to=data --8bit-encoding=data --compose-encoding=data \
                --transfer-encoding=data --xmailer --no-xmailer --envelope-sender=data --sendmail-cmd=sh \
                --smtp-encryption=data --smtp-domain=data --smtp-auth=data --smtp-pass?=secret \
                --no-smtp-auth --smtp-server=host --smtp-server-port=num --smtp-server-option=data \
                --smtp-ssl --smtp-ssl-cert-path=data --smtp-user=data --smtp-debug=num --batch-size=num \
                --relogin-delay=num --no-to --no-cc --no-bcc --no-identity --to-cmd=sh --cc-cmd=sh \
                --chain-reply-to --no-chain-reply-to --identity=data --signed-off-by-cc \
                --no-signed-off-by-cc --cc-cover --no-cc-cover --to-cover --no-to-cover --suppress-cc=data \
                --suppress-from --no-suppress-from --thread --no-thread --confirm=data --dry-run \
                --format-patch --no-format-patch --quiet --validate --no-validate --force --dump-aliases",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--dump-aliases"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--smtp-server"]),
                ],
                acts: &[
                    Act::RunsPath("--smtp-server"),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "sends patches by mail"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--no-validate"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "skips the hook that checks patches"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--smtp-ssl-cert-path"], &[]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                ],
            },
        ])
        ,
        works(
            "imap-send",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-v|--verbose -q|--quiet --curl --no-curl",
            "",
        )
        .takes(StdinRole::Sent)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsRemote("origin", "git", Direction::Send),
                ],
            },
        ])
        ,
        works(
            "request-pull",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-p",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "subtree",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -q|--quiet -d|--debug -P|--prefix=data --squash -m|--message=data --annotate=data \
                -b|--branch=data --ignore-joins --onto=data --rejoin",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["push"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Send),
                    Act::ContactsRemote("origin", "git", Direction::Send),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["add", "pull"]),
                    Condition::Operands(3, usize::MAX),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Remote(false)),
                ],
            },
        ])
        ,
        works(
            "lfs",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -I|--include=pat -X|--exclude=pat --skip-repo --to=write --base --ours --theirs --recent \
                --all -p|--prune --skip --objects --pointers?=data -f|--force --local --worktree --manual \
                --system --skip-smudge -r|--remote=data --json -i|--id=data --path=data --cached --verify \
                --limit=num -l|--long -s|--size -d|--debug -a --deleted -n|--name-only --include-ref=data \
                --exclude-ref=data --skip-fetch --everything --yes --above=num --top=num --unit=data \
                --fixup --verbose --object-map=write --no-rewrite -m=data --message=data --file=read \
                --pointer=read --stdin --check --strict --no-strict --dry-run --verify-remote -c \
                --no-verify-remote --object-id --porcelain -v --filename --lockable --not-lockable \
                --no-excluded",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["migrate"]),
                    Condition::Lacks(&["--no-rewrite"]),
                    Condition::Operand(&["import", "export"]),
                ],
                acts: &[
                    Act::Loses("the history as it was before", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["prune"]),
                    Condition::Has(&["--no-verify-remote", "-f"]),
                    Condition::Lacks(&["--dry-run", "-d"]),
                ],
                acts: &[
                    Act::Loses("large files that only this folder held", RecoverableBy::Remote),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["ls-files", "status", "track", "untrack", "install",
                        "uninstall", "update", "env", "ext", "version", "logs", "pointer", "dedup",
                        "prune"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["clean", "fsck", "post-checkout", "post-commit", "post-merge"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["clone"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                    Act::Operand(2, false, Role::Write),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["push", "pre-push", "lock", "unlock"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Send),
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
            "svn",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -A|--authors-file=read --add-author-from --after --authors-prog=prog -B|--before \
                -b|--branches=data --commit-url=choose -d|--destination=data -e|--edit -F|--file=read \
                --fetch-all|--all --find-copies-harder --follow-parent --git-format -i|--id=data \
                --ignore-paths=pat --ignore-refs=pat --include-paths=pat --incremental --interactive \
                -l?=num --limit=num --local --localtime --log-window-size=num -m?=data --merge \
                --mergeinfo=data --message=data -n|--dry-run --no-follow-parent --no-metadata \
                --no-minimize-url --no-rebase --oneline -p|--parent|--parents|--rebase-merges \
                --placeholder-filename=data --prefix=data --preserve-empty-dirs -q|--quiet \
                -R|--svn-remote=data -r|--revision=data --rewrite-root=data --rewrite-uuid=data --rmdir \
                -s|--stdlayout --shared?=data --show-commit --stdin --strategy=data -T|--trunk=data \
                -t?=data --tag --tags=data --template=file --url --use-log-author --use-svm-props \
                --use-svnsync-props --username=data -v|--verbose",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["find-rev", "info"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["gc", "mkdirs", "reset"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["init", "clone"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                    Act::Operand(2, false, Role::Write),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["dcommit", "branch", "tag", "set-tree", "commit-diff", "propset"]),
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Send),
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
            "annex p4 flow cvsimport",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --all --force -f -m=data -p|--prefix=data -P=data -b=data --dry-run -n -v -r=data \
                --branch=data --include=pat --exclude=pat",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["init", "feature", "add", "status"]),
                ],
                acts: &[
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
            "daemon",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --strict-paths --base-path=read --base-path-relaxed --interpolated-path=data --export-all \
                --inetd --listen=data --port=num --init-timeout=num --timeout=num --max-connections=num \
                --syslog --log-destination=data --user-path?=data --verbose --reuseaddr --detach \
                --pid-file=write --user=data --group=data --enable=data --disable=data \
                --allow-override=data --forbid-override=data --informative-errors --no-informative-errors \
                --access-hook=prog",
            "read*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("*", "git", &["--port"]),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--enable"], &["receive-pack"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "lets anyone who reaches the port change the repositories"),
                ],
            },
        ])
        ,
        works(
            "instaweb",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                -l|--local -p|--port=num -d|--httpd=sh -b|--browser=prog -m|--module-path=file --stop \
                --start --restart",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--stop"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["stop"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-l"]),
                ],
                acts: &[
                    Act::Listens("127.0.0.1", "http", &["-p"]),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("*", "http", &["-p"]),
                ],
            },
        ])
        ,
        works(
            "fast-export",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --progress=data --signed-tags=data --tag-of-filtered-object=data --reencode=data \
                --export-marks=write --import-marks=read --import-marks-if-exists=read \
                --fake-missing-tagger --full-tree --use-done-feature --no-data --refspec=data --anonymize \
                --anonymize-map=data --reference-excluded-parents --show-original-ids --mark-tags -M -C \
                --all --no-fake-missing-tagger",
            "data*",
        )
        ,
        works(
            "fast-import",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "\
                --force --quiet --stats --allow-unsafe-features --cat-blob-fd=data --date-format=data \
                --done --export-marks=write --import-marks=read --import-marks-if-exists=read \
                --relative-marks --no-relative-marks --active-branches=data --big-file-threshold=data \
                --depth=num --export-pack-edges=write --max-pack-size=num --rewrite-submodules-from=data \
                --rewrite-submodules-to=data",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--force"]),
                ],
                acts: &[
                    Act::Loses("where branches pointed", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--allow-unsafe-features"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "bugreport",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-o|--output-directory=write -s|--suffix=data --diagnose?=data --no-diagnose",
            "",
        )
        ,
        works(
            "diagnose",
            "git(1) and the page of each sub-command 2.47, compared with 2.39",
            "-o|--output-directory=write -s|--suffix=data --mode=data",
            "",
        )
        ,
    ])
    ,
];
