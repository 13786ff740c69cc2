// Generated from knowledge/programs/pip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    --break-system-packages --editor=prog --system -c|--constraint=data --cert=data -d|--dest=data \
    -e|--editable=data --extra=data --extra-index-url=data -f|--find-links=data -G|--group=data \
    -i|--index-url=data --log=data -n|--name=data -p|--python=data --prefix=data --proxy=data \
    -r|--requirement=data --root=data --src=data -t|--target=data --trusted-host=data --with=data \
    --without=data";

const PIP_GENERAL: &str = "\
    --cache-dir=dir --cert=read --client-cert=read --debug --disable-pip-version-check \
    --exists-action=data -h|--help --isolated --keyring-provider=data --log=append --no-cache-dir \
    --no-color --no-input --no-proxy-env --no-python-version-warning --proxy=data --python=data -q|--quiet \
    --require-virtualenv --resume-retries=num --retries=num --timeout|--default-timeout=num \
    --trusted-host=data --use-deprecated=data --use-feature=data -V|--version -v|--verbose";

const PIP_PACKAGES: &str = "\
    --abi=data --all-releases=data --break-system-packages --build-constraint=read --build-option=data \
    -C|--config-settings|--config-setting=data -c|--constraint=read --check-build-dependencies --compile \
    -d|--dest|--destination-dir|--destination-directory=dir --dry-run -e|--editable=data \
    --extra-index-url=data -f|--find-links=data --force-reinstall --global-option=data --group=data \
    -I|--ignore-installed -i|--index-url|--pypi-url=data --ignore-requires-python --implementation=data \
    --install-option=data --no-binary=data --no-build-isolation --no-clean --no-compile \
    --no-deps|--no-dependencies --no-index --no-require-hashes --no-use-pep517 --no-verify \
    --no-warn-conflicts --no-warn-script-location -o|--output=write --only-binary=data --only-deps \
    --only-final=data --platform=data --pre --prefer-binary --prefix=data --progress-bar=data \
    --python-version=data -r|--requirement=data --refresh-package=data --report=write --require-hashes \
    --requirements-from-script=read --root=data --root-user-action=data \
    --src|--source|--source-dir|--source-directory=dir -t|--target=data -U|--upgrade \
    --upgrade-strategy=data --uploaded-prior-to=data --use-pep517 --user -w|--wheel-dir=dir";

const PIPX_GENERAL: &str = "--global -h|--help -q|--quiet --skip-maintenance -v|--verbose";

const PIPX_PACKAGES: &str = "\
    --app=data --backend=data --cooldown=num -e|--editable --fetch-missing-python --fetch-python=data \
    -f|--force -i|--index-url=data --include-apps --include-deps --include-injected \
    --include-resources-from=data --install --lock=read --output=data --pip-args=data --preinstall=data \
    --python=data --skip=data --suffix=data --system-site-packages --upgrade --upgrade-strategy=data \
    --with-suffix";

const POETRY_GENERAL: &str = "\
    --ansi -C|--directory=look -h|--help -n|--no-interaction --no-ansi --no-cache --no-plugins \
    -P|--project=look -q|--quiet -V|--version -v|--verbose";

const POETRY_PACKAGES: &str = "\
    --all-extras --all-groups --allow-prereleases --compile -D|--dev --dry-run -E|--extras=data \
    -e|--editable -G|--group=data --lock --markers=data --no-directory --no-root --no-update --only=data \
    --only-root --optional=data --platform=data --python=data --regenerate --source=data --sync \
    --with=data --without=data";

const READING: &str = "\
    -a --all --all-extras --depth=num -e|--editable --exclude=data --exclude-editable --explicit \
    -f|--files --format=data --frozen --global -i --include-editable --json --latest -l|--local --locked \
    -n|--name=data --no-deps --no-dev --no-index --no-pip --not-required --only=data -o|--outdated \
    --path=look --platform=data --pre -q --short --site -T --top-level -t|--tree -u|--uptodate --user -v \
    --why --with=data --without=data";

