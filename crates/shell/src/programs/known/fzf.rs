// Generated from knowledge/programs/fzf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "fzf sk peco gum dialog whiptail zenity",
        "fzf(1) 0.46",
        "\
            -x -e|--exact -i +i -m|--multi?=num -q|--query=data -f|--filter=data -0|--exit-0 -1|--select-1 \
            --preview=sh --preview-window=data --bind=data --height=data --layout=data --reverse \
            --border?=data --ansi --header=data --header-lines=num --prompt=data -d|--delimiter=data \
            -n|--nth=data --with-nth=data --no-sort +s --tac --print0 --read0 --print-query \
            --tiebreak=data --color=data --info=data --cycle --expect=data --pointer=data --marker=data \
            --file=config --textbox=read --filename=read --editbox=read --tailbox=read --text-info \
            --checklist --menu --yesno --msgbox --inputbox --gauge --title=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["--bind"], fits: &[], except: &[],
                    after: &["execute("] }, Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["--bind"], fits: &[], except: &[],
                    after: &["execute-silent("] }, Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["--bind"], fits: &[], except: &[],
                    after: &["reload("] }, Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["--bind"], fits: &[], except: &[],
                    after: &["become("] }, Role::Shell, ["", ")"]),
                Act::PickedBare(Pick { at: &["--bind"], fits: &[], except: &[],
                    after: &["transform("] }, Role::Shell, ["", ")"]),
            ],
        },
    ])
    .taken_over()
    ,
];
