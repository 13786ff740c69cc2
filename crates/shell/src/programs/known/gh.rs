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
        "gh help, and help of each command 2.63",
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
            "gh help, and help of each command 2.63",
            "-s|--shell=data",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "status",
            "gh help, and help of each command 2.63",
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
            "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "",
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
                "gh help, and help of each command 2.63",
                "\
                    --with-token -p|--git-protocol=data -s|--scopes=data --insecure-storage --skip-ssh-key \
                    -u|--user=data --clipboard",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "config",
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "get list ls",
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .also(COMMON)
            .style(Style::Lenient)
            ,
            works(
                "set",
                "gh help, and help of each command 2.63",
                "",
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
            ])
            ,
            works(
                "clear-cache",
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "alias",
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls",
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "set",
                "gh help, and help of each command 2.63",
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
                "delete import",
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Read),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "extension extensions ext",
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls search",
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .also(COMMON)
            .and(LISTING)
            .style(Style::Lenient)
            ,
            works(
                "install upgrade exec",
                "gh help, and help of each command 2.63",
                "",
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
                "gh help, and help of each command 2.63",
                "",
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
            "gh help, and help of each command 2.63",
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
        ])
        ,
        works(
            "search browse",
            "gh help, and help of each command 2.63",
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
            Rule {
                when: &[
                    Condition::Called(&["browse"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
        ])
        ,
        works(
            "pr issue discussion",
            "gh help, and help of each command 2.63",
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
                "list ls view status diff checks",
                "gh help, and help of each command 2.63",
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
                "checkout co",
                "gh help, and help of each command 2.63",
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
                "\
                    create new edit comment review ready reopen close lock unlock pin unpin develop \
                    transfer merge update-branch revert",
                "gh help, and help of each command 2.63",
                "\
                    -a|--assignee=data -B|--base=data -b|--body=data -F|--body-file=data \
                    -d|--draft|--delete-branch -f|--fill -H|--head=data -l|--label=data \
                    -m|--milestone|--merge=data -p|--project=data -r|--reviewer=data --recover=read \
                    -T=data --title=data --add-label=data --remove-label=data --add-reviewer=data \
                    --add-assignee=data --admin --auto --squash --rebase -c|--comment=data --reason=data \
                    --approve --request-changes --dry-run -e|--editor --subject=data \
                    --match-head-commit=data",
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
                "gh help, and help of each command 2.63",
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
            "repo",
            "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "clone",
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "\
                    --clone?=data --remote?=data --force -b|--branch=data -s|--source=data \
                    --fork-name=data --org=data --default-branch-only",
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
                "gh help, and help of each command 2.63",
                "\
                    --public --private --internal --push -s|--source=look -r|--remote=data -c|--clone \
                    -d|--description=data -g|--gitignore=data -l|--license=data -p|--template=data \
                    --team=data --add-readme --disable-issues --disable-wiki --homepage=data",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "",
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
                "gh help, and help of each command 2.63",
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
        ])
        ,
        works(
            "secret variable ssh-key gpg-key",
            "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "set add",
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
            "gist",
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view",
                "gh help, and help of each command 2.63",
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
                "clone",
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "",
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
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view verify verify-asset",
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("api.github.com", "https", Direction::Both),
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "delete delete-asset",
                "gh help, and help of each command 2.63",
                "",
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
            "\
                run workflow cache ruleset attestation label org project licenses preview agent-task \
                copilot skill",
            "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
            "gh help, and help of each command 2.63",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "list ls view logs ports",
                "gh help, and help of each command 2.63",
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
                "ssh",
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
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
                "gh help, and help of each command 2.63",
                "",
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
                "gh help, and help of each command 2.63",
                "",
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
    .taken_over()
    ,
];
