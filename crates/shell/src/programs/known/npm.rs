// Generated from knowledge/programs/npm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    --access=data --browser=data --editor=data --git=data --global-pnpmfile|--pnpmfile=file \
    --init-module=file --node-gyp=file --node-options=data --onload-script=file --shell=data --viewer=data \
    -C|--dir=data --cwd=data -F|--filter=data -g|--global --ignore-scripts --loglevel=data --prefix=data \
    --registry=data --script-shell=prog --tag=data -w|--workspace=data";

const READING: &str = "\
    -a --audit-level=data --depth=num --dev --dry-run --include=data --level=data --link --location=data \
    --lockfile-only -l|--long --no-audit --no-unicode --omit=data --only=data --package-lock-only \
    -p|--parseable --pattern=pat --prod|--production -r|--recursive -ws|--workspaces|--ws";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "npm pnpm yarn cnpm lerna nx-npm rush",
        "npm(1) 10, pnpm 8, yarn 1.22",
        "",
        "",
    )
    .also(COMMON)
    .and(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::node::obeys),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::Rust(crate::programs::packages::node::installs_locked),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["npm", "pnpm", "cnpm", "lerna", "nx-npm", "rush"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
                Condition::Program(&["yarn", "pnpm"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        works(
            "install i add in ins isntall install-test it global",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Rust(crate::programs::packages::node::installs),
                ],
            },
        ])
        ,
        works(
            "ci clean-install rebuild rb dedupe import",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Rust(crate::programs::packages::node::installs_locked),
                ],
            },
        ])
        ,
        works(
            "update up upgrade outdated-fix upgrade-interactive",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Rust(crate::programs::packages::node::updates),
                ],
            },
        ])
        ,
        works(
            "set-script",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Operand(1, false, Role::Shell),
                ],
            },
        ])
        ,
        works(
            "uninstall remove rm r un unlink prune link ln pack shrinkwrap fund patch store",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "--pack-destination=dir",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
        ])
        ,
        works(
            "version",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "init create",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::creates),
                ],
            },
        ])
        ,
        works(
            "exec x dlx",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::executes),
                ],
            },
        ])
        ,
        works(
            "run run-script",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Rust(crate::programs::packages::node::runs_script),
                ],
            },
        ])
        ,
        works(
            "\
                test t tst start stop restart build lint format dev typecheck check watch serve compile \
                e2e coverage",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
        works(
            "clean prepare generate workspaces recursive workspace",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
        works(
            "\
                publish unpublish deprecate dist-tag owner access team hook token login logout adduser \
                profile org",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Rust(crate::programs::packages::node::publishes),
                ],
            },
        ])
        ,
        works(
            "plugin policies",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["import", "set-version"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "loads this file in later runs"),
                    Act::Operand(1, true, Role::File("")),
                ],
            },
        ])
        ,
        works(
            "config c set get pkg",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["set"]),
                    Condition::First(&["version"]),
                ],
                acts: &[
                    Act::Operand(1, true, Role::File("")),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::npm_config),
                ],
            },
        ])
        ,
        works(
            "cache",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["clean", "clear", "rm"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "audit",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
            Rule {
                when: &[
                    Condition::Word(&["fix", "--fix"]),
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::installs_locked),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "outdated view v info show search s ping whoami doctor docs repo bugs home",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "ls list la ll why explain root prefix bin help query licenses completion",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
        ])
        ,
        works(
            "edit",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
        ])
        ,
        works(
            "env explore",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::obeys),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["env"]),
                    Condition::First(&["use", "add", "remove", "rm"]),
                ],
                acts: &[
                    Act::Contacts("nodejs.org", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::explores),
                ],
            },
        ])
        ,
        works(
            "node",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::node::runs_node),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
