// Generated from knowledge/programs/chcon.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "chcon",
        "chcon(1) coreutils 9.1",
        "\
            --dereference -h|--no-dereference -u|--user=data -r|--role=data -t|--type=data -l|--range=data \
            --preserve-root --no-preserve-root --reference=look -R|--recursive -v|--verbose -H -L -P",
        "data!-u,-r,-t,-l,--reference meta*",
    )
    ,
    named(
        "setfattr",
        "setfattr(1) attr 2.5.1",
        "\
            -n|--name=data -v|--value=data -x|--remove=data -h|--no-dereference --restore=read --raw \
            --version",
        "meta*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-n"], &["security.*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "sets an attribute that decides on rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-n"], &["trusted.*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "sets an attribute that decides on rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-x"], &["security.*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "removes an attribute that decides on rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-x"], &["trusted.*"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "removes an attribute that decides on rights"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--restore"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Privilege(PrivilegeKind::Capability, "sets the attributes that a file names"),
            ],
        },
    ])
    ,
];
