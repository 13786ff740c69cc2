// Generated from knowledge/programs/gem.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const INSTALLING: &str = "\
    -v|--version=data -i|--install-dir=dir -n|--bindir=dir -N|--no-document --document?=data -f|--force \
    -g|--file?=config -l|--local -r|--remote -b|--both -B|--bulk-threshold=num --clear-sources \
    -s|--source=choose -p|--http-proxy?=choose -P|--trust-policy=data -E|--env-shebang -w|--wrappers \
    -y|--conservative --user-install --no-user-install --prerelease|--pre --platform=data --development \
    --minimal-deps --config-file=config --build-root=dir -q|--quiet -V|--verbose --silent --norc \
    --backtrace --debug -h|--help -d|--details -a|--all -x|--executables -I|--ignore-dependencies \
    --versions --no-versions --key=secret --host=choose --otp=secret -u|--update-sources \
    --no-update-sources --no-http-proxy --vendor --development-all --no-minimal-deps \
    --post-install-message --no-post-install-message --format-executable --no-format-executable \
    --without=data --default --explain --lock --no-lock --suggestions --no-suggestions --no-wrappers \
    --no-env-shebang --no-force --no-prerelease --system?=data -t|--test";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gem",
        "gem help, and help of each command 3.5, compared with 3.3",
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
            "gem help, and help of each command 3.5, compared with 3.3",
            "\
                --exact --gems-first -i|--installed --no-details --no-installed --lib-only --no-lib-only \
                --marshal -n|--name-matches=pat --no-prefix --prefix --pipe -R|--reverse-dependencies \
                --ruby --show-install-dir --spec-dir=look --strict --yaml",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-r", "-b"]),
                ],
                acts: &[
                    Act::Contacts("rubygems.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "install i update",
            "gem help, and help of each command 3.5, compared with 3.3",
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
            "gem help, and help of each command 3.5, compared with 3.3",
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
            "gem help, and help of each command 3.5, compared with 3.3",
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
            "gem help, and help of each command 3.5, compared with 3.3",
            "-a|--add=data -h|--host=choose -k|--key=secret -r|--remove=data",
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
            "gem help, and help of each command 3.5, compared with 3.3",
            "-e|--editor=sh",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        ,
        works(
            "sources",
            "gem help, and help of each command 3.5, compared with 3.3",
            "-a|--add=choose -c|--clear-all -l|--list -r|--remove=data -u|--update",
            "data*",
        )
        .also(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-a", "-c", "-r"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes the servers that packages are taken from"),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-a", "-c", "-r", "-u"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "cert",
            "gem help, and help of each command 3.5, compared with 3.3",
            "\
                -A|--key-algorithm=data -a|--add=read -b|--build=data -C|--certificate=read -d|--days=num \
                -K|--private-key=read -l|--list?=data -R|--re-sign -r|--remove=data -s|--sign=inplace",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-a", "-r"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "changes whose signatures of packages are trusted"),
                ],
            },
        ])
        ,
        works(
            "build check cleanup generate_index pristine rdoc rebuild server uninstall unpack",
            "gem help, and help of each command 3.5, compared with 3.3",
            "\
                --abort-on-dependent --alien -C=data -D|--check-development --directory=dir --doctor \
                --dry-run|--dryrun --extensions --modern --no-abort-on-dependent --no-extensions \
                --only-executables --only-plugins -o|--output=write --overwrite --rdoc --ri --skip=data \
                --spec --strict --target=dir --update",
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
    ,
    works(
        "bundle bundler",
        "bundle(1), and the page of each command 2.5, compared with 2.3",
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
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "list show info env which check viz licenses platform doctor status",
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "\
                --name-only --only-group=data --without-group=data --paths --path --version --outdated \
                --ruby --dry-run --gemfile=file:ruby -f|--file=write -F|--format=data --quiet \
                -r|--requirements -W|--without=data",
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
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "\
                --binstubs?=dir --clean --deployment --frozen --full-index --gemfile=file:ruby \
                -j|--jobs=num --local --no-cache --no-prune --path=dir --prefer-local --quiet \
                --redownload|--force --retry=num --shebang=data --standalone?=data --system \
                --target-rbconfig=file:ruby --trust-policy=data --with=data --without=data --all \
                --bundler?=data --conservative -g|--group=data --ruby --major --minor --patch --pre \
                --strict -s|--source=choose --git=choose --github=data --branch=data --ref=data \
                --glob=data -r|--require=data --skip-install --optimistic --version|-v=data",
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
            "bundle(1), and the page of each command 2.5, compared with 2.3",
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
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "\
                --strict --filter-major --filter-minor --filter-patch --group=data --groups --local \
                --major --minor --only-explicit --parseable|--porcelain --patch --pre --source=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["outdated"]),
                ],
                acts: &[
                    Act::RunsProject("Gemfile", "ruby"),
                ],
            },
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
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "bundle(1), and the page of each command 2.5, compared with 2.3",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install uninstall",
                "bundle(1), and the page of each command 2.5, compared with 2.3",
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
            "config",
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "--global --local --parseable",
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
                    Condition::First(&["list", "get"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["unset"]),
                    Condition::Operand(&["mirror.*", "gemfile", "build.*", "plugins.*", "ssl_*",
                        "*CREDENTIALS*"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "decides where packages come from"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "\
                console open init gem lock clean cache package pack pristine binstubs inject remove rm \
                uninstall issue generate_binstubs",
            "bundle(1), and the page of each command 2.5, compared with 2.3",
            "\
                --add-platform=data --all --ci?=data --coc --conservative --dry-run -e|--edit?=sh --exe \
                --ext --force --full-index --gemspec=file:ruby --install --linter?=data --local \
                --lockfile=write --major --minor --mit --no-coc --no-exe --no-ext --no-mit --patch \
                --path=dir --print --remove-platform=data --shebang=data --standalone --strict \
                -t|--test?=data --update?=data",
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
                    Condition::Called(&["console", "lock", "clean", "pristine", "cache", "package", "pack",
                        "open", "binstubs", "inject", "remove", "rm", "uninstall"]),
                ],
                acts: &[
                    Act::RunsProject("Gemfile", "ruby"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "composer",
        "composer help, and help of each command 2.7, compared with 2.5",
        "\
            -h|--help -q|--quiet -V|--version --ansi --no-ansi -n|--no-interaction --profile --no-plugins \
            --no-scripts -d|--working-dir=look --no-cache -v|--verbose",
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
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                --all -a|--available --by-package --by-suggestion --check-lock -D|--direct \
                -f|--format=data -i|--installed --ignore=data --ignore-platform-req=data \
                --ignore-platform-reqs -l|--latest --list --lock --locked -M|--major-only -m|--minor-only \
                -N|--name-only --no-check-all --no-check-lock --no-check-publish --no-check-version \
                --no-dev -o|--outdated -P|--path --patch-only -p|--platform -r|--recursive -s|--self \
                --strict -t|--tree -A|--with-dependencies",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["show", "info"]),
                    Condition::Has(&["-l", "-o", "-a"]),
                ],
                acts: &[
                    Act::Contacts("repo.packagist.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["diagnose"]),
                ],
                acts: &[
                    Act::Contacts("repo.packagist.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "install i update u upgrade require r add create-project global reinstall bump",
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                --add-repository -a|--classmap-authoritative --apcu-autoloader \
                --apcu-autoloader-prefix=data --ask --audit --audit-format=data --dev -D|--dev-only \
                --download-only --dry-run --fixed --ignore-platform-req=data --ignore-platform-reqs \
                -i|--interactive --keep-vcs --lock --no-audit --no-autoloader --no-custom-installers \
                --no-dev -R|--no-dev-only --no-install --no-progress --no-scripts --no-secure-http \
                --no-suggest --no-update -o|--optimize-autoloader --prefer-dist --prefer-install=data \
                --prefer-lowest --prefer-source --prefer-stable --remove-vcs --repository=choose \
                --repository-url=choose --root-reqs --sort-packages -s|--stability=data --update-no-dev \
                --update-with-all-dependencies --update-with-dependencies --with=data \
                -W|--with-all-dependencies -w|--with-dependencies",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--no-secure-http"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "takes packages over connections that anyone can change"),
                ],
            },
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
            "composer help, and help of each command 2.7, compared with 2.5",
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
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                -a|--all -D|--direct -f|--format=data -H|--homepage --ignore=data \
                --ignore-platform-req=data --ignore-platform-reqs --locked -M|--major-only -m|--minor-only \
                -N|--only-name --no-dev -O|--only-vendor -o|--outdated -p|--patch-only -s|--show --strict \
                -t|--type=data",
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
            "composer help, and help of each command 2.7, compared with 2.5",
            "--dev -l|--list --no-dev --timeout=num",
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
            "config",
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                --absolute --append -a|--auth -e|--editor -f|--file=inplace -g|--global -j|--json \
                -l|--list -m|--merge --source --unset",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-l"]),
                    Condition::Lacks(&["-f"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["repo*", "allow-plugins*", "secure-http", "disable-tls", "scripts*",
                        "process-timeout"]),
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "decides what later installations load"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "self-update selfupdate",
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                --1 --2 --clean-backups --no-progress --preview -r|--rollback --set-channel-only \
                --snapshot --stable --update-keys",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("getcomposer.org", "https", Direction::Fetch),
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "archive",
            "composer help, and help of each command 2.7, compared with 2.5",
            "--dir=dir --file=data -f|--format=data --ignore-filters",
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
            "dump-autoload dumpautoload init remove rm uninstall clear-cache clearcache cc",
            "composer help, and help of each command 2.7, compared with 2.5",
            "\
                -a|--autoload|--classmap-authoritative --apcu --apcu-autoloader \
                --apcu-autoloader-prefix=data --apcu-prefix=data --audit-format=data --author=data \
                --description=data --dev --dry-run --gc --homepage=data --ignore-platform-req=data \
                --ignore-platform-reqs -l|--license=data --name=data --no-audit --no-dev --no-install \
                --no-progress --no-update --no-update-with-dependencies \
                -o|--optimize|--optimize-autoloader --repository=choose --require=data --require-dev=data \
                -s|--stability=data --strict-psr --type?=data --unused --update-no-dev \
                -W|--update-with-all-dependencies|--with-all-dependencies -w|--update-with-dependencies",
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
                    Condition::Called(&["dump-autoload", "dumpautoload", "remove", "rm", "uninstall"]),
                ],
                acts: &[
                    Act::RunsProject("composer.json", ""),
                ],
            },
        ])
        ,
    ])
    ,
];
