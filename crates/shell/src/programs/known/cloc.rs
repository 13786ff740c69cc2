// Generated from knowledge/programs/cloc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            cloc tokei scc sloccount loccount wordcount aspell ispell hunspell spell codespell shellcheck \
            hadolint yamllint markdownlint vale proselint typos actionlint checkov-lint",
        "cloc(1) 1.98, shellcheck(1) 0.9",
        "\
            -s=data -f=data -e=data -x -a -S=data -W=num -C?=data -l -d=data -m=data --lang=data --list -q \
            --json --by-file --exclude-dir=data --include-lang=data --format=data --shell=data \
            --exclude=data --severity=data --color?=data --config=config --rcfile=config -c=config \
            --vcs=data --not-match-d=pat --quiet --files --sort=data -o=data -r --strict --no-warnings -t \
            --check-sourced --external-sources",
        "read*",
    )
    .taken_over()
    ,
];
