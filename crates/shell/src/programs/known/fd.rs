// Generated from knowledge/programs/fd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "fd fdfind",
        "fd(1) 9.0",
        "\
            -H|--hidden -I|--no-ignore -u|--unrestricted --no-ignore-vcs --no-ignore-parent \
            --no-global-ignore-file -s|--case-sensitive -i|--ignore-case -g|--glob --regex \
            -F|--fixed-strings --and=pat -a|--absolute-path -l|--list-details -L|--follow -p|--full-path \
            -0|--print0 -d|--max-depth=num --min-depth=num --exact-depth=num -E|--exclude=pat --prune \
            -t|--type=data -e|--extension=data -S|--size=data --changed-within=data --changed-before=data \
            -o|--owner=data --format=data --batch-size=num --ignore-file=read -c|--color=data \
            -j|--threads=num --max-buffer-time=num --max-results=num -1 -q|--quiet --show-errors \
            --base-directory=look --path-separator=data --search-path=look --strip-cwd-prefix?=data \
            --one-file-system --hyperlink?=data",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::find::fd),
            ],
        },
    ])
    .taken_over()
    ,
];
