// Generated from knowledge/programs/tar.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GNU: &str = "\
    -A|--catenate|--concatenate -c|--create -d|--diff|--compare --delete -r|--append -t|--list \
    --test-label -u|--update -x|--extract|--get --show-defaults --usage -n|--seek -S|--sparse \
    --sparse-version=data -k|--keep-old-files --keep-newer-files --keep-directory-symlink \
    --no-overwrite-dir --one-top-level?=data --overwrite --overwrite-dir --recursive-unlink --remove-files \
    --skip-old-files -U|--unlink-first -W|--verify --ignore-command-error --no-ignore-command-error \
    -O|--to-stdout --to-command=sh --atime-preserve?=data --delay-directory-restore \
    --no-delay-directory-restore --group=data --group-map=read -m|--touch --mode=data --mtime=data \
    --no-same-owner --no-same-permissions --numeric-owner --owner=data --owner-map=read \
    -p|--preserve-permissions|--same-permissions --same-owner -s|--preserve-order|--same-order --sort=data \
    --clamp-mtime --acls --no-acls --selinux --no-selinux --xattrs --no-xattrs --xattrs-exclude=pat \
    --xattrs-include=pat -f|--file=data --force-local -F|--info-script|--new-volume-script=sh \
    -L|--tape-length=num -M|--multi-volume --rmt-command=prog --rsh-command=prog --volno-file=write \
    -b|--blocking-factor=num -B|--read-full-records -i|--ignore-zeros --record-size=num -H|--format=data \
    --old-archive --portability --posix --pax-option=data -V|--label=data -a|--auto-compress \
    --no-auto-compress -I|--use-compress-program=prog -j|--bzip2 -J|--xz --lzip --lzma --lzop \
    -z|--gzip|--gunzip|--ungzip -Z|--compress|--uncompress --zstd --add-file=read -C|--directory=data \
    --exclude=pat --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under \
    --exclude-ignore=data --exclude-ignore-recursive=data --exclude-tag=data --exclude-tag-all=data \
    --exclude-tag-under=data --exclude-vcs --exclude-vcs-ignores -h|--dereference --hard-dereference \
    -K|--starting-file=data --newer-mtime=data --no-null --no-recursion --no-unquote \
    --no-verbatim-files-from -N|--newer|--after-date=data --null --one-file-system -P|--absolute-names \
    --recursion --suffix=data -T|--files-from=file:names --unquote --verbatim-files-from \
    -X|--exclude-from=read --strip-components|--strip=num --transform|--xform=data --anchored \
    --ignore-case --no-anchored --no-ignore-case --no-wildcards --no-wildcards-match-slash --wildcards \
    --wildcards-match-slash --checkpoint?=num --checkpoint-action=data --full-time --index-file=write \
    -l|--check-links --no-quote-chars=data --quote-chars=data --quoting-style=data -R|--block-number \
    --show-omitted-dirs --show-transformed-names --show-stored-names --totals?=data --utc -v|--verbose \
    --warning=data -w|--interactive|--confirmation -o -g|--listed-incremental=write -G|--incremental \
    --level=num --check-device --ignore-failed-read --no-check-device --no-seek --occurrence?=num \
    --hole-detection=data --backup?=data --restrict --set-mtime-command=sh -y --no-xattr --no-mac-metadata \
    --disable-copyfile";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tar gtar gnutar",
        "tar(1) 1.35, compared with 1.34",
        "",
        "",
    )
    .also(GNU)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["--one-top-level"], &["/*", "~*", "../*", "*/../*"]),
            ],
            acts: &[
                Act::Value("--one-top-level", Role::Dir),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::tar),
            ],
        },
    ])
    ,
    works(
        "star",
        "star(1) 1.6",
        "",
        "",
    )
    .also(GNU)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["--one-top-level"], &["/*", "~*", "../*", "*/../*"]),
            ],
            acts: &[
                Act::Value("--one-top-level", Role::Dir),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::tar),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "bsdtar",
        "bsdtar(1) libarchive 3.6",
        "\
            -a|--auto-compress --acls -B|--read-full-blocks -b|--block-size=num -C|--cd|--directory=data \
            -c|--create --chroot --clear-nochange-fflags --disable-copyfile --exclude=pat --exclude-vcs \
            --fflags -f|--file=data --format=data --gid=num --gname=data -H -h --hfsCompression \
            -I=file:names --ignore-zeros --include=pat -J|--xz -j|--bzip|--bzip2|--bunzip2 \
            -k|--keep-old-files --keep-newer-files -L|--dereference -l|--check-links --lrzip --lz4 --lzma \
            --lzop -m|--modification-time --mac-metadata -n|--norecurse|--no-recursion --newer=data \
            --newer-mtime=data --newer-mtime-than=look --newer-than=look --no-acls --no-fflags \
            --no-mac-metadata --no-read-sparse --no-safe-writes --no-same-owner --no-same-permissions \
            --no-xattrs --nodump --nopreserveHFSCompression --null --numeric-owner -O|--to-stdout -o \
            --older=data --older-mtime=data --older-mtime-than=look --older-than=look --one-file-system \
            --options=data -P|--absolute-paths -p|--insecure|--preserve-permissions --passphrase=secret \
            --posix -q|--fast-read -r|--append --read-sparse -S -s=data --safe-writes --same-owner \
            --strip-components=num -T|--files-from=file:names -t|--list --totals \
            -U|--unlink|--unlink-first -u|--update --uid=num --uname=data --use-compress-program=prog \
            -v|--verbose -w|--confirmation|--interactive -X|--exclude-from=read -x|--extract --xattrs -y \
            -Z|--compress|--uncompress -z|--gunzip|--gzip --zstd",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::tar),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["@*"]),
            ],
            acts: &[
                Act::ReadsAfter(&["@"]),
            ],
        },
    ])
    ,
    works(
        "jar",
        "jar(1) JDK 24",
        "\
            -0|--no-compress -C|--dir=data -c|--create --date=data -d|--describe-module \
            -e|--main-class=data -f|--file=data --hash-modules=pat -i|--generate-index=inplace \
            -k|--keep-old-files -M|--no-manifest -m|--manifest=read --module-version=data \
            -p|--module-path=look --release=num -t|--list -u|--update -v|--verbose --validate -x|--extract",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--validate"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["@*"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ReadsAfter(&["@"]),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::tar),
            ],
        },
    ])
    ,
];
