// Generated from knowledge/programs/php.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const INTERPRETER: &str = "\
    -a|--interactive -B|--process-begin=lang:php -b|--bindpath=data -C|--no-chdir -c|--php-ini=config \
    -d|--define=data -E|--process-end=lang:php -e -F|--process-file=file:php -f|--file=file:php \
    -H|--hide-args -h|--help -i|--info --ini -l|--syntax-check -m|--modules -n|--no-php-ini -q|--no-header \
    -R|--process-code=lang:php -r|--run=lang:php --rc|--rclass=data --re|--rextension=data \
    --rf|--rfunction=data --ri|--rextinfo=data --rz|--rzendextension=data -S|--server=data \
    -s|--syntax-highlight -T|--timing=num -t|--docroot=look -v -V|--version -w|--strip \
    -z|--zend-extension=file";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "php php-cli",
        "php(1) 8.2",
        "",
        "",
    )
    .also(INTERPRETER)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-d"], &["extension=*", "zend_extension=*", "auto_prepend_file=*",
                        "auto_append_file=*", "extension_dir=*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::ReadsAfter(&["="]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::File("php")),
            ],
        },
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
    ,
    works(
        "hhvm",
        "php(1) 8.2",
        "",
        "",
    )
    .also(INTERPRETER)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-m"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Listens("*", "http", &[]),
            ],
        },
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
                Condition::Has(&["-v", "-V", "-i", "--ini", "-h", "--rf", "--rc", "--re", "--ri"]),
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
