// Generated from knowledge/programs/kubectl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CHANGING: &str = "\
    --aggregation-rule=data --all -A|--all-namespaces --allow-missing-template-keys --annotation=data \
    --annotations=data --append-hash --attach --audience=data --bound-object-kind=data \
    --bound-object-name=data --bound-object-uid=data --cascade?=data --cert=read --chunk-size=num \
    --class=data --cluster-ip|--clusterip=data --clusterrole=data --command \
    -c|--container|--containers=data --cpu-percent=num --create-annotation --current-replicas=num \
    --default-backend=data --delete-emptydir-data --description=data --disable-eviction \
    --docker-email=data --docker-password=secret --docker-server=data --docker-username=data \
    --dry-run?=data --duration=data --edit -e|--env=data --expose --external-ip=data --external-name=data \
    --field-manager=data --field-selector=data -f|--filename=source --force --force-conflicts --from=data \
    --from-env-file=source --from-file=source --from-literal=data --global-default --grace-period=num \
    --group=data --hard=data --ignore-daemonsets --ignore-not-found --image=data --image-pull-policy=data \
    -i|--stdin|--interactive --key=read --keys=data -k|--kustomize=source --labels=data --leave-stdin-open \
    --limits=data --list --load-balancer-ip=data --local --max=num --max-unavailable=data --min=num \
    --min-available=data --name=data --node-port=num --non-resource-url=data --now --openapi-patch?=data \
    -o|--output=data --output-patch --overrides=data --override-type=data --overwrite \
    --pod-running-timeout=data --pod-selector=data --port=data --preemption-policy=data --prefix=data \
    --privileged --protocol=data -q|--quiet --raw=data -R|--recursive --remove-extra-permissions \
    --remove-extra-subjects --requests=data --resolve --resource=data --resource-name=data \
    --resource-version=data --restart=data --revision=num --rm --role=data --rule=data --save-config \
    --schedule=data --scopes=data --server-side --serviceaccount=data --session-affinity=data \
    --show-managed-fields --skip-wait-for-delete-timeout=num --subresource=data --target-port=data \
    --tcp=data --template=data --timeout=data --to-revision=num -t|--tty --user=data --validate?=data \
    --value=num --verb=data --wait?=data -w|--watch --windows-line-endings -p|--patch=data \
    --patch-file=source --prune --prune-allowlist=data -r|--replicas=num -l|--selector=data --type=data";

const GLOBALS: &str = "\
    --as=data --as-group=data --as-uid=data --cache-dir=dir --certificate-authority=read \
    --client-certificate=read --client-key=read --cluster=data --context=data --disable-compression \
    --insecure-skip-tls-verify --kubeconfig=file --log-flush-frequency=data --match-server-version \
    -n|--namespace=data --password=secret --profile-output=write --request-timeout=data -s|--server=data \
    --tls-server-name=data --token=secret --user=data --username=data -v|--v=num --vmodule=data \
    --warnings-as-errors";

const INSIDE: &str = "\
    --arguments-only --attach -c|--container=data --copy-to=data --custom=read --env=data \
    -f|--filename=source --image=data --image-pull-policy=data --keep-annotations --keep-init-containers \
    --keep-labels --keep-liveness --keep-readiness --keep-startup --no-preserve --pod-running-timeout=data \
    --profile=data -q|--quiet --replace --retries=num --same-node --set-image=data --share-processes \
    -i|--stdin --target=data -t|--tty";

