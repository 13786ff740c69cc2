// Generated from knowledge/programs/gem.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const INSTALLING: &str = "\
    -v|--version=data -i|--install-dir=dir -n|--bindir=dir -N|--no-document --document?=data -f|--force \
    -g|--file?=config -l|--local -r|--remote -b|--both -B|--bulk-threshold=num --clear-sources \
    -s|--source=choose -p|--http-proxy?=choose -P|--trust-policy=data -E|--env-shebang -w|--wrappers \
    -y|--conservative --user-install --no-user-install --prerelease|--pre --platform=data --development \
    --minimal-deps --config-file=config --build-root=dir -q|--quiet -V|--verbose --silent --norc \
    --backtrace --debug -h|--help -d|--details -a|--all -x|--executables -I|--ignore-dependencies \
    --versions --no-versions --key=secret --host=choose --otp=secret";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gem",
        "gem help, and help of each command 3.5",
        "",
        "",
    )
    .also(INSTALLING)
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
        reads(
            "\
                list ls info which contents specification dependency environment env help lock stale \
                rdoc-list",
            "gem help, and help of each command 3.5",
            "",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        ,
        works(
            "install i update",
            "gem help, and help of each command 3.5",
            "",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "rubygems.org", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "search outdated fetch mirror",
            "gem help, and help of each command 3.5",
            "",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("rubygems.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "exec",
            "gem help, and help of each command 3.5",
            "-g|--gem=data",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0"], fits: &[], except: &[], after: &[] },
                        "rubygems.org", &[], &[], false),
                    Act::Finding("shell.remote_code", "installs and runs {first}"),
                ],
            },
        ])
        ,
        works(
            "push publish yank owner signin signout",
            "gem help, and help of each command 3.5",
            "",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["push", "publish"]),
                ],
                acts: &[
                    Act::Contacts("rubygems.org", "https", Direction::Send),
                    Act::Operand(0, false, Role::Read),
                    Act::Finding("shell.upload", "publishes a package"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("rubygems.org", "https", Direction::Send),
                    Act::Finding("shell.upload", "changes what others install"),
                ],
            },
        ])
        ,
        works(
            "open",
            "gem help, and help of each command 3.5",
            "-e|--editor=sh",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        ,
        works(
            "\
                build cert check cleanup generate_index pristine rdoc rebuild server sources uninstall \
                unpack",
            "gem help, and help of each command 3.5",
            "",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["build"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("ruby")),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["unpack"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["server"]),
                ],
                acts: &[
                    Act::Listens("*", "http", &[]),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "bundle bundler",
        "bundle(1), and the page of each command 2.5",
        "--no-color -r|--retry=num -V|--verbose -v|--version -h|--help",
        "",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    "rubygems.org", &[], &[], false),
            ],
        },
    ])
    .subs(&[
        reads(
            "help version",
            "bundle(1), and the page of each command 2.5",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "list show info env which check viz licenses platform doctor status",
            "bundle(1), and the page of each command 2.5",
            "\
                --name-only --only-group=data --without-group=data --paths --path --version --outdated \
                --ruby --dry-run --gemfile=file:ruby",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Gemfile", "ruby"),
                ],
            },
        ])
        ,
        works(
            "install i update add",
            "bundle(1), and the page of each command 2.5",
            "\
                --binstubs?=dir --clean --deployment --frozen --full-index --gemfile=file:ruby \
                -j|--jobs=num --local --no-cache --no-prune --path=dir --prefer-local --quiet \
                --redownload|--force --retry=num --shebang=data --standalone?=data --system \
                --target-rbconfig=file:ruby --trust-policy=data --with=data --without=data --all \
                --conservative --group=data --major --minor --patch --pre --strict --source=choose \
                --git=data --github=data --branch=data --ref=data --glob=data --require=data \
                --skip-install --optimistic --version|-v=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Gemfile", "ruby"),
                    Act::Installs(Pick { at: &["9"], fits: &[], except: &[], after: &[] },
                        "rubygems.org", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "exec e",
            "bundle(1), and the page of each command 2.5",
            "--keep-file-descriptors --gemfile=file:ruby",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
        works(
            "outdated audit fetch",
            "bundle(1), and the page of each command 2.5",
            "--strict --parseable --only-explicit",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("rubygems.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "plugin",
            "bundle(1), and the page of each command 2.5",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "bundle(1), and the page of each command 2.5",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install uninstall",
                "bundle(1), and the page of each command 2.5",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("rubygems.org", "https", Direction::Fetch),
                        Act::Finding("shell.persistence", "installs a plug-in, which later calls run"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "\
                console open init gem lock clean config cache package pack pristine binstubs inject remove \
                rm uninstall issue generate_binstubs",
            "bundle(1), and the page of each command 2.5",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["console", "lock", "clean", "pristine", "cache", "package", "pack"]),
                ],
                acts: &[
                    Act::RunsProject("Gemfile", "ruby"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "composer",
        "composer help, and help of each command 2.7",
        "\
            -h|--help -q|--quiet -V|--version --ansi --no-ansi -n|--no-interaction --profile --no-plugins \
            --no-scripts -d|--working-dir=look --no-cache -v",
        "",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
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
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("composer.json", ""),
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                list show info validate diagnose status why depends prohibits why-not licenses \
                check-platform-reqs help about suggests fund completion",
            "composer help, and help of each command 2.7",
            "\
                -i|--installed -l|--latest -o|--outdated -D|--direct -t|--tree -s|--self -N|--name-only \
                -P|--path -a|--all -f|--format=data --no-dev --strict --no-check-publish --no-check-all \
                --with-dependencies --recursive|-r",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "install i update u upgrade require add create-project global reinstall bump",
            "composer help, and help of each command 2.7",
            "\
                --no-scripts --prefer-dist --prefer-source --prefer-install=data --dev --no-dev --dry-run \
                --no-autoloader --no-progress --no-install -o|--optimize-autoloader \
                -a|--classmap-authoritative --apcu-autoloader --ignore-platform-reqs \
                --ignore-platform-req=data -w|--with-dependencies -W|--with-all-dependencies \
                --prefer-stable --prefer-lowest -s|--stability=data --repository=choose \
                --repository-url=choose --add-repository --with=data --lock --audit --fixed",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["global"]),
                    Condition::First(&["exec", "run-script"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code",
                        "runs a program of the packages that are installed for the user"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["install", "i", "update", "u", "upgrade", "reinstall", "bump"]),
                    Condition::Has(&["--no-scripts"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["9"], fits: &[], except: &[], after: &[] },
                        "repo.packagist.org", &["always"], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["install", "i", "update", "u", "upgrade", "reinstall", "bump"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["9"], fits: &[], except: &[], after: &[] },
                        "repo.packagist.org", &[], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--no-scripts"]),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "repo.packagist.org", &["always"], &[], false),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "repo.packagist.org", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "exec e",
            "composer help, and help of each command 2.7",
            "-l|--list",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
        works(
            "search outdated audit fetch browse home",
            "composer help, and help of each command 2.7",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("repo.packagist.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "run run-script test",
            "composer help, and help of each command 2.7",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("composer.json", ""),
                ],
            },
        ])
        ,
        works(
            "\
                dump-autoload dumpautoload init remove rm uninstall config clear-cache self-update archive",
            "composer help, and help of each command 2.7",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
