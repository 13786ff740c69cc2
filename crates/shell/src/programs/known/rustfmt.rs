// Generated from knowledge/programs/rustfmt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const LOADS: &str = "\
    -c|--config=file --rcfile=file --plugin=file --rulesdir|--resolve-plugins-relative-to=file \
    -r|--require=file --loader|--import=file --globalSetup|--setupFiles=file --exec=file -x=sh";

const WRITES: &str = "\
    -o|--output=write --output-file=write --outFile=write --outdir|--outDir=write --junitxml=write \
    --cov-report-file=write --html=write --out=write --log-file=write -v|-V";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            rustfmt gofmt goimports golangci-lint staticcheck gopls govulncheck delve-test clang-format \
            clang-tidy cppcheck astyle indent uncrustify shfmt rubocop standardrb brakeman reek \
            php-cs-fixer phpcs phpcbf ktlint detekt scalafmt ormolu hlint stylish-haskell mixformat \
            terraform-docs tflint tfsec checkov trivy-config sqlfluff sqlformat buf prototool gdformat \
            ameba swiftformat swiftlint ansible-lint helm-docs kubeval kubeconform dprint taplo treefmt \
            nixfmt alejandra statix deadnix cargo-fmt djlint curlylint",
        "their manual pages",
        "",
        "data*",
    )
    .also(WRITES)
    .and(LOADS)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--bootstrap=", "--external-checks-dir=", "--with-refactor=",
                        "--clang=", "--ruleset="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads code that is named"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["checkov", "detekt", "ktlint"]),
                Condition::Word(&["--external-checks-dir", "--plugins", "--ruleset"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads code that is named"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["ktlint"]),
                Condition::Word(&["-R"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads code that is named"),
            ],
        },
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
