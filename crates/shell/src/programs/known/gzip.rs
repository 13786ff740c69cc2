// Generated from knowledge/programs/gzip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const BZIP2: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -c|--stdout -d|--decompress -z|--compress -t|--test -f|--force -k|--keep \
    -s|--small -q|--quiet -v|--verbose -h|--help -L|--license -V|--version --best --fast --repetitive-best \
    --repetitive-fast --exponential";

const GZIP: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -a|--ascii -c|--stdout|--to-stdout -d|--decompress|--uncompress \
    -f|--force -h|--help -k|--keep -l|--list -L|--license -n|--no-name -N|--name -q|--quiet -r|--recursive \
    --rsyncable -S|--suffix=data --synchronous -t|--test -v|--verbose -V|--version --best --fast";

const LZ4: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -z|--compress -d|--decompress|--uncompress -t|--test -b?=num -e?=num \
    -i?=num -B?=data --list --fast?=num --best --favor-decSpeed -D=read -f|--force --no-force \
    -c|--stdout|--to-stdout -m|--multiple -r --frame-crc --no-frame-crc --no-crc --content-size \
    --no-content-size --sparse --no-sparse -l -v|--verbose -q|--quiet -h|-H|--help -V|--version -k|--keep \
    --rm";

const LZIP: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -h|--help -V|--version -a|--trailing-error -b|--member-size=num \
    -B|--data-size=num -c|--stdout -d|--decompress -f|--force -F|--recompress -k|--keep -l|--list \
    -m|--match-length=num -n|--threads=num -o|--output=write -q|--quiet -s|--dictionary-size=num \
    -S|--volume-size=num -t|--test -v|--verbose --fast --best --loose-trailing --in-slots=num \
    --out-slots=num --check-lib";

const XZ: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -z|--compress -d|--decompress|--uncompress -t|--test -l|--list -k|--keep \
    -f|--force -c|--stdout|--to-stdout --single-stream --no-sparse -S|--suffix=data --files?=list \
    --files0?=list -F|--format=data -C|--check=data --ignore-check -e|--extreme --fast --best \
    --block-size=num --block-list=data --flush-timeout=num --memlimit-compress=data \
    --memlimit-decompress=data --memlimit-mt-decompress=data -M|--memlimit|--memory=data --no-adjust \
    -T|--threads=num --lzma1?=data --lzma2?=data --x86?=data --arm?=data --armthumb?=data --arm64?=data \
    --powerpc?=data --ia64?=data --sparc?=data --delta?=data -q|--quiet -v|--verbose -Q|--no-warn --robot \
    --info-memory -h|--help -H|--long-help -V|--version";

const ZSTD: &str = "\
    -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -z|--compress -d|--decompress|--uncompress -t|--test -l|--list -b?=num \
    -e?=num -i?=num -B?=num --block-size=num --priority=data --ultra --fast?=num --best -T?=num \
    --threads=num --single-thread --auto-threads=data --adapt?=data --long?=num -D=read --patch-from=read \
    --rsyncable -C|--check --no-check --content-size --no-content-size --no-dictID -M?=num --memory=num \
    --stream-size=num --size-hint=num -o=write -f|--force -c|--stdout --sparse --no-sparse --pass-through \
    --no-pass-through --rm -k|--keep -r --filelist=list --output-dir-flat=dir --output-dir-mirror=dir \
    --format=data -h|-H|--help -V|--version -v|--verbose -q|--quiet -n|--no-name --no-progress \
    --show-default-cparams --train --train-cover?=data --train-fastcover?=data --train-legacy?=data \
    --maxdict=num --dictID=num --zstd?=data";

