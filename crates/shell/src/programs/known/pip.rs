// Generated from knowledge/programs/pip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    --break-system-packages --editor=prog --system -c|--constraint=data --cert=data -d|--dest=data \
    -e|--editable=data --extra=data --extra-index-url=data -f|--find-links=data -G|--group=data \
    -i|--index-url=data --log=data -n|--name=data -p|--python=data --prefix=data --proxy=data \
    -r|--requirement=data --root=data --src=data -t|--target=data --trusted-host=data --with=data \
    --without=data";

const READING: &str = "\
    -a --all --all-extras --depth=num -e|--editable --exclude=data --exclude-editable --explicit \
    -f|--files --format=data --frozen --global -i --include-editable --json --latest -l|--local --locked \
    -n|--name=data --no-deps --no-dev --no-index --no-pip --not-required --only=data -o|--outdated \
    --path=look --platform=data --pre -q --short --site -T --top-level -t|--tree -u|--uptodate --user -v \
    --why --with=data --without=data";

static VERBS_COMMANDS: &[ProgramRow] = &[
    works(
        "download wheel",
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "export pin ensurepath test lint",
        "pip(1) 24",
        "",
        "data*",
    )
    .also(COMMON)
    .style(Style::Lenient)
    ,
    works(
        "config cache",
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
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
        "pip(1) 24",
        "",
        "read*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
    reads(
        "\
            list freeze show check debug inspect info tree help completion find dir which environment",
        "pip(1) 24",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pip pip2 pipenv easy_install rye",
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
        "pipx",
        "pipx 1.4",
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
            "run exec runpip shell",
            "pipx 1.4",
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
        reads(
            "environment env",
            "pipx 1.4",
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
        "uv reference 0.4",
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
            "uv reference 0.4",
            "",
            "data*",
        )
        .also(READING)
        .style(Style::Lenient)
        ,
        works(
            "pip tool python self",
            "uv reference 0.4",
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
        "conda mamba micromamba poetry pdm hatch",
        "conda 24, poetry 1.8",
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
            "conda 24, poetry 1.8",
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
];
