// Generated from knowledge/programs/tcpdump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SHARK: &str = "\
    -a|--autostop=data -B|--buffer-size=num -b|--ring-buffer=data -C=data -c=num --capture-comment=data \
    -D|--list-interfaces -d=data --disable-heuristic=data --disable-protocol=data --enable-heuristic=data \
    --enable-protocol=data -f=data -I|--monitor-mode -i|--interface=data -K=read -L|--list-data-link-types \
    -l --list-time-stamp-types --log-debug=data --log-domains=data --log-fatal=data --log-file=write \
    --log-level=data --log-noisy=data -N=data -n -o=data -p|--no-promiscuous-mode -R|--read-filter=data \
    -r|--read-file=read -s|--snapshot-length=num -t=data --temp-dir=dir --time-stamp-type=data -u=data \
    -v|--version -w=write -X=data -Y|--display-filter=data -y|--linktype=data -z=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tcpdump",
        "tcpdump(8) 4.99",
        "\
            -#|--number -A -B|--buffer-size=num -b -C=num -c=num --count -D|--list-interfaces -d -E=secret \
            -e -F=read -f -G=num -g -H -h -I|--monitor-mode -i|--interface=data --immediate-mode \
            -J|--list-time-stamp-types -j|--time-stamp-type=data -K|--dont-verify-checksums -k \
            -L|--list-data-link-types -l -M=secret -m=read --micro -N -n --nano -O|--no-optimize -P \
            -p|--no-promiscuous-mode --print -Q|--direction=data -q -r=read \
            -S|--absolute-tcp-sequence-numbers -s|--snapshot-length=num -T=data -t \
            --time-stamp-precision=data -U|--packet-buffered -u -V=list -v -W=num -w=write -X -x \
            -y|--linktype=data -Z|--relinquish-privileges=data -z=prog",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-r", "-V", "-D", "-h", "-J", "-L"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
    ])
    ,
    works(
        "tshark",
        "tshark(1) Wireshark 4.0",
        "\
            -2 -A=secret --color -E=data -e=data --elastic-mapping-filter=data --export-objects=data \
            -F=data -G?=data -g -H=read -h|--help --hexdump=data -J=data -j=data -M=num \
            --no-duplicate-keys -O=data -P|--print -Q -q -S=data -T=data -U=data -V -W=data -x",
        "data*",
    )
    .also(SHARK)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-r", "-D", "-v", "-h", "-G", "-L", "--list-time-stamp-types"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-X"], &["lua_script:*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a script in Lua"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--export-objects"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("."),
                Act::Finding("shell.obfuscated", "writes what was transferred into a folder, under its own names"),
            ],
        },
    ])
    ,
    works(
        "wireshark",
        "wireshark(1) Wireshark 4.0",
        "--display=data --fullscreen -g=num -H -h|--help -J=data -j -k -P=data -S",
        "read",
    )
    .also(SHARK)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-r", "-D", "-v", "-h", "-L", "--list-time-stamp-types"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-X"], &["lua_script:*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a script in Lua"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-P"], &["persconf:*", "persdata:*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "takes settings and plug-ins from another folder"),
            ],
        },
    ])
    ,
    works(
        "dumpcap",
        "dumpcap(1) Wireshark 4.0",
        "\
            -a|--autostop=data -B|--buffer-size=num -b|--ring-buffer=data -C=num -c=num \
            --capture-comment=data -D|--list-interfaces -d -f=data -g -h|--help -I|--monitor-mode \
            -i|--interface=data --ifdescr=data --ifname=data -k=data -L|--list-data-link-types \
            --list-time-stamp-types --log-debug=data --log-domains=data --log-fatal=data --log-file=write \
            --log-level=data --log-noisy=data -M -N=num -n -P -p|--no-promiscuous-mode -q -S \
            -s|--snapshot-length=num -t --temp-dir=dir --time-stamp-type=data -v|--version -w=write \
            -y|--linktype=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-D", "-v", "-h", "-L", "--list-time-stamp-types"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
    ])
    ,
    works(
        "ngrep",
        "ngrep(8) 1.47",
        "\
            -A=num -C -c=num -D -d=data -e -F=read -h -I=read -i -K=num -l -N -n=num -O=write -P=data -p \
            -q -R -S=num -s=num -T -t -V -v -W=data -w -X -x",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-I", "-h", "-V"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-K"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "ends other programs' connections"),
            ],
        },
    ])
    ,
    works(
        "tcpflow",
        "tcpflow(1) 1.6",
        "\
            -a -B -b=num -C -c -D -d=num -E=data -e=data -F?=data -f=num -g -h|--help -I -i=data -K \
            -L=data -l -m=num -o=dir -P -p -q -R=read -r=read --relinquish-privileges=data -S=data -s \
            -T?=data -V|--version -v|--verbose -w=write -X=write -Z",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-r", "-R", "-l", "-h", "-V"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c", "-C", "-o", "-h", "-V"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-S"], &["py_*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs code in Python that a setting names"),
            ],
        },
    ])
    ,
    works(
        "snoop",
        "snoop(8) Solaris 11",
        "\
            -C -c=num -D -d=data -i=read -N -n=read -o=write -P -p=data -q -r -s=num -S -t=data -V -v \
            -x=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-i"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "mitmproxy mitmdump mitmweb",
        "mitmproxy --help, mitmdump --help, mitmweb --help 8.1",
        "\
            --allow-hosts=data --anticache --anticomp -B|--modify-body=data -C|--client-replay=read \
            --cert-passphrase=secret --certs=read --commands --console-layout=data \
            --console-layout-headers --flow-detail=num -H|--modify-headers=data -h|--help --http2 \
            --ignore-hosts=data --intercept=data --key-size=num -k|--ssl-insecure --listen-host=data \
            -M|--map-remote=data --map-local=data -m|--mode=data -n|--no-server --no-anticache \
            --no-anticomp --no-console-layout-headers --no-http2 --no-rawtcp --no-server-replay-kill-extra \
            --no-server-replay-nopop --no-server-replay-refresh --no-showhost --no-ssl-insecure \
            --no-web-open-browser --options --listen-port|-p=num --proxyauth=secret -q|--quiet --rawtcp \
            -r|--rfile=read -S|--server-replay=read -s|--scripts=file:python --server \
            --server-replay-kill-extra --server-replay-nopop --server-replay-refresh --set=data --showhost \
            --stickyauth=data --stickycookie=data --tcp-hosts=data --upstream-auth=secret -v|--verbose \
            --version --view-filter=data -w|--save-stream-file=write --web-columns=data --web-host=data \
            --web-open-browser --web-port=num",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version", "--options", "--commands", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--set"], &["scripts=*", "confdir=*", "command_history=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads code or settings that an option names"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--set"], &["save_stream_file=*", "hardump=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "writes a file that a setting names"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-n"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
                Act::Listens("*", "http", &["--listen-port"]),
            ],
        },
    ])
    ,
];
