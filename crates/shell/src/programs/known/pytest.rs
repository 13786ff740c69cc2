// Generated from knowledge/programs/pytest.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const LOADS: &str = "\
    -c|--config=file --rcfile=file --plugin=file --rulesdir|--resolve-plugins-relative-to=file \
    -r|--require=file --loader|--import=file --globalSetup|--setupFiles=file --exec=file -x=sh";

const WRITES: &str = "\
    -o|--output=write --output-file=write --outFile=write --outdir|--outDir=write --junitxml=write \
    --cov-report-file=write --html=write --out=write --log-file=write -v|-V";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pytest",
        "pytest 8",
        "--plugin=file -p=data",
        "data*",
    )
    .also(WRITES)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--basetemp"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.delete", "removes what is in the folder for temporary files"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "mypy ruff black",
        "ruff 0.3",
        "--plugin=file",
        "data*",
    )
    .also(WRITES)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "py.test pyright pylint pyflakes pycodestyle pydocstyle",
        "pylint 3",
        "-p=data",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--basetemp"]),
                Condition::Program(&["py.test"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.delete", "removes what is in the folder for temporary files"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "coverage",
        "coverage 7",
        "",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["run"]),
                Condition::Word(&["-m"]),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsBehind(&["-m"]),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "jupyter celery gunicorn uvicorn streamlit",
        "their manual pages",
        "",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["run"]),
                Condition::Program(&["streamlit"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("python")),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["purge"]),
                Condition::Program(&["celery"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "throws away what waits in the queues"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
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
                Act::Listens("127.0.0.1", "http", &[]),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "\
            unittest flake8 isort autopep8 yapf bandit nbconvert vulture radon sphinx-quickstart \
            cookiecutter copier alembic hypercorn daphne gradio mlflow dvc wandb tensorboard locust scrapy \
            virtualenv pip-compile pip-sync pip-audit safety twine-check towncrier bumpversion \
            bump2version commitizen cz",
        "their manual pages",
        "",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["runspider"]),
                Condition::Program(&["scrapy"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("python")),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["downgrade"]),
                Condition::Program(&["alembic"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "takes the schema of a database back"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["virtualenv"]),
                Condition::Word(&["-p", "--python"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
];
