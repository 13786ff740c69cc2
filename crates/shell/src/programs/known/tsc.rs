// Generated from knowledge/programs/tsc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const LOADS: &str = "\
    -c|--config=file --rcfile=file --plugin=file --rulesdir|--resolve-plugins-relative-to=file \
    -r|--require=file --loader|--import=file --globalSetup|--setupFiles=file -x=sh";

const WRITES: &str = "\
    -o|--output=write --output-file=write --outFile=write --outdir|--outDir=write --junitxml=write \
    --cov-report-file=write --html=write --out=write --log-file=write -v|-V";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tsc",
        "tsc 5",
        "--plugin=file",
        "data*",
    )
    .also(WRITES)
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
    works(
        "nodemon",
        "nodemon 3",
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
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &[]),
            ],
        },
    ])
    .taken_over()
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
        "pm2 http-server serve live-server",
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
        Rule {
            when: &[
            ],
            acts: &[
                Act::Listens("127.0.0.1", "http", &[]),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "\
            eslint prettier biome oxlint standard xo stylelint jest vitest mocha ava tap playwright \
            cypress webpack vite rollup esbuild parcel next nuxt astro remix ng vue svelte-kit storybook \
            npm-run-all rimraf-safe json-server wrangler vercel-dev sass less-css postcss tailwindcss \
            babel swc terser uglifyjs jsdoc typedoc depcheck madge knip npm-check npm-check-updates ncu \
            commitlint semantic-release changeset release-it create-react-app create-next-app create-vite \
            degit husky-cli prisma-local drizzle-kit graphql-codegen openapi-generator swagger-cli \
            ts-prune",
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
