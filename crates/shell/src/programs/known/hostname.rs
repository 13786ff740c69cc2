// Generated from knowledge/programs/hostname.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "hostname",
        "hostname(1) Debian 3.23",
        "\
            -a|--alias -A|--all-fqdns -b|--boot -d|--domain -f|--fqdn|--long -F|--file=read \
            -i|--ip-address -I|--all-ip-addresses -s|--short -y|--yp|--nis -V|--version -h|--help",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the host name"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-F", "-b"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the host name"),
            ],
        },
    ])
    ,
];
