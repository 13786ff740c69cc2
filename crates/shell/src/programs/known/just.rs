// Generated from knowledge/programs/just.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            just task mage invoke doit rake gulp grunt jake ant mvn mvnw gradle gradlew sbt mill bazel \
            bazelisk buck buck2 pants please meson scons waf ninja samu xmake premake5 tup redo cmake \
            ctest cpack autoconf automake autoreconf aclocal libtool configure qmake xcodebuild \
            swift-build stack cabal rebar3 mix dune opam boot shadow-cljs nx turbo lage moon earthly \
            dagger act tox nox pre-commit lint-staged husky lefthook rails sail artisan symfony \
            django-admin flask phpunit phpstan psalm pest rspec cucumber minitest karma protractor zig v \
            dotnet nuget msbuild flutter pod fastlane carthage expo ionic cordova capacitor \
            electron-builder hugo jekyll gatsby eleventy mkdocs sphinx-build sphinx-apidoc doxygen \
            asciidoctor latexmk pdflatex xelatex lualatex tex latex bibtex biber makeindex typst quarto \
            goreleaser ko wasm-pack trunk cross maturin setup.py cmake-gui ccmake conan vcpkg nmake tilt \
            skaffold",
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
                Act::Rust(crate::programs::build::project),
            ],
        },
    ])
    .taken_over()
    ,
];
