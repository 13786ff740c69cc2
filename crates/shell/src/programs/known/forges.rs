// Generated from knowledge/programs/forges.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            glab tea hub-cli bb-cli jira linear sentry-cli circleci travis buildkite-agent act-cli",
        "their manuals glab 1.36, tea 0.9, sentry-cli 2.28",
        "\
            -R|--repo=data -X|--method=data -f|--raw-field=data -F|--field|--body-file|--notes-file=data \
            --input|--description-file|--env-file=read -H|--header=data -m|--message=data \
            -t|--show-token|--title=data -d|--description=data -b|--body=data -g|--group=data \
            --hostname=choose -h|--help --version",
        "data*",
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
        Rule {
            when: &[
                Condition::Lacks(&["-t"]),
                Condition::Path(&["version", "help", "completion", "auth/status", "config/get",
                        "config/list", "alias/list", "extension/list"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-t"]),
                Condition::Path(&["auth/status"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the forge's token"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["auth/token", "config/get-token", "token/*", "*/token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the forge's token"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["auth"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["alias/set"]),
            ],
            acts: &[
                Act::RunsAfter("!"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["extension/install", "extension/upgrade", "extension/exec",
                        "plugin/install", "update"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs or runs an extension"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["glab"]),
            ],
            acts: &[
                Act::Contacts("gitlab.com", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["tea", "hub-cli", "bb-cli", "jira", "linear", "sentry-cli", "circleci",
                        "travis", "buildkite-agent", "act-cli"]),
            ],
            acts: &[
                Act::Contacts("{program}", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-F"]),
                Condition::Value(&["-F"], &["*=@*"]),
            ],
            acts: &[
                Act::ReadsAfter(&["=@"]),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["api"]),
                Condition::Has(&["-F"]),
            ],
            acts: &[
                Act::SendsValue("-F"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "remove", "archive", "rename", "transfer", "disable",
                        "unlink", "purge"]),
            ],
            acts: &[
                Act::Finding("shell.history_loss", "`{program} {first}` takes away what others use"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-X"], &["DELETE", "delete"]),
            ],
            acts: &[
                Act::Finding("shell.history_loss", "`{program} {first}` takes away what others use"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["repo/edit", "secret/set", "secret/add", "variable/set", "ssh-key/add",
                        "gpg-key/add", "deploy-key/add"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what on the forge"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/protect", "*/members", "members/*", "token/create"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what on the forge"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["snippet/create", "gist/create", "release/create", "release/upload",
                        "sourcemaps/upload", "files/upload", "*/upload"]),
            ],
            acts: &[
                Act::Sends(2, true),
                Act::Finding("shell.upload", "publishes files"),
            ],
        },
    ])
    .taken_over()
    ,
];
