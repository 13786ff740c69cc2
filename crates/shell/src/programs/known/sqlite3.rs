// Generated from knowledge/programs/sqlite3.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sqlite3 litecli sqlcipher duckdb libsql",
        "sqlite3(1) 3.45",
        "\
            -A -append -ascii -bail -batch -box -column -cmd=lang:sqlite -csv -deserialize -echo \
            -init=file:sqlite -header -noheader -help -html -interactive -json -line -list -lookaside=data \
            -markdown -maxsize=num -memtrace -mmap=num -newline=data -nofollow -nonce=data -nullvalue=data \
            -pagecache=data -pcachetrace -quote -readonly -safe -separator=data -stats -table -tabs \
            -unsafe-testing -version -vfs=data -zip -c=lang:sqlite -s -f=file:sqlite",
        "",
    )
    .style(Style::Word)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::sqlite),
            ],
        },
    ])
    .taken_over()
    ,
];
