// Generated from knowledge/programs/locale.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "locale",
        "locale(1) man-pages 6.03",
        "\
            -a|--all-locales -m|--charmaps -c|--category-name -k|--keyword-name -v|--verbose --usage \
            -V|--version",
        "data*",
    )
    ,
    works(
        "localedef",
        "localedef(1) man-pages 6.03",
        "\
            --add-to-archive --delete-from-archive --list-archive -f|--charmap=read -i|--inputfile=read \
            -u|--repertoire-map=read -A|--alias-file=read -c|--force -v|--verbose --big-endian \
            --little-endian --no-archive --no-hard-links --no-warnings=data --posix --prefix=dir --quiet \
            --replace --warnings=data --usage -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list-archive", "--usage", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--delete-from-archive"]),
                Condition::Lacks(&["--prefix"]),
            ],
            acts: &[
                Act::WritesFile("/usr/lib/locale/locale-archive"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*/*"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--prefix"]),
            ],
            acts: &[
                Act::WritesFile("/usr/lib/locale/locale-archive"),
            ],
        },
    ])
    ,
];