const UV_GENERAL: &str = "\
    --allow-insecure-host=data --cache-dir=dir --cert=read --color=data --config-file=choose \
    --directory=look -h|--help --managed-python --native-tls -n|--no-cache|--no-cache-dir --no-config \
    --no-managed-python --no-progress --no-python-downloads --offline --project=look -q|--quiet \
    --system-certs -V|--version -v|--verbose";

const UV_PACKAGES: &str = "\
    --active --all-extras --all-groups --all-packages -b|--build-constraints|--build-constraint=read \
    -C|--config-setting|--config-settings=data -c|--constraints|--constraint=read --check \
    --compile-bytecode|--compile --config-setting-package|--config-settings-package=data \
    --default-index=url --dry-run --exact --exclude-newer=data --exclude-newer-package=data \
    --excludes|--exclude-requirements=read --extra=data --extra-index-url=data -f|--find-links=data \
    --fork-strategy=data --frozen --group=data -i|--index-url=data --index=data --index-strategy=data \
    --inexact --keyring-provider=data --lfs --link-mode=data --locked --no-binary-package=data --no-build \
    --no-build-isolation --no-build-isolation-package=data --no-build-package=data --no-default-groups \
    --no-dev --no-editable --no-editable-package=data --no-extra=data --no-group=data --no-index \
    --no-install-local --no-install-package=data --no-install-project --no-install-workspace \
    --no-require-build-hashes --no-sources --no-sources-package=data --no-sync --only-dev \
    --only-group=data --output-format=data --overrides|--override=read -P|--upgrade-package=data \
    -p|--python=data --package=data --prerelease=data --prerelease-package=data --python-platform=data \
    --python-version=data --refresh --refresh-package=data --reinstall|--force-reinstall \
    --reinstall-package=data --require-build-hashes --resolution=data --torch-backend=data -U|--upgrade \
    --upgrade-group=data";

