// Generated from knowledge/programs/patch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "patch",
        "patch(1) 2.7.6",
        "\
            -b|--backup -B|--prefix=data -c|--context -d|--directory=data -D|--ifdef=data --dry-run \
            -e|--ed -E|--remove-empty-files -f|--force -F|--fuzz=num -g|--get=num -i|--input=read \
            -l|--ignore-whitespace --merge?=data -n|--normal -N|--forward -o|--output=write -p|--strip=num \
            -r|--reject-file=write -R|--reverse --read-only=data --reject-format=data -s|--quiet|--silent \
            -t|--batch -T|--set-time -u|--unified -v|--version -V|--version-control=data -x|--debug=num \
            -Y|--basename-prefix=data -z|--suffix=data -Z|--set-utc --verbose --posix --binary \
            --quoting-style=data --backup-if-mismatch --no-backup-if-mismatch --follow-symlinks",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--dry-run"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
                Condition::Lacks(&["--dry-run"]),
            ],
            acts: &[
                Act::Value("-d", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Value("-i", Role::File("")),
                Act::Operand(1, false, Role::File("")),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-g"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--dry-run"]),
                Condition::Lacks(&["-e", "-g"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R"]),
                Condition::Lacks(&["-i", "--dry-run"]),
                Condition::Operands(0, 1),
                Condition::Stdin(Arrives::Piped),
            ],
            acts: &[
                Act::Loses("changes that a patch takes out again", RecoverableBy::None),
            ],
        },
    ])
    ,
];