const ZUTILS: &str = "\
    -M|--format=data -N|--no-rcfile -O|--force-format=data --bz2|--gz|--lz|--xz|--zst=prog";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "gzip gunzip",
        "gzip(1) 1.12",
        "",
        "",
    )
    .also(GZIP)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "compress uncompress",
        "compress(1) ncompress 4.2.4",
        "-d -f -v -c -V -r -b=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "bzip2 bunzip2",
        "bzip2(1) 1.0.8",
        "",
        "",
    )
    .also(BZIP2)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "lbzip2",
        "lbzip2(1) 2.5",
        "-n=num -u|--sequential -S",
        "",
    )
    .also(BZIP2)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "pbzip2",
        "pbzip2(1) 1.1.13",
        "\
            -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -b?=num -c|--stdout -d|--decompress -f|--force -h|--help \
            -k|--keep -l|--loadavg -m?=num -p?=num -q|--quiet -r|--read -S?=num -t|--test -v|--verbose -V \
            -z|--compress --fast --best --ignore-trailing-garbage?=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l"]),
                Condition::Lacks(&["-c", "-t"]),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("*.bz2"),
            ],
        },
    ])
    ,
    named(
        "xz unxz lzma unlzma",
        "xz(1) 5.4.1",
        "",
        "",
    )
    .also(XZ)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--files", "--files0"]),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("*.xz"),
            ],
        },
    ])
    ,
    named(
        "pixz",
        "pixz(1) 1.0.7",
        "\
            -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -d -t -l -x=data -i=read -o=write -e -p=num -f=num -q=num -h",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
                Act::Operand(1, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-t"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("*.xz"),
            ],
        },
    ])
    ,
    named(
        "zstd unzstd",
        "zstd(1) 1.5.4",
        "",
        "",
    )
    .also(ZSTD)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--train", "--train-cover", "--train-fastcover", "--train-legacy"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::WritesFile("dictionary"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--filelist"]),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("*.zst"),
            ],
        },
    ])
    ,
    named(
        "pzstd",
        "pzstd 1.5.4",
        "-p|--processes=num",
        "",
    )
    .also(ZSTD)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    .taken_over()
    ,
    named(
        "lz4 unlz4",
        "lz4(1) 1.9.4",
        "",
        "",
    )
    .also(LZ4)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m", "-r", "-t", "-b", "--list"]),
                Condition::Operands(2, 2),
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l"]),
                Condition::Lacks(&["-c", "-t"]),
            ],
            acts: &[
                Act::Acts,
                Act::WritesFile("*.lz4"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
    named(
        "lzip plzip",
        "lzip(1), plzip(1) 1.23, 1.10",
        "",
        "",
    )
    .also(LZIP)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "lzop",
        "lzop(1) 1.04",
        "\
            -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -d|--decompress|--uncompress -x|--extract -t|--test -l|--list \
            --ls?=data --info -I|--sysinfo -L|--license -h|-H|--help -V|--version -c|--stdout|--to-stdout \
            -o|--output=write -p?=dir --path=dir -f|--force -F|--no-checksum -n|--no-name -N|--name -P \
            --no-mode --no-time -S|--suffix=data -k|--keep -U|--unlink|--delete --crc32 --no-warn \
            --ignore-warn -q|--quiet|--silent -v|--verbose --no-stdin --filter=num -C|--checksum \
            --no-color --mono --color --fast --best",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-P", "-x"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    named(
        "pigz unpigz",
        "pigz(1) 2.6",
        "\
            -A|--alias=data -b|--blocksize=num -C|--comment=data -F|--first -H|--huffman -i|--independent \
            -I|--iterations=num -J|--maxsplits=num -K|--zip -m|--no-time -M|--time -O|--oneblock \
            -p|--processes=num -R -U|--rle -z|--zlib",
        "",
    )
    .also(GZIP)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    named(
        "brotli",
        "brotli(1) 1.0.9",
        "\
            -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -c|--stdout -d|--decompress -f|--force -h|--help -j|--rm \
            -k|--keep -n|--no-copy-stat -o|--output=write -q|--quality=num -t|--test -v|--verbose \
            -w|--lgwin=num --large_window?=num -C|--comment=data -D|--dictionary=read -S|--suffix=data \
            -V|--version -Z|--best",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    ,
    reads(
        "zcat gzcat uncompress-cat",
        "zcat(1) gzip 1.12, zutils 1.12",
        "\
            -0|-1|-2|-3|-4|-5|-6|-7|-8|-9 -A|--show-all -a|--ascii -b|--number-nonblank \
            -c|--stdout|--to-stdout -d|--decompress|--uncompress -e -E|--show-ends -f|--force -h|--help \
            -k|--keep -l|--list -L|--license -n|--no-name|--number -q|--quiet -r|--recursive \
            -R|--dereference-recursive -S|--suffix=data -s|--squeeze-blank -t|--test -T|--show-tabs \
            -v|--verbose|--show-nonprinting -V|--version -M|--format=data -N|--name|--no-rcfile \
            -O|--force-format=data --bz2|--gz|--lz|--xz|--zst=prog",
        "read*",
    )
    .prints(Output::Decoded)
    ,
    reads(
        "bzcat",
        "bzcat(1) bzip2 1.0.8",
        "",
        "read*",
    )
    .also(BZIP2)
    .prints(Output::Decoded)
    ,
    reads(
        "xzcat lzcat",
        "xz(1) 5.4.1",
        "",
        "read*",
    )
    .also(XZ)
    .prints(Output::Decoded)
    ,
    reads(
        "zstdcat",
        "zstd(1) 1.5.4",
        "",
        "read*",
    )
    .also(ZSTD)
    .prints(Output::Decoded)
    ,
    reads(
        "lz4cat",
        "lz4(1) 1.9.4",
        "",
        "read*",
    )
    .also(LZ4)
    .prints(Output::Decoded)
    ,
    reads(
        "zdiff zcmp bzdiff xzdiff",
        "zdiff(1), xzdiff(1) gzip 1.12, zutils 1.12, xz 5.4.1",
        "\
            -a|--text -b|--ignore-space-change|--print-bytes -B|--ignore-blank-lines -c -C|--context=num \
            -d|--minimal -E|--ignore-tab-expansion -h|--help -i|--ignore-case -l|--verbose -n|--bytes=num \
            -p|--show-c-function -q|--brief|--quiet -s|--report-identical-files|--silent -t|--expand-tabs \
            -T|--initial-tab -u -U|--unified=num -v -V|--version -w|--ignore-all-space -W|--width=num \
            -y|--side-by-side",
        "read*",
    )
    .also(ZUTILS)
    .prints(Output::Decoded)
    ,
    reads(
        "funzip",
        "funzip(1) 3.95",
        "",
        "read*",
    )
    .prints(Output::Decoded)
    .taken_over()
    ,
];
