// Generated from knowledge/programs/chattr.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "chattr chflags",
        "chattr(1) e2fsprogs 1.47",
        "\
            -R -V -f -v=num -p=num -h -L -H -P -i -j -a -A -c -C -d -D -e -E -F -m -s -S -t -T -u -x",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*", "-*", "=*"], after: &[] }, Role::Meta),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["+*i*", "+*a*", "-*i*", "-*a*", "=*i*", "=*a*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "changes the immutable or append-only flag"),
            ],
        },
    ])
    ,
];
