// Generated from knowledge/programs/kubectl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CHANGING: &str = "\
    --dry-run?=data -f|--filename=source --force --from-env-file=source --from-file=source --image=data \
    -k|--kustomize=source -o|--output=data --overrides=data -p|--patch=data --patch-file=source --prune \
    --replicas=num -l|--selector=data --type=data -c|--container=data";

const GLOBALS: &str = "\
    --as=data --cache-dir=dir --as-group=data --certificate-authority=data --client-certificate=data \
    --client-key=data --cluster=data --context=data --kubeconfig=file -n|--namespace=data \
    --profile-output=write --request-timeout=data -s|--server=data --token=data --user=data -v=num";

const INSIDE: &str = "\
    -c|--container=data --copy-to=data --custom=read --env=data -f|--filename=source --image=data \
    --pod-running-timeout=data --profile=data -q|--quiet --retries=num --set-image=data --share-processes \
    -i|--stdin --target=data -t|--tty";

const READING: &str = "\
    --all-containers -A|--all-namespaces --api-group=data --api-version=data --cached --categories=data \
    --chunk-size=num --client -c|--container=data --containers --field-selector=data -f|--filename=source \
    --for=data -h --ignore-not-found -k|--kustomize=source -L|--label-columns=data --limit-bytes=num \
    --list --load-restrictor=data --max-log-requests=num --minify --namespaced?=data --no-headers \
    -o|--output=data --output-version=data --pod-running-timeout=data --prefix -p|--previous \
    -R|--recursive --revision=num -l|--selector=data --server-print=data --short --show-kind --show-labels \
    --show-managed-fields --since=data --since-time=data --sort-by=data --subresource=data --sum \
    --tail=num --timeout=data --timestamps --types=data --use-protocol-buffers --verbs=data -w|--watch \
    --watch-only";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "kubectl oc k3s-kubectl microk8s.kubectl kubecolor",
        "kubectl reference 1.29",
        "",
        "",
    )
    .also(GLOBALS)
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
            "get describe",
            "kubectl reference 1.29",
            "--raw=data",
            "data*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Kind(&["secret", "secrets"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "reads secrets of the cluster"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--raw"], &["*secrets*"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "reads secrets of the cluster"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["get"]),
                    Condition::Has(&["--raw"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        reads(
            "logs",
            "kubectl reference 1.29",
            "\
                --all-containers -c|--container=data -f|--follow --ignore-errors \
                --insecure-skip-tls-verify-backend --limit-bytes=num --max-log-requests=num \
                --pod-running-timeout=data --prefix -p|--previous -l|--selector=data --since=data \
                --since-time=data --tail=num --timestamps",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        reads(
            "top version api-resources api-versions explain events diff options completion wait",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        ,
        reads(
            "cluster-info",
            "kubectl reference 1.29",
            "-A|--all-namespaces --namespaces=data -o|--output=data --output-directory=write",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        reads(
            "kustomize",
            "kubectl reference 1.29",
            "\
                --as-current-user --enable-alpha-plugins --enable-exec --enable-helm --helm-command=prog",
            "look*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Url),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--enable-exec", "--enable-alpha-plugins"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "lets the folder's plug-ins run"),
                ],
            },
        ])
        ,
        works(
            "auth",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["reconcile"]),
                ],
                acts: &[
                    Act::Finding("shell.privilege", "changes who may do what in the cluster"),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["reconcile"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "config",
            "kubectl reference 1.29",
            "--exec-command=file --raw",
            "data*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Contains(&[".exec."]),
                    Condition::First(&["set"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "names a program that later runs start to log in"),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["view"]),
                    Condition::Has(&["--raw"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints the credentials of the cluster"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["view", "get-contexts", "current-context", "get-clusters", "get-users"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "exec debug",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(INSIDE)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["debug"]),
                    Condition::Kind(&["node"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "opens a shell on a node"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsInsideAfterDashes(1),
                ],
            },
        ])
        ,
        works(
            "run",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(CHANGING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Contains(&["hostPath", "privileged", "hostPID"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "a pod with the host's files or rights"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsInsideAfterDashes(usize::MAX),
                ],
            },
        ])
        ,
        works(
            "delete",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(CHANGING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "deletes {first} in the cluster"),
                ],
            },
        ])
        ,
        works(
            "drain taint",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(CHANGING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`kubectl {command}` takes workloads away"),
                ],
            },
        ])
        ,
        works(
            "\
                apply create replace patch edit scale autoscale rollout set label annotate expose cordon \
                uncordon attach certificate plugin",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(CHANGING)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["create"]),
                    Condition::Contains(&["hostPath", "privileged", "hostPID"]),
                    Condition::First(&["job"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "a pod with the host's files or rights"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["create"]),
                    Condition::First(&["job"]),
                ],
                acts: &[
                    Act::RunsInsideAfterDashes(usize::MAX),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["certificate"]),
                    Condition::First(&["approve"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Group, "lets somebody log in to the cluster"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["replace"]),
                    Condition::Has(&["--force"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "`kubectl {command}` takes workloads away"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["rollout"]),
                    Condition::First(&["status", "history"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--prune"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "takes workloads away"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["scale"]),
                    Condition::Value(&["--replicas"], &["0"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "takes workloads away"),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["clusterrolebinding", "rolebinding", "clusterrole", "token"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Group, "changes who may do what in the cluster"),
                ],
            },
        ])
        ,
        works(
            "port-forward proxy",
            "kubectl reference 1.29",
            "--address=data -p|--port=data --www=read",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("127.0.0.1", "tcp", &[]),
                ],
            },
        ])
        ,
        works(
            "cp",
            "kubectl reference 1.29",
            "",
            "data*",
        )
        .also(INSIDE)
        .and(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::FirstNot(&["*:*"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Path(&["*/*:*"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
