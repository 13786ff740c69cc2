// Generated from knowledge/programs/psql.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "psql",
        "psql(1) 16, compared with 15",
        "\
            -a|--echo-all -A|--no-align -b|--echo-errors -c|--command=lang:psql -d|--dbname=data \
            -e|--echo-queries -E|--echo-hidden -f|--file=file:psql -F|--field-separator=data \
            -h|--host=data -H|--html -l|--list -L|--log-file=write -n|--no-readline -o|--output=data \
            -p|--port=num -P|--pset=data -q|--quiet -R|--record-separator=data -s|--single-step \
            -S|--single-line -t|--tuples-only -T|--table-attr=data -U|--username=data \
            -v|--set|--variable=data -V|--version -w|--no-password -W|--password -x|--expanded \
            -X|--no-psqlrc -z|--field-separator-zero -0|--record-separator-zero -1|--single-transaction \
            --csv -? --help?=data",
        "",
    )
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--help", "-?"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*host*=*", "*service=*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-d"], &["*host*=*", "*service=*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-V"]),
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
                Act::ContactsAt(Pick { at: &["-h", "-d://", "://"], fits: &[], except: &[],
                    after: &[] }, "postgresql", Direction::Both, &["-p", "-P"], "localhost", false),
                Act::Picked(Pick { at: &["-o"], fits: &["|*"], except: &[], after: &["|"] }, Role::Shell),
                Act::Picked(Pick { at: &["-o"], fits: &[], except: &["|*"], after: &[] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c", "-f", "-l"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("psql"),
            ],
        },
    ])
    ,
];
