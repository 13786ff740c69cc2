// Generated from knowledge/programs/cargo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    -C=data --color=data --config=data -h|--help --manifest-path=data --offline --target-dir=data -Z=data";

const READING: &str = "\
    --all-features --all-targets --charset=data --depth=data -d|--duplicates -e|--edges=data \
    --exclude=data --explain=data -F|--features=data --filter-platform=data -f|--format=data \
    --format-version=num --frozen --id=data -i|--invert?=data --limit=num --list --locked \
    --message-format=data --name-only --no-dedupe --no-default-features --no-deps -p|--package=data \
    --prefix=data --prune=data -q --target=data -v -vV -V|--version --workspace";

const SOURCES: &str = "--git=data --index=data --path=data --registry=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "cargo",
        "cargo(1) 1.80",
        "+toolchain",
        "",
    )
    .also(COMMON)
    .and(READING)
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
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--config"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["--config"], fits: &[], except: &["*=*"], after: &[] }, Role::Config),
                Act::PickedBare(Pick { at: &["--config"], fits: &["*rustc*=*", "*wrapper*=*",
                    "*runner*=*", "*linker*=*", "*rustdoc*=*", "*credential-provider*=*"], except: &[],
                    after: &["="] }, Role::Program, ["'\"", "'\""]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--config"], &["alias*=*", "*rustflags*=*", "*source*=*", "*registr*=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    .subs(&[
        works(
            "\
                build b check c test t run r bench doc d clippy rustc rustdoc fix nextest llvm-cov miri \
                expand bloat asm",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["rustc", "rustdoc"]),
                    Condition::Contains(&["linker=", "codegen-backend=", "-Zcodegen"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that the compiler runs"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Cargo.toml", ""),
                ],
            },
        ])
        ,
        works(
            "\
                flamegraph make xtask hack insta udeps machete tarpaulin criterion leptos tauri zigbuild \
                cross ndk wasi careful fuzz mutants",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
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
                    Act::RunsProject("Cargo.toml", ""),
                ],
            },
        ])
        ,
        works(
            "watch",
            "cargo(1) 1.80",
            "-s|--shell=sh",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
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
                    Act::Runs(AFTER_DASHES),
                    Act::RunsProject("Cargo.toml", ""),
                ],
            },
        ])
        ,
        named(
            "new init",
            "cargo(1) 1.80",
            "--bin --edition=data --lib --name=data --registry=data --vcs=data",
            "dir",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "fmt remove rm generate-lockfile package sort config generate",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "vendor",
            "cargo(1) 1.80",
            "",
            "dir",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--offline"]),
                ],
                acts: &[
                    Act::Contacts("index.crates.io", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "add update fetch upgrade",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .and(SOURCES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--offline"]),
                ],
                acts: &[
                    Act::Contacts("index.crates.io", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "clean",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
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
                    Act::DeletesBuild("target"),
                ],
            },
        ])
        ,
        works(
            "install binstall",
            "cargo(1) 1.80",
            "--root=dir",
            "data*",
        )
        .also(COMMON)
        .and(SOURCES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--git"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["--git"], fits: &[], except: &[], after: &[] },
                        "index.crates.io", &[], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--registry"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["--registry"], fits: &[], except: &[], after: &[] },
                        "index.crates.io", &[], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--index"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["--index"], fits: &[], except: &[], after: &[] },
                        "index.crates.io", &[], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--path"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["--path"], fits: &[], except: &[], after: &[] },
                        "index.crates.io", &[], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "index.crates.io", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "uninstall",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "publish yank owner login logout",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .and(SOURCES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Word(&["--dry-run", "-n", "--help", "-h"]),
                ],
                acts: &[
                    Act::Contacts("crates.io", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["yank", "owner", "login", "logout"]),
                    Condition::Word(&["--list", "-l"]),
                ],
                acts: &[
                    Act::Contacts("crates.io", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["yank", "owner", "login", "logout"]),
                    Condition::Operand(&["ls", "list", "get", "ls-packages", "ls-collaborators", "info",
                        "status"]),
                ],
                acts: &[
                    Act::Contacts("crates.io", "https", Direction::Fetch),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("crates.io", "https", Direction::Send),
                    Act::Finding("shell.upload", "`{program} {command}` changes what others get from the registry"),
                ],
            },
        ])
        ,
        works(
            "search info audit deny outdated vet",
            "cargo(1) 1.80",
            "--index=data --registry=data",
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
                    Act::Contacts("index.crates.io", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "\
                tree metadata locate-project pkgid version help read-manifest verify-project report geiger \
                license tokei modules",
            "cargo(1) 1.80",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        ,
    ])
    .taken_over()
    ,
];
