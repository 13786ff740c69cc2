// Generated from knowledge/programs/clusters.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            argocd flux istioctl linkerd velero k9s kubectx kubens stern kind minikube k3d k3s kubeadm \
            eksctl kops rancher tkn argo crossplane cmctl kubeseal calicoctl cilium helmfile swarm \
            docker-credential-helper",
        "their manuals argocd 2.10, flux 2.2, istioctl 1.20",
        "\
            -n|--namespace=data -A|--all-namespaces -a|--all -o|--output=data -q|--short \
            -f|--filter|--file|--filename|--values=read -l|--selector=data -d|--date -r|--reverse \
            -m|--max=num --revision=num --version=data --max-col-width=num --time-format=data --no-headers \
            --timeout=data --name=data --show-labels --kubeconfig=file --post-renderer=prog --context=data \
            -p|--profile=data -h|--help",
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
                Condition::HiddenOperand,
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["helmfile"]),
            ],
            acts: &[
                Act::RunsProject("helmfile.yaml", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["uninstall", "delete", "destroy", "purge", "reset", "teardown", "del",
                        "drain", "rollback"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` deletes or rolls back what runs"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-purge", "--purge", "--prune"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` deletes or rolls back what runs"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["stop", "*/stop"]),
                Condition::Program(&["minikube", "k3s"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` stops what runs"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/export", "token/*"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints what the cluster keeps, secrets too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["get/secret*", "get/keypairs", "toolbox/dump", "export/kubeconfig",
                        "certs/certificate-key"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints what the cluster keeps, secrets too"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["kubeseal"]),
                Condition::Word(&["--recovery-unseal"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "decrypts what the cluster keeps"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["context/*"]),
                Condition::Program(&["argocd"]),
            ],
            acts: &[
                Act::Acts,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["config/unset"]),
            ],
            acts: &[
                Act::Acts,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["kubeconfig/get", "get/kubeconfig", "kubeconfig/*", "token/create",
                        "*/token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints credentials of a cluster"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["acl/*", "auth/*", "account/*", "rbac/*", "proj/role"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what in the cluster"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["kubectl", "crictl"]),
                Condition::Program(&["minikube", "k3s"]),
            ],
            acts: &[
                Act::Runs(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["ssh"]),
                Condition::Program(&["minikube"]),
            ],
            acts: &[
                Act::RunsRemote(1, "the cluster's machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["exec"]),
            ],
            acts: &[
                Act::RunsInsideAfterDashes(2),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["plugin/*", "*/plugin"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "installs or runs a plug-in"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["run", "job/run", "job/plan", "apply", "*/apply", "*/create", "create",
                        "*/add", "*/update", "*/sync", "sync", "*/set", "install", "upgrade",
                        "up"]),
            ],
            acts: &[
                Act::Mentions,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["join", "init", "kubeadm/init"]),
                Condition::Program(&["kubeadm", "k3s"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "makes this machine part of a cluster"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "ls", "status", "get", "show", "version", "template", "lint"]),
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["history", "search", "describe", "logs", "diff", "check", "info"]),
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["validate", "verify", "inspect", "completion", "members", "context"]),
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["current-context", "proxy-status", "proxy-config", "analyze"]),
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["env", "config", "--version", "help"]),
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
                Condition::Path(&["*/list", "*/ls", "*/status", "*/get", "*/show", "*/describe",
                        "*/logs"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["set", "exec", "edit", "create", "install", "apply"]),
                Condition::Path(&["*/diff", "*/info", "*/history", "*/inspect", "*/validate"]),
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
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    ,
];
