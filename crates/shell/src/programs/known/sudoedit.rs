// Generated from knowledge/programs/sudoedit.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sudoedit",
        "sudo(8) 1.9.13",
        "\
            -A|--askpass -B|--bell -C|--close-from=num -D|--chdir=data -g|--group=data -h|--host=data \
            -k|--reset-timestamp -N|--no-update -n|--non-interactive -p|--prompt=data -R|--chroot=data \
            -r|--role=data -S|--stdin -T|--command-timeout=num -t|--type=data -u|--user=data",
        "inplace*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "edits as root"),
            ],
        },
    ])
    ,
];
