// Generated from knowledge/programs/ldapsearch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            ldapsearch ldapadd ldapmodify ldapdelete kinit kadmin smbclient rpcclient smbstatus smbget net \
            winexe showmount mount.cifs nfsstat wbinfo snmpwalk snmpget",
        "ldapsearch(1) 2.6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::directory),
            ],
        },
    ])
    .taken_over()
    ,
];
