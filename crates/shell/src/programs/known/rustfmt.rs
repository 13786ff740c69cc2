// Generated from knowledge/programs/rustfmt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

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
