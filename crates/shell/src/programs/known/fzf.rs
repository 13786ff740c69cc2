// Generated from knowledge/programs/fzf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "fzf",
        "fzf(1) 0.46, compared with 0.38",
        "\
            +i +m|--no-multi +s|--no-sort +x|--no-extended -0|--exit-0 -1|--select-1 --algo=data --ansi \
            --bind=data --black --border?=data --border-label=data --border-label-pos=data --color=data \
            --cycle -d|--delimiter=data --disabled -e|--exact --ellipsis=data --expect=data \
            -f|--filter=data --filepath-word --header=data --header-first --header-lines=num --height=data \
            --history=inplace --history-size=num --hscroll-off=num -i --info=data --jump-labels=data \
            --keep-right --layout=data --listen=data --literal -m|--multi?=num --margin=data --marker=data \
            --min-height=num -n|--nth=data --no-bold --no-color --no-expect --no-hscroll --no-info \
            --no-mouse --no-scrollbar --no-separator --no-unicode --padding=data --pointer=data \
            --preview=sh --preview-label=data --preview-label-pos=data --preview-window=data --print-query \
            --print0 --prompt=data -q|--query=data --read0 --reverse --scheme=data --scroll-off=num \
            --scrollbar=data --separator=data --sync --tabstop=num --tac --tiebreak=data --with-nth=data \
            -x|--extended",
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
        Rule {
            when: &[
                Condition::Value(&["--bind"], &["*execute*", "*become*", "*reload*", "*transform*", "*preview*"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--listen"]),
            ],
            acts: &[
                Act::Acts,
                Act::Listens("localhost", "http", &["--listen"]),
            ],
        },
    ])
    ,
    reads(
        "sk",
        "sk(1) 5.6",
        "\
            -0|--exit-0 -1|--select-1 --algo=data --ansi --bind|-b=data --border?=data \
            --border-no-collapse -c|--cmd=sh --case=data --cmd-history=inplace --cmd-history-size=num \
            --cmd-prompt=data --cmd-query=sh --color=data --cycle -d|--delimiter=data \
            --disable-pattern=pat --disabled -e|--exact --expect=data -f|--filter=data --header=data \
            --header-lines=num --height=data -h|--help --hide-nth=data --highlight-line --history=inplace \
            --history-size=num -I=data -i|--interactive --image?=data --info=data --inline-info \
            --keep-right --last-match --layout=data --listen?=data --log-file=write --log-level=data \
            -m|--multi --man --margin=data --min-height=data --min-query-length=num --multi-selector=data \
            --multiline?=data -n|--nth=data --no-border --no-clear --no-clear-if-empty --no-clear-start \
            --no-height --no-hscroll --no-info --no-mouse --no-multi --no-scrollbar --no-sort \
            --no-strip-ansi --no-typos --normalize --output-format=data -p|--prompt=data --popup?=data \
            --pre-select-file=read --pre-select-items=data --pre-select-n=num --pre-select-pat=pat \
            --preview=sh --preview-window=data --print-cmd --print-current --print-header --print-query \
            --print-score --print0 -q|--query=data --read0 --regex --remote?=data --reverse --scheme=data \
            --scrollbar=data --selector=data --shell=data --shell-bindings --show-cmd-error \
            --skip-to-pattern=pat --split-match?=data --sync -t|--tiebreak=data --tabstop=num --tac \
            --typos?=data -V|--version --with-nth=data --wrap",
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
        Rule {
            when: &[
                Condition::Value(&["--bind"], &["*execute*", "*reload*", "*preview*"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-i", "--listen", "--remote"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "peco",
        "peco(1) 0.5",
        "\
            -b|--buffer-size=num --exec=sh -h|--help --initial-filter=data --initial-index=num \
            --initial-matcher=data --layout=data --null --on-cancel=data --print-query --prompt=data \
            --query=data --rcfile=config --select-1 --selection-prefix=data",
        "read",
    )
    ,
    reads(
        "gum",
        "gum help not recorded",
        "\
            -a|--align=data --file=config --level=data -s|--spinner=data --show-error --show-output \
            --show-stderr --show-stdout --timeout=data --title=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["spin"]),
            ],
            acts: &[
                Act::Acts,
                Act::Runs(AFTER_DASHES),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "dialog",
        "dialog(1) 1.3",
        "\
            --ascii-lines --aspect=num --backtitle=data --beep --beep-after --begin=num --buildlist \
            --calendar --cancel-label=data --checklist --clear --colors --column-separator=data --cr-wrap \
            --create-rc=write --cursor-off-label --date-format=data --default-button=data \
            --default-item=data --defaultno --dselect=look --editbox=read --erase-on-exit \
            --exit-label=data --extra-button --extra-label=data --form --fselect=look --gauge \
            --help-button --help-label=data --help-status --help-tags --hfile=read --hline=data --ignore \
            --infobox --input-fd=num --inputbox --inputmenu --insecure --iso-week --item-help --keep-tite \
            --keep-window --last-key --max-input=num --menu --mixedform --mixedgauge --msgbox \
            --no-cancel|--nocancel --no-collapse --no-hot-list --no-items --no-kill --no-label=data \
            --no-lines --no-mouse --no-nl-expand --no-ok --no-shadow --no-tags --ok-label=data \
            --output-fd=num --output-separator=data --passwordbox --passwordform --pause --prgbox \
            --print-maxsize --print-size --print-text-only=data --print-text-size=data --print-version \
            --programbox --progressbox --quoted --radiolist --rangebox --reorder --scrollbar \
            --separate-output --separate-widget=data --separator=data --single-quoted --size-err \
            --sleep=num --stderr --stdout --tab-correct --tab-len=num --tailbox=read --tailboxbg=read \
            --textbox=read --time-format=data --timebox --timeout=num --title=data --trace=write \
            --treeview --trim --visit-items --week-start=data --yes-label=data --yesno",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--prgbox"]),
                Condition::Operands(3, 3),
            ],
            acts: &[
                Act::Operand(0, false, Role::Shell),
                Act::Acts,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--prgbox"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Shell),
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "whiptail",
        "whiptail(1) 0.52",
        "\
            --backtitle=data --cancel-button=data --checklist --clear --default-item=data --defaultno \
            --fb|--fullbuttons --gauge -h|--help --infobox --inputbox --menu --msgbox --no-button=data \
            --nocancel --noitem --notags --ok-button=data --output-fd=num --passwordbox --radiolist \
            --scrolltext --separate-output --textbox=read --title=data --topleft -v|--version \
            --yes-button=data --yesno",
        "data*",
    )
    ,
    reads(
        "zenity",
        "zenity(1) 3.44",
        "\
            -?|--help --about --add-calendar=data --add-entry=data --add-password=data --auto-close \
            --auto-kill --calendar --cancel-label=data --checkbox=data --checklist --color=data \
            --color-selection --column=data --confirm-overwrite --date-format=data --day=num --directory \
            --editable --entry --entry-text=data --error --file-filter=pat --file-selection \
            --filename=read --forms --forms-date-format=data --height=num --hide-column=num --hide-header \
            --hide-text --hide-value --icon-name=data --info --list --listen --max-value=num \
            --min-value=num --month=num --multiple --no-cancel --no-markup --no-wrap --notification \
            --ok-label=data --password --percentage=num --print-column=num --print-partial --progress \
            --pulsate --question --radiolist --save --scale --separator=data --show-palette --step=num \
            --text=data --text-info --timeout=num --title=data --username --value=num --warning \
            --width=num --window-icon=read --year=num",
        "data*",
    )
    ,
];
