// Generated from knowledge/programs/etcdctl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "etcdctl etcdutl",
        "etcdctl help 3.5",
        "\
            --cacert=read --cert=read --key=read --endpoints=choose --user=secret --password=secret \
            -w|--write-out=data --command-timeout=data --dial-timeout=data --insecure-skip-tls-verify \
            --insecure-transport --hex --debug --cluster -h|--help",
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
                Condition::Path(&["version", "help", "endpoint/*", "member/list", "alarm/list",
                        "check/*", "user/list", "role/list"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["get", "watch", "snapshot/save", "make-mirror"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints or copies what the cluster keeps, secrets too"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["snapshot/save"]),
            ],
            acts: &[
                Act::Operand(2, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["get", "watch", "make-mirror"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["snapshot/status"]),
            ],
            acts: &[
                Act::Operand(2, false, Role::Read),
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["del", "compaction", "compact", "defrag", "snapshot/restore",
                        "member/remove", "move-leader", "alarm/disarm"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` deletes or changes what the cluster keeps"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["put", "txn", "lease/*", "member/add", "member/update"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` changes what the cluster keeps, past its rules"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["user/*", "role/*", "auth/*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "changes who may do what in the cluster's store"),
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
