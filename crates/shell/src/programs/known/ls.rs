// Generated from knowledge/programs/ls.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ls dir vdir gls",
        "ls(1) coreutils 9.1",
        "\
            -a|--all -A|--almost-all --author -b|--escape --block-size=num -B|--ignore-backups -c -C \
            --color?=data --colour?=data -d|--directory -D|--dired -f -F --classify?=data --file-type \
            --format=data --full-time -g --group-directories-first -G|--no-group -h|--human-readable --si \
            -H|--dereference-command-line --dereference-command-line-symlink-to-dir --hide=pat \
            --hyperlink?=data --indicator-style=data -i|--inode -I|--ignore=pat -k|--kibibytes -l \
            -L|--dereference -m -n|--numeric-uid-gid -N|--literal -o -p -q|--hide-control-chars \
            --show-control-chars -Q|--quote-name --quoting-style=data -r|--reverse -R|--recursive \
            -s|--size -S --sort=data --time=data --time-style=data -t -T=num --tabsize=num -u -U -v \
            -w|--width=num -x -X -Z|--context -1 --zero -@ -O -e",
        "look*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l", "-m", "-s", "-i", "-n", "-g", "-o", "-x"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Lists(Names::Operands),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Lists(Names::Folders),
            ],
        },
    ])
    ,
];
