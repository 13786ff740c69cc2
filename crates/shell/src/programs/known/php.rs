// Generated from knowledge/programs/php.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "php php-cli hhvm",
        "php(1) 8.2",
        "\
            -a -B|--process-begin=lang:php -C -c=config -d|--define=data -e -E|--process-end=lang:php \
            -F|--process-file=file:php -f|--file=file:php -h -H -i|--info --ini -l|--syntax-check \
            -m|--modules -n -q --rc=data --re=data --rf=data --ri=data --rz=data -r|--run=lang:php \
            -R|--process-code=lang:php -S|--server=data -s -T -t|--docroot=look -v -V|--version -w -z=file",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::php),
            ],
        },
    ])
    .taken_over()
    ,
];
