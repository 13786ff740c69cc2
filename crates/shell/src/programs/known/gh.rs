// Generated from knowledge/programs/gh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    -R|--repo=data -q|--jq=data -t|--template=data --json=data -w|--web -L|--limit=num -h|--help \
    --hostname=choose --version";

const LISTING: &str = "\
    -A|--author=data -a|--assignee|--app=data -B|--base=data -d|--draft -H|--head=data \
    -l|--label|--language=data --search=data -S=data -s|--state|--sort|--source=data --order=data \
    --milestone=data -m --mention=data -c|--comments|--commit=data -b|--branch=data -e|--event|--env=data \
    -u|--user=data -k|--key=data -o|--org=data --owner=data --archived --no-archived --fork \
    --visibility=data --topic=data --created=data --name-only --patch --color=data --watch --fail-fast \
    --required -i|--interval=num --exit-status --log --log-failed -j|--job=data --attempt=num -v|--verbose \
    -r|--ref|--raw|--exclude-drafts --exclude-pre-releases -n|--no-browser --conflict-status -y|--yaml \
    -f|--files|--filename=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gh",
        "gh help, and help of each command 2.63, compared with 2.23",
        "",
        "",
    )
    .also(COMMON)
    .style(Style::Lenient)
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
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mentions,
                Act::Contacts("api.github.com", "https", Direction::Both),
                Act::Finding("shell.remote_code", "`gh {first}` is an extension or an alias, which runs as you"),
            ],
        },
    ])
    .subs(&[
        reads(
            "version help completion",
            "gh help, and help of each command 2.63, compared with 2.23",
            "-s|--shell=data",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "status",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "data*",
        )
        .also(COMMON)
        .and(LISTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "auth",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            reads(
                "status",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-t|--show-token -a|--active -h|--hostname=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-t"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints the forge's token"),
                    ],
                },
            ])
            ,
            works(
                "token git-credential",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-h|--hostname=choose -u|--user=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints the forge's token"),
                    ],
                },
            ])
            ,
            works(
                "login logout refresh setup-git switch",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -h|--hostname=choose --with-token -p|--git-protocol=data -s|--scopes=data \
                    --insecure-storage --skip-ssh-key -u|--user=data --clipboard",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "config",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "get list ls",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-h|--host=data",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "set",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-h|--host=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::First(&["pager", "editor", "browser"]),
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Shell),
                    ],
                },
                Rule {
                    when: &[
                        Condition::First(&["http_unix_socket"]),
                    ],
                    acts: &[
                        Act::Finding("shell.tamper", "sends every call to the forge through this socket"),
                    ],
                },
            ])
            ,
            works(
                "clear-cache",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "alias",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "set",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-s|--shell --clobber",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-s"]),
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Shell),
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsAfter("!"),
                    ],
                },
            ])
            ,
            works(
                "delete",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "import",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--clobber",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Config),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "extension extensions ext",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls search",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--license=data",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            ,
            works(
                "install upgrade exec",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--all --dry-run --force --pin=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.remote_code", "installs or runs an extension"),
                    ],
                },
            ])
            ,
            works(
                "create remove browse",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--debug --precompiled=data -s|--single-column",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "api",
            "gh help, and help of each command 2.63, compared with 2.23",
            "\
                -X|--method=data -f|--raw-field=data -F|--field=data --input=data -H|--header=data \
                -p|--preview=data -i|--include --paginate --slurp --silent --cache=data --verbose",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Value(&["-X"], &["GET", "get"]),
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-X", "-f", "-F", "--input"]),
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--input"]),
                ],
                acts: &[
                    Act::SendsValue("--input"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-F"], &["*=@*"]),
                ],
                acts: &[
                    Act::ReadsAfter(&["=@"]),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-X"], &["DELETE", "delete"]),
                ],
                acts: &[
                    Act::Finding("shell.history_loss", "`gh api` deletes what others use"),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-f", "-F"], &["query=*mutation*delete*"]),
                ],
                acts: &[
                    Act::Finding("shell.history_loss", "`gh api` deletes what others use"),
                ],
            },
        ])
        ,
        works(
            "browse",
            "gh help, and help of each command 2.63, compared with 2.23",
            "\
                -b|--branch=data -c|--commit?=data -n|--no-browser -p|--projects -s|--settings -w|--wiki",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "search",
            "gh help, and help of each command 2.63, compared with 2.23",
            "\
                --author-date=data --author-email=data --author-name=data --checks=data --closed=data \
                --commenter=data --comments=data --committer=data --committer-date=data \
                --committer-email=data --committer-name=data --draft --filename=data --followers=data \
                --forks=data --good-first-issues=num --hash=data --help-wanted-issues=num \
                --include-forks=data --include-prs --interactions=data --involves=data --license=data \
                --locked --match=data --mentions=data --merge --merged --merged-at=data --no-assignee \
                --no-label --no-milestone --no-project --number-topics=data --parent=data --project=data \
                --reactions=data --repo=data --review=data --review-requested=data --reviewed-by=data \
                --size=data --stars=data --team-mentions=data --tree=data --updated=data",
            "data*",
        )
        .also(COMMON)
        .and(LISTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "pr issue discussion",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            works(
                "list ls",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-m|--milestone=data",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "view status diff checks",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-c|--comments|--conflict-status -e|--exclude=data",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "checkout co",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-b|--branch=data --detach -f|--force --recurse-submodules",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["-f"]),
                    ],
                    acts: &[
                        Act::Loses("commits of the local branch", RecoverableBy::Reflog),
                    ],
                },
            ])
            ,
            works(
                "review",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-a|--approve -b|--body=data -c|--comment -F|--body-file=data -r|--request-changes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::SendsValue("-F"),
                    ],
                },
            ])
            ,
            works(
                "merge",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -A|--author-email=data --admin --auto -b|--body=data -d|--delete-branch --disable-auto \
                    -F|--body-file=data -m|--merge --match-head-commit=data -r|--rebase -s|--squash \
                    -t|--subject=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::SendsValue("-F"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--admin"]),
                    ],
                    acts: &[
                        Act::Finding("shell.privilege", "changes who may do what on the forge, or goes past its rules"),
                    ],
                },
            ])
            ,
            works(
                "develop",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-b|--base=data -c|--checkout -i|--issue-repo=data -l|--list -n|--name=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
            ])
            ,
            works(
                "close",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-c|--comment=data -d|--delete-branch -r|--reason=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["-d"]),
                    ],
                    acts: &[
                        Act::Finding("shell.history_loss", "deletes the branch of what is closed"),
                    ],
                },
            ])
            ,
            works(
                "\
                    create new edit comment ready reopen lock unlock pin unpin transfer update-branch \
                    revert",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -a|--assignee=data --add-assignee=data --add-label=data --add-project=data \
                    --add-reviewer=data -B|--base=data -b|--body=data -c|--comment=data -d|--draft \
                    --dry-run --edit-last -e|--editor -F|--body-file=data -f|--fill -H|--head=data \
                    -l|--label=data -m|--milestone=data --no-maintainer-edit -p|--project=data \
                    -r|--reviewer|--reason=data --rebase --recover=read --remove-assignee=data \
                    --remove-label=data --remove-project=data --remove-reviewer=data -T|--template=data \
                    -t|--title=data --undo --yes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::SendsValue("-F"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["transfer"]),
                    ],
                    acts: &[
                        Act::Finding("shell.history_loss", "`gh issue transfer` takes away what others use"),
                    ],
                },
            ])
            ,
            works(
                "delete",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--yes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "repo",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            works(
                "list ls view",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--source",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "clone",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-u|--upstream-remote-name=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                        Act::Operand(1, false, Role::Dir),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Operand(&["*core.*", "-c*", "--config*", "-u*", "--upload-pack*",
                            "--template*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.remote_code", "gives git options that run a program"),
                    ],
                },
            ])
            ,
            works(
                "sync fork",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    --clone?=data --remote?=data --force -b|--branch=data -s|--source=data \
                    --fork-name=data --org=data --default-branch-only --remote-name=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["sync"]),
                        Condition::Has(&["--force"]),
                    ],
                    acts: &[
                        Act::Finding("shell.history_loss", "replaces a branch with another's"),
                    ],
                },
            ])
            ,
            works(
                "create new",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    --public --private --internal --push -s|--source=look -r|--remote=data -c|--clone \
                    -d|--description=data -g|--gitignore=data -l|--license=data -p|--template=data \
                    -t|--team=data --add-readme --disable-issues --disable-wiki -h|--homepage=data \
                    --include-all-branches",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--push"]),
                    ],
                    acts: &[
                        Act::Finding("shell.upload", "publishes the project"),
                    ],
                },
            ])
            ,
            works(
                "delete archive rename unarchive",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-y|--yes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
            works(
                "edit deploy-key autolink",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -R|--repo=data --add-topic=data --allow-forking?=data --allow-update-branch?=data \
                    -d|--description=data --default-branch=data --delete-branch-on-merge?=data \
                    --enable-auto-merge?=data --enable-discussions?=data --enable-issues?=data \
                    --enable-merge-commit?=data --enable-projects?=data --enable-rebase-merge?=data \
                    --enable-squash-merge?=data --enable-wiki?=data -h|--homepage=data --remove-topic=data \
                    --template?=data -t|--title=data --visibility=data -w|--allow-write",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.privilege", "changes who may do what on the forge"),
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "set-default gitignore license",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-u|--unset -v|--view",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "secret variable ssh-key gpg-key",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            works(
                "list ls get",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-a|--app=data -u|--user",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "set add",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -b|--body=data -f|--env-file=data -e|--env=data -o|--org=data -u|--user \
                    -v|--visibility=data -r|--repos=data -a|--app=data --title=data --type=data --no-store",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::SendsValue("-f"),
                        Act::Finding("shell.privilege", "changes who may do what on the forge"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Lacks(&["-b"]),
                        Condition::Operands(1, usize::MAX),
                        Condition::Program(&["gh"]),
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "delete remove",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-a|--app=data -e|--env=data -o|--org=data -u|--user -y|--yes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "gist",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--files -f|--filename=data --public --secret",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "clone",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                        Act::Operand(1, false, Role::Dir),
                    ],
                },
            ])
            ,
            works(
                "create new",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-d|--desc=data -f|--filename=data -p|--public -w|--web",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Sends(0, true),
                        Act::Finding("shell.upload", "publishes files"),
                    ],
                },
            ])
            ,
            works(
                "edit",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-a|--add=data -d|--desc=data -f|--filename=data -r|--remove=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Sends(1, true),
                        Act::SendsValue("-a"),
                        Act::Finding("shell.upload", "publishes files"),
                    ],
                },
            ])
            ,
            works(
                "delete rename",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--yes",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "release",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view verify verify-asset",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "download",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -A|--archive=data --clobber -D|--dir=dir -O|--output=download -p|--pattern=data \
                    --skip-existing",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "create new upload",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -F|--notes-file=data -n|--notes=data -t|--title=data --target=data --generate-notes \
                    --notes-start-tag=data --notes-from-tag -d|--draft -p|--prerelease --latest?=data \
                    --verify-tag --discussion-category=data --clobber --fail-on-no-commits",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Sends(1, true),
                        Act::SendsValue("-F"),
                        Act::Finding("shell.upload", "publishes files"),
                    ],
                },
            ])
            ,
            works(
                "edit",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    --discussion-category=data --draft?=data -F|--notes-file=data --latest?=data \
                    -n|--notes=data --prerelease?=data -t|--title=data --tag=data --target=data \
                    --verify-tag",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::SendsValue("-F"),
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "delete delete-asset",
                "gh help, and help of each command 2.63, compared with 2.23",
                "--cleanup-tag -y|--yes",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "\
                run workflow cache ruleset attestation label org project licenses preview agent-task \
                copilot skill",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.github.com", "https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            works(
                "list ls view status watch verify trusted-root check item-list field-list",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-a|--all -r|--ref=data -w|--web|--workflow",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "download",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-D|--dir=dir -n|--name=data -p|--pattern=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "\
                    run rerun enable disable cancel create edit clone copy close link unlink mark-template \
                    item-add item-create item-edit item-archive field-create",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -c|--color=data -d|--debug --description=data -F|--field=data -f|--raw-field=data \
                    --failed --force -j|--job=data -n|--name=data -r|--ref=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["-F"], &["*=@*"]),
                    ],
                    acts: &[
                        Act::ReadsAfter(&["=@"]),
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["disable"]),
                    ],
                    acts: &[
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
            works(
                "delete item-delete field-delete",
                "gh help, and help of each command 2.63, compared with 2.23",
                "",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "codespace cs",
            "gh help, and help of each command 2.63, compared with 2.23",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view logs",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-c|--codespace=data -f|--follow --repo-owner=data",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "ports",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-c|--codespace=data --repo-owner=data",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::First(&["visibility"]),
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.privilege", "chooses who reaches a port of the codespace"),
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                        Condition::First(&["forward"]),
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::BeyondPlain,
                        Act::Stop,
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "ssh",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -c|--codespace=data --config -d|--debug --debug-file=write --profile=data \
                    -R|--repo=data --repo-owner=data --server-port=num",
                "data*",
            )
            .style(Style::LenientPosix)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("github.com", "ssh", Direction::Both),
                        Act::RunsRemote(0, "codespace"),
                    ],
                },
            ])
            ,
            works(
                "cp",
                "gh help, and help of each command 2.63, compared with 2.23",
                "-e|--expand -r|--recursive -p|--profile=data -c|--codespace=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("github.com", "ssh", Direction::Both),
                        Act::Mentions,
                        Act::BeyondPlain,
                    ],
                },
            ])
            ,
            works(
                "delete",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    --all -c|--codespace=data --days=num -f|--force -o|--org=data -R|--repo=data \
                    --repo-owner=data -u|--user=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Finding("shell.history_loss", "`gh {command}` takes away what others use"),
                    ],
                },
            ])
            ,
            works(
                "create edit stop rebuild code jupyter",
                "gh help, and help of each command 2.63, compared with 2.23",
                "\
                    -b|--branch=data -c|--codespace=data -d|--display-name=data --default-permissions \
                    --devcontainer-path=data --full --idle-timeout=data --insiders -l|--location=data \
                    -m|--machine=data -o|--org=data -R|--repo=data --repo-owner=data \
                    --retention-period=data -s|--status -u|--user=data -w|--web",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    ,
];
