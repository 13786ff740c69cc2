// Generated from knowledge/programs/telnet.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            telnet ftp tftp rlogin rsh rcp rexec gopher irssi weechat lynx links elinks w3m browsh",
        "telnet(1) 0.17",
        "\
            -# -a -4 -6 -8 -E -K -L -X=data -d -e=data -l=data -n=read -x -v -i -p -A -g -dump -source \
            -nolist -listonly -width=num -accept_all_cookies -c=data -T=data -m -b=data -f=data",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::plain_host),
            ],
        },
    ])
    .taken_over()
    ,
];
