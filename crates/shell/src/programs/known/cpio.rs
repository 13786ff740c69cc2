// Generated from knowledge/programs/cpio.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "cpio",
        "cpio(1) 2.14, compared with 2.13",
        "\
            -0|--null -a|--reset-access-time -A|--append -b|--swap -B -c -C|--io-size=num --block-size=num \
            -d|--make-directories -D|--directory=data -E|--pattern-file=read -f|--nonmatching \
            -F|--file=data --force-local -H|--format=data -i|--extract -I=read --ignore-devno -k -K \
            -l|--link -L|--dereference -m|--preserve-modification-time -M|--message=data \
            -n|--numeric-uid-gid --no-absolute-filenames --absolute-filenames --no-preserve-owner \
            -o|--create -O=write --only-verify-crc -p|--pass-through --quiet -r|--rename -R|--owner=data \
            --rename-batch-file=read --rsh-command=prog -s|--swap-bytes -S|--swap-halfwords --sparse \
            -t|--list --to-stdout -u|--unconditional -v|--verbose -V|--dot --device-independent \
            --renumber-inodes --reproducible --usage -W|--warning=data",
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
    ,
    reads(
        "pax",
        "pax(1) MirBSD 20201030",
        "\
            -0 -a -B=num -b=num -c -D -d -E=num -f=data -G=data -H -i -J -j -k -L -l -M=data -n -O -o=data \
            -P -p=data -r -s=data -T=data -t -U=data -u -v -w -X -x=data -Y -Z -z",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-w"]),
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Operand(0, true, Role::Read),
                Act::Operand(1, true, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(0, true, Role::Read),
                Act::Value("-f", Role::Append),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::Acts,
                Act::Prints(Output::Filtered),
                Act::Operand(0, true, Role::Read),
                Act::Value("-f", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Acts,
                Act::Value("-f", Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-f", Role::Read),
            ],
        },
    ])
    ,
];
