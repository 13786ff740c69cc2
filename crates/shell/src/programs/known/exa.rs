// Generated from knowledge/programs/exa.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "exa eza lsd",
        "eza(1) 0.18",
        "\
            -a|--all -l|--long -T|--tree -L|--level=num -R|--recurse -r|--reverse -s|--sort=data \
            -h|--header -i|--inode -g|--group -H|--links -m|--modified -S|--blocks -t|--time=data \
            -D|--only-dirs -d|--list-dirs -1|--oneline -G|--grid -x|--across -F|--classify \
            -I|--ignore-glob=pat --git --git-ignore --icons?=data --color?=data --colour=data \
            --group-directories-first --no-permissions --no-filesize --no-user --no-time -B|--bytes \
            -b|--binary -@ --time-style=data --total-size",
        "look*",
    )
    .taken_over()
    ,
];
