// Generated from knowledge/programs/apt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            apt apt-get aptitude yum dnf zypper pacman yay paru apk brew port pkg pkg_add emerge snap \
            flatpak nix-env rpm dpkg microdnf tdnf swupd opkg xbps-install eopkg guix choco scoop winget \
            apt-key apt-mark apt-clone add-apt-repository apt-add-repository mas",
        "apt(8) 2.7, dnf(8), pacman(8), brew(1)",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::system),
            ],
        },
    ])
    .taken_over()
    ,
];
