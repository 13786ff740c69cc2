// Generated from knowledge/programs/keytool.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "keytool",
        "keytool(1) JDK 21",
        "\
            -printcert -printcertreq -printcrl -showinfo -list -v -rfc -noprompt -help -file=read \
            -sslserver=host -jarfile=look -keystore=look -alias=data -storetype=data -storepass=secret",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-printcert", "-printcertreq", "-printcrl"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
];
