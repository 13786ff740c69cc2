// Generated from knowledge/programs/tsc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const LOADS: &str = "\
    -c|--config=file --rcfile=file --plugin=file --rulesdir|--resolve-plugins-relative-to=file \
    -r|--require=file --loader|--import=file --globalSetup|--setupFiles=file -x=sh";

const PM2: &str = "\
    -a|--update-env --attach -c|--cron|--cron-restart=data --cwd=data --deep-monitoring --disable-logs \
    --disable-source-map-support --disable-trace -e|--error=append --env=data --event-loop-inspector \
    --exp-backoff-restart-delay=num --ext=data -f|--force --filter-env?=data --gid=data --hp=data \
    -i|--instances=data --ignore-watch=data --interpreter=prog --interpreter-args=data \
    -k|--kill-timeout=num -l|--log?=append --lines=num --listen-timeout=num --log-date-format=data \
    --log-type=data -m|--mini-list --max-memory-restart=data --max-restarts?=num --merge-logs \
    -n|--name=data --namespace=data --no-autorestart --no-autostart --no-automation --no-color --no-daemon \
    --no-pmx --no-treekill --no-vizion --node-args=data --nostream -o|--output=append --only=data \
    -p|--pid=write --parallel=num --raw --restart-delay=num -s|--silent --service-name=data \
    --shutdown-with-message --sort=data --source-map-support --stop-exit-codes=data --time --trace \
    -u|--user=data --uid=data --v8 --wait-ip --wait-ready --watch?=look --watch-delay=num -w|--write \
    -x|--execute-command";

