// Generated from knowledge/programs/gpg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gpg gpg2 gpgv apt-secure",
        "gpg(1), gpg --dump-options 2.4",
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
            --no-default-keyring --trustdb-name=inplace --multifile --homedir=config --options=config \
            --no-options --agent-program=prog --dirmngr-program=prog --keyboxd-program=prog \
            --exec-path=prog --photo-viewer=sh --load-extension=file:native --keyserver=host \
            --keyserver-options=data --auto-key-locate=data --auto-key-retrieve --recv-keys|--receive-keys \
            --search-keys --send-keys --refresh-keys --locate-keys|--locate-external-keys --fetch-keys \
            -s|--sign --clear-sign|--clearsign -b|--detach-sign -e|--encrypt -c|--symmetric -d|--decrypt \
            --decrypt-files --encrypt-files --store --import --fast-import --import-ownertrust \
            --import-options=data --export --export-ssh-key --export-ownertrust --export-options=data \
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
                Condition::Program(&["gpgv"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
