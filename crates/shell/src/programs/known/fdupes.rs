// Generated from knowledge/programs/fdupes.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "fdupes jdupes",
        "fdupes(1) 2.2",
        "\
            -d|--delete -r|--recurse -R|--recurse: -s|--symlinks -H|--hardlinks -L|--linkhard \
            -l|--linksoft -B|--dedupe -n|--noempty -A|--nohidden -f|--omitfirst -1|--sameline -0 -S|--size \
            -t|--time -m|--summarize -M -q|--quiet -Q -D|--deferconfirmation -P|--plain -N|--noprompt \
            -I|--immediate -p|--permissions -i|--reverse -T -z -Z",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "stow",
        "stow(8) 2.3",
        "\
            -D|--delete -S|--stow -R|--restow -d|--dir=data -t|--target=data -n|--no|--simulate \
            -v|--verbose -p|--compat",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-D"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "rdfind rmlint systemd-tmpfiles bleachbit",
        "systemd-tmpfiles(8) 255, rdfind(1) 1.5",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-deleteduplicates", "-makesymlinks", "-makehardlinks"]),
                Condition::Program(&["rdfind"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--remove", "--clean", "--purge"]),
                Condition::Program(&["systemd-tmpfiles"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-c", "--clean", "-s", "--shred", "-w", "--wipe-free-space"]),
                Condition::Program(&["bleachbit"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["rmlint"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "debugfs",
        "debugfs(8) e2fsprogs 1.47",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-w"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "{program} deletes what it finds"),
            ],
        },
    ])
    .taken_over()
    ,
];
