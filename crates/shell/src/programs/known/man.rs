// Generated from knowledge/programs/man.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "man",
        "man(1) man-db 2.11",
        "\
            -a|--all -d|--debug -e|--extension=data -f|--whatis -k|--apropos -K|--global-apropos \
            -l|--local-file -w|--where|--path|--location -W|--where-cat|--location-cat -c|--catman \
            -C|--config-file=config -D|--default -E|--encoding=data -H?=prog --html?=prog -i|--ignore-case \
            -I|--match-case -L|--locale=data -m|--systems=data -M|--manpath=look -n -p|--preprocessor=data \
            -P|--pager=prog -r|--prompt=data -R|--recode=data -s|-S|--sections=data -t|--troff -T?=data \
            --troff-device?=data -u|--update -X?=data --gxditview?=data -Z|--ditroff -7|--ascii \
            --names-only --regex --wildcard --no-hyphenation --nh --no-justification --nj --no-subpages \
            --warnings?=data --usage -V|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-M"]),
                Condition::Lacks(&["-w", "-W", "-k", "-f", "-K"]),
            ],
            acts: &[
                Act::Value("-M", Role::Config),
            ],
        },
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
    ,
    reads(
        "info",
        "info(1) 6.8",
        "\
            -a|--all -k|--apropos=data -d|--directory=look -f|--file=data -h|--help --index-search=data \
            -n|--node=data -o|--output=write -O|--show-options|--usage --subnodes -v|--variable=data \
            --version -w|--where|--location",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-f"], &["*/*"]),
            ],
            acts: &[
                Act::Value("-f", Role::Read),
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
    ,
    reads(
        "pinfo",
        "pinfo(1) 0.6.13",
        "\
            -h|--help -v|--version -m|--manual -r|--raw-filename -f|--file -a|--apropos -p|--plain-apropos \
            -c|--cut-man-headers -s|--squeeze-lines -d|--dont-handle-without-tag-table \
            -t|--force-manual-tag-table --node=data --rcfile=config -l|--long-manual-links \
            -x|--clear-at-exit",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*/*"], except: &[], after: &[] }, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "tldr",
        "tldr --help tealdeer 1.5",
        "\
            -l|--list -f|--render=read -p|--platform=data -L|--language=data -u|--update -c|--clear-cache \
            --pager -r|--raw -q|--quiet --show-paths --config-path --seed-config --color=data -v|--version \
            -h|--help",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-u"]),
            ],
            acts: &[
                Act::Acts,
                Act::Contacts("tldr.sh", "https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c", "--seed-config"]),
            ],
            acts: &[
                Act::Acts,
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
    ,
    reads(
        "cheat",
        "cheat --help 4.4",
        "-a|--all -d|--directories -l|--list -r|--regex -t|--tag=data",
        "data*",
    )
    .rules(&[
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
