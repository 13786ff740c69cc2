// Generated from knowledge/programs/gpg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gpg gpg2",
        "gpg(1), gpg --dump-options 2.4, compared with 2.2",
        "\
            -k|--list-keys|--list-public-keys -K|--list-secret-keys --list-sigs|--list-signatures \
            --check-sigs|--check-signatures --fingerprint --list-packets --show-keys --card-status \
            --list-config --list-gcrypt-config --print-md --print-mds --version -h|--help --dump-options \
            --with-colons --with-fingerprint --with-subkey-fingerprint --with-keygrip --with-key-data \
            --with-secret --with-wkd-hash --keyid-format=data --list-options=data --verify-options=data \
            --status-fd=num --logger-fd=num --attribute-fd=num --command-fd=num --passphrase-fd=num \
            --verify -v|--verbose -q|--quiet --batch --no-batch --no-tty -n|--dry-run --yes --no \
            --textmode -t -a|--armor|--armour -z=num -r|--recipient=data -R|--hidden-recipient=data \
            -f|--recipient-file=read -F|--hidden-recipient-file=read --default-recipient=data \
            --encrypt-to=data -u|--local-user=data --default-key=data --try-secret-key=data \
            --trust-model=data --trusted-key=data --always-trust --cipher-algo=data --digest-algo=data \
            --compress-algo=data --pinentry-mode=data --passphrase=secret --passphrase-file=read \
            --command-file=read --status-file=write --logger-file|--log-file=write --attribute-file=write \
            -o|--output=write --keyring=read --primary-keyring=read --secret-keyring=read \
            --no-default-keyring --trustdb-name=inplace --multifile --warranty --verify-files \
            --edit-card|--card-edit --change-pin --update-trustdb --check-trustdb --rebuild-keydb-caches \
            --gen-random --gen-prime --enarmor --dearmor --tofu-policy \
            --generate-designated-revocation|--desig-revoke --quick-sign-key --quick-lsign-key \
            --quick-revoke-uid --quick-revoke-sig --quick-set-primary-uid --default-recipient-self \
            --no-default-recipient --no-verbose --enable-large-rsa --disable-large-rsa --enable-dsa2 \
            --disable-dsa2 --utf8-strings --no-utf8-strings --bzip2-decompress-lowmem \
            --mangle-dos-filenames --no-mangle-dos-filenames --ask-cert-level --no-ask-cert-level \
            --no-auto-key-locate --auto-key-import --no-auto-key-import --no-auto-key-retrieve \
            --no-sig-cache --auto-check-trustdb --no-auto-check-trustdb --use-agent --no-use-agent \
            --gpg-agent-info --disable-dirmngr --no-autostart --lock-once --lock-multiple --lock-never \
            --exit-on-status-write-error --no-random-seed-file --no-greeting --no-secmem-warning \
            --no-permission-warning --require-secmem --no-require-secmem --require-cross-certification \
            --no-require-cross-certification --expert --no-expert --no-encrypt-to --no-groups \
            --try-all-secrets --skip-hidden-recipients --no-skip-hidden-recipients --no-armor \
            --fixed-list-mode --legacy-list-mode --with-icao-spelling --with-key-origin --no-textmode \
            --force-v3-sigs --no-force-v3-sigs --force-v4-certs --no-force-v4-certs --force-mdc \
            --disable-mdc --disable-signer-uid --include-key-block --gnupg --openpgp --rfc4880 \
            --rfc4880bis --rfc2440 --pgp6 --pgp7 --pgp8 --require-compliance --list-only -i|--interactive \
            --debug-all --debug-iolbf --enable-progress-filter --no-comments --emit-version \
            --no-emit-version --for-your-eyes-only --no-for-your-eyes-only --use-embedded-filename \
            --no-use-embedded-filename --throw-keyids --no-throw-keyids --not-dash-escaped \
            --escape-from-lines --no-escape-from-lines --no-symkey-cache --allow-non-selfsigned-uid \
            --no-allow-non-selfsigned-uid --allow-freeform-uid --ignore-time-conflict --ignore-valid-from \
            --ignore-crc-error --ignore-mdc-error --allow-weak-digest-algos --allow-weak-key-signatures \
            --override-compliance-check --no-keyring --skip-verify --fast-list-mode --no-literal \
            --show-session-key --ask-sig-expire --no-ask-sig-expire --ask-cert-expire --no-ask-cert-expire \
            --force-sign-key --forbid-gen-key --allow-secret-key-import --allow-multiple-messages \
            --no-allow-multiple-messages --enable-special-filenames --no-expensive-trust-checks \
            --preserve-permissions --gpgconf-list --gpgconf-test --show-photos --no-show-photos \
            --show-keyring --show-notation --no-show-notation --show-policy-url --no-show-policy-url \
            --compress-level=num --bzip2-compress-level=num --default-cert-level=num --min-cert-level=num \
            --display-charset=data --completes-needed=num --marginals-needed=num \
            --tofu-default-policy=data --max-cert-depth=num --limit-card-insert-tries=num \
            --hidden-encrypt-to=data --group=data --ungroup=data --sender=data --max-output=num \
            --input-size-hint=num --key-origin=data --import-filter=data --export-filter=data \
            --personal-cipher-preferences=data --personal-digest-preferences=data \
            --personal-compress-preferences=data --s2k-cipher-algo=data --s2k-digest-algo=data \
            --s2k-mode=num --s2k-count=num --compliance=data --min-rsa-length=num --debug-level=data \
            --debug=data --faked-system-time=data --comment=data --sig-notation=data --cert-notation=data \
            -N|--set-notation=data --known-notation=data --sig-policy-url=data --cert-policy-url=data \
            --set-policy-url=data --sig-keyserver-url=data --set-filename=data --cert-digest-algo=data \
            --disable-cipher-algo=data --disable-pubkey-algo=data --passphrase-repeat=num \
            --request-origin=data --weak-digest=data --set-filesize=num --override-session-key=secret \
            --override-session-key-fd=num --default-sig-expire=data --default-cert-expire=data \
            --default-new-key-algo=data --default-preference-list=data --default-keyserver-url=data \
            --homedir=config --options=config --no-options --agent-program=prog --dirmngr-program=prog \
            --keyboxd-program=prog --exec-path=prog --photo-viewer=sh --load-extension=file:native \
            --keyserver=host --keyserver-options=data --auto-key-locate=data --auto-key-retrieve \
            --recv-keys|--receive-keys --search-keys --send-keys --refresh-keys \
            --locate-keys|--locate-external-keys --fetch-keys -s|--sign --clear-sign|--clearsign \
            -b|--detach-sign -e|--encrypt -c|--symmetric -d|--decrypt --decrypt-files --encrypt-files \
            --store --import --fast-import --import-ownertrust --import-options=data --export \
            --export-ssh-key --export-ownertrust --export-options=data \
            --export-secret-keys|--export-secret-key --export-secret-subkeys --delete-keys|--delete-key \
            --delete-secret-keys|--delete-secret-key --delete-secret-and-public-key \
            --gen-key|--generate-key --full-gen-key|--full-generate-key \
            --quick-gen-key|--quick-generate-key --quick-add-uid --quick-add-key --quick-set-expire \
            --edit-key|--key-edit --sign-key --lsign-key --change-passphrase|--passwd \
            --gen-revoke|--generate-revocation",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d", "--decrypt-files"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--export-secret-keys", "--export-secret-subkeys"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands out secret keys"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--delete-secret-keys", "--delete-secret-and-public-key",
                        "--delete-keys"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes keys"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--recv-keys", "--search-keys", "--send-keys", "--refresh-keys",
                        "--locate-keys"]),
                Condition::Lacks(&["--keyserver"]),
            ],
            acts: &[
                Act::Contacts("keys.openpgp.org", "hkps", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--fetch-keys"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Url),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--auto-key-locate", "--auto-key-retrieve"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--fetch-keys", "--recv-keys", "--search-keys", "--export-secret-keys",
                        "-k", "-K"]),
                Condition::Operand(&["*.*", "*/*"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--decrypt-files", "--encrypt-files", "--multifile"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-k", "-K", "--list-sigs", "--check-sigs", "--fingerprint", "--verify",
                        "--version"]),
                Condition::Lacks(&["-o", "--import", "--edit-key"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--list-packets", "--show-keys"]),
                Condition::Lacks(&["-o", "--import", "--edit-key"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--with-colons", "--card-status", "--list-config", "--print-md"]),
                Condition::Lacks(&["-o", "--import", "--edit-key"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--show-photos"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--list-options", "--verify-options"], &["*show-photos*"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--show-session-key"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the key that a message was encrypted with"),
            ],
        },
    ])
    ,
    reads(
        "gpgv apt-secure",
        "gpgv(1) 2.4, compared with 2.2",
        "\
            --enable-special-filenames --homedir=config --ignore-time-conflict --keyring=read \
            --log-file=write --logger-fd=num -o|--output=write -q|--quiet --status-fd=num -v|--verbose \
            --weak-digest=data",
        "read*",
    )
    ,
];
