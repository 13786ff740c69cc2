// Generated from knowledge/programs/rsync.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "rsync",
        "rsync(1) 3.5.0",
        "\
            -v|--verbose -q|--quiet --no-motd -c|--checksum -a|--archive -r|--recursive -R|--relative \
            --no-implied-dirs -b|--backup --backup-dir=data --suffix=data -u|--update --inplace --append \
            --append-verify -d|--dirs --old-dirs|--old-d --inc-recursive|--i-r --no-inc-recursive|--no-i-r \
            --mkpath -l|--links -L|--copy-links --copy-unsafe-links --safe-links --insecure-links \
            --confine-root=data --munge-links -k|--copy-dirlinks -K|--keep-dirlinks -H|--hard-links \
            -p|--perms -E|--executability --chmod=data -A|--acls -X|--xattrs -o|--owner -g|--group \
            --devices --copy-devices --write-devices --drop-D --specials -D -t|--times -U|--atimes \
            --open-noatime -N|--crtimes -O|--omit-dir-times -J|--omit-link-times --super --fake-super \
            -S|--sparse --preallocate -n|--dry-run -W|--whole-file --checksum-choice|--cc=data \
            -x|--one-file-system -B|--block-size=num -e|--rsh=sh --rsync-path=sh \
            --existing|--ignore-non-existing --ignore-existing --remove-source-files --delete \
            --delete-before --delete-during|--del --delete-delay --delete-after --delete-excluded \
            --ignore-missing-args --delete-missing-args --ignore-errors --force --max-delete=num \
            --max-size=num --min-size=num --max-alloc=num --partial --partial-dir=data --delay-updates \
            -m|--prune-empty-dirs --numeric-ids --usermap=data --groupmap=data --chown=data --timeout=num \
            --contimeout=num -I|--ignore-times --size-only -@|--modify-window=num -T|--temp-dir=data \
            -y|--fuzzy --compare-dest=look --copy-dest=look --link-dest=look -z|--compress \
            --compress-choice|--zc=data --compress-level|--zl=num --compress-threads|--zt=num \
            --skip-compress=data -C|--cvs-exclude -f|--filter=data -F --exclude=pat --exclude-from=read \
            --include=pat --include-from=read --files-from=file:names -0|--from0 \
            -s|--secluded-args|--protect-args --old-args --copy-as=data --address=data --port=num \
            --sockopts=data --blocking-io --outbuf=data --stats -8|--8-bit-output -h|--human-readable \
            --progress -P -i|--itemize-changes -M|--remote-option|--dparam=data --out-format=data \
            --log-file=write --log-file-format=data --password-file=read --early-input=read --list-only \
            --bwlimit=num --stop-after|--time-limit=num --stop-at=data --fsync --write-batch=write \
            --only-write-batch=write --read-batch=read --protocol=num --iconv=data --checksum-seed=num \
            -4|--ipv4 -6|--ipv6 --info=data --debug=data --stderr=data --msgs2stderr --daemon \
            --config=config --no-detach -V --trust-sender --no-perms --no-owner --no-group --no-times \
            --no-links --no-W|--no-whole-file --no-compress --no-relative --no-D --no-o --no-g --no-p \
            --no-t --no-A|--no-acls --no-X|--no-xattrs --no-H|--no-hard-links --no-N|--no-crtimes \
            --no-O|--no-omit-dir-times --no-J|--no-omit-link-times --no-R --no-S|--no-sparse \
            --no-U|--no-atimes --no-c|--no-checksum --no-d|--no-dirs --no-devices --no-specials --no-super \
            --no-h|--no-human-readable --no-i|--no-itemize-changes --no-l --no-m|--no-prune-empty-dirs \
            --no-r|--no-recursive --no-s|--no-secluded-args|--no-protect-args --no-v|--no-verbose \
            --no-x|--no-one-file-system --no-y|--no-fuzzy --no-z --no-append --no-blocking-io --no-bwlimit \
            --no-contimeout --no-timeout --no-delay-updates --no-force --no-fsync --no-ignore-errors \
            --no-inplace --no-iconv --no-max-delete --no-munge-links --no-open-noatime --no-partial \
            --no-preallocate --no-progress --no-stderr",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--daemon"]),
            ],
            acts: &[
                Act::Works,
                Act::Listens("*", "rsync", &["--port"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--read-batch"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Works,
                Act::Operand(0, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--backup-dir"], &["/*", "~*"]),
            ],
            acts: &[
                Act::Value("--backup-dir", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--partial-dir"], &["/*", "~*"]),
            ],
            acts: &[
                Act::Value("--partial-dir", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-T"], &["/*", "~*"]),
            ],
            acts: &[
                Act::Value("-T", Role::Dir),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-M", "--insecure-links", "--write-devices"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-f"], &[".*", "merge*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::rsync),
            ],
        },
    ])
    ,
];
