// Generated from knowledge/programs/helm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    --burst-limit=num --color|--colour=data --debug --kube-apiserver=choose --kube-as-group=data \
    --kube-as-user=data --kube-ca-file=read --kube-context=data --kube-insecure-skip-tls-verify \
    --kube-tls-server-name=data --kube-token=secret --kubeconfig=file -n|--namespace=data --qps=num \
    --registry-config=read --repository-cache=look --repository-config=read --content-cache=look -h|--help";

const READING: &str = "\
    -A|--all-namespaces -a|--all -o|--output=data -q|--short -f|--filter=data -l|--selector=data -d|--date \
    -r|--reverse -m|--max=num --revision=num --offset=num --deployed --failed --pending --superseded \
    --uninstalled --uninstalling --versions --version=data --devel --max-col-width=num --show-desc \
    --show-resources --show-resources-drift --time-format=data --type=data --template=data \
    --no-descriptions --no-headers --no-color --fail-on-no-result --list-repo-url -c|--client";

const VALUES: &str = "\
    -f|--values=source --set=data --set-file=source --set-json=data --set-literal=data --set-string=data \
    --ca-file=read --cert-file=read --key-file=read --insecure-skip-tls-verify --keyring=read \
    --pass-credentials --password=secret --plain-http --repo=url --username=data --verify --version=data \
    --devel --dependency-update --disable-openapi-validation --enable-dns --dry-run?=data \
    --description=data --no-hooks --skip-crds --skip-schema-validation --skip-tests --include-crds \
    --is-upgrade --kube-version=data -a|--api-versions=data -s|--show-only=data --name-template=data \
    -g|--generate-name --output-dir=dir --release-name --post-renderer=prog --post-renderer-args=data \
    -o|--output=data --atomic --rollback-on-failure --cleanup-on-fail --create-namespace --force \
    --force-conflicts --force-replace --hide-notes --hide-secret --history-max=num -i|--install \
    -l|--labels=data --render-subchart-notes --replace --reset-values --reset-then-reuse-values \
    --reuse-values --take-ownership --timeout=data --wait?=data --wait-for-jobs --validate";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "helm",
        "helm --help, and --help of each command 4.1",
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
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mentions,
                Act::Finding("shell.remote_code", "`helm {first}` is a plug-in, or a word that helm doesn't know"),
            ],
        },
    ])
    .subs(&[
        reads(
            "version env completion help",
            "helm --help, and --help of each command 4.1",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(READING)
        .style(Style::Lenient)
        ,
        reads(
            "list ls status history hist",
            "helm --help, and --help of each command 4.1",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(READING)
        .style(Style::Lenient)
        ,
        works(
            "search",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "repo",
                "helm --help, and --help of each command 4.1",
                "--regexp",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            ,
            works(
                "hub",
                "helm --help, and --help of each command 4.1",
                "--endpoint=url",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("artifacthub.io", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "get",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .also(GLOBALS)
        .and(READING)
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints what a release was installed with, secrets too"),
                ],
            },
        ])
        .subs(&[
            reads(
                "metadata notes",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            ,
            works(
                "all hooks manifest values",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints what a release was installed with, secrets too"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "show inspect",
            "helm --help, and --help of each command 4.1",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, true, Role::Read),
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "template",
            "helm --help, and --help of each command 4.1",
            "--server-side?=data",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--post-renderer"], &["sh", "bash", "zsh", "*/sh", "*/bash",
                        "python*", "perl"]),
                ],
                acts: &[
                    Act::Value("--post-renderer-args", Role::Shell),
                    Act::Finding("shell.obfuscated", "gives an interpreter its code as words"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Look),
                ],
            },
        ])
        ,
        works(
            "lint",
            "helm --help, and --help of each command 4.1",
            "--quiet --strict --with-subcharts",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Look),
                ],
            },
        ])
        ,
        works(
            "install",
            "helm --help, and --help of each command 4.1",
            "--server-side?=data",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("kubernetes", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::Look),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-g"]),
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Look),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--post-renderer"], &["sh", "bash", "zsh", "*/sh", "*/bash",
                        "python*", "perl"]),
                ],
                acts: &[
                    Act::Value("--post-renderer-args", Role::Shell),
                    Act::Finding("shell.obfuscated", "gives an interpreter its code as words"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--force", "--force-replace", "--reset-values"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "replaces what runs, or the settings it runs with"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--repo"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "installs a chart from an address"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::Url),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-g"]),
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Url),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "installs a chart from an address"),
                ],
            },
        ])
        ,
        works(
            "upgrade",
            "helm --help, and --help of each command 4.1",
            "--server-side=data",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("kubernetes", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::Look),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--post-renderer"], &["sh", "bash", "zsh", "*/sh", "*/bash",
                        "python*", "perl"]),
                ],
                acts: &[
                    Act::Value("--post-renderer-args", Role::Shell),
                    Act::Finding("shell.obfuscated", "gives an interpreter its code as words"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--force", "--force-replace", "--reset-values"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "replaces what runs, or the settings it runs with"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--repo"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "installs a chart from an address"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::Url),
                    Act::Finding("shell.remote_code", "installs a chart from an address"),
                ],
            },
        ])
        ,
        works(
            "uninstall un del delete",
            "helm --help, and --help of each command 4.1",
            "\
                --cascade=data --description=data --dry-run --ignore-not-found --keep-history --no-hooks \
                --timeout=data --wait?=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`helm {command}` deletes what runs"),
                ],
            },
        ])
        ,
        works(
            "rollback",
            "helm --help, and --help of each command 4.1",
            "\
                --cleanup-on-fail --description=data --dry-run?=data --force|--force-replace \
                --force-conflicts --history-max=num --no-hooks --recreate-pods --server-side=data \
                --timeout=data --wait?=data --wait-for-jobs",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`helm {command}` puts an earlier state in the place of what runs"),
                ],
            },
        ])
        ,
        works(
            "test",
            "helm --help, and --help of each command 4.1",
            "--filter=data --logs --hide-notes --timeout=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("kubernetes", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "repo",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            ,
            works(
                "add",
                "helm --help, and --help of each command 4.1",
                "--allow-deprecated-repos --force-update --no-update --password-stdin",
                "data*",
            )
            .also(GLOBALS)
            .and(VALUES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, true, Role::Url),
                    ],
                },
            ])
            ,
            works(
                "update up",
                "helm --help, and --help of each command 4.1",
                "--fail-on-repo-update-fail --timeout=data",
                "data*",
            )
            .also(GLOBALS)
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
                "index",
                "helm --help, and --help of each command 4.1",
                "--merge=read --url=data --json",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Dir),
                    ],
                },
            ])
            ,
            works(
                "remove rm",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "dependency dep dependencies",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls",
                "helm --help, and --help of each command 4.1",
                "",
                "look*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            ,
            works(
                "update up build",
                "helm --help, and --help of each command 4.1",
                "--skip-refresh",
                "data*",
            )
            .also(GLOBALS)
            .and(VALUES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Dir),
                        Act::ContactsUnknown("https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "create",
            "helm --help, and --help of each command 4.1",
            "-p|--starter=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Dir),
                ],
            },
        ])
        ,
        works(
            "package",
            "helm --help, and --help of each command 4.1",
            "\
                --app-version=data --ca-file=read --cert-file=read -u|--dependency-update \
                -d|--destination=dir --insecure-skip-tls-verify --key=data --key-file=read --keyring=read \
                --passphrase-file=read --password=secret --plain-http --sign --username=data \
                --version=data",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Read),
                ],
            },
        ])
        ,
        works(
            "pull fetch",
            "helm --help, and --help of each command 4.1",
            "-d|--destination=dir --prov --untar --untardir=dir",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
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
            "push",
            "helm --help, and --help of each command 4.1",
            "",
            "data*",
        )
        .also(GLOBALS)
        .and(VALUES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                    Act::ContactsUnknown("https", Direction::Send),
                    Act::Finding("shell.upload", "publishes a chart"),
                ],
            },
        ])
        ,
        reads(
            "verify",
            "helm --help, and --help of each command 4.1",
            "--keyring=read",
            "read",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        works(
            "registry",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "login logout",
                "helm --help, and --help of each command 4.1",
                "\
                    --ca-file=read --cert-file=read --insecure --key-file=read -p|--password=secret \
                    --password-stdin --plain-http -u|--username=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Send),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "plugin",
            "helm --help, and --help of each command 4.1",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list ls",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(READING)
            .style(Style::Lenient)
            ,
            works(
                "install add update up",
                "helm --help, and --help of each command 4.1",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(VALUES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::ReadsAfter(&["file://"]),
                        Act::Finding("shell.remote_code", "installs a plug-in, which runs as you"),
                    ],
                },
            ])
            ,
            works(
                "uninstall rm remove verify",
                "helm --help, and --help of each command 4.1",
                "--keyring=read",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
            works(
                "package",
                "helm --help, and --help of each command 4.1",
                "-d|--destination=dir --key=data --keyring=read --passphrase-file=read --sign?=data",
                "data*",
            )
            .also(GLOBALS)
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
    ])
    ,
];
