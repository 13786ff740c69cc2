// Generated from knowledge/programs/bc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "bc",
        "bc(1) 1.07",
        "\
            -e|--expression=data -f|--file=read -h|--help -i|--interactive -l|--mathlib -q|--quiet \
            -s|--standard -v|--version -w|--warn -x|--extended-register",
        "read*",
    )
    ,
    reads(
        "units",
        "units(1) 2.22",
        "\
            -1|--one-line -c|--check --check-verbose|--verbose-check --compact --conformable \
            -d|--digits=num -e|--exponential -f|--file=read -H|--history=write -h|--help -I|--info \
            -L|--log=append -l|--locale=data -m|--minus -n|--nolists --newstar -o|--output-format=data \
            --oldstar -p|--product -q|--quiet|--silent -r|--round -S|--show-factor -s|--strict -t|--terse \
            -U|--unitsfile -u|--units=data -V|--version -v|--verbose",
        "data*",
    )
    ,
    works(
        "qalc",
        "qalc(1) 4.5",
        "\
            -b|--base=data -c|--color --defaults -e|--exrates -f|--file=file:qalc -h|--help \
            -i|--interactive -l|--list --list-functions --list-prefixes --list-units --list-variables \
            -m|--time=num -n|--nodefs --nocurrencies --nodatasets --nofunctions --nounits --novariables -p \
            -s|--set=data -t|--terse -v|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*save*", "*export*", "*store*", "*plot*", "*load*", "*command*",
                        "*:=*", "*exrates*"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
];
