// Generated from knowledge/programs/gcloud.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gcloud",
        "gcloud help 460",
        "\
            --access-token-file=read --account=data --billing-project=data --configuration=data \
            --flags-file=config --flatten=data --format=data --filter=data --sort-by=data --limit=num \
            --page-size=num --impersonate-service-account=data --log-http --project=data --region=data \
            --zone=data --location=data --cluster=data --trace-token=data --user-output-enabled?=data \
            --verbosity=data -q|--quiet -h|--help -v|--version --async --uri --command=data \
            --container=data --ssh-flag=data --ssh-key-file=read --secret=data --out-file=write \
            --data-file=read --plaintext-file=read --ciphertext-file=read --key-file=read \
            --cred-file=config --metadata-from-file=data --env-vars-file=read --source=read \
            --destination=dir --config=config --keyring=data --key=data --member=data --role=data \
            --iam-account=data",
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
                Condition::First(&["version", "help", "info", "topic", "cheat-sheet"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["auth/print-access-token", "auth/print-identity-token",
                        "auth/application-default/print-access-token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "gcloud hands out credentials"),
                Act::Contacts("gcloud", "https", Direction::Both),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["config/config-helper", "*/auth/print-access-token",
                        "secrets/versions/access", "*/secrets/versions/access"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "gcloud hands out credentials"),
                Act::Contacts("gcloud", "https", Direction::Both),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["kms/decrypt", "compute/reset-windows-password",
                        "sql/generate-login-token", "iam/service-accounts/sign-*"]),
            ],
            acts: &[
                Act::Contacts("gcloud", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["container/clusters/get-credentials", "*/connection-profiles/describe",
                        "secrets/versions/list"]),
            ],
            acts: &[
                Act::Contacts("gcloud", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["kms/decrypt", "compute/reset-windows-password",
                        "sql/generate-login-token", "iam/service-accounts/sign-*"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "gcloud hands out credentials"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["iam/service-accounts/keys/create"]),
            ],
            acts: &[
                Act::Operand(4, false, Role::Write),
                Act::Contacts("gcloud", "https", Direction::Both),
                Act::Finding("shell.privilege",
                    "makes a key that lets whoever holds it act as the service account"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["compute/config-ssh"]),
            ],
            acts: &[
                Act::WritesFile("~/.ssh/config"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("gcloud", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--ssh-flag"], &["*ProxyCommand*", "*LocalCommand*", "*-o*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives ssh an option that may run a program here"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["compute/ssh", "*/compute/ssh", "app/instances/ssh",
                        "compute/tpus/tpu-vm/ssh", "cloud-shell/ssh", "workstations/ssh"]),
            ],
            acts: &[
                Act::RunsRemoteValue("--command", "a machine of the cloud"),
                Act::RunsRemote(AFTER_DASHES, "a machine of the cloud"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["compute/scp", "cloud-shell/scp", "*/compute/scp"]),
            ],
            acts: &[
                Act::Mentions,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["components/install", "components/update", "components/reinstall",
                        "components/restore"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs programs of the cloud's tools"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["storage/cp", "storage/mv", "storage/rsync"]),
            ],
            acts: &[
                Act::Mentions,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["storage/mv", "storage/rm"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes or moves what is in a bucket"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["builds/submit", "functions/deploy", "run/deploy", "app/deploy",
                        "*/deploy"]),
            ],
            acts: &[
                Act::Mentions,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "remove", "rm", "terminate", "destroy", "purge",
                        "deregister", "drop", "reset", "disable", "detach", "revoke",
                        "release", "stop"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`gcloud {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["abort", "cancel", "abandon", "uninstall", "undeploy", "clear",
                        "truncate", "suspend"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`gcloud {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*iam-policy*", "*policy-binding*", "*iam-role*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["iam/roles/create", "iam/roles/update", "iam/service-accounts/create",
                        "organizations/*", "resource-manager/*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what, or who reaches what"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["compute/firewall-rules/create", "compute/firewall-rules/update",
                        "compute/os-login/*", "projects/create"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what, or who reaches what"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["add-metadata"]),
                Condition::Word(&["*startup-script*", "*ssh-keys*"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "puts a program or key on a machine of the cloud"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["startup-script", "ssh-keys="]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "puts a program or key on a machine of the cloud"),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["list", "describe", "get", "get-value", "view", "logs", "read", "tail",
                        "search", "lookup", "show", "browse", "preview", "estimate", "diff"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-q"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without asking"),
            ],
        },
    ])
    .taken_over()
    ,
];
