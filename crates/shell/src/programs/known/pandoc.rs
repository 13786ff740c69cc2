// Generated from knowledge/programs/pandoc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pandoc",
        "pandoc(1) 3.1, compared with 2.17",
        "\
            -A|--include-after-body=read --abbreviations=read --ascii --atx-headers \
            -B|--include-before-body=read --base-header-level=num --bash-completion --biblatex \
            --bibliography=read -C|--citeproc -c|--css=data --chunk-template=data \
            --citation-abbreviations=read --columns=num --csl=read -D|--print-default-template=data \
            -d|--defaults=config --data-dir=config --default-image-extension=data --dpi=num --dump-args \
            --email-obfuscation=data --embed-resources --eol=data --epub-chapter-level=num \
            --epub-cover-image=read --epub-embed-font=read --epub-metadata=read --epub-subdirectory=data \
            --epub-title-page=data --extract-media=dir -F|--filter=prog -f|--from|-r|--read=data \
            --fail-if-warnings --file-scope --gladtex -H|--include-in-header=read -h|--help \
            --highlight-style=read --html-q-tags -i|--incremental --id-prefix=data --ignore-args \
            --indented-code-classes=data --ipynb-output=data --katex?=data -L|--lua-filter=file:lua \
            --list-extensions?=data --list-highlight-languages --list-highlight-styles \
            --list-input-formats --list-output-formats --list-tables --listings --log=write \
            -M|--metadata=data --markdown-headings=data --mathjax?=data --mathml --metadata-file=read \
            -N|--number-sections --natbib --no-check-certificate --no-highlight --number-offset=data \
            -o|--output=write -p|--preserve-tabs --pdf-engine=prog --pdf-engine-opt=data \
            --print-default-data-file=data --print-highlight-style=read --quiet --reference-doc=read \
            --reference-links --reference-location=data --request-header=data --resource-path=data \
            -s|--standalone --sandbox --section-divs --self-contained --shift-heading-level-by=num \
            --slide-level=num --split-level=num --strip-comments --strip-empty-paragraphs \
            --syntax-definition=read -T|--title-prefix=data -t|--to|-w|--write=data --tab-stop=num \
            --template=read --toc|--table-of-contents --toc-depth=num --top-level-division=data --trace \
            --track-changes=data -V|--variable=data -v|--version --verbose --webtex?=data --wrap=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list-input-formats", "--list-output-formats", "--list-extensions",
                        "--list-highlight-languages"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list-highlight-styles", "-D", "--print-highlight-style",
                        "--bash-completion", "-v", "-h"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["lua"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("lua")),
                Act::BeyondPlain,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["server"]),
            ],
            acts: &[
                Act::Listens("*", "http", &[]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--self-contained", "--embed-resources"]),
            ],
            acts: &[
                Act::Value("-c", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--pdf-engine-opt"], &["*shell-escape*", "*write18*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "lets the document run programs"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--no-check-certificate"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches certificate checks off"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Fetch),
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
];
