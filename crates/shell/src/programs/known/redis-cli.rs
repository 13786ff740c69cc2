// Generated from knowledge/programs/redis-cli.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "redis-cli valkey-cli keydb-cli memcached-tool iredis",
        "redis-cli 7.2",
        "\
            -h=data -p=num -a|--pass=secret -n=num -u=data --user=data -r=num -i=data -s=data -x \
            --pattern=pat --eval=file:lua --version|-v",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["--rdb", "--functions-rdb"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["create", "add-node", "del-node", "reshard", "rebalance", "fix",
                        "import", "call", "backup"]),
                Condition::Word(&["--cluster"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes the nodes of a cluster"),
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--insecure"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--version"]),
                Condition::Words(1, 1),
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
                Act::ContactsAt(Pick { at: &["-h", "-u"], fits: &[], except: &[], after: &[] },
                    "redis", Direction::Both, &[], "localhost", false),
            ],
        },
        Rule {
            when: &[
                Condition::Kind(&["flushall", "flushdb", "shutdown", "swapdb"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{first} empties or stops the server"),
            ],
        },
        Rule {
            when: &[
                Condition::Kind(&["del", "unlink"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes keys"),
            ],
        },
        Rule {
            when: &[
                Condition::Kind(&["eval"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Lang("lua")),
            ],
        },
        Rule {
            when: &[
                Condition::Kind(&["evalsha", "function", "script", "module", "slaveof", "replicaof",
                        "debug", "migrate", "cluster", "acl"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "{first} changes what the server runs or whom it follows"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--eval"]),
                Condition::Operands(0, 0),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("redis"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/~get", "*/~help", "*/~resetstat"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Kind(&["config"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "changes the server's settings"),
            ],
        },
    ])
    .taken_over()
    ,
];