static VERBS_COMMANDS: &[ProgramRow] = &[
    works(
        "download wheel",
        "pip --help, and help of each command 26.3",
        "-d|--dest=dir -w|--wheel-dir=dir",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[], after: &[] },
                    "pypi.org", &[], &["--break-system-packages", "--system"], false),
                Act::Value("-r", Role::Source),
                Act::Value("-t", Role::Write),
                Act::Value("--prefix", Role::Write),
                Act::Value("--root", Role::Write),
            ],
        },
    ])
    ,
    works(
        "install add sync update upgrade lock create inject upgrade-all reinstall",
        "pip --help, and help of each command 26.3",
        "--report=write",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Called(&["create"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["-e"], fits: &[], except: &[], after: &[] }, "pypi.org",
                    &[], &["--break-system-packages", "--system"], false),
            ],
        },
        Rule {
            when: &[
                Condition::Called(&["install", "add", "sync", "update", "upgrade", "lock", "inject",
                        "upgrade-all", "reinstall"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[], after: &[] },
                    "pypi.org", &[], &["--break-system-packages", "--system"], false),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-r", Role::Source),
                Act::Value("-t", Role::Write),
                Act::Value("--prefix", Role::Write),
                Act::Value("--root", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--trusted-host"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off for an index"),
            ],
        },
    ])
    ,
    works(
        "run exec runpip shell",
        "pip --help, and help of each command 26.3",
        "\
            -n|--name=data --with=data -p|--python=data --extra=data --group=data --env-file=read",
        "data*",
    )
    .style(Style::LenientWordPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["*.py"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::File("python")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-"]),
            ],
            acts: &[
                Act::RunsStdin("python"),
                Act::Stop,
            ],
        },
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
        "init",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["conda", "mamba", "micromamba"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "changes the start-up files of the shell"),
            ],
        },
    ])
    ,
    works(
        "uninstall remove rm new build clean activate deactivate purge use format compile",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "export pin ensurepath test lint",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "config cache",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
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
        Rule {
            when: &[
                Condition::First(&["list", "get", "dir", "info", "debug"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "version",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .also(READING)
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
    named(
        "venv",
        "pip --help, and help of each command 26.3",
        "",
        "dir",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::RunsPath("-p"),
            ],
        },
    ])
    ,
    works(
        "publish",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("upload.pypi.org", "https", Direction::Send),
                Act::Finding("shell.upload", "publishes a package"),
            ],
        },
    ])
    ,
    works(
        "search index",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Contacts("pypi.org", "https", Direction::Fetch),
            ],
        },
    ])
    ,
    reads(
        "hash",
        "pip --help, and help of each command 26.3",
        "",
        "read*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
    reads(
        "\
            list freeze show check debug inspect info tree help completion find dir which environment",
        "pip --help, and help of each command 26.3",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pip pip2",
        "pip --help, and help of each command 26.3",
        "",
        "",
    )
    .also(PIP_GENERAL)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--python"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsPath("--python"),
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
    .subs(&[
        works(
            "install",
            "pip --help, and help of each command 26.3",
            "",
            "data*",
        )
        .also(PIP_GENERAL)
        .and(PIP_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &["--break-system-packages"], false),
                    Act::Value("-r", Role::Source),
                    Act::Value("-t", Role::Write),
                    Act::Value("--prefix", Role::Write),
                    Act::Value("--root", Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--trusted-host"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off for an index"),
                ],
            },
        ])
        ,
        works(
            "download wheel",
            "pip --help, and help of each command 26.3",
            "",
            "data*",
        )
        .also(PIP_GENERAL)
        .and(PIP_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &["--break-system-packages"], false),
                    Act::Value("-r", Role::Source),
                    Act::Value("-t", Role::Write),
                    Act::Value("--prefix", Role::Write),
                    Act::Value("--root", Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--trusted-host"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off for an index"),
                ],
            },
        ])
        ,
        works(
            "lock",
            "pip --help, and help of each command 26.3",
            "",
            "data*",
        )
        .also(PIP_GENERAL)
        .and(PIP_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &["--break-system-packages"], false),
                    Act::Value("-r", Role::Source),
                    Act::Value("-t", Role::Write),
                    Act::Value("--prefix", Role::Write),
                    Act::Value("--root", Role::Write),
                    Act::WritesFile("{-o|pylock.toml}"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--trusted-host"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "switches certificate checks off for an index"),
                ],
            },
        ])
        ,
        works(
            "uninstall",
            "pip --help, and help of each command 26.3",
            "--break-system-packages -r|--requirement=read --root-user-action=data -y|--yes",
            "data*",
        )
        .also(PIP_GENERAL)
        .style(Style::Lenient)
        ,
        reads(
            "list",
            "pip --help, and help of each command 26.3",
            "\
                --all-releases=data -e|--editable --exclude=data --exclude-editable --extra-index-url=url \
                -f|--find-links=data --format=data -i|--index-url|--pypi-url=url --include-editable \
                -l|--local --no-binary=data --no-index --not-required -o|--outdated --only-binary=data \
                --only-final=data --path=look --pre --prefer-binary --refresh-package=data -u|--uptodate \
                --uploaded-prior-to=data --user",
            "data*",
        )
        .also(PIP_GENERAL)
        .style(Style::Lenient)
        ,
        reads(
            "freeze inspect show check debug completion help",
            "pip --help, and help of each command 26.3",
            "\
                --abi=data --all -b|--bash --exclude=data --exclude-editable -f|--files|--fish \
                --implementation=data -l|--local -p|--powershell --path=look --platform=data \
                --python-version=data -r|--requirement=read --user -z|--zsh",
            "data*",
        )
        .also(PIP_GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "config",
            "pip --help, and help of each command 26.3",
            "--editor=prog --global --site --user",
            "data*",
        )
        .also(PIP_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list", "get", "debug"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "cache",
            "pip --help, and help of each command 26.3",
            "--format=data",
            "data*",
        )
        .also(PIP_GENERAL)
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
                    Condition::First(&["dir", "info", "list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        reads(
            "hash",
            "pip --help, and help of each command 26.3",
            "-a|--algorithm=data",
            "read*",
        )
        .also(PIP_GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "search index",
            "pip --help, and help of each command 26.3",
            "--index=url --json",
            "data*",
        )
        .also(PIP_GENERAL)
        .and(PIP_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "pipx",
        "pipx help, and help of each command 1.18.4",
        "--version",
        "",
    )
    .also(PIPX_GENERAL)
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
        works(
            "install inject upgrade upgrade-all upgrade-shared reinstall reinstall-all",
            "pipx help, and help of each command 1.18.4",
            "-r|--requirement=data",
            "data*",
        )
        .also(PIPX_GENERAL)
        .and(PIPX_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--python"]),
                ],
                acts: &[
                    Act::RunsPath("--python"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--preinstall", "--pip-args"]),
                ],
                acts: &[
                    Act::BeyondPlain,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &[], false),
                    Act::Value("-r", Role::Source),
                ],
            },
        ])
        ,
        works(
            "install-all",
            "pipx help, and help of each command 1.18.4",
            "",
            "read",
        )
        .also(PIPX_GENERAL)
        .and(PIPX_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "run exec runpip",
            "pipx help, and help of each command 1.18.4",
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
            "uninstall uninstall-all uninject expose unexpose health pin unpin reset repair",
            "pipx help, and help of each command 1.18.4",
            "--dry-run --injected-only --leave-deps -y|--yes",
            "data*",
        )
        .also(PIPX_GENERAL)
        .and(PIPX_PACKAGES)
        .style(Style::Lenient)
        ,
        reads(
            "list",
            "pipx help, and help of each command 1.18.4",
            "--include-injected --json --outdated --output=data --pinned --short",
            "data*",
        )
        .also(PIPX_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--outdated"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "environment completions help",
            "pipx help, and help of each command 1.18.4",
            "--value=data",
            "data*",
        )
        .also(PIPX_GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "interpreter cache manifest",
            "pipx help, and help of each command 1.18.4",
            "",
            "data*",
        )
        .also(PIPX_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list", "dir"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["sync", "upgrade"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "ensurepath",
            "pipx help, and help of each command 1.18.4",
            "--all-shells --dry-run --force --prepend",
            "data*",
        )
        .also(PIPX_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes the start-up files of the shell"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "pipenv easy_install rye",
        "pip(1) 24",
        "",
        "",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsPath("-p"),
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
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--system", "--break-system-packages"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .subs(&[
        reads(
            "env",
            "pip(1) 24",
            "",
            "data*",
        )
        .also(READING)
        .style(Style::Lenient)
        ,
    ])
    .shares(&[VERBS_COMMANDS])
    .taken_over()
    ,
    works(
        "uv",
        "uv help, and help of each command 0.13.9",
        "-p|--python=data",
        "",
    )
    .also(UV_GENERAL)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsPath("-p"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--allow-insecure-host"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off for an index"),
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
    .subs(&[
        works(
            "run",
            "uv help, and help of each command 0.13.9",
            "\
                --env-file=read --gui-script --isolated -m|--module --no-binary --no-env-file --no-project \
                -s|--script -w|--with=data --with-editable=read --with-requirements=read",
            "",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::RunsPath("-p"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-w", "--with-editable", "--with-requirements"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-i", "--index", "--default-index", "--extra-index-url", "-f"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "takes packages from a server that is named"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::RunsProject("pyproject.toml", ""),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["-"]),
                ],
                acts: &[
                    Act::RunsStdin("python"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-s", "--gui-script"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("python")),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["*.py", "*.pyw", "https://*", "http://*"]),
                    Condition::Lacks(&["-m"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("python")),
                    Act::Stop,
                ],
            },
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
            "add",
            "uv help, and help of each command 0.13.9",
            "\
                --bounds=data --branch=data --dev --editable -m|--marker=data --no-binary --no-workspace \
                --optional=data -r|--requirements|--requirement=data --raw --rev=data --script=inplace \
                --tag=data --workspace",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &[], false),
                    Act::Value("-r", Role::Source),
                ],
            },
        ])
        ,
        works(
            "remove",
            "uv help, and help of each command 0.13.9",
            "--dev --no-binary --optional=data --script=inplace",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        ,
        works(
            "sync lock",
            "uv help, and help of each command 0.13.9",
            "--check-exists --no-binary --script=read",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "version",
            "uv help, and help of each command 0.13.9",
            "--bump=data --no-binary --short",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--bump"]),
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--dry-run"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "export",
            "uv help, and help of each command 0.13.9",
            "\
                --emit-find-links --emit-index-url --format=data --no-annotate --no-binary --no-emit-local \
                --no-emit-package=data --no-emit-project --no-emit-workspace --no-hashes --no-header \
                -o|--output-file=write --prune=data --script=read",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--frozen", "--offline"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "tree",
            "uv help, and help of each command 0.13.9",
            "\
                -d|--depth=num --format=data --invert --no-binary --no-dedupe --outdated --prune=data \
                --script=read --show-sizes --universal",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--frozen", "--locked", "--offline"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        named(
            "init",
            "uv help, and help of each command 0.13.9",
            "\
                --app --author-from=data --bare --build-backend=data --description=data --lib --name=data \
                --no-description --no-package --no-pin-python --no-readme --no-workspace -p|--python=data \
                --package --script --vcs=data",
            "write",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "format",
            "uv help, and help of each command 0.13.9",
            "--check --diff --no-project --version=data",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                    Act::RunsProject("pyproject.toml", ""),
                ],
            },
        ])
        ,
        works(
            "check audit",
            "uv help, and help of each command 0.13.9",
            "\
                --fix --ignore=data --ignore-until-fixed=data --isolated --no-project \
                --service-format=data --service-url=url --ty-version=data",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                    Act::RunsProject("pyproject.toml", ""),
                ],
            },
        ])
        ,
        works(
            "build",
            "uv help, and help of each command 0.13.9",
            "\
                --clear --force-pep517 --no-binary --no-build-logs --no-create-gitignore \
                --no-verify-hashes -o|--out-dir=dir --require-hashes --sdist --wheel",
            "data*",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::RunsProject("pyproject.toml", ""),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("")),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-o"]),
                    Condition::Has(&["--clear"]),
                ],
                acts: &[
                    Act::Finding("shell.delete", "removes what is in the folder for packages"),
                ],
            },
        ])
        ,
        works(
            "publish",
            "uv help, and help of each command 0.13.9",
            "\
                --check-url=url --dry-run --index=data --keyring-provider=data --no-attestations \
                -p|--password=secret --publish-url=url -t|--token=secret --trusted-publishing=data \
                -u|--username=data",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--publish-url", "--index"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Send),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("upload.pypi.org", "https", Direction::Send),
                    Act::Sends(0, true),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "publishes a package"),
                ],
            },
        ])
        ,
        named(
            "venv virtualenv v",
            "uv help, and help of each command 0.13.9",
            "\
                --allow-existing --clear --force --no-project --prompt=data --relocatable --seed \
                --system-site-packages",
            "dir",
        )
        .also(UV_GENERAL)
        .and(UV_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::RunsPath("-p"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--clear", "--force", "-c"]),
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::DeletesOperand(0, false, &["always"], &[]),
                ],
            },
        ])
        ,
        works(
            "tool",
            "uv help, and help of each command 0.13.9",
            "",
            "",
        )
        .also(UV_GENERAL)
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
            works(
                "run",
                "uv help, and help of each command 0.13.9",
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
                "install upgrade",
                "uv help, and help of each command 0.13.9",
                "\
                    --all --editable --force --no-binary -w|--with=data --with-editable=read \
                    --with-executables-from=data --with-requirements=read",
                "data*",
            )
            .also(UV_GENERAL)
            .and(UV_PACKAGES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                            "pypi.org", &[], &[], false),
                    ],
                },
            ])
            ,
            reads(
                "list dir",
                "uv help, and help of each command 0.13.9",
                "\
                    --bin --exclude-newer=data --exclude-newer-package=data --outdated --show-extras \
                    --show-paths --show-python --show-version-specifiers --show-with",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--outdated"]),
                        Condition::Lacks(&["--offline"]),
                    ],
                    acts: &[
                        Act::Contacts("pypi.org", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "uninstall",
                "uv help, and help of each command 0.13.9",
                "--all",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "update-shell ensurepath",
                "uv help, and help of each command 0.13.9",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.persistence", "changes the start-up files of the shell"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "python",
            "uv help, and help of each command 0.13.9",
            "",
            "",
        )
        .also(UV_GENERAL)
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
            works(
                "install upgrade",
                "uv help, and help of each command 0.13.9",
                "\
                    --compile-bytecode --default -f|--force --graalpy-mirror=url -i|--install-dir=dir \
                    --mirror=url --no-bin --no-registry --pyodide-mirror=url --pypy-mirror=url \
                    --python-downloads-json-url=choose -r|--reinstall -U|--upgrade",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("github.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            reads(
                "list find dir",
                "uv help, and help of each command 0.13.9",
                "\
                    --all-arches --all-platforms --all-versions --bin --no-project --only-downloads \
                    --only-installed --output-format=data --python-downloads-json-url=choose \
                    --resolve-links --script=read --show-urls --show-version --system",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "pin",
                "uv help, and help of each command 0.13.9",
                "--global --no-project --python-downloads-json-url=choose --resolved --rm",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Lacks(&["--rm"]),
                        Condition::Operands(0, 0),
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
            ])
            ,
            works(
                "uninstall",
                "uv help, and help of each command 0.13.9",
                "--all -i|--install-dir=data",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "update-shell ensurepath",
                "uv help, and help of each command 0.13.9",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.persistence", "changes the start-up files of the shell"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "pip",
            "uv help, and help of each command 0.13.9",
            "",
            "",
        )
        .also(UV_GENERAL)
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
            works(
                "install sync",
                "uv help, and help of each command 0.13.9",
                "\
                    --allow-empty-requirements --break-system-packages -e|--editable=data \
                    --no-allow-empty-requirements --no-binary=data --no-break-system-packages --no-deps \
                    --no-verify-hashes --only-binary=data --prefix=data \
                    -r|--requirements|--requirement=data --require-hashes --strict --system \
                    -t|--target=data --user",
                "data*",
            )
            .also(UV_GENERAL)
            .and(UV_PACKAGES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Called(&["sync"]),
                    ],
                    acts: &[
                        Act::Operand(0, true, Role::Read),
                    ],
                },
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Installs(Pick { at: &["0..", "-e"], fits: &[], except: &[],
                            after: &[] }, "pypi.org", &[], &["--break-system-packages", "--system"],
                            false),
                        Act::Value("-r", Role::Source),
                        Act::Value("-t", Role::Write),
                        Act::Value("--prefix", Role::Write),
                    ],
                },
            ])
            ,
            works(
                "compile",
                "uv help, and help of each command 0.13.9",
                "\
                    --annotation-style=data --custom-compile-command=data --emit-build-options \
                    --emit-find-links --emit-index-annotation --emit-index-url --format=data \
                    --generate-hashes --no-annotate --no-binary=data --no-deps --no-emit-package=data \
                    --no-header --no-strip-extras --no-strip-markers -o|--output-file=write \
                    --only-binary=data --system --universal",
                "read*",
            )
            .also(UV_GENERAL)
            .and(UV_PACKAGES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("pypi.org", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "uninstall",
                "uv help, and help of each command 0.13.9",
                "\
                    --break-system-packages --dry-run --keyring-provider=data --no-break-system-packages \
                    -p|--python=data --prefix=data -r|--requirements|--requirement=read --system \
                    -t|--target=data",
                "data*",
            )
            .also(UV_GENERAL)
            .style(Style::Lenient)
            ,
            reads(
                "freeze list show tree check",
                "uv help, and help of each command 0.13.9",
                "\
                    -d|--depth=num -e|--editable --exclude=data --exclude-editable --files --format=data \
                    --invert --no-dedupe --outdated --path=look --prefix=look --prune=data --show-sizes \
                    --show-version-specifiers --strict --system -t|--target=look",
                "data*",
            )
            .also(UV_GENERAL)
            .and(UV_PACKAGES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--outdated"]),
                        Condition::Lacks(&["--offline"]),
                    ],
                    acts: &[
                        Act::Contacts("pypi.org", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "cache",
            "uv help, and help of each command 0.13.9",
            "--ci --force -H|--human --output-format=data",
            "data*",
        )
        .also(UV_GENERAL)
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
                    Condition::First(&["dir", "size"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "auth",
            "uv help, and help of each command 0.13.9",
            "--password=secret -t|--token=secret -u|--username=data",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["token"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints the token of a service"),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["dir"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "self",
            "uv help, and help of each command 0.13.9",
            "--dry-run --output-format=data --short --token=secret",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["version"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["update"]),
                ],
                acts: &[
                    Act::Contacts("github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "workspace",
            "uv help, and help of each command 0.13.9",
            "--exact --output-version=data --paths --scripts --sync",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["dir", "list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["metadata"]),
                ],
                acts: &[
                    Act::RunsProject("pyproject.toml", ""),
                ],
            },
        ])
        ,
        reads(
            "help generate-shell-completion",
            "uv help, and help of each command 0.13.9",
            "",
            "data*",
        )
        .also(UV_GENERAL)
        .style(Style::Lenient)
        ,
    ])
    ,
    works(
        "conda mamba micromamba pdm hatch",
        "conda 24",
        "",
        "",
    )
    .also(COMMON)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsPath("-p"),
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
    .throughout(&[
        Rule {
            when: &[
                Condition::Has(&["--system", "--break-system-packages"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .subs(&[
        works(
            "env self plugin",
            "conda 24",
            "",
            "",
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
        ])
        .shares(&[VERBS_COMMANDS])
        ,
    ])
    .shares(&[VERBS_COMMANDS])
    .taken_over()
    ,
    works(
        "poetry",
        "poetry list, and help of each command 2.5.1",
        "",
        "",
    )
    .also(POETRY_GENERAL)
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
            "about list help",
            "poetry list, and help of each command 2.5.1",
            "",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        ,
        reads(
            "show check",
            "poetry list, and help of each command 2.5.1",
            "\
                -a|--all -f|--format=data -l|--latest --lock --no-truncate -o|--outdated --only=data \
                --strict -T|--top-level -t|--tree --why --with=data --without=data",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-l", "-o"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "version",
            "poetry list, and help of each command 2.5.1",
            "--dry-run --next-phase -s|--short",
            "data*",
        )
        .also(POETRY_GENERAL)
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
                    Condition::Has(&["--dry-run"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "add install sync update lock",
            "poetry list, and help of each command 2.5.1",
            "",
            "data*",
        )
        .also(POETRY_GENERAL)
        .and(POETRY_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "pypi.org", &[], &[], false),
                ],
            },
        ])
        ,
        works(
            "remove",
            "poetry list, and help of each command 2.5.1",
            "",
            "data*",
        )
        .also(POETRY_GENERAL)
        .and(POETRY_PACKAGES)
        .style(Style::Lenient)
        ,
        works(
            "run shell",
            "poetry list, and help of each command 2.5.1",
            "\
                -n|--name=data --with=data -p|--python=data --extra=data --group=data --env-file=read",
            "data*",
        )
        .style(Style::LenientWordPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*.py"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("python")),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["-"]),
                ],
                acts: &[
                    Act::RunsStdin("python"),
                    Act::Stop,
                ],
            },
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
            "build",
            "poetry list, and help of each command 2.5.1",
            "\
                -c|--config-settings=data --clean -f|--format=data -l|--local-version=data -o|--output=dir",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("pyproject.toml", ""),
                ],
            },
        ])
        ,
        works(
            "publish",
            "poetry list, and help of each command 2.5.1",
            "\
                --build --cert=read --client-cert=read --dist-dir=look --dry-run -p|--password=secret \
                -r|--repository=data --skip-existing -u|--username=data",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-r"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-r"]),
                ],
                acts: &[
                    Act::Contacts("upload.pypi.org", "https", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["--dry-run"]),
                ],
                acts: &[
                    Act::Finding("shell.upload", "publishes a package"),
                ],
            },
        ])
        ,
        works(
            "config",
            "poetry list, and help of each command 2.5.1",
            "--list --local --migrate --unset",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--list"]),
                    Condition::Lacks(&["--unset", "--migrate"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::FirstNot(&["http-basic*", "pypi-token*"]),
                    Condition::Lacks(&["--unset", "--migrate"]),
                    Condition::Operands(1, 1),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        named(
            "init new",
            "poetry list, and help of each command 2.5.1",
            "\
                --author=data --dependency=data --description=data --dev-dependency=data --flat \
                -i|--interactive -l|--license=data --name=data --python=data --readme=data --src",
            "write",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "search",
            "poetry list, and help of each command 2.5.1",
            "",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "cache",
            "poetry list, and help of each command 2.5.1",
            "--all",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        works(
            "debug",
            "poetry list, and help of each command 2.5.1",
            "--install --tree",
            "data*",
        )
        .also(POETRY_GENERAL)
        .and(POETRY_PACKAGES)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["info", "tags"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["resolve"]),
                ],
                acts: &[
                    Act::Contacts("pypi.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "env",
            "poetry list, and help of each command 2.5.1",
            "--all -e|--executable --full-path -p|--path",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["info", "list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["use"]),
                ],
                acts: &[
                    Act::Operand(1, false, Role::File("")),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["remove"]),
                ],
                acts: &[
                    Act::Finding("shell.delete", "removes environments and what was installed into them"),
                ],
            },
        ])
        ,
        works(
            "python",
            "poetry list, and help of each command 2.5.1",
            "\
                -a|--all -c|--clean -t|--free-threaded -i|--implementation=data -m|--managed \
                -r|--reinstall",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["list"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["install"]),
                ],
                acts: &[
                    Act::Contacts("github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "self",
            "poetry list, and help of each command 2.5.1",
            "",
            "",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .subs(&[
            works(
                "add install update sync lock",
                "poetry list, and help of each command 2.5.1",
                "",
                "data*",
            )
            .also(POETRY_GENERAL)
            .and(POETRY_PACKAGES)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                            "pypi.org", &[], &[], false),
                        Act::Finding("shell.persistence", "changes what poetry itself loads"),
                    ],
                },
            ])
            ,
            reads(
                "show",
                "poetry list, and help of each command 2.5.1",
                "--addons -f|--format=data -l|--latest -o|--outdated -t|--tree",
                "data*",
            )
            .also(POETRY_GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "remove",
                "poetry list, and help of each command 2.5.1",
                "--dry-run",
                "data*",
            )
            .also(POETRY_GENERAL)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "source",
            "poetry list, and help of each command 2.5.1",
            "-p|--priority=data",
            "data*",
        )
        .also(POETRY_GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["show"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
    ])
    ,
];
