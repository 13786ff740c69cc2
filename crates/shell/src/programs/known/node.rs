// Generated from knowledge/programs/node.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "node nodejs iojs",
        "node(1) 20",
        "\
            -e|--eval=lang:javascript -p|--print?=lang:javascript -c|--check -i|--interactive \
            -r|--require=file:javascript --import=file:javascript \
            --loader|--experimental-loader=file:javascript -v|--version -h|--help -C|--conditions=data \
            --env-file=read --inspect?=data --inspect-brk?=data --input-type=data --max-old-space-size=num \
            --max_old_space_size=num --no-warnings --no-deprecation --trace-warnings --trace-deprecation \
            --trace-uncaught --stack-trace-limit=num --experimental-vm-modules --experimental-strip-types \
            --experimental-modules --enable-source-maps --test --test-reporter=data \
            --test-name-pattern=pat --watch --watch-path=look --expose-gc --harmony --prof --cpu-prof \
            --heap-prof --unhandled-rejections=data --openssl-legacy-provider --throw-deprecation \
            --preserve-symlinks --tls-min-v1.2 --use-openssl-ca --run=data -s \
            --experimental-default-type=data --disable-warning=data --no-experimental-fetch \
            --experimental-fetch --v8-options --icu-data-dir=look --title=data --dns-result-order=data \
            --stack-size=num --allow-fs-read=data --permission --experimental-permission \
            --experimental-json-modules --es-module-specifier-resolution=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v", "-h", "--v8-options"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
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
                Act::Picked(Pick { at: &["--import"], fits: &["data:*"], except: &["data:*base64,*"],
                    after: &[","] }, Role::Lang("javascript")),
                Act::Picked(Pick { at: &["-r"], fits: &["data:*"], except: &["data:*base64,*"],
                    after: &[","] }, Role::Lang("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--import", "-r"], &["data:*base64,*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "code in an encoded address is loaded"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--inspect", "--inspect-brk"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "inspector", &["9229"]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-p"], &["*"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Lang("javascript")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--test", "--run"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e", "-p"]),
            ],
        },
    ])
    .taken_over()
    ,
];
