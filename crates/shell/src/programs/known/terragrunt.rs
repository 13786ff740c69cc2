// Generated from knowledge/programs/terragrunt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "terragrunt cdktf terraformer atlantis",
        "terragrunt.gruntwork.io, developer.hashicorp.com/terraform/cdktf 0.55, 0.20",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Verb(&["destroy", "cancel"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "destroys infrastructure"),
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-destroy", "--destroy"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "destroys infrastructure"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["state/rm", "state/push", "state/replace-provider", "state/mv",
                        "workspace/delete", "force-unlock"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` forgets infrastructure, or takes its lock away"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["apply", "run-all", "deploy", "server"]),
                Condition::Word(&["--yes", "-y", "--auto-approve", "-auto-approve", "--non-interactive"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["apply", "run-all", "deploy", "server"]),
                Condition::Word(&["--terragrunt-non-interactive"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["state/pull", "output"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints outputs or a state, which may be secret"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("main.tf", ""),
            ],
        },
    ])
    .taken_over()
    ,
];