const READING: &str = "\
    --all --all-containers --allow-missing-template-keys -A|--all-namespaces --api-group=data \
    --api-version=data --cached --categories=data --chunk-size=num --client --concurrency=num \
    -c|--container=data --containers --field-manager=data --field-selector=data -f|--filename=source \
    --flatten --for=data --force-conflicts -h --ignore-not-found -k|--kustomize=source \
    -L|--label-columns=data --limit-bytes=num --list --local --max-log-requests=num --merge --minify \
    --name-only --namespaced?=data --no-headers -o|--output=data --output-version=data \
    --output-watch-events --pod-running-timeout=data --prefix -p|--previous --prune --prune-allowlist=data \
    -q|--quiet -R|--recursive --revision=num -l|--selector=data --server-print?=data --server-side --short \
    --show-capacity --show-events?=data --show-kind --show-labels --show-managed-fields --since=data \
    --since-time=data --sort-by=data --subresource=data --sum --tail=num --template=data --timeout=data \
    --timestamps --types=data --use-protocol-buffers?=data --verbs=data -w|--watch --watch-only";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "kubectl oc k3s-kubectl microk8s.kubectl kubecolor",
        "kubectl --help, and --help of each command 1.32.4",
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
            "kubectl --help, and --help of each command 1.32.4",
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
            "kubectl --help, and --help of each command 1.32.4",
            "\
                --all-containers --all-pods -c|--container=data -f|--follow --ignore-errors \
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
            "kubectl --help, and --help of each command 1.32.4",
            "",
            "data*",
        )
        .also(READING)
        .and(GLOBALS)
        .style(Style::Lenient)
        ,
        reads(
            "cluster-info",
            "kubectl --help, and --help of each command 1.32.4",
            "\
                -A|--all-namespaces --allow-missing-template-keys --namespaces=data -o|--output=data \
                --output-directory=write --pod-running-timeout=data --show-managed-fields --template=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        reads(
            "kustomize",
            "kubectl --help, and --help of each command 1.32.4",
            "\
                --as-current-user --enable-alpha-plugins --enable-exec --enable-helm -e|--env=data \
                --helm-api-versions=data --helm-command=prog --helm-debug --helm-kube-version=data \
                --load-restrictor=data --mount=data --network --network-name=data -o|--output=write",
            "look*",
        )
        .also(GLOBALS)
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
            Rule {
                when: &[
                    Condition::Value(&["--load-restrictor"], &["LoadRestrictionsNone", "none"]),
                ],
                acts: &[
                    Act::Finding("shell.privilege", "lets the folder's description read files outside it"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--mount", "--network", "--as-current-user"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "hands the host to containers"),
                ],
            },
        ])
        ,
        works(
            "auth",
            "kubectl --help, and --help of each command 1.32.4",
            "--dry-run?=data --remove-extra-permissions --remove-extra-subjects",
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
            "kubectl --help, and --help of each command 1.32.4",
            "\
                --exec-command=file --raw --auth-provider=data --auth-provider-arg=data --current \
                --embed-certs --exec-api-version=data --exec-arg=data --exec-env=data \
                --exec-interactive-mode=data --exec-provide-cluster-info --proxy-url=choose \
                --set-raw-bytes",
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
            "kubectl --help, and --help of each command 1.32.4",
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
                    Condition::Called(&["debug"]),
                    Condition::Value(&["--profile"], &["sysadmin", "netadmin"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "a container with rights over the node"),
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
            "kubectl --help, and --help of each command 1.32.4",
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
            "kubectl --help, and --help of each command 1.32.4",
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
            Rule {
                when: &[
                    Condition::Value(&["--dry-run"], &["none"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "deletes {first} in the cluster"),
                ],
            },
        ])
        ,
        works(
            "drain taint",
            "kubectl --help, and --help of each command 1.32.4",
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
            "kubectl --help, and --help of each command 1.32.4",
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
                    Condition::First(&["job", "cronjob", "cj", "deployment", "deploy"]),
                ],
                acts: &[
                    Act::RunsInsideAfterDashes(usize::MAX),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["set"]),
                    Condition::First(&["env"]),
                    Condition::Has(&["--resolve"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "reads secrets of the cluster"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["set"]),
                    Condition::First(&["subject"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Group, "changes who may do what in the cluster"),
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
                    Condition::Called(&["replace", "apply"]),
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
                    Condition::Value(&["-r"], &["0"]),
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
            "kubectl --help, and --help of each command 1.32.4",
            "\
                --accept-hosts=pat --accept-paths=pat --address=data --api-prefix=data \
                --append-server-path --disable-filter --keepalive=data --pod-running-timeout=data \
                -p|--port=data --reject-methods=pat --reject-paths=pat -u|--unix-socket=write \
                -w|--www=read -P|--www-prefix=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Value(&["--address"], &["*0.0.0.0*", "::*"]),
                ],
                acts: &[
                    Act::Listens("*", "tcp", &[]),
                    Act::Stop,
                ],
            },
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
            "kubectl --help, and --help of each command 1.32.4",
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
    ,
];
