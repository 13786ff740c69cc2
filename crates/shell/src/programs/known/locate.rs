// Generated from knowledge/programs/locate.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "locate plocate mlocate slocate",
        "plocate(1), locate(1) 1.1.18, findutils 4.9",
        "\
            -0|--null -A|--all -b|--basename -c|--count -d|--database=read -e|--existing -E|--non-existing \
            -L|--follow --max-database-age=num -m|--mmap -i|--ignore-case -l|-n|--limit=num -N|--literal \
            -p|--print -P|-H|--nofollow -q|--quiet -r|--regexp=pat --regex --regextype=data -s|--stdio \
            -S|--statistics -w|--wholename",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Lists(Names::Containing),
            ],
        },
    ])
    ,
    reads(
        "mdfind",
        "mdfind(1) macOS 14",
        "-0 -count -live -onlyin=data -name=data",
        "data*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Lists(Names::Containing),
            ],
        },
    ])
    .taken_over()
    ,
];
