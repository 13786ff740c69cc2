// Generated from knowledge/programs/parallel.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "parallel sem",
        "parallel(1) 20240222",
        "\
            -0|--null -a|--arg-file=data --arg-sep=data -j|--jobs=data -P|--max-procs=data -k|--keep-order \
            -n|--max-args=num -N=num -I=data -i?=data -L=num -l?=num -X -m -q|--quote -u|--ungroup \
            --line-buffer|--lb -d|--delimiter=data -C|--colsep=data --bar --eta --progress --dry-run \
            --joblog=write --results=dir --resume --resume-failed --retries=num --timeout=data --delay=num \
            --halt=data --tag --tagstring=data -S|--sshlogin=data --sshloginfile|--slf=read --transfer \
            --return=data --cleanup --trc=data --wd|--workdir=data --env=data --nice=num --load=data \
            --memfree=data --pipe --pipepart --block=data --recstart=data --recend=data -v|--verbose -t \
            --will-cite --no-notice --silent --xargs --shebang --bg --fg --wait --id=data --tmpdir=dir \
            --compress --shuf --link --plus --header=data --basenamereplace|--bnr=data \
            -r|--no-run-if-empty --citation",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::parallel),
            ],
        },
    ])
    .taken_over()
    ,
];
