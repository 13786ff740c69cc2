// Generated from knowledge/programs/svn.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    --username=data --password=secret --password-from-stdin --no-auth-cache --non-interactive \
    --force-interactive --trust-server-cert --trust-server-cert-failures=data --config-dir=config \
    --config-option=data --editor-cmd=sh --diff-cmd=sh --diff3-cmd=sh --merge-tool=sh -x|--extensions=data \
    -q|--quiet -v|--verbose -r|--revision=data -c|--change=data -N|--non-recursive --depth=data \
    --set-depth=data -R|--recursive -F|--file=read -m|--message=data --encoding=data --force --force-log \
    --targets=list --xml --incremental -u|--show-updates --no-ignore --ignore-externals --stop-on-copy \
    --diff -l|--limit=num -g|--use-merge-history --search=data --search-and=data --summarize --git \
    --old=data --new=data --show-item=data --no-newline --include-externals --changelist|--cl=data \
    --parents --accept=data --dry-run --record-only --reintegrate --ignore-ancestry --ignore-whitespace \
    --strip=num --remove-unversioned --remove-ignored --vacuum-pristines --keep-local --keep-changelists \
    --revprop --with-revprop=data --native-eol=data --auto-props --no-auto-props --relocate --version \
    -h|--help";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "svn",
        "svn(1), svn help of each command 1.14",
        "",
        "",
    )
    .also(GLOBALS)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
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
            "status stat st diff di info propget pget pg proplist plist pl help tree youngest",
            "svn(1), svn help of each command 1.14",
            "",
            "look*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "log blame praise annotate ann cat list ls",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "update up checkout co export switch sw merge",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["checkout", "co", "export"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Dir),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "commit ci",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsRemote("origin", "svn", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "delete del remove rm",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::DeletesOperand(0, true, &["always"], &[]),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("svn", Direction::Send),
                    Act::Loses("a folder of the repository", RecoverableBy::Remote),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "\
                mkdir copy cp move mv rename ren import lock unlock propset pset ps propdel pdel pd \
                propedit pedit pe setrevprop relocate",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("svn", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["import"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["propset", "pset", "ps"]),
                    Condition::First(&["svn:externals"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "makes every later update fetch from another place"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "revert cleanup",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
        works(
            "add resolve resolved changelist cl upgrade patch mergeinfo",
            "svn(1), svn help of each command 1.14",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["patch"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config-option"], &["*tunnels:*", "*helpers:*", "*-cmd=*"]),
                ],
                acts: &[
                    Act::Value("--config-option", Role::Config),
                    Act::Finding("shell.obfuscated", "names a program that svn starts, as a setting"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
