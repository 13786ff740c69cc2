// Generated from knowledge/programs/ctags.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ctags",
        "ctags(1) universal-ctags 5.9, exuberant 5.9",
        "\
            -?|--help --append?=data -a -B -D=data -e --etags-include=data --exclude=pat \
            --exclude-exception=pat --excmd=data --extra=data --extras=data -F -f|-o=write --fields=data \
            --file-scope?=data --filter?=data --filter-terminator=data --format=data \
            -G|--guess-language-eagerly -h=data --help-full -I=data --if0?=data --input-encoding=data \
            --kinds-all=data -L=list --langdef=data --langmap=data --language-force=data --languages=data \
            --license --line-directives?=data --links?=data --list-aliases?=data --list-excludes \
            --list-extras?=data --list-features --list-fields?=data --list-kinds?=data \
            --list-kinds-full?=data --list-languages --list-map-extensions?=data --list-map-patterns?=data \
            --list-maps?=data --list-mline-regex-flags --list-params?=data --list-pseudo-tags \
            --list-regex-flags --list-roles?=data --list-subparsers?=data --machinable?=data \
            --maxdepth=num -N -n --options=config --options-maybe=config --optlib-dir=choose \
            --output-encoding=data --output-format=data --pattern-length-limit=num --print-language \
            --pseudo-tags=data --put-field-prefix --quiet?=data -R --recurse?=data --sort=data \
            --tag-relative=data --totals?=data -u --use-slash-as-filename-separator?=data -V \
            --verbose?=data --version -w --with-list-header?=data -x",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list-aliases", "--list-excludes", "--list-extras",
                        "--list-features", "--list-fields", "--list-kinds"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list-kinds-full", "--list-languages", "--list-maps",
                        "--list-map-extensions", "--list-map-patterns"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list-params", "--list-pseudo-tags", "--list-roles",
                        "--list-subparsers", "--license", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-x", "--filter", "--print-language"]),
                Condition::Lacks(&["-f", "--options", "--options-maybe"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
                Condition::Lacks(&["-f"]),
            ],
            acts: &[
                Act::WritesFile("TAGS"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-f", "-x", "--filter", "--print-language"]),
            ],
            acts: &[
                Act::WritesFile("tags"),
            ],
        },
    ])
    ,
    works(
        "etags",
        "etags(1) Emacs 28",
        "\
            -a|--append -o|--output=write -I -i|--include=data -l|--language=data -L -R -r|--regex=data",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::WritesFile("TAGS"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "cscope",
        "cscope(1) 15.9",
        "\
            -# -b -C -c -d -e -F=read -f=write -h|--help -I=look -i=list -k -L -l -P=look -p=num -q -R \
            -s=look -T -U -u -V|--version -v -X",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-f"]),
            ],
            acts: &[
                Act::WritesFile("cscope.out"),
            ],
        },
    ])
    ,
    works(
        "gtags",
        "gtags(1) 6.6",
        "\
            --accept-dotfiles -C|--directory=look -c|--compact --config?=data -d|--dump=read --explain \
            -f|--file=list --gtagsconf=config --gtagslabel=data --help -I|--idutils -i|--incremental \
            -O|--objdir -q|--quiet --single-update=read --skip-symlink?=data --skip-unreadable --sqlite3 \
            --statistics -v|--verbose --version -w|--warning",
        "dir",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--config", "-d", "--help", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::WritesFile("GTAGS"),
            ],
        },
    ])
    ,
];
