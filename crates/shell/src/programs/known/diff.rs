// Generated from knowledge/programs/diff.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "diff colordiff diff3 sdiff wdiff dwdiff icdiff delta difft",
        "diff(1) diffutils 3.10, compared with 3.8",
        "\
            -# -A -a|--text -B|--ignore-blank-lines -b|--ignore-space-change -C=num --context?=num -c \
            --changed-group-format=data --color?=data -D|--ifdef=data -d|--minimal --diff-program=prog \
            -e|--ed -E|--ignore-tab-expansion -F|--show-function-line=pat --from-file=read \
            --horizon-lines=num -i|--ignore-case -I|--ignore-matching-lines=pat --ignore-file-name-case \
            -l|--paginate -L=data --label=data --left-column --line-format=data -m -N|--new-file -n|--rcs \
            --new-group-format=data --new-line-format=data --no-dereference --no-ignore-file-name-case \
            --normal -o|--output=write --old-group-format=data --old-line-format=data -p|--show-c-function \
            --palette=data -q|--brief -r|--recursive -s|--report-identical-files -S|--starting-file=data \
            --speed-large-files --strip-trailing-cr --suppress-blank-empty --suppress-common-lines \
            -t|--expand-tabs -T|--initial-tab --tabsize=num --to-file=read -U=num --unified?=num -u \
            --unchanged-group-format=data --unchanged-line-format=data --unidirectional-new-file \
            -v|--version -w|--ignore-all-space -W|--width=num -x|--exclude=pat -X|--exclude-from=read \
            -y|--side-by-side -Z|--ignore-trailing-space",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
