// Generated from knowledge/programs/cargo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const BUILDING: &str = "\
    --all --all-features --all-targets --allow-dirty --allow-no-vcs --allow-staged \
    --artifact-dir|--out-dir=dir --bench=data --benches --bin=data --bins --broken-code --crate-type=data \
    --doc --document-private-items --edition --edition-idioms --example=data --examples --exclude=data \
    --exclude-lockfile -F|--features=data --fix --frozen --future-incompat-report --ignore-rust-version \
    -j|--jobs=num --keep-going -l|--list --lib --locked --message-format=data --no-default-features \
    --no-deps --no-fail-fast --no-metadata --no-run --no-verify --open --output-format=data \
    -p|--package=data --profile=data -q|--quiet -r|--release --target=data --test=data --tests --timings \
    -v|--verbose --workspace";

const COMMON: &str = "\
    -C=data --color=data --config=data -h|--help --manifest-path=data --offline --target-dir=dir -Z=data";

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
        "cargo(1) 1.95",
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
            "cargo(1) 1.95",
            "",
            "data*",
        )
        .also(COMMON)
        .and(BUILDING)
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
                    Act::Value("--manifest-path", Role::File("")),
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
            "cargo(1) 1.95",
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
            "cargo(1) 1.95",
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
            "cargo(1) 1.95",
            "--bin --edition=data --lib --name=data --registry=data --vcs=data",
            "dir",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "fmt sort config generate",
            "cargo(1) 1.95",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "remove rm",
            "cargo(1) 1.95",
            "--build --dev --dry-run -p|--package=data --target=data",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        ,
        works(
            "generate-lockfile",
            "cargo(1) 1.95",
            "--ignore-rust-version --publish-time=data",
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
                    Condition::Lacks(&["--offline"]),
                ],
                acts: &[
                    Act::Contacts("index.crates.io", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "package",
            "cargo(1) 1.95",
            "--index=data --registry=data",
            "data*",
        )
        .also(COMMON)
        .and(BUILDING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h", "-l"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--no-verify"]),
                ],
                acts: &[
                    Act::Value("--manifest-path", Role::File("")),
                    Act::RunsProject("Cargo.toml", ""),
                ],
            },
        ])
        ,
        works(
            "vendor",
            "cargo(1) 1.95",
            "--no-delete --respect-source-config -s|--sync=read --versioned-dirs",
            "dir",
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
                    Condition::Lacks(&["--no-delete"]),
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::DeletesOperand(0, false, &["always"], &[]),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--no-delete"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::DeletesBuild("vendor"),
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
            "add update fetch upgrade",
            "cargo(1) 1.95",
            "\
                --base=data --branch=data --breaking --build --default-features --dev --dry-run \
                -F|--features=data --no-default-features --no-optional --no-public --optional \
                -p|--package=data --precise=data --public --recursive --rename=data --rev=data --tag=data \
                --target=data -w|--workspace",
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
            "cargo(1) 1.95",
            "\
                --doc --dry-run -p|--package=data --profile=data --release --target=data --workspace",
            "data*",
        )
        .also(COMMON)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h", "--dry-run"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--target-dir"]),
                ],
                acts: &[
                    Act::DeletesValue("--target-dir"),
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
            "cargo(1) 1.95",
            "\
                --all-features --bin=data --bins --branch=data --debug --dry-run|-n --example=data \
                --examples -F|--features=data -f|--force --ignore-rust-version -j|--jobs=num --keep-going \
                --list --message-format=data --no-default-features --no-track --profile=data --rev=data \
                --root=dir --tag=data --target=data --timings --version|--vers=data",
            "data*",
        )
        .also(COMMON)
        .and(SOURCES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-h", "--list"]),
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
            "cargo(1) 1.95",
            "--bin=data -p|--package=data --root=dir",
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
            "publish",
            "cargo(1) 1.95",
            "--dry-run --index=data --registry=data --token=secret",
            "data*",
        )
        .also(COMMON)
        .and(BUILDING)
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
                    Condition::Lacks(&["--no-verify"]),
                ],
                acts: &[
                    Act::Value("--manifest-path", Role::File("")),
                    Act::RunsProject("Cargo.toml", ""),
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
            "yank owner login logout",
            "cargo(1) 1.95",
            "\
                -a|--add=data -l|--list -r|--remove=data --token=secret --undo --version|--vers=data",
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
            "cargo(1) 1.95",
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
            "cargo(1) 1.95",
            "",
            "data*",
        )
        .also(COMMON)
        .and(READING)
        .style(Style::Lenient)
        ,
    ])
    ,
];
