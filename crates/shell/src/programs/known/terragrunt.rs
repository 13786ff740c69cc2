// Generated from knowledge/programs/terragrunt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "terragrunt",
        "terragrunt's CLI options 0.80",
        "\
            -a|--all --auth-provider-cmd|--terragrunt-auth-provider-cmd=prog --backend-bootstrap \
            --backend-require-bootstrap|--terragrunt-fail-on-state-bucket-creation \
            --check|--terragrunt-check --config|--terragrunt-config=config --dag --dependencies \
            --dependency-fetch-output-from-state|--terragrunt-fetch-dependency-output-from-state \
            --diff|--terragrunt-diff --disable-bucket-update|--terragrunt-disable-bucket-update \
            --disable-command-validation|--terragrunt-disable-command-validation \
            --disable-dependent-modules|--terragrunt-json-disable-dependent-modules \
            --download-dir|--terragrunt-download-dir=dir --exclude \
            --exclude-dir|--terragrunt-hclfmt-exclude-dir=data --experiment=data --experiment-mode \
            --external --feature=data --file|--terragrunt-hclfmt-file=inplace --force --format=data \
            --graph --graph-root=look --hidden --iam-assume-role|--terragrunt-iam-role=data \
            --iam-assume-role-duration|--terragrunt-iam-assume-role-duration=num \
            --iam-assume-role-session-name|--terragrunt-iam-assume-role-session-name=data \
            --iam-assume-role-web-identity-token|--terragrunt-iam-web-identity-token=secret \
            --in-download-dir --include --inputs --inputs-debug|--terragrunt-debug \
            --json|--terragrunt-hclvalidate-json --json-out-dir|--terragrunt-json-out-dir=dir \
            --log-custom-format|--terragrunt-log-custom-format=data --log-disable|--terragrunt-log-disable \
            --log-format|--terragrunt-log-format=data --log-level|--terragrunt-log-level=data \
            --log-show-abs-paths|--terragrunt-log-show-abs-paths --long \
            --no-auto-approve|--terragrunt-no-auto-approve --no-auto-init|--terragrunt-no-auto-init \
            --no-auto-retry|--terragrunt-no-auto-retry --no-color|--terragrunt-no-color \
            --no-destroy-dependencies-check|--terragrunt-no-destroy-dependencies-check --no-stack-generate \
            --no-stack-validate --non-interactive|--terragrunt-non-interactive \
            --out|--terragrunt-json-out=write --out-dir|--terragrunt-out-dir=dir \
            --parallelism|--terragrunt-parallelism=num --provider-cache|--terragrunt-provider-cache \
            --provider-cache-dir|--terragrunt-provider-cache-dir=dir \
            --provider-cache-hostname|--terragrunt-provider-cache-hostname=data \
            --provider-cache-port|--terragrunt-provider-cache-port=num \
            --provider-cache-registry-names|--terragrunt-provider-cache-registry-names=data \
            --provider-cache-token|--terragrunt-provider-cache-token=secret --queue-construct-as|--as=data \
            --queue-exclude-dir|--terragrunt-exclude-dir=data \
            --queue-exclude-external|--terragrunt-ignore-external-dependencies \
            --queue-excludes-file|--terragrunt-excludes-file=read \
            --queue-ignore-dag-order|--terragrunt-ignore-dependency-order \
            --queue-ignore-errors|--terragrunt-ignore-dependency-errors \
            --queue-include-dir|--terragrunt-include-dir=data \
            --queue-include-external|--terragrunt-include-external-dependencies \
            --queue-include-units-reading|--terragrunt-queue-include-units-reading=look \
            --queue-strict-include|--terragrunt-strict-include --report-file=write --report-format=data \
            --report-schema-file=write --show-config-path|--terragrunt-hclvalidate-show-config-path \
            --source|--terragrunt-source=data --source-map|--terragrunt-source-map=choose \
            --source-update|--terragrunt-source-update --stdin|--terragrunt-hclfmt-stdin --strict \
            --strict-control=data --strict-mode --strict-validate|--terragrunt-strict-validate \
            --summary-disable --summary-unit-duration --tf-forward-stdout|--terragrunt-forward-tf-stdout \
            --tf-path|--terragrunt-tfpath=data --tree \
            --units-that-include|--terragrunt-modules-that-include=look \
            --use-partial-parse-config-cache|--terragrunt-use-partial-parse-config-cache --version \
            --with-metadata --working-dir|--terragrunt-working-dir=data -w|--write",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
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
                Condition::Operand(&["force-unlock"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "takes the lock of infrastructure away"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["state/rm", "state/push", "state/replace-provider", "state/mv",
                        "workspace/delete"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` forgets infrastructure, or takes its lock away"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["run/state/rm", "run/state/push", "run/state/replace-provider",
                        "run/state/mv"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` forgets infrastructure, or takes its lock away"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["backend/delete", "backend/migrate"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes or moves what is known of infrastructure"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["apply-all"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["run-all/apply", "graph/apply", "stack/run/apply"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a", "--graph"]),
                Condition::Path(&["run/apply"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["apply"]),
                Condition::Word(&["--yes", "-y", "--auto-approve", "-auto-approve"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--non-interactive"]),
                Condition::Verb(&["apply"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["state/pull", "output", "run/output", "run-all/output", "output-all",
                        "stack/output", "run/state/pull"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints outputs or a state, which may be secret"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec"]),
            ],
            acts: &[
                Act::Runs(1),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--tf-path"], &["*/*"]),
            ],
            acts: &[
                Act::Value("--tf-path", Role::File("")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--source"], &["*://*", "git::*", "git@*", "*github.com*", "*::*"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "takes the code of a module from elsewhere"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["scaffold", "catalog"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::Finding("shell.remote_code", "takes the code of a module from elsewhere"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["hclfmt"]),
                Condition::Lacks(&["--check", "--stdin", "--diff"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--check", "--stdin"]),
                Condition::Path(&["hcl/format", "hcl/fmt"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("terragrunt.rendered.json"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["stack/clean"]),
            ],
            acts: &[
                Act::DeletesBuild(".terragrunt-stack"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("terragrunt.hcl", ""),
            ],
        },
    ])
    ,
    works(
        "cdktf terraformer atlantis",
        "developer.hashicorp.com/terraform/cdktf 0.20",
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
