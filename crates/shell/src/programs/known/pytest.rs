// Generated from knowledge/programs/pytest.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            pytest py.test unittest mypy pyright pylint flake8 ruff black isort autopep8 yapf bandit \
            coverage jupyter nbconvert pyflakes pycodestyle pydocstyle vulture radon sphinx-quickstart \
            cookiecutter copier alembic celery gunicorn uvicorn hypercorn daphne streamlit gradio mlflow \
            dvc wandb tensorboard locust scrapy virtualenv pip-compile pip-sync pip-audit safety \
            twine-check towncrier bumpversion bump2version commitizen cz",
        "pytest 8, ruff 0.3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::tool),
            ],
        },
    ])
    .taken_over()
    ,
];
