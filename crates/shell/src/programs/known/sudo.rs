// Generated from knowledge/programs/sudo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sudo",
        "sudo(8) 1.9.15",
        "\
            -A|--askpass -b|--background -B|--bell -C|--close-from=num -c=data -D|--chdir=data -E \
            --preserve-env?=data -e|--edit -g|--group=data -H|--set-home -h|--host=data -i|--login \
            -K|--remove-timestamp -k|--reset-timestamp -l|--list -N|--no-update -n|--non-interactive \
            -P|--preserve-groups -p|--prompt=data -R|--chroot=data -r|--role=data -S|--stdin -s|--shell \
            -T|--command-timeout=num -t|--type=data -U|--other-user=data -u|--user=data -V|--version \
            -v|--validate -a=data --help",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::sudo),
            ],
        },
    ])
    .taken_over()
    ,
];
