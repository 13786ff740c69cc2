// Generated from knowledge/programs/man.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "man info pinfo tldr cheat",
        "man(1) 2.12",
        "\
            -a|--all -d|--debug -e|--extension=data -f|--whatis -k|--apropos -K|--global-apropos \
            -l|--local-file -w|--where|--path|--location -W|--where-cat|--location-cat -c|--catman \
            -C|--config-file=config -D|--default -E|--encoding=data -H?=prog --html?=prog -i|--ignore-case \
            -I -L|--locale=data -m|--systems=data -M|--manpath=look -n -p|--preprocessor=data \
            -P|--pager=prog -r|--prompt=data -R|--recode=data -s|-S|--sections=data -t|--troff -T?=data \
            --troff-device?=data -u|--update -X?=data -Z|--ditroff -7|--ascii --names-only --regex \
            --wildcard --no-hyphenation --nh --no-justification --nj --no-subpages --warnings?=data \
            --output=write -o=write --subnodes --usage --list",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*/*"], except: &[], after: &[] }, Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
];
