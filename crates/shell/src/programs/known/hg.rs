// Generated from knowledge/programs/hg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    -R|--repository=look --cwd=look --config=data -y|--noninteractive -q|--quiet -v|--verbose --color=data \
    --debug --debugger --pager=data --encoding=data --traceback --time --profile --hidden -h|--help \
    --version -e|--ssh=sh --remotecmd=sh --insecure";

const SELECTING: &str = "\
    -r|--rev|--revision=data -l|--limit=num -g|--git -p|--patch -T|--template=data -G|--graph \
    -u|--user=data -k|--keyword=data -d|--date=data -b|--branch=data -c|--change=data \
    -n|--number|--no-status -A|--all -m|--modified -a|--added|--text -i|--ignored -X|--exclude=pat \
    -I|--include=pat --stat -S|--subrepos -M|--no-merges -f|--follow -C|--copies -w|--ignore-all-space \
    -B|--ignore-blank-lines -U|--unified=num -0|--print0 -t|--tags -N --id -o|--output=write";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "hg",
        "hg help, and help of each command 6.6",
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
        Rule {
            when: &[
                Condition::Has(&["--config"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Value(&["--config"], &["hooks.*", "alias.*", "ui.editor*", "ui.ssh*", "ui.merge*",
                        "pager.pager*", "extensions.*", "merge-tools.*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["--config"], fits: &["extensions.*"], except: &[],
                    after: &["="] }, Role::File("python")),
                Act::Picked(Pick { at: &["--config"], fits: &["*=*"], except: &["extensions.*"],
                    after: &["=!", "="] }, Role::Shell),
                Act::Finding("shell.obfuscated", "names a program or extension that hg starts, as a setting"),
            ],
        },
    ])
    .subs(&[
        works(
            "\
                status st log history diff summary sum heads tip branches tags bookmarks paths root files \
                annotate blame cat identify id version manifest parents grep locate help config showconfig \
                debuginstall",
            "hg help, and help of each command 6.6",
            "",
            "look*",
        )
        .also(GLOBALS)
        .and(SELECTING)
        .style(Style::Lenient)
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
            "\
                revert purge strip rollback histedit shelve-delete uncommit unamend backout amend rebase \
                evolve prune",
            "hg help, and help of each command 6.6",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Loses("changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "update up checkout co goto merge",
            "hg help, and help of each command 6.6",
            "-C|--clean -c|--check -m|--merge -r|--rev=data -t|--tool=sh",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-C"]),
                ],
                acts: &[
                    Act::Loses("uncommitted changes", RecoverableBy::None),
                ],
            },
        ])
        ,
        works(
            "push",
            "hg help, and help of each command 6.6",
            "-f|--force -r|--rev=data -B|--bookmark=data -b|--branch=data --new-branch",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Loses("what the remote held", RecoverableBy::Remote),
                ],
            },
        ])
        ,
        works(
            "pull clone incoming in outgoing out fetch",
            "hg help, and help of each command 6.6",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsRemote("default", "hg", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["clone"]),
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Dir),
                ],
            },
        ])
        ,
        works(
            "bundle archive",
            "hg help, and help of each command 6.6",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Write),
                ],
            },
        ])
        ,
        works(
            "export",
            "hg help, and help of each command 6.6",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(SELECTING)
        .style(Style::Lenient)
        ,
        works(
            "serve",
            "hg help, and help of each command 6.6",
            "\
                -p|--port=data -a|--address=data -A|--accesslog=write -E|--errorlog=write --daemon \
                --pid-file=write --web-conf=config --stdio --cmdserver=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
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
            "import patch unbundle",
            "hg help, and help of each command 6.6",
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
                    Act::Operand(0, true, Role::Read),
                ],
            },
        ])
        ,
        works(
            "\
                commit ci add addremove remove rm forget move mv rename copy cp resolve branch bookmark \
                tag init graft shelve unshelve bisect phase recover verify phabsend debugcommands",
            "hg help, and help of each command 6.6",
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
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["remove", "rm"]),
                ],
                acts: &[
                    Act::DeletesOperand(0, true, &[], &[]),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
