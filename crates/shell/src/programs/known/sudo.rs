// Generated from knowledge/programs/sudo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sudo",
        "sudo(8) 1.9.13",
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
                Condition::Has(&["-l", "-V"]),
            ],
            acts: &[
                Act::Acts,
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "renews sudo credentials"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-k", "-K", "-v"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-u"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as {-u}"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-u"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as root"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s", "-i"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s", "-i"]),
            ],
            acts: &[
                Act::WrapsShell(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsInsideOf(0, &["-R"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::WrapsWith(0, &Wrapping {
                        assignments: true,
                        chdir: "-D",
                        program: "",
                    }),
            ],
        },
    ])
    ,
];
