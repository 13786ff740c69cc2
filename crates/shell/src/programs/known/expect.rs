// Generated from knowledge/programs/expect.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "expect",
        "expect(1) 5.45",
        "-d -D=num -i -b -n -N -v -c=lang:expect -f=file:expect",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("expect", &["-c", "-f"]),
            ],
        },
    ])
    ,
];
