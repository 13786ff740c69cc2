// Generated from knowledge/programs/cloc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cloc",
        "cloc(1) 1.96",
        "\
            --3 --autoconf --by-file --by-file-by-lang --by-percent=data --categorized=write \
            --config=config --count-and-diff --counted=write --csv --csv-delimiter=data --diff \
            --diff-alignment=write --diff-list-file=list --diff-timeout=num --docstring-as-code \
            --exclude-content=pat --exclude-dir=data --exclude-ext=data --exclude-lang=data \
            --exclude-list-file=read --explain=data --extract-with=sh --file-encoding=data --follow-links \
            --force-lang=data --force-lang-def=read --found=write --fullpath --git --git-diff-all \
            --git-diff-rel --help --hide-rate --ignore-case --ignore-case-ext --ignore-whitespace \
            --ignored=write --include-ext=data --include-lang=data --json --lang-no-ext=data \
            --list-file=list --match-d=pat --match-f=pat --max-file-size=num --md --no-autogen?=data \
            --no-recurse --not-match-d=pat --not-match-f=pat --original-dir --out=write \
            --print-filter-stages --processes=num --progress-rate=num --quiet --read-binary-files \
            --read-lang-def=read --report-file=write --script-lang=data --sdir=write --show-ext?=data \
            --show-lang?=data --show-os --skip-archive=pat --skip-leading=data --skip-uniqueness \
            --skip-win-hidden --sql=write --sql-append --sql-project=data --sql-style=data --stat \
            --stdin-name=data --strip-comments=data --strip-str-comments --sum-one --sum-reports \
            --summary-cutoff=data --timeout=num --unicode --unix --use-sloccount -v|--verbose?=num \
            --vcs=sh --version --windows --write-lang-def=write --write-lang-def-incl-dup=write --xml \
            --xsl?=data --yaml",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--strip-comments"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "shellcheck",
        "shellcheck(1) 0.9",
        "\
            -a|--check-sourced -C|--color?=data -e|--exclude=data -f|--format=data --help \
            -i|--include=data --list-optional --norc -o|--enable=data -P|--source-path=look \
            --rcfile=config -S|--severity=data -s|--shell=data -V|--version -W|--wiki-link-count=num \
            -x|--external-sources",
        "read*",
    )
    ,
    reads(
        "actionlint",
        "actionlint(1) 1.7",
        "\
            -color -config-file=read -debug -format=data -h|-help -ignore=pat -init-config -no-color \
            -oneline -pyflakes=prog -shellcheck=prog -stdin-filename=data -verbose -version",
        "read*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-init-config"]),
            ],
            acts: &[
                Act::WritesFile(".github/actionlint.yaml"),
            ],
        },
    ])
    ,
    reads(
        "markdownlint",
        "markdownlint --help markdownlint-cli 0.48",
        "\
            -c|--config=config --configPointer=data -d|--dot --disable=data --enable=data -f|--fix \
            -h|--help -i|--ignore=pat -j|--json -o|--output=write -p|--ignore-path=read -q|--quiet \
            -r|--rules=file:javascript -s|--stdin -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "scc",
        "scc --help 3.5",
        "\
            -a|--dryness --avg-wage=num --binary --by-file -c|--no-complexity --ci \
            --cocomo-project-type=data --count-as=data --count-ignore --currency-symbol=data \
            -d|--no-duplicates --debug --directory-walker-job-workers=num --eaf=num --exclude-dir=data \
            -f|--format=data --file-gc-count=num --file-list-queue-size=num --file-process-job-workers=num \
            --file-summary-job-queue-size=num --format-multi=data --gen --generated-markers=data -h|--help \
            -i|--include-ext=data --include-symlinks -l|--languages --large-byte-count=num \
            --large-line-count=num -M|--not-match=pat -m|--character --min --min-gen-line-length=num \
            -n|--exclude-file=data --no-cocomo --no-gen --no-gitignore --no-gitmodule --no-hborder \
            --no-ignore --no-large --no-min --no-min-gen --no-scc-ignore --no-size -o|--output=write \
            --overhead=num -p|--percent --remap-all=data --remap-unknown=data -s|--sort=data \
            --size-unit=data --sloccount-format --sql-project=data -t|--trace -u|--uloc -v|--verbose \
            --version -w|--wide -x|--exclude-ext=data -z|--min-gen",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--format-multi"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "codespell",
        "codespell(1) 2.2",
        "\
            -A|--after-context=num -B|--before-context=num --builtin=data -C|--context=num \
            -c|--enable-colors --config=config --count -D|--dictionary=read -d|--disable-colors \
            -e|--hard-encoding-detection -f|--check-filenames -H|--check-hidden -h|--help \
            -I|--ignore-words=read -i|--interactive=num --ignore-regex=pat -L|--ignore-words-list=data \
            -q|--quiet-level=num -r|--regex=pat -S|--skip=pat -s|--summary --toml=config \
            --uri-ignore-words-list=data --uri-regex=pat --version -w|--write-changes \
            -x|--exclude-file=read",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-I", "-x", "-D"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w", "-i"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "hunspell",
        "hunspell(1) 1.7",
        "\
            -1 -a --check-apostrophe --check-url -D -d=look -G -H -h|--help -i=data -L -l -m -n -O \
            -P=secret -p=read -r -s -t -v|--version -w -X",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-a", "-l", "-L", "-G", "-m", "-s", "-w", "-D"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "yamllint",
        "yamllint(1) 1.29",
        "\
            -c|--config-file=config -d|--config-data=data -f|--format=data -h|--help --list-files \
            --no-warnings -s|--strict -v|--version",
        "read*",
    )
    ,
    works(
        "sloccount",
        "sloccount(1) 2.26",
        "\
            --addlang=data --addlangall --append --autogen --cached --crossdups --datadir=write --details \
            --duplicates --filecount --follow --multiproject --overhead=num --personcost=num --version \
            --wide",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--cached", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    reads(
        "\
            tokei loccount wordcount aspell ispell spell hadolint vale proselint typos checkov-lint",
        "their help texts tokei 12.1, hadolint 2.12, vale 3.0, typos 1.19",
        "\
            -e=data -f=data -x -a -l -d=data -m=data --lang=data --list -q --json --exclude-dir=data \
            --include-lang=data --format=data --exclude=data --severity=data --color?=data --config=config \
            -c=config --quiet --files --sort=data -s=data -o=data -t=data --strict --no-warnings",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["ispell", "spell"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    ,
];
