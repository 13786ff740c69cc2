// Generated from knowledge/programs/apt-cache.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            apt-cache apt-file apt-config dpkg-query dpkg-deb-info rpmquery pkg-config pkgconf pacman-q \
            repoquery debsums deborphan equery brew-info apt-listchanges needrestart-list",
        "apt-cache(8) 2.7",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
];
