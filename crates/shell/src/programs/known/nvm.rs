// Generated from knowledge/programs/nvm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nvm fnm volta rbenv nodenv asdf sdk jenv goenv tfenv corepack n rvm",
        "their manuals nvm 0.39, asdf 0.14",
        "--version -v -h|--help -q|--quiet",
        "",
    )
    .style(Style::LenientPosix)
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
                Condition::Path(&["*/do"]),
                Condition::Program(&["rvm"]),
            ],
            acts: &[
                Act::Wraps(2),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                ls list current version versions which whence root prefix init hook status export where \
                help ls-remote list-all outdated doctor commands completions local-version",
            "their manuals nvm 0.39, asdf 0.14",
            "\
                --no-colors --lts?=data --bare --skip-aliases --all --current --installed -J|--json \
                -g|--global -l --path --shell=data --use-on-cd",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["ls-remote", "list-all", "outdated"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "plugin plugins",
            "their manuals nvm 0.39, asdf 0.14",
            "",
            "",
        )
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
                "list ls",
                "their manuals nvm 0.39, asdf 0.14",
                "--all --urls --refs",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "add install i update upgrade",
                "their manuals nvm 0.39, asdf 0.14",
                "",
                "",
            )
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs a plug-in, which later calls run"),
                    ],
                },
            ])
            ,
            works(
                "remove rm uninstall link",
                "their manuals nvm 0.39, asdf 0.14",
                "",
                "",
            )
            ,
        ])
        ,
        works(
            "\
                install update toolchain component target add i fetch reinstall latest lts stable \
                use-install",
            "their manuals nvm 0.39, asdf 0.14",
            "\
                --lts?=data --latest-npm --reinstall-packages-from=data -s|--skip-existing -f|--force \
                -k|--keep -v|--verbose -p|--patch -g|--debug",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "servers of the tool", &["always"], &[], false),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "exec run x",
            "their manuals nvm 0.39, asdf 0.14",
            "\
                --using=data --node=data --npm=data --pnpm=data --yarn=data --bundled-npm --no-pnpm \
                --no-yarn --silent --install",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*0", "*1", "*2", "*3", "*4", "*5", "*6", "*7", "*8", "*9", "lts*",
                        "node", "stable"]),
                    Condition::Program(&["nvm", "n"]),
                ],
                acts: &[
                    Act::Wraps(1),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
        works(
            "\
                use global local shell alias unalias default pin unpin uninstall remove rm prune cache \
                deactivate activate enable disable prepare hydrate set unset config settings self-update \
                implode rehash reshim unload upgrade",
            "their manuals nvm 0.39, asdf 0.14",
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
        works(
            "env",
            "their manuals nvm 0.39, asdf 0.14",
            "",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                    Condition::Program(&["asdf"]),
                ],
                acts: &[
                    Act::Wraps(1),
                ],
            },
        ])
        ,
        works(
            "pnpm pnpx yarn yarnpkg npm npx",
            "their manuals nvm 0.39, asdf 0.14",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["npm", "npx"]),
                ],
                acts: &[
                    Act::RunsAs("npm", 0),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["pnpm", "pnpx"]),
                ],
                acts: &[
                    Act::RunsAs("pnpm", 0),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["yarn", "yarnpkg"]),
                ],
                acts: &[
                    Act::RunsAs("yarn", 0),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "pyenv",
        "pyenv help, and help of each command 2.6.30",
        "-h|--help -v|--version",
        "",
    )
    .style(Style::LenientPosix)
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
                Act::Works,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                commands completions help hooks init latest prefix root shims version version-file \
                version-file-read version-name version-origin versions whence which --version",
            "pyenv help, and help of each command 2.6.30",
            "\
                - -b|--bypass --bare --detect-shell --executables -f|--force -k|--known --no-push-path \
                --no-rehash --no-sh --nosystem --path --sh --skip-advice --skip-aliases --skip-envs",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "install",
            "pyenv help, and help of each command 2.6.30",
            "\
                -f|--force -g|--debug -k|--keep -l|--list -p|--patch -s|--skip-existing -v|--verbose \
                --version",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-l", "--version"]),
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
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "servers of the tool", &["always"], &[], false),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "uninstall",
            "pyenv help, and help of each command 2.6.30",
            "-f|--force",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f"]),
                ],
                acts: &[
                    Act::Finding("shell.delete", "removes a version and what was installed into it"),
                ],
            },
        ])
        ,
        works(
            "global local shell",
            "pyenv help, and help of each command 2.6.30",
            "-f|--force --unset",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--unset"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "version-file-write",
            "pyenv help, and help of each command 2.6.30",
            "",
            "",
        )
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
            "rehash virtualenv virtualenvs virtualenv-delete activate deactivate doctor",
            "pyenv help, and help of each command 2.6.30",
            "",
            "",
        )
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
        works(
            "update",
            "pyenv help, and help of each command 2.6.30",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "exec",
            "pyenv help, and help of each command 2.6.30",
            "",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "mise",
        "mise(1) 2024.2",
        "\
            -C|--cd=look -E|--env=data -j|--jobs=num -q|--quiet -v|--verbose -y|--yes -V|--version \
            -h|--help",
        "",
    )
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
    .subs(&[
        works(
            "\
                ls list current version versions which where status doctor help completion ls-remote \
                bin-paths backends settings config env outdated registry",
            "mise(1) 2024.2",
            "--no-header --installed --current -J|--json -g|--global --path -s|--shell=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
        ])
        ,
        works(
            "exec x",
            "mise(1) 2024.2",
            "-c|--command=sh",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(AFTER_DASHES),
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
        ])
        ,
        works(
            "use u",
            "mise(1) 2024.2",
            "\
                --postinstall=sh --tool-option=data -e|--env=data -f|--force -g|--global -n|--dry-run \
                -p|--path=inplace --pin --fuzzy --raw --remove=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "\
                run r tasks task watch w trust activate hook-env install i upgrade up prepare deps dep \
                shell sh en set unset sync test-tool daemons daemon dotfiles dot oci",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "bootstrap bs",
            "mise(1) 2024.2",
            "--from=url --adopt=url --from-dir=config -n|--dry-run",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--from", "--adopt"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "sets the machine up as a repository says"),
                ],
            },
        ])
        ,
        works(
            "generate gen g",
            "mise(1) 2024.2",
            "\
                -b|--bin=data -d|--dir=dir -o|--output=write -t|--task=data -u|--url=data -w|--write",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["tool-stub"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["git-pre-commit"]),
                    Condition::Has(&["-w"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "makes a hook that runs with each commit"),
                ],
            },
        ])
        ,
        works(
            "shell-alias",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["set"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "a name of the shell stands for something else"),
                ],
            },
        ])
        ,
        works(
            "token",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints tokens of a git provider"),
                ],
            },
        ])
        ,
        works(
            "ssh",
            "mise(1) 2024.2",
            "-i|--identity-file=read -o|--ssh-option=data -p|--port=num",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Host),
                    Act::RunsRemote(1, "the other host"),
                ],
            },
        ])
        ,
        works(
            "link ln",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Config),
                ],
            },
        ])
        ,
        works(
            "install-into",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                    Act::Operand(1, false, Role::Write),
                ],
            },
        ])
        ,
        works(
            "tool-stub",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("")),
                ],
            },
        ])
        ,
        works(
            "self-update",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "implode",
            "mise(1) 2024.2",
            "--config -n|--dry-run",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-n"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "removes all tools"),
                ],
            },
        ])
        ,
        works(
            "plugins plugin p",
            "mise(1) 2024.2",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "ls list ls-remote",
                "mise(1) 2024.2",
                "-a|--all -u|--urls",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install i add update upgrade",
                "mise(1) 2024.2",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs a plug-in, which later calls run"),
                    ],
                },
            ])
            ,
            works(
                "uninstall remove rm link",
                "mise(1) 2024.2",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "uninstall remove rm unuse prune cache deactivate alias reshim latest",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
    ])
    .taken_over()
    ,
    works(
        "direnv",
        "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
        "",
        "",
    )
    .style(Style::LenientPosix)
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
            "exec",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(1),
                ],
            },
        ])
        ,
        works(
            "allow permit grant",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::RunsProject(".envrc", "shell"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("shell")),
                ],
            },
        ])
        ,
        works(
            "edit",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::RunsProject(".envrc", "shell"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("shell")),
                ],
            },
        ])
        ,
        works(
            "export reload",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".envrc", "shell"),
                ],
            },
        ])
        ,
        reads(
            "dump",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Environment(true),
                ],
            },
        ])
        ,
        works(
            "fetchurl",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "status version help hook stdlib show_dump",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "--json",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "deny revoke block disallow prune watch apply_dump",
            "direnv help, direnv(1), direnv-fetchurl(1) 2.32",
            "",
            "",
        )
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
];
