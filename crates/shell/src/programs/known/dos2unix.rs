// Generated from knowledge/programs/dos2unix.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "dos2unix unix2dos mac2unix unix2mac",
        "dos2unix(1) 7.5, compared with 7.4",
        "\
            --allow-chown -ascii -iso -1252 -437 -850 -860 -863 -865 -7 -b|--keep-bom -c|--convmode=data \
            -D|--display-enc=data -e|--add-eol -f|--force -gb|--gb18030 -h|--help -i|--info?=data \
            -k|--keepdate -L|--license -l|--newline -m|--add-bom -n|--newfile --no-allow-chown \
            -o|--oldfile -q|--quiet -r|--remove-bom -s|--safe -u|--keep-utf16 -ul|--assume-utf16le \
            -ub|--assume-utf16be -v|--verbose -F|--follow-symlink -R|--replace-symlink -S|--skip-symlink \
            -V|--version",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-i", "-h", "-L", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
                Condition::Operands(2, 2),
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
            ],
        },
    ])
    ,
];
