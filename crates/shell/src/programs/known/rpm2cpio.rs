// Generated from knowledge/programs/rpm2cpio.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "rpm2cpio",
        "rpm2cpio(8) 4.19, compared with 4.18",
        "",
        "read*",
    )
    .prints(Output::Filtered)
    ,
    works(
        "dpkg-split",
        "dpkg-split(1) 1.21",
        "\
            -a|--auto --admindir=choose -d|--discard --depotdir=dir -I|--info -j|--join -l|--listq --msdos \
            -o|--output=write -Q|--npquiet --root=choose -S|--partsize=num -s|--split -?|--help --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-I", "-l", "-?", "--version"]),
                Condition::Lacks(&["-a", "-d", "-j", "-s"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "takes parts of packages out of the queue"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-j"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
];