const WRITES: &str = "\
    -o|--output=write --output-file=write --outFile=write --outdir|--outDir=write --junitxml=write \
    --cov-report-file=write --html=write --out=write --log-file=write -v|-V";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tsc",
        "tsc --all TypeScript 5.9",
        "\
            --all --allowArbitraryExtensions --allowImportingTsExtensions --allowJs \
            --allowSyntheticDefaultImports --allowUmdGlobalAccess --allowUnreachableCode \
            --allowUnusedLabels --alwaysStrict --assumeChangesOnlyAffectDirectDependencies --baseUrl=look \
            --build|-b --charset=data --checkJs --clean --composite --customConditions=data \
            --declaration|-d --declarationDir=dir --declarationMap --diagnostics \
            --disableReferencedProjectLoad --disableSizeLimit --disableSolutionSearching \
            --disableSourceOfProjectReferenceRedirect --downlevelIteration --dry --emitBOM \
            --emitDeclarationOnly --emitDecoratorMetadata --erasableSyntaxOnly --esModuleInterop \
            --exactOptionalPropertyTypes --excludeDirectories=data --excludeFiles=data \
            --experimentalDecorators --explainFiles --extendedDiagnostics --fallbackPolling=data \
            --force|-f --forceConsistentCasingInFileNames --generateCpuProfile=write --generateTrace=dir \
            --importHelpers --importsNotUsedAsValues=data --incremental|-i --init --inlineSourceMap \
            --inlineSources --isolatedDeclarations --isolatedModules --jsx=data --jsxFactory=data \
            --jsxFragmentFactory=data --jsxImportSource=data --keyofStringsOnly --lib=data \
            --libReplacement --listEmittedFiles --listFiles --listFilesOnly --locale=data --mapRoot=data \
            --maxNodeModuleJsDepth=data --module=data -m=data --moduleDetection=data \
            --moduleResolution=data --moduleSuffixes=data --newLine=data --noCheck --noEmit \
            --noEmitHelpers --noEmitOnError --noErrorTruncation --noFallthroughCasesInSwitch \
            --noImplicitAny --noImplicitOverride --noImplicitReturns --noImplicitThis \
            --noImplicitUseStrict --noLib --noPropertyAccessFromIndexSignature --noResolve \
            --noStrictGenericChecks --noUncheckedIndexedAccess --noUncheckedSideEffectImports \
            --noUnusedLocals --noUnusedParameters --out=write --outDir=dir --outFile=write --paths \
            --plugins=data --preserveConstEnums --preserveSymlinks --preserveValueImports \
            --preserveWatchOutput --pretty --project=read -p=read --reactNamespace=data --removeComments \
            --resolveJsonModule --resolvePackageJsonExports --resolvePackageJsonImports \
            --rewriteRelativeImportExtensions --rootDir=look --rootDirs=look --showConfig \
            --skipDefaultLibCheck --skipLibCheck --sourceMap --sourceRoot=data --stopBuildOnErrors \
            --strict --strictBindCallApply --strictBuiltinIteratorReturn --strictFunctionTypes \
            --strictNullChecks --strictPropertyInitialization --stripInternal \
            --suppressExcessPropertyErrors --suppressImplicitAnyIndexErrors --synchronousWatchDirectory \
            --target=data -t=data --traceResolution --tsBuildInfoFile=write --typeRoots=look --types=data \
            --useDefineForClassFields --useUnknownInCatchVariables --verbatimModuleSyntax --verbose \
            --watch|-w --watchDirectory=data --watchFile=data",
        "read*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["@*"]),
            ],
            acts: &[
                Act::ReadsAfter(&["@"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--init"]),
            ],
            acts: &[
                Act::WritesFile("tsconfig.json"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--clean"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "deletes what earlier runs made, by the settings of the project"),
            ],
        },
    ])
    ,
    named(
        "prettier",
        "prettier --help 3.10",
        "\
            -c|--check --arrow-parens=data --bracket-same-line --cache --cache-location=write \
            --cache-strategy=data --check-ignore-pragma --color --config=file:javascript \
            --config-precedence=data --cursor-offset=num --embedded-language-formatting=data \
            --end-of-line=data --experimental-operator-position=data --experimental-ternaries \
            --file-info=look --find-config-path=look --html-whitespace-sensitivity=data --ignore-path=read \
            -u|--ignore-unknown --insert-pragma --jsx-single-quote -l|--list-different --log-level=data \
            --no-bracket-spacing --no-color --no-config --no-editorconfig --no-error-on-unmatched-pattern \
            --no-experimental-ternaries --no-plugin-search --no-semi --object-wrap=data --parser=data \
            --plugin=file:javascript --print-width=num --prose-wrap=data --quote-props=data \
            --range-end=num --range-start=num --require-pragma --single-attribute-per-line --single-quote \
            --stdin-filepath=data --support-info --tab-width=num --trailing-comma=data --use-tabs -v \
            --vue-indent-script-and-style --with-node-modules -w|--write",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-w"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    works(
        "nodemon",
        "nodemon --help options 3.1",
        "\
            -C|--on-change-only --config=config --cwd=data -d|--delay=num --dump -e|--ext=data --exitcrash \
            -I|--no-stdin -i|--ignore=pat -L|--legacy-watch --no-colors --no-update-notifier \
            -P|--polling-interval=num -q|--quiet --signal=data --spawn -V|--verbose -v -w|--watch=look \
            -x|--exec=sh",
        "data*",
    )
    .style(Style::LenientPosix)
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
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &["--port"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-x"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::RunsProject("{first}", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
    ])
    ,
    works(
        "http-server",
        "http-server --help 14.1",
        "\
            --cors?=data --log-ip --mimetypes=read --no-dotfiles --password=secret --port|-p=num \
            --proxy-options=data --username=data -a=data -b|--brotli -C|--cert=read -c=num -d?=data \
            -e|--ext=data -g|--gzip -i?=data -K|--key=read -o?=data -P|--proxy=url -r|--robots?=data \
            -S|--tls|--ssl -s|--silent -t=num -U|--utc -v",
        "",
    )
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
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-a"], &["127.*", "localhost", "::1"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &["--port"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Listens("0.0.0.0", "http", &["--port"]),
            ],
        },
    ])
    ,
    works(
        "serve",
        "serve --help 14.2",
        "\
            --listen|-l=data --no-etag --no-port-switching --ssl-cert=read --ssl-key=read \
            --ssl-pass=secret -C|--cors -c|--config=read -d|--debug -L|--no-request-logging \
            -n|--no-clipboard -p=num -S|--symlinks -s|--single -u|--no-compression -v",
        "",
    )
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
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--listen"], &["1*", "2*", "3*", "4*", "5*", "6*", "7*", "8*",
                    "9*", "tcp://127.*", "tcp://localhost*", "unix:*"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &["--listen"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Listens("0.0.0.0", "http", &["-p"]),
            ],
        },
    ])
    ,
    works(
        "live-server",
        "live-server --help, and its command line 1.2",
        "\
            --browser?=prog --cors --entry-file?=read --host?=data --htpasswd?=read \
            --https?=file:javascript --https-module?=data --ignore?=pat --ignorePattern?=pat \
            --middleware?=file:javascript --mount?=data --no-browser --no-css-inject --open?=data \
            --port?=num --proxy?=data -q|--quiet --spa -V|--verbose -v --wait?=num --watch?=look",
        "",
    )
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
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--host"], &["127.*", "localhost"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &["--port"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Listens("0.0.0.0", "http", &["--port"]),
            ],
        },
    ])
    ,
    works(
        "degit",
        "degit --help 3.10",
        "-c|--cache -F|--files=data -f|--force -r|--repo-name -V -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(1, false, Role::Dir),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::WritesFile("."),
            ],
        },
    ])
    ,
    works(
        "npm-check-updates ncu",
        "ncu --help 22.2",
        "\
            --cache --cacheClear --cacheExpiration=num --cacheFile=write --color --concurrency=num \
            --configFileName=data --configFilePath=config -c|--cooldown=data --cwd=data -d|--doctor --deep \
            --dep=data --deprecated --doctorInstall=sh --doctorTest=sh -e|--errorLevel=num --enginesNode \
            -f|--filter=pat --filterVersion=pat --format=data -g|--global -i|--interactive --install=data \
            -j|--jsonAll --jsonDeps --jsonUpgraded -l|--loglevel=data -m|--minimal --mergeConfig \
            --no-deprecated --no-root -p|--packageManager=data --packageData=data --packageFile=read \
            --peer --pre=num --prefix=data -r|--registry=choose --registryType=data --rejectVersion=pat \
            --removeRange --retry=num --root -s|--silent --stdin -t|--target=data --timeout=num \
            -u|--upgrade -v|-V --verbose -w|--workspaces --workspace=data -x|--reject=pat",
        "data*",
    )
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
            ],
            acts: &[
                Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-u", "-i"]),
                Condition::Lacks(&["--packageFile"]),
            ],
            acts: &[
                Act::WritesFile("package.json"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-u", "-i"]),
            ],
            acts: &[
                Act::Value("--packageFile", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-u"]),
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
                Act::Finding("shell.remote_code", "installs new versions and runs the tests with them"),
            ],
        },
    ])
    ,
    works(
        "pm2",
        "pm2 --help 7.0",
        "-V -v",
        "",
    )
    .also(PM2)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V", "-v"]),
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
                Act::Acts,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                list ls l ps status jlist prettylist slist sysinfos describe desc info show id pid get \
                logs report ping monit imonit dashboard dash inspect",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        ,
        works(
            "env",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Environment(true),
                ],
            },
        ])
        ,
        works(
            "start startOrRestart startOrReload startOrGracefulReload",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::RunsProject("{first}", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--node-args", "--interpreter-args"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "passes options to what runs the script"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-c"]),
                ],
                acts: &[
                    Act::Finding("shell.persistence", "makes something run again and again"),
                ],
            },
        ])
        ,
        works(
            "startup unstartup",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Root, "changes what starts with the machine"),
                    Act::Finding("shell.persistence", "makes programs start with the machine"),
                ],
            },
        ])
        ,
        works(
            "save dump cleardump resurrect logrotate",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes what starts with the machine"),
                ],
            },
        ])
        ,
        works(
            "install module:install module:update",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "installs a module and keeps it running"),
                ],
            },
        ])
        ,
        works(
            "set multiset conf config unset",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "changes settings that later runs obey"),
                ],
            },
        ])
        ,
        works(
            "deploy",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("ecosystem.config.js", ""),
                    Act::ContactsUnknown("https", Direction::Both),
                    Act::Finding("shell.infra", "runs commands on the machines that a settings file names"),
                ],
            },
        ])
        ,
        works(
            "link monitor plus register login open",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("app.pm2.io", "https", Direction::Both),
                    Act::Finding("shell.upload", "sends what programs do to a service"),
                ],
            },
        ])
        ,
        works(
            "publish module:publish",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("registry.npmjs.org", "https", Direction::Send),
                    Act::Finding("shell.upload", "publishes a module"),
                ],
            },
        ])
        ,
        works(
            "stop delete del kill flush uninstall module:uninstall",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.resource", "`pm2 {command}` stops programs, or throws their logs away"),
                ],
            },
        ])
        ,
        works(
            "\
                restart reload scale reset reloadLogs update updatePM2 deepUpdate unlink unmonitor logout \
                send trigger attach sendSignal profile:mem profile:cpu",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        ,
        works(
            "pull forward backward",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "changes the version of a program that runs"),
                ],
            },
        ])
        ,
        works(
            "serve expose",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                    Act::Listens("0.0.0.0", "http", &["--port"]),
                ],
            },
        ])
        ,
        works(
            "ecosystem init module:generate package create",
            "pm2 --help 7.0",
            "",
            "data*",
        )
        .also(PM2)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::BeyondPlain,
                    Act::WritesFile("ecosystem.config.js"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "concurrently",
        "concurrently 8",
        "--exec=sh",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["npm:*", "yarn:*", "pnpm:*", "bun:*", "node:*", "deno:*"]),
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["npm:*", "yarn:*", "pnpm:*",
                    "bun:*", "node:*", "deno:*"], after: &[] }, Role::Shell),
                Act::Transparent,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "nyc c8",
        "nyc 15",
        "--exec=file",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWordPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(FROM_COMMAND),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "\
            eslint biome oxlint standard xo stylelint jest vitest mocha ava tap playwright cypress webpack \
            vite rollup esbuild parcel next nuxt astro remix ng vue svelte-kit storybook npm-run-all \
            rimraf-safe json-server wrangler vercel-dev sass less-css postcss tailwindcss babel swc terser \
            uglifyjs jsdoc typedoc depcheck madge knip npm-check commitlint semantic-release changeset \
            release-it create-react-app create-next-app create-vite husky-cli prisma-local drizzle-kit \
            graphql-codegen openapi-generator swagger-cli ts-prune",
        "their manual pages",
        "--exec=file",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["version"]),
                Condition::Words(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
];
