// Generated from knowledge/programs/ts-node.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const TS_NODE: &str = "\
    -C|--compiler=file:javascript --cwd|--dir=data --cwd-mode|--cwdMode \
    -D|--ignore-diagnostics|--ignoreDiagnostics=data -e|--eval=lang:javascript --emit --esm \
    --experimental-specifier-resolution|--experimentalSpecifierResolution=data --files \
    -H|--compiler-host|--compilerHost -I|--ignore=pat -i|--interactive --log-error|--logError \
    --no-experimental-repl-await|--noExperimentalReplAwait -O|--compiler-options|--compilerOptions=data \
    -P|--project=config -p|--print --prefer-ts-exts|--preferTsExts --pretty -r|--require=file:javascript \
    -s|--script-mode|--scriptMode --scope --scope-dir|--scopeDir=data --show-config|--showConfig \
    --skip-ignore|--skipIgnore --skip-project|--skipProject --swc -T|--transpile-only|--transpileOnly \
    --transpiler=file:javascript --type-check|--typeCheck -v";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ts-node ts-node-esm ts-node-script ts-node-transpile-only ts-node-cwd",
        "ts-node --help 10.9.2",
        "",
        "",
    )
    .also(TS_NODE)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v", "--show-config"]),
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--emit"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile(".ts-node"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e"]),
            ],
        },
    ])
    ,
    works(
        "ts-node-dev tsnd",
        "ts-node-dev's README 2.0.0",
        "\
            --cache-directory=dir --clear|--cls --debounce=num --debug --deps --exit-child \
            --ignore-watch=data --inspect?=data --interval=num --no-notify --notify?=data --poll --quiet \
            --respawn --rs --watch=look",
        "",
    )
    .also(TS_NODE)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e"]),
            ],
        },
    ])
    ,
    works(
        "tsx esno",
        "tsx --help, node --help 4.23, node 20",
        "\
            --allow-addons --allow-child-process --allow-fs-read=data --allow-fs-write=data \
            -C|--conditions=data -c|--check -e|--eval=lang:javascript --enable-source-maps \
            --env-file|--env-file-if-exists=read --import|--loader|--experimental-loader=file:javascript \
            --input-type=data --inspect|--inspect-brk?=data -i|--interactive --max-old-space-size=num \
            --no-cache --no-warnings -p|--print=lang:javascript -r|--require=file:javascript --test \
            --trace-warnings --tsconfig=config -v",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-v", "--test"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Interprets("javascript", &["-e", "-p"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e", "-p"]),
            ],
        },
    ])
    .subs(&[
        works(
            "watch",
            "tsx --help, node --help 4.23, node 20",
            "\
                --clear-screen?=data --exclude|--ignore=pat --include=look --no-cache --tsconfig=config",
            "",
        )
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Interprets("javascript", &["-e", "-p"]),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "babel-node",
        "babel-node --help 7.29",
        "\
            -b|--presets=file:javascript --config-file=config -e|--eval=lang:javascript --env-name=data \
            -i|--ignore=pat --no-babelrc -o|--only=pat -p|--print=lang:javascript \
            -r|--require=file:javascript --root-mode=data -w|--plugins=file:javascript \
            -x|--extensions=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e", "-p"]),
            ],
        },
    ])
    ,
    works(
        "coffee",
        "coffee --help CoffeeScript 2.7.1",
        "\
            --ast -b|--bare -c|--compile -e|--eval -i|--interactive -j|--join?=write -l|--literate \
            -M|--inline-map -m|--map -n|--nodes --no-header --nodejs=data -o|--output=dir -p|--print \
            -r|--require=file:javascript -s|--stdio -t|--transpile --tokens -v|--version -w|--watch",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--nodejs"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "passes options to node"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Lang("javascript")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p", "-n", "--ast", "--tokens"]),
                Condition::Lacks(&["-s"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c", "-o", "-j", "-m"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c", "-m"]),
                Condition::Lacks(&["-o", "-j"]),
            ],
            acts: &[
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c", "-o", "-j", "-m"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &[]),
            ],
        },
    ])
    ,
    works(
        "swc-node",
        "swc-node 1.10",
        "-e|--eval=lang:javascript -p|--print -r|--require=file:javascript",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e"]),
            ],
        },
    ])
    .taken_over()
    ,
];
