// Generated from knowledge/programs/zip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "zip",
        "zip(1) Info-ZIP 3.0",
        "\
            -A|--adjust-sfx -AC|--archive-clear -AS|--archive-set -a|--ascii -B|--binary \
            -b|--temp-path=dir -C|--preserve-case -C2|--preserve-case-2 -C5|--preserve-case-5 \
            -c|--entry-comments -D|--no-dir-entries -DF|--difference-archive -d|--delete \
            -db|--display-bytes -dc|--display-counts -dd|--display-dots -df|--datafork \
            -dg|--display-globaldots -ds|--dot-size=num -du|--display-usize -dv|--display-volume \
            -E|--longnames -e|--encrypt -F|--fix -FF|--fixfix -FI|--fifo -FS|--filesync -f|--freshen -fd \
            -g|--grow -h -h2|--more-help -I|--no-image -i|--include=pat -ic|--ignore-case -J|--junk-sfx \
            -j|--junk-paths -jj|--absolute-path -k|--DOS-names -L|--license -l|--to-crlf -la|--log-append \
            -lf|--logfile-path=write -li|--log-info -ll|--from-crlf -MM|--must-match -m|--move -N|--notes \
            -n|--suffixes=data -nw|--no-wild -O|--output-file|--out=write -o|--latest-time \
            -P|--password=secret -p|--paths -q|--quiet -R|--recurse-patterns -RE|--regex \
            -r|--recurse-paths -S|--system-hidden -s|--split-size=data -sb|--split-bell -sc|--show-command \
            -sd -sf|--show-files -so|--show-options -sp|--split-pause -sU|--show-just-unicode \
            -su|--show-unicode -sv|--split-verbose -T|--test -TT|--unzip-command=sh -t|--from-date=data \
            -tt|--before-date=data -U|--copy-entries -UN|--unicode=data -u|--update -V|--VMS-portable \
            -VV|--VMS-specific -v|--verbose -w|--VMS-versions -ww|--VMS-dot-versions -ws|--wild-stop-dirs \
            -X|--no-extra -x|--exclude=pat -y|--symlinks -Z|--compression-method=data -z|--archive-comment \
            -@",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-sf", "-sc", "-so", "-sU"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, false, Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ReadsAfter(&["-i@", "-x@", "--include=@", "--exclude=@"]),
                Act::Rust(crate::programs::archives::zip),
            ],
        },
    ])
    ,
];
