// Generated from knowledge/programs/node.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "node nodejs iojs",
        "node --help, node(1) 20.20",
        "\
            --abort-on-uncaught-exception --allow-addons --allow-child-process --allow-fs-read=data \
            --allow-fs-write=data --allow-wasi --allow-worker --build-snapshot \
            --build-snapshot-config=config -c|--check --completion-bash -C|--conditions=data --cpu-prof \
            --cpu-prof-dir=dir --cpu-prof-interval=num --cpu-prof-name=write --diagnostic-dir=dir \
            --disable-proto=data --disable-warning=data --disable-wasm-trap-handler \
            --disallow-code-generation-from-strings --dns-result-order=data --enable-etw-stack-walking \
            --enable-fips --enable-network-family-autoselection --enable-source-maps --env-file=read \
            --env-file-if-exists=read -e|--eval=lang:javascript --experimental-default-type=data \
            --experimental-eventsource --experimental-import-meta-resolve \
            --loader|--experimental-loader=file:javascript --experimental-network-imports \
            --experimental-network-inspection --experimental-policy=read --experimental-print-required-tla \
            --experimental-sea-config=config --experimental-shadow-realm --experimental-test-coverage \
            --experimental-test-module-mocks --experimental-vm-modules \
            --experimental-wasi-unstable-preview1 --experimental-wasm-modules --experimental-websocket \
            --expose-gc --force-context-aware --force-fips --force-node-api-uncaught-exceptions-policy \
            --frozen-intrinsics --heap-prof --heap-prof-dir=dir --heap-prof-interval=num \
            --heap-prof-name=write --heapsnapshot-near-heap-limit=num --heapsnapshot-signal=data -h|--help \
            --huge-max-old-generation-size --icu-data-dir=look --import=file:javascript --input-type=data \
            --insecure-http-parser --inspect?=data --inspect-brk?=data --inspect-wait?=data \
            --debug-port|--inspect-port=data --inspect-publish-uid=data -i|--interactive \
            --interpreted-frames-native-stack --jitless --max-http-header-size=num --napi-modules \
            --network-family-autoselection-attempt-timeout=num --no-addons --no-deprecation \
            --no-experimental-detect-module --no-experimental-fetch --no-experimental-global-customevent \
            --no-experimental-global-webcrypto --no-experimental-repl-await \
            --no-experimental-require-module --no-extra-info-on-fatal-exception \
            --no-force-async-hooks-checks --no-global-search-paths --no-network-family-autoselection \
            --no-warnings --node-memory-debug --openssl-config=config --openssl-legacy-provider \
            --openssl-shared-config --pending-deprecation --permission|--experimental-permission \
            --policy-integrity=data --preserve-symlinks --preserve-symlinks-main \
            -p|--print?=lang:javascript --prof --prof-process --redirect-warnings=write --report-compact \
            --report-directory|--report-dir=dir --report-exclude-network --report-filename=write \
            --report-on-fatalerror --report-on-signal --report-signal=data --report-uncaught-exception \
            -r|--require=file:javascript --secure-heap=num --secure-heap-min=num --snapshot-blob=file \
            --test --test-concurrency=num --test-force-exit --test-name-pattern=pat --test-only \
            --test-reporter=data --test-reporter-destination=data --test-shard=data --test-timeout=num \
            --throw-deprecation --title=data --tls-cipher-list=data --tls-keylog=append --tls-max-v1.2 \
            --tls-max-v1.3 --tls-min-v1.0 --tls-min-v1.1 --tls-min-v1.2 --tls-min-v1.3 \
            --trace-atomics-wait --trace-deprecation --trace-event-categories=data \
            --trace-event-file-pattern=write --trace-events-enabled --trace-exit --trace-promises \
            --trace-require-module?=data --trace-sigint --trace-sync-io --trace-tls --trace-uncaught \
            --trace-warnings --track-heap-objects --unhandled-rejections=data --use-bundled-ca \
            --use-largepages=data --use-openssl-ca --v8-options --v8-pool-size=num -v|--version --watch \
            --watch-path=look --watch-preserve-output --zero-fill-buffers \
            --es-module-specifier-resolution=data --experimental-fetch --experimental-json-modules \
            --experimental-modules --experimental-strip-types --harmony --max-old-space-size=num \
            --max_old_space_size=num --run=data --stack-size=num --stack-trace-limit=num",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["inspect"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--test"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--test-reporter"], &["*/*", "*:*", "*.js", "*.mjs"]),
            ],
            acts: &[
                Act::Value("--test-reporter", Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--test-reporter-destination"], &["*/*", "*.*"]),
            ],
            acts: &[
                Act::Value("--test-reporter-destination", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--inspect", "--inspect-brk", "--inspect-wait"], &["0.0.0.0*", "*:*"]),
            ],
            acts: &[
                Act::Listens("*", "inspector", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--debug-port"], &["0.0.0.0*", "*:*"]),
            ],
            acts: &[
                Act::Listens("*", "inspector", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--inspect-wait"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "inspector", &["9229"]),
            ],
        },
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
    ,
];
