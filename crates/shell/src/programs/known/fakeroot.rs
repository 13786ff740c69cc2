// Generated from knowledge/programs/fakeroot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "\
            fakeroot fakechroot eatmydata proxychains proxychains4 torsocks torify tsocks catchsegv \
            caffeinate systemd-inhibit systemd-cat chronic ifne ts-node-wrapper daemonize daemon setlock",
        "fakeroot(1) 1.33",
        "\
            -q -f=read -l|--lib=file:native -u --unknown-is-real -s=write -i=read -b|--fd-base=num -v -e \
            -n -d -m -t=data --what=data --who=data --why=data --mode=data -p|--priority=data \
            --identifier=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
