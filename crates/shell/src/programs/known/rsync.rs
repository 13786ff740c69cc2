// Generated from knowledge/programs/rsync.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "rsync",
        "rsync(1) 3.2",
        "\
            -v|--verbose -q|--quiet --no-motd -c|--checksum -a|--archive --no-OPTION -r|--recursive \
            -R|--relative --no-implied-dirs -b|--backup --backup-dir=data --suffix=data -u|--update \
            --inplace --append --append-verify -d|--dirs --mkpath -l|--links -L|--copy-links \
            --copy-unsafe-links --safe-links --munge-links -k|--copy-dirlinks -K|--keep-dirlinks \
            -H|--hard-links -p|--perms -E|--executability --chmod=data -A|--acls -X|--xattrs -o|--owner \
            -g|--group --devices --specials -D -t|--times -U|--atimes -O|--omit-dir-times \
            -J|--omit-link-times --super --fake-super -S|--sparse --preallocate -n|--dry-run \
            -W|--whole-file --checksum-choice=data -x|--one-file-system -B|--block-size=num -e|--rsh=sh \
            --rsync-path=sh --existing --ignore-existing --remove-source-files --delete --delete-before \
            --delete-during|--del --delete-delay --delete-after --delete-excluded --ignore-missing-args \
            --delete-missing-args --ignore-errors --force --max-delete=num --max-size=num --min-size=num \
            --partial --partial-dir=data --delay-updates -m|--prune-empty-dirs --numeric-ids \
            --usermap=data --groupmap=data --chown=data --timeout=num --contimeout=num -I|--ignore-times \
            --size-only -@|--modify-window=num -T|--temp-dir=data -y|--fuzzy --compare-dest=look \
            --copy-dest=look --link-dest=look -z|--compress --compress-choice=data --compress-level=num \
            --skip-compress=data -C|--cvs-exclude -f|--filter=data -F --exclude=pat --exclude-from=read \
            --include=pat --include-from=read --files-from=file:names -0|--from0 -s|--protect-args \
            --secluded-args --address=data --port=num --sockopts=data --blocking-io --outbuf=data --stats \
            -8|--8-bit-output -h|--human-readable --progress -P -i|--itemize-changes \
            -M|--remote-option=data --out-format=data --log-file=write --log-file-format=data \
            --password-file=read --early-input=read --list-only --bwlimit=num --stop-after=num \
            --write-batch=write --only-write-batch=write --read-batch=read --protocol=num --iconv=data \
            --checksum-seed=num -4|--ipv4 -6|--ipv6 --info=data --debug=data --trust-sender --no-perms \
            --no-owner --no-group --no-times --no-links --no-whole-file --no-compress --no-relative --no-D \
            --no-o --no-g --no-p --no-t",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::rsync),
            ],
        },
    ])
    .taken_over()
    ,
];
