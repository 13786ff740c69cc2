// Generated from knowledge/programs/etcdctl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "etcdctl etcdutl",
        "etcdctl help 3.5, compared with 3.4",
        "\
            --cacert=read --cert=read --key=read --endpoints=choose --user=secret --password=secret \
            -w|--write-out=data --command-timeout=data --dial-timeout=data --insecure-skip-tls-verify \
            --insecure-transport --hex -D|-d|--discovery-srv=choose --discovery-srv-name=data \
            --insecure-discovery --keepalive-time=data --keepalive-timeout=data --endpoint=choose \
            -C|--peers=choose --ca-file=read --cert-file=read --key-file=read -u|--username=secret \
            --timeout=data --total-timeout=data --no-sync -o|--output=data --debug --cluster -h|--help",
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
                        "user/list", "role/list"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["watch", "exec-watch"]),
            ],
            acts: &[
                Act::Runs(AFTER_DASHES),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["lock"]),
            ],
            acts: &[
                Act::Runs(2),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["make-mirror"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Send),
                Act::ContactsUrls("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["get", "ls", "watch", "exec-watch", "snapshot/save", "make-mirror",
                        "backup"]),
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
                Condition::Path(&["get", "ls", "watch", "exec-watch", "make-mirror"]),
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
                Condition::Path(&["rm", "rmdir", "del", "compaction", "compact", "defrag",
                        "snapshot/restore", "member/remove", "move-leader", "alarm/disarm"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` deletes or changes what the cluster keeps"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["set", "mk", "mkdir", "setdir", "update", "updatedir", "migrate",
                        "elect", "lock", "put", "txn"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "`{program} {first}` changes what the cluster keeps, past its rules"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["lease/*", "member/promote", "member/add", "member/update"]),
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
    ,
];
