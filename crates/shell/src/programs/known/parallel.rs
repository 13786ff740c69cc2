// Generated from knowledge/programs/parallel.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "parallel sem",
        "parallel(1) 20240222, compared with 20221122",
        "\
            -0|--null -a|--arg-file=data --arg-file-sep=data --arg-sep=data --bar --basefile|--bf=read \
            --basenameextensionreplace|--bner=data --basenamereplace|--bnr=data --bg --bin=data \
            --block|--block-size=data --block-timeout|--bt=data -C|--colsep=data --cat --citation \
            --cleanup --compress --compress-program=sh --csv --ctag --ctagstring=data -d|--delimiter=data \
            --decompress-program=sh --delay=data --dirnamereplace|--dnr=data --dry-run|--dryrun -E=data \
            -e|--eof?=data --embed --env=data --eta --extensionreplace|--er=data --fg --fifo \
            --files|--output-as-files|--outputasfiles --filter=data --gnu --group --group-by=data \
            -h|--help --halt|--halt-on-error=data --header=data --hostgroups|--hgrp -I=data \
            -i|--replace?=data --id|--semaphore-name=data -J|--profile=config --joblog|--jl=write \
            -j|--jobs=data -k|--keep-order -L=data -l|--max-lines?=num --limit=sh --line-buffer|--lb \
            --link|--xapply --load=data -M|--controlmaster -m --max-line-length-allowed --memfree=data \
            --memsuspend=data --minversion=data -N|--max-replace-args=num -n|--max-args=num --nice=num \
            --no-keep-order --no-notice --nonall --noswap --number-of-cores --number-of-cpus \
            --number-of-sockets --number-of-threads -o|--open-tty --onall -P|--max-procs=data \
            -p|--interactive --parens=data --pipe|--spreadstdin --pipepart|--pipe-part --plain --plus \
            --process-slot-var=data --progress -q|--quote -r|--no-run-if-empty --record-env --recend=data \
            --recstart=data --regexp --remove-rec-sep|--removerecsep|--rrs --results|--res=dir --resume \
            --resume-failed --retries=num --retry-failed --return=data --round-robin|--round --rpl=data \
            --rsync-opts=data -S|--sshlogin=data -s|--max-chars=num --semaphore \
            --semaphore-timeout|--st=num --seqreplace=data --session --shard=data --shebang|--hashbang \
            --shebang-wrap --shell-completion=data --shell-quote|--shellquote --show-limits --shuf \
            --silent --skip-first-line --slotreplace=data --sql=url --sql-and-worker|--sqlandworker=url \
            --sql-master|--sqlmaster=url --sql-worker|--sqlworker=url --ssh=sh --ssh-delay|--sshdelay=data \
            --sshloginfile|--slf=read -t --tag --tagstring=data --tee --template|--tmpl=data \
            --term-seq|--termseq=data --timeout=data --tmpdir=dir --tmux --tmuxpane \
            --total-jobs|--total=data --transfer --transferfile|--tf=data --trc=data --trim=data --tty \
            -u|--ungroup --unsafe --use-cores-instead-of-threads --use-cpus-instead-of-cores \
            --use-sockets-instead-of-threads -V|--version -v|--verbose --wait --wd|--workdir=data \
            --will-cite -X -x|--exit --xargs",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--number-of-cores", "--number-of-cpus", "--number-of-sockets",
                        "--number-of-threads"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--max-line-length-allowed", "--minversion", "--shell-completion",
                        "-V", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--record-env"]),
            ],
            acts: &[
                Act::Works,
                Act::WritesFile("~/.parallel/ignored_vars"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["{="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "Perl code stands in a replacement string"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--rpl", "--filter", "--group-by", "--parens", "--shard", "--bin"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "Perl code stands in the value of an option"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--rsync-opts", "--template", "--transferfile", "--return", "--trc"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::parallel),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--transferfile"]),
            ],
            acts: &[
                Act::SendsValue("--transferfile"),
            ],
        },
    ])
    ,
];
