// Generated from knowledge/programs/rg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "rg ripgrep rga",
        "rg(1) 14.1, compared with 13.0",
        "\
            -e|--regexp=pat -f|--file=read --pre=prog --pre-glob=pat -z|--search-zip -s|--case-sensitive \
            --crlf --dfa-size-limit=num -E|--encoding=data --engine=data -F|--fixed-strings \
            -i|--ignore-case -v|--invert-match -x|--line-regexp -m|--max-count=num --mmap -U|--multiline \
            --multiline-dotall --no-unicode --null-data -P|--pcre2 --regex-size-limit=num -S|--smart-case \
            --stop-on-nonmatch -a|--text -j|--threads=num -w|--word-regexp --auto-hybrid-regex \
            --no-pcre2-unicode --binary -L|--follow -g|--glob=pat --glob-case-insensitive -. --hidden \
            --iglob=pat --ignore-file=read --ignore-file-case-insensitive -d|--max-depth|--maxdepth=num \
            --max-filesize=num --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files \
            --no-ignore-global --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system \
            -t|--type=data -T|--type-not=data --type-add=data --type-clear=data -u|--unrestricted \
            -A|--after-context=num -B|--before-context=num --block-buffered -b|--byte-offset --color=data \
            --colors=data --column -C|--context=num --context-separator=data --no-context-separator \
            --field-context-separator=data --field-match-separator=data --heading --no-heading \
            --hostname-bin=prog --hyperlink-format=data --include-zero --line-buffered -n|--line-number \
            -N|--no-line-number -M|--max-columns=num --max-columns-preview -0|--null -o|--only-matching \
            --path-separator=data --passthru -p|--pretty -q|--quiet -r|--replace=data --sort=data \
            --sortr=data --trim --no-trim --vimgrep -H|--with-filename -I|--no-filename --sort-files \
            -c|--count --count-matches -l|--files-with-matches --files-without-match --json --debug \
            --no-ignore-messages --no-messages --stats --trace --files --generate=data --no-config \
            --no-auto-hybrid-regex --no-binary --no-block-buffered --no-column --no-crlf --no-encoding \
            --no-fixed-strings --no-follow --no-glob-case-insensitive --no-hidden \
            --no-ignore-file-case-insensitive --no-json --no-line-buffered --no-max-columns-preview \
            --no-mmap --no-multiline --no-multiline-dotall --no-one-file-system --no-pcre2 --no-pre \
            --no-search-zip --no-stats --no-text --ignore --ignore-dot --ignore-exclude --ignore-files \
            --ignore-global --ignore-messages --ignore-parent --ignore-vcs --messages --require-git \
            --unicode --pcre2-unicode --pcre2-version --type-list -V",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::ripgrep),
            ],
        },
    ])
    ,
];
