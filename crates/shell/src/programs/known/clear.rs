// Generated from knowledge/programs/clear.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "clear reset tput tset",
        "tput(1) ncurses 6.4",
        "-c -e=data -I -i=data -k=data -m=data -Q -q -r -s -T=data -V -w -x",
        "data*",
    )
    ,
    reads(
        "resize",
        "resize(1) xterm 379",
        "-c -s -u",
        "data*",
    )
    .taken_over()
    ,
    reads(
        "setterm",
        "setterm(1) util-linux 2.38",
        "\
            --appcursorkeys=data --append=data --background=data --bfreq?=num --blank?=data --blength?=num \
            --blink=data --bold=data --clear?=data --clrtabs?=data --cursor=data --default --dump?=num \
            --file=data --foreground=data --half-bright=data --hbcolor=data -h|--help --initialize \
            --inversescreen=data --linewrap=data --msg=data --msglevel=num --powerdown?=num \
            --powersave=data --regtabs?=num --repeat=data --reset --resize --reverse=data --store \
            --tabs?=data --term=data --ulcolor=data --underline=data -V|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--dump", "--append"]),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("{--file|screen.dump}"),
            ],
        },
    ])
    ,
    reads(
        "xclip",
        "xclip(1) 0.13",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "clipboard", "primary",
                    "secondary", "buffer-cut", "clip", "prim", "sec", "c", "p", "s", "b"], after: &[] },
                    Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "xsel",
        "xsel(1x) 1.2",
        "\
            -a|--append -b|--clipboard -c|--clear -d|--delete --display=data -f|--follow -h|--help \
            -i|--input -k|--keep -l|--logfile=append -n|--nodetach -o|--output -p|--primary -s|--secondary \
            -t|--selectionTimeout=num -v|--verbose --version -x|--exchange",
        "",
    )
    ,
    reads(
        "pbcopy pbpaste",
        "pbcopy(1) macOS 14",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
    reads(
        "wl-copy",
        "wl-clipboard(1) 2.1",
        "\
            -c|--clear -f|--foreground -h|--help -n|--trim-newline -o|--paste-once -p|--primary \
            -s|--seat=data -t|--type=data -v|--version",
        "data*",
    )
    ,
    reads(
        "wl-paste",
        "wl-clipboard(1) 2.1",
        "\
            -h|--help -l|--list-types -n|--no-newline -p|--primary -s|--seat=data -t|--type=data \
            -v|--version -w|--watch",
        "data*",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "runs a command whenever something is copied"),
                Act::Runs(0),
            ],
        },
    ])
    ,
    reads(
        "notify-send",
        "notify-send(1) libnotify 0.8",
        "\
            -?|--help -A|--action=data -a|--app-name=data -c|--category=data -e|--transient -h|--hint=data \
            -i|--icon=look -p|--print-id -r|--replace-id=num -t|--expire-time=num -u|--urgency=data \
            -v|--version -w|--wait",
        "data*",
    )
    ,
    reads(
        "wall write",
        "wall(1) util-linux 2.38",
        "-g|--group=data -h|--help -n|--nobanner -t|--timeout=num -V|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["wall"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    ,
    reads(
        "mesg",
        "mesg(1) util-linux 2.38",
        "-h|--help -V|--version -v|--verbose",
        "data*",
    )
    ,
    reads(
        "xdotool",
        "xdotool(1) 3.20160805",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["exec"]),
            ],
            acts: &[
                Act::Runs(1),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["exec"]),
                Condition::Word(&["exec", "behave", "behave_screen_edge"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command behind others of xdotool"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-", "*/*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a script of xdotool"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["type", "key"]),
                Condition::Program(&["xdotool"]),
            ],
            acts: &[
                Act::RunsCode(Pick { at: &["1.."], fits: &[], except: &["--*"], after: &[] }, ""),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
                Condition::Program(&["xdotool", "wall", "write"]),
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "xprop",
        "xprop(1) 1.2",
        "\
            -display=data -f=data -font=data -frame -fs=read -grammar -help -id=data -len=num -name=data \
            -notype -remove=data -root -set=data -spy -version",
        "data*",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-set", "-remove"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "xwininfo",
        "xwininfo(1) 1.1",
        "\
            -all -bits -children -d|-display=data -english -events -frame -help -id=data -int -metric \
            -name=data -root -shape -size -stats -tree -version -wm",
        "data*",
    )
    .style(Style::Word)
    ,
    reads(
        "wmctrl",
        "wmctrl(1) 1.07",
        "\
            -a=data -b=data -c=data -d -e=data -F -G -g=data -h -I=data -i -k=data -l -m -N=data -n=num \
            -o=data -p -R=data -r=data -s=data -T=data -t=data -u -v -w=data -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-a", "-c", "-R", "-r", "-k", "-n", "-o", "-g", "-s"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    works(
        "scrot",
        "scrot(1) 1.8",
        "\
            -a|--autoselect=data -b|--border -C|--class=data -c|--count -D|--display=data -d|--delay=num \
            -e|--exec=sh -F|--file=write -f|--freeze -h|--help -i|--ignorekeyboard -k|--stack?=data \
            -l|--line=data -M|--monitor=num -m|--multidisp -n|--note=data -o|--overwrite -p|--pointer \
            -q|--quality=num -S|--script=file -s|--select?=data -t|--thumb=data -u|--focused -v|--version \
            -z|--silent",
        "write*",
    )
    ,
    reads(
        "screencapture",
        "screencapture(1) macOS 14",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
    reads(
        "beep",
        "beep(1) 1.4",
        "\
            -c -D=num -d=num --debug|--verbose -e|--device=write -f=num -h|--help -l=num -n|--new -r=num \
            -s -v|-V|--version",
        "",
    )
    ,
    reads(
        "espeak",
        "espeak(1) 1.48",
        "\
            -a=num -b=num --compile?=data -f=read -g=num -h|--help --ipa?=num -k=num -l=num -m -p=num \
            --path=look --pho --phonout=write --punct?=data -q -s=num --split?=num --stdin --stdout \
            -v=data --version --voices?=data -w=write -X -x -z",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--compile"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "say",
        "say(1) macOS 14",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
    reads(
        "spd-say",
        "spd-say(1) 0.11",
        "\
            -C|--cancel -c|--character -e|--pipe-mode -h|--help -I|--sound-icon=data -i|--volume=num \
            -k|--key -L|--list-synthesis-voices -l|--language=data -m|--punctuation-mode=data \
            -N|--application-name=data -n|--connection-name=data -O|--list-output-modules \
            -o|--output-module=data -P|--priority=data -p|--pitch=num -R|--pitch-range=num -r|--rate=num \
            -S|--stop -s|--spelling -t|--voice-type=data -v|--version -w|--wait -x|--ssml \
            -y|--synthesis-voice=data",
        "data*",
    )
    ,
    works(
        "pactl",
        "pactl(1) PulseAudio 16",
        "-f|--format=data -h|--help -n|--client-name=data -s|--server=choose --version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["info", "list", "stat", "subscribe", "get-*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-h", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["upload-sample"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["load-module", "send-message"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.tamper", "`pactl {first}` changes what the sound server does for everybody"),
            ],
        },
    ])
    ,
    works(
        "amixer alsamixer",
        "amixer(1) alsa-utils 1.2.8",
        "-c=data -D=data -h -M -q -R -s|--stdin",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["scontrols", "scontents", "controls", "contents", "sget", "cget",
                        "get", "info"]),
                Condition::Lacks(&["-s"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-s"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    works(
        "playerctl",
        "playerctl(1) 2.4",
        "\
            -a|--all-players -F|--follow -f|--format=data -h|--help -i|--ignore-player=data -l|--list-all \
            -p|--player=data -s|--no-messages -V|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-l", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["status", "metadata"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["position", "volume", "loop", "shuffle"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["open"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
            ],
        },
    ])
    ,
    reads(
        "kbd_mode",
        "kbd_mode(1) kbd 2.5",
        "-a -C=data -f -k -s -u",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-a", "-k", "-s", "-u"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
];
