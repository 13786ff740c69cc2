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
    --revprop --with-revprop=data --native-eol=data --auto-props --no-auto-props --relocate \
    --adds-as-modification --allow-mixed-revisions -H|--human-readable --ignore-keywords \
    --ignore-properties --internal-diff --log --no-diff-added --no-diff-deleted --no-unlock \
    --notice-ancestry --patch-compatible --pin-externals --properties-only --remove --remove-added \
    --reverse-diff --show-copies-as-adds --show-inherited-props --show-passwords --show-revs=data --strict \
    --with-all-revprops --with-no-revprops --version -h|--help";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "svn",
        "svn help of each command 1.14.2",
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
            "svn help of each command 1.14.2",
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
                    Condition::Called(&["status", "stat", "st"]),
                    Condition::Has(&["-u"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["diff", "di"]),
                    Condition::Has(&["-r", "-c"]),
                ],
                acts: &[
                    Act::ContactsRemote("origin", "svn", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--old", "--new"]),
                ],
                acts: &[
                    Act::ContactsUnknown("svn", Direction::Fetch),
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
            "svn help of each command 1.14.2",
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
            "svn help of each command 1.14.2",
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
                    Condition::Has(&["--relocate"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "makes later updates fetch from another place"),
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
            "svn help of each command 1.14.2",
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
            "svn help of each command 1.14.2",
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
            "svn help of each command 1.14.2",
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
                    Condition::FirstNot(&["*://*"]),
                ],
                acts: &[
                    Act::Sends(0, false),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["copy", "cp"]),
                    Condition::FirstNot(&["*://*"]),
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Sends(0, false),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["propset", "pset", "ps", "propedit", "pedit", "pe"]),
                    Condition::First(&["svn:externals"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "makes every later update fetch from another place"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["relocate"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "makes later updates fetch from another place"),
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
            "revert",
            "svn help of each command 1.14.2",
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
            "cleanup",
            "svn help of each command 1.14.2",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--remove-unversioned", "--remove-ignored"]),
                ],
                acts: &[
                    Act::Loses("files that aren't under version control", RecoverableBy::None),
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
            "auth",
            "svn help of each command 1.14.2",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--remove", "--show-passwords"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--show-passwords"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "shows passwords that svn keeps"),
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
            "svn help of each command 1.14.2",
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
    ,
];
