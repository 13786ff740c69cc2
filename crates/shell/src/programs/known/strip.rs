// Generated from knowledge/programs/strip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COPYING: &str = "\
    -D|--enable-deterministic-archives -F|--target=data -g|--strip-debug -I|--input-target=data \
    -K|--keep-symbol=data --keep-file-symbols --keep-section=data --keep-section-symbols --merge-notes \
    -N|--strip-symbol=data --no-merge-notes -O|--output-target=data --only-keep-debug --plugin=file:native \
    -p|--preserve-dates -R|--remove-section=data --remove-relocations=data --strip-dwo --strip-unneeded \
    -U|--disable-deterministic-archives -v|--verbose -w|--wildcard -X|--discard-locals -x|--discard-all";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "strip",
        "strip(1) binutils 2.42, compared with 2.40",
        "-d -M -o=write -S -s|--strip-all",
        "",
    )
    .also(COPYING)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-o"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    works(
        "objcopy",
        "objcopy(1) binutils 2.42, compared with 2.40",
        "\
            --add-gnu-debuglink=read --add-section=source --add-symbol=data --alt-machine-code=num \
            -B|--binary-architecture=data -b|--byte=num --change-addresses|--adjust-vma=num \
            --change-leading-char --change-section-address|--adjust-section-vma=data \
            --change-section-lma=data --change-section-vma=data --change-start|--adjust-start=num \
            --change-warnings|--adjust-warnings --compress-debug-sections?=data --debugging \
            --decompress-debug-sections --dump-section=data --elf-stt-common=data --extract-dwo \
            --extract-symbol --file-alignment=num -G|--keep-global-symbol=data --gap-fill=num \
            --globalize-symbol=data --globalize-symbols=read --heap=num -i|--interleave?=num \
            --image-base=num --impure --interleave-width=num -j|--only-section=data \
            --keep-global-symbols=read --keep-symbols=read -L|--localize-symbol=data --localize-hidden \
            --localize-symbols=read --long-section-names=data --no-change-warnings|--no-adjust-warnings \
            --pad-to=num --prefix-alloc-sections=data --prefix-sections=data --prefix-symbols=data --pure \
            --readonly-text --redefine-sym=data --redefine-syms=read --remove-leading-char \
            --rename-section=data --reverse-bytes=num -S|--strip-all --section-alignment=num \
            --set-section-alignment=data --set-section-flags=data --set-start=num --srec-forceS3 \
            --srec-len=num --stack=num --strip-symbols=read --strip-unneeded-symbol=data \
            --strip-unneeded-symbols=read --subsystem=data --update-section=source \
            --verilog-data-width=num -W|--weaken-symbol=data --weaken --weaken-symbols=read \
            --writable-text",
        "",
    )
    .also(COPYING)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
            ],
        },
    ])
    ,
    works(
        "ranlib",
        "ranlib(1) binutils 2.42, compared with 2.40",
        "-D -H --plugin=file:native -t -U -v",
        "inplace*",
    )
    ,
];
