// Generated from knowledge/programs/clouds.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            gsutil-cloud bq az doctl heroku flyctl fly linode-cli hcloud vultr-cli scw oci ibmcloud aliyun \
            ovh exo civo openstack packet metal vercel netlify railway render firebase supabase \
            planetscale pscale neonctl cf eb copilot-cli sam serverless sls amplify cdk wrangler-cloud \
            turso upstash databricks snowsql-cloud cloudctl equinix kamatera upcloud atlas confluent \
            ccloud",
        "their manuals az 2.57, doctl 1.104, heroku 8, cdk 2.130, vercel 33",
        "",
        "",
    )
    .style(Style::Raw)
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
                Condition::First(&["version", "help", "info", "--version", "--help", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("{program}", "https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["print-access-token", "print-identity-token", "get-access-token",
                        "auth:token", "access-secret-version"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["get-credentials-token", "get-credentials", "list-keys",
                        "create-for-rbac"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/versions/access", "*/*/versions/access", "keyvault/secret/show",
                        "keyvault/secret/download", "secret/show"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/secret/show", "keys/list", "*/keys/list", "*/*/keys/list",
                        "auth/token", "secrets/get", "*/secrets/get", "tokens/create"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["env/pull", "env:list", "env/list", "config:get",
                        "functions:config:get", "*/kubeconfig/show", "*/*/kubeconfig/show"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["database/connection", "*/connection-string", "env:get", "variables",
                        "auth:whoami:token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/credential/show", "*/*/list-publishing-*", "*/*/appsettings/list",
                        "databases/connection", "databases/user/get"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["projects/api-keys", "secrets/get-secret", "iam/oauth-tokens",
                        "resource/service-key*", "token/issue"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["pg:credentials:url", "redis:credentials", "kubernetes/config",
                        "apikey/show", "iam/api-key/create"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out credentials or secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["oauth-token", "service-key", "ssh-code", "env"]),
                Condition::Program(&["cf"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} prints credentials, or an app's settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["printenv"]),
                Condition::Program(&["eb"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} prints an app's settings, secrets too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["config", "config:get"]),
                Condition::Program(&["heroku"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} prints an app's settings, secrets too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["env"]),
                Condition::Operand(&["pull"]),
                Condition::Program(&["vercel", "netlify"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "writes an app's secrets into a file"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["run", "ps:exec", "run:detached"]),
                Condition::Program(&["heroku"]),
            ],
            acts: &[
                Act::RunsRemote(1, "a machine of the cloud"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["vm/run-command", "aks/command", "*/execute-command", "container/exec",
                        "webapp/ssh", "vmss/run-command", "compute/ssh"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on a machine of the cloud"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["ssh"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on a machine of the cloud"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["machine/exec", "ssh/console", "ssh/issue", "console"]),
                Condition::Program(&["fly", "flyctl"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands on a machine of the cloud"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["run", "shell", "connect"]),
                Condition::Program(&["railway"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands an app's secrets to a command"),
                Act::Runs(1),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["dev:exec"]),
                Condition::Program(&["netlify"]),
            ],
            acts: &[
                Act::Runs(1),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["cdk"]),
            ],
            acts: &[
                Act::RunsProject("cdk.json", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["sam", "serverless", "sls", "amplify", "copilot-cli"]),
            ],
            acts: &[
                Act::RunsProject("serverless.yml", ""),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["dev", "build", "deploy", "publish"]),
                Condition::Program(&["vercel", "netlify", "firebase", "eb", "supabase", "wrangler-cloud",
                        "render"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "remove", "rm", "rb", "terminate", "destroy", "purge",
                        "deregister", "drop", "reset", "disable", "detach", "revoke",
                        "release", "stop"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["deallocate", "empty", "batch_delete", "abort", "cancel", "teardown",
                        "uninstall", "nuke", "undeploy", "clear", "truncate", "schedule"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*:destroy*", "*:delete*", "*:reset*"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` takes something away"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["describe", "list", "get", "show", "ls", "search", "wait", "head",
                        "lookup", "view", "query", "filter", "validate", "scan", "simulate",
                        "check"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["status", "logs", "tail", "log", "whoami", "account", "versions",
                        "browse", "read", "preview", "estimate", "test", "diff", "synth",
                        "print"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["regions"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["domains", "config", "current", "metadata"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*iam-policy*", "*role*", "*policy-binding*", "*rbac*", "acl*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--yes", "-y", "--force", "-f", "--no-input", "--skip-final-snapshot",
                        "--quiet", "-q", "--confirm", "--no-verify", "--approve"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without asking"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--skip-preview", "--non-interactive", "--auto-approve"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without asking"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--require-approval=never"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without asking"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--require-approval"]),
                Condition::Word(&["never"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes infrastructure without asking"),
            ],
        },
    ])
    .taken_over()
    ,
];
