// Generated from knowledge/programs/npm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    --access=data --browser=prog --editor=prog --git=prog --global-pnpmfile|--pnpmfile=file \
    --init-module=file --node-gyp=file --node-options=data --onload-script=file --shell=prog --viewer=prog \
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
                Condition::Operands(0, 0),
                Condition::Program(&["yarn"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                    "registry.npmjs.org", &["--ignore-scripts"], &[], false),
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
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--node-options"]),
            ],
            acts: &[
                Act::Part("--node-options", &["-r", "--require", "--import", "--loader"],
                    Role::File("javascript"), false),
            ],
        },
    ])
    .subs(&[
        works(
            "install i add in ins isntall install-test it",
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
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
                ],
            },
        ])
        ,
        works(
            "global",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Program(&["yarn"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &["add", "install"],
                        after: &[] }, "registry.npmjs.org", &["--ignore-scripts"], &["always"], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &["add", "install"],
                        after: &[] }, "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
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
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
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
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &["-g"], true),
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
                    Act::Rust(crate::programs::packages::remote_tool),
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
                    Act::Rust(crate::programs::packages::remote_tool),
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
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["env"]),
                    Condition::Word(&["--"]),
                ],
                acts: &[
                    Act::Runs(AFTER_DASHES),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["rm", "rimraf", "node", "sh", "bash"]),
                    Condition::Program(&["yarn", "pnpm"]),
                ],
                acts: &[
                    Act::Runs(0),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("package.json", ""),
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
                    Condition::Word(&["--dry-run", "-n", "--help", "-h"]),
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["unpublish", "deprecate", "dist-tag", "owner", "access", "team",
                        "hook", "token", "login", "logout", "adduser", "profile", "org"]),
                    Condition::Word(&["--list", "-l"]),
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["unpublish", "deprecate", "dist-tag", "owner", "access", "team",
                        "hook", "token", "login", "logout", "adduser", "profile", "org"]),
                    Condition::Operand(&["ls", "list", "get", "ls-packages", "ls-collaborators", "info",
                        "status"]),
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["publish"]),
                ],
                acts: &[
                    Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"],
                        after: &[] }, Role::Choose),
                    Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"],
                        after: &[] }, Role::Source),
                ],
            },
            Rule {
                when: &[
                    Condition::Word(&["--dry-run", "-n", "--help", "-h"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Send),
                    Act::Finding("shell.upload", "`{program} {command}` changes what others get from the registry"),
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
                    Condition::Called(&["config", "c", "get", "pkg"]),
                    Condition::FirstNot(&["set", "delete", "edit", "rm", "fix"]),
                    Condition::Operand(&["~*_auth*", "~*_password*", "~*token*"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints a stored login"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["config", "c", "get", "pkg"]),
                    Condition::FirstNot(&["set", "delete", "edit", "rm", "fix"]),
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
                    Act::Picked(Pick { at: &["0.."], fits: &["scripts.*=*"], except: &[],
                        after: &["="] }, Role::Shell),
                    Act::Picked(Pick { at: &["0.."], fits: &["script-shell=*", "git=*", "editor=*",
                        "shell=*"], except: &[], after: &["="] }, Role::File("")),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["strict-ssl=false"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off"),
                ],
            },
            Rule {
                when: &[
                    Condition::Path(&["*/strict-ssl/false", "strict-ssl/false"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Picked(Pick { at: &[">node-options"], fits: &[], except: &[],
                        after: &["--require=", "--require␣", "-r␣", "--import=", "--import␣",
                        "--loader=", "--loader␣"] }, Role::File("javascript")),
                    Act::Picked(Pick { at: &[">script-shell", ">git", ">editor", ">shell",
                        ">init-module", ">viewer", ">browser", ">onload-script"], fits: &[],
                        except: &["true", "false"], after: &[] }, Role::Program),
                ],
            },
            Rule {
                when: &[
                    Condition::NoOperand(&["true", "false"]),
                    Condition::Operand(&["script-shell", "git", "editor", "shell", "init-module", "viewer",
                        "browser", "onload-script"]),
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "`{program}` runs what this setting names from now on"),
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
                    Condition::Word(&["fix", "--fix"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["lock"], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &[], false),
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
        ,
        works(
            "edit",
            "npm(1) 10, pnpm 8, yarn 1.22",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
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
                    Condition::Word(&["--"]),
                ],
                acts: &[
                    Act::Runs(AFTER_DASHES),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["explore"]),
                ],
                acts: &[
                    Act::RunsProject("package.json", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["env"]),
                ],
                acts: &[
                    Act::OnlyReads,
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
                    Act::RunsAs("node", 0),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
