// Generated from knowledge/programs/vim.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "vim vi nvim ex view vimdiff gvim rvim rview elvis vile neovide gview evim",
        "vim(1) 9.1",
        "\
            -b -C -d -D -e -E -f -F -g -h -H -i=read -l -L -m -M -n -N -o?=num -O?=num -p?=num -q=read -r \
            -R -s -S=file:vim -t=data -T=data -u=file:vim -U=file:vim -v -V?=data -w=write -W=write -x -X \
            -y -Y -Z -c=data --cmd=data --clean --noplugin --headless --embed --startuptime=write \
            --remote=data --remote-send=data --remote-expr=data --servername=data --serverlist --literal \
            --version --nofork --not-a-term",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::vim),
            ],
        },
    ])
    .taken_over()
    ,
];
