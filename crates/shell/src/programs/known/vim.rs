// Generated from knowledge/programs/vim.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const VIM: &str = "\
    -A -b -C --clean --cmd=data -c=data -D -d -E -e -F -H -i=data -L -l --literal -M -m -n --noplugin \
    -O?=num -o?=num -p?=num -q=read -R -r --remote --remote-expr=data --remote-send=data --remote-silent \
    --remote-tab --remote-tab-silent --remote-tab-wait --remote-tab-wait-silent --remote-wait \
    --remote-wait-silent -S=file:vim -s --startuptime=write -T=data -t=data -u=file:vim -V?=data -v \
    --version -W=write -w=write";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "vim vi ex view vimdiff gvim rvim rview gview evim eview rgvim rgview gvimdiff",
        "vim(1) 9.1, compared with 9.0",
        "\
            --echo-wid -f|--nofork --gui-dialog-file=write -g -h --log=write -N --nb|-nb?=data \
            --not-a-term --role=data --serverlist --servername=data --socketid=data --ttyfail -U=file:vim \
            --windowid=data -X -x -Y -y -Z",
        "",
    )
    .also(VIM)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::vim),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-V"], &["*/*", "*.*", "*log*"]),
            ],
            acts: &[
                Act::Value("-V", Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-i"], &["NONE"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-i", Role::InPlace),
            ],
        },
    ])
    ,
    works(
        "nvim",
        "nvim(1) 0.9, compared with 0.7",
        "\
            --api-info --embed -h --headless --listen=data --luamod-dev -N --server=data -U=file:vim -X -Z",
        "",
    )
    .also(VIM)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::vim),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-V"], &["*/*", "*.*", "*log*"]),
            ],
            acts: &[
                Act::Value("-V", Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--listen"], &["*:*"]),
            ],
            acts: &[
                Act::Listens("*", "rpc", &["--listen"]),
                Act::Finding("shell.obfuscated", "lets whoever connects control the editor"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-i"], &["NONE"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-i", Role::InPlace),
            ],
        },
    ])
    ,
    works(
        "elvis vile neovide",
        "vile(1) 9.8",
        "-R -c=data -e -s",
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
