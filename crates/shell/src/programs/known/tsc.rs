// Generated from knowledge/programs/tsc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            tsc eslint prettier biome oxlint standard xo stylelint jest vitest mocha ava tap nyc c8 \
            playwright cypress webpack vite rollup esbuild parcel next nuxt astro remix ng vue svelte-kit \
            storybook nodemon pm2 concurrently npm-run-all rimraf-safe http-server serve live-server \
            json-server wrangler vercel-dev sass less-css postcss tailwindcss babel swc terser uglifyjs \
            jsdoc typedoc depcheck madge knip npm-check npm-check-updates ncu commitlint semantic-release \
            changeset release-it create-react-app create-next-app create-vite degit husky-cli prisma-local \
            drizzle-kit graphql-codegen openapi-generator swagger-cli ts-prune",
        "their manual pages",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::tool),
            ],
        },
    ])
    .taken_over()
    ,
];
