// Generated from knowledge/programs/fd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "fd fdfind",
        "fd(1) 9.0, compared with 8.6",
        "\
            -H|--hidden --no-hidden -h|--help -V|--version -I|--no-ignore -u|--unrestricted --ignore \
            --no-ignore-vcs --ignore-vcs --no-ignore-parent --no-global-ignore-file -s|--case-sensitive \
            -i|--ignore-case -g|--glob --regex -F|--fixed-strings --and=pat -a|--absolute-path \
            --relative-path -l|--list-details -L|--follow --no-follow -p|--full-path -0|--print0 \
            -d|--max-depth=num --min-depth=num --exact-depth=num -E|--exclude=pat --prune -t|--type=data \
            -e|--extension=data -S|--size=data \
            --changed-within|--change-newer-than|--newer|--changed-after=data \
            --changed-before|--change-older-than|--older=data -o|--owner=data --format=data \
            --batch-size=num --ignore-file=read -c|--color=data -j|--threads=num --max-buffer-time=num \
            --max-results=num -1 -q|--quiet|--has-results --show-errors --base-directory=look \
            --path-separator=data --search-path=look --strip-cwd-prefix?=data \
            --one-file-system|--mount|--xdev --hyperlink?=data",
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
    ,
];
