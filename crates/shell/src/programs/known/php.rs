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
                Condition::Has(&["-i"]),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v", "-V", "-i", "-m", "--ini", "-h", "--rf", "--rc", "--re", "--ri"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-S"], &["0.0.0.0", "0.0.0.0:*", "[:*", ":*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "serves the files of this folder to others"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-S"], &["*"]),
            ],
            acts: &[
                Act::Listens("{-S}", "http", &[]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "-w", "-s"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["-d"], fits: &["auto_prepend_file=*", "auto_append_file=*", "extension=*",
                        "zend_extension=*"], except: &[], after: &["="] }, Role::File("php")),
                Act::Interprets("php", &["-r", "-f", "-R", "-B", "-E", "-F"]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*artisan"]),
                Condition::Path(&["*/migrate:fresh", "*/migrate:reset", "*/migrate:refresh", "*/db:wipe"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "destroys the project's database"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*artisan"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["2.."], fits: &["--execute=*"], except: &[],
                    after: &["="] }, Role::Lang("php")),
            ],
        },
    ])
    .taken_over()
    ,
];
