// Generated from knowledge/programs/cpio.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "cpio pax",
        "cpio(1) 2.14",
        "\
            -0|--null -a|--reset-access-time -A|--append -b|--swap -B -c -C=num --block-size=num \
            -d|--make-directories -D|--directory=data -E|--pattern-file=read -f|--nonmatching \
            -F|--file=data --force-local -H|--format=data -i|--extract -I=read -k -K -l|--link \
            -L|--dereference -m|--preserve-modification-time -M|--message=data -n|--numeric-uid-gid \
            --no-absolute-filenames --absolute-filenames --no-preserve-owner -o|--create -O=write \
            --only-verify-crc -p|--pass-through --quiet -r|--rename -R|--owner=data \
            --rename-batch-file=read --rsh-command=prog -s|--swap-bytes -S --sparse -t|--list --to-stdout \
            -u|--unconditional -v|--verbose -V|--dot -w -x=data --device-independent --reproducible",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-F"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::Value("-F", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-o"]),
                Condition::Has(&["-F"]),
            ],
            acts: &[
                Act::Value("-F", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w"]),
                Condition::Program(&["pax"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Prints(Output::Filtered),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-o", "-p"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["stdin"], fits: &[], except: &[], after: &[] }, Role::Read),
                Act::Prints(Output::Filtered),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-t", "--to-stdout"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-i"]),
            ],
            acts: &[
                Act::WritesFile("{-D|.}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Write),
            ],
        },
    ])
    .taken_over()
    ,
];
