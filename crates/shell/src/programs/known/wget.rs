// Generated from knowledge/programs/wget.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const DOWNLOADS: &str = "\
    -4|--inet4-only -6|--inet6-only -A|--accept=data -a|--append-output=append --accept-regex=pat \
    --ask-password --auth-no-challenge -B|--base=url -b|--background --backups?=num --bind-address=data \
    --bind-dns-address=data --body-data=data --body-file=data -c|--continue --ca-certificate=read \
    --ca-directory=look --certificate=read --certificate-type=data --ciphers=data --compression=data \
    --config=file:wget --connect-timeout=num --content-disposition --content-on-error --convert-file-only \
    --crl-file=read --cut-dirs=num -D|--domains=data -d|--debug --default-page=data --delete-after \
    --dns-servers=choose --dns-timeout=num -E|--adjust-extension -e|--execute=data --egd-file=read \
    --exclude-domains=data -F|--force-html --follow-ftp --follow-tags=data --ftp-password=secret \
    --ftp-user=data --ftps-clear-data-connection --ftps-fallback-to-ftp --ftps-implicit -H|--span-hosts \
    --header=data --hsts-file=write --http-password=secret --http-user=data --https-only \
    -I|--include-directories=data -i|--input-file=source --ignore-case --ignore-length --ignore-tags=data \
    --input-metalink=read -K|--backup-converted -k|--convert-links --keep-badhash --keep-session-cookies \
    -L|--relative -l|--level=num --limit-rate=num --load-cookies=read --local-encoding=data -m|--mirror \
    --max-redirect=num --metalink-index=num --metalink-over-http --method=data -n=data -N|--timestamping \
    --no-clobber --no-directories --no-host-directories --no-cache --no-check-certificate --no-cookies \
    --no-dns-cache --no-ftps-resume-ssl --no-glob --no-hsts --no-http-keep-alive --no-if-modified-since \
    --no-iri --no-netrc --no-passive-ftp --no-proxy --no-remove-listing --no-use-server-timestamps \
    --no-warc-compression --no-warc-digests --no-warc-keep-log --no-parent --no-verbose \
    -O|--output-document=data -o|--output-file=write -P|--directory-prefix=data -p|--page-requisites \
    --password=secret --pinnedpubkey=data --post-data=data --post-file=data --prefer-family=data \
    --preferred-location=data --preserve-permissions --private-key=read --private-key-type=data \
    --progress=data --protocol-directories --proxy-password=secret --proxy-user=data -Q|--quota=num \
    -q|--quiet -R|--reject=data -r|--recursive --random-file=read --random-wait --read-timeout=num \
    --referer=data --regex-type=data --reject-regex=pat --rejected-log=write --remote-encoding=data \
    --report-speed=data --restrict-file-names=data --retr-symlinks --retry-connrefused \
    --retry-on-host-error --retry-on-http-error=data -S|--server-response --save-cookies=write \
    --save-headers --secure-protocol=data --show-progress --spider --start-pos=num --strict-comments \
    -T|--timeout=num -t|--tries=num --trust-server-names -U|--user-agent=data --unlink --use-askpass=prog \
    --user=data -v|--verbose -w|--wait=num --waitretry=num --warc-cdx --warc-dedup=read --warc-file=write \
    --warc-header=data --warc-max-size=num --warc-tempdir=dir -X|--exclude-directories=data \
    -x|--force-directories --xattr";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "wget",
        "wget(1) 1.21.3",
        "",
        "",
    )
    .also(DOWNLOADS)
    .prints(Output::Network)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::wget),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r", "-m", "-p"]),
                Condition::Lacks(&["-O", "--spider"]),
            ],
            acts: &[
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--content-disposition", "--trust-server-names"]),
                Condition::Lacks(&["-O", "--spider"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--input-metalink"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*post*file*", "*POST*FILE*", "*Post*File*", "*body*file*",
                        "*BODY*FILE*", "*Body*File*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends a file that a setting names"),
                Act::ReadsAfter(&["file="]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*ave*ookies*", "*ir*refix*", "*arc*ile*", "*sts*ile*", "*SAVE*COOK*",
                        "*PREFIX*", "*WARC*", "*HSTS*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "writes a file that a setting names"),
            ],
        },
    ])
    ,
    works(
        "wget2",
        "wget2(1) 1.99.1",
        "\
            --check-hostname --chunk-size=num --cookie-suffixes=read --cut-file-get-vars \
            --cut-url-get-vars --default-http-port=num --default-https-port=num --dns-caching \
            --filter-mime-type=data --filter-urls --force-atom --force-css --force-metalink \
            --force-progress --force-rss --force-sitemap --fsync-policy --gnupg-homedir=choose \
            --gnutls-options=data --hpkp --hpkp-file=write --hsts --http-proxy=host \
            --http-proxy-password=secret --http-proxy-user=data --http2 --http2-request-window=num \
            --https-enforce=data --https-proxy=host --input-encoding=data --local-db \
            --local-plugin=file:native --max-threads=num --metalink --ocsp --ocsp-file=write \
            --ocsp-stapling --plugin=config --plugin-dirs=config --plugin-help --plugin-opt=data \
            --proxy?=host --robots -s|--verify-sig?=data --signature-extensions=data --stats-all?=write \
            --stats-dns?=write --stats-ocsp?=write --stats-server?=write --stats-site?=write \
            --stats-tls?=write --tcp-fastopen --tls-false-start --tls-resume --tls-session-file=write \
            --verify-save-failed",
        "",
    )
    .also(DOWNLOADS)
    .prints(Output::Network)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::wget),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r", "-m", "-p"]),
                Condition::Lacks(&["-O", "--spider"]),
            ],
            acts: &[
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--content-disposition", "--trust-server-names"]),
                Condition::Lacks(&["-O", "--spider"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--input-metalink"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::WritesFile("{-P|.}"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*post*file*", "*POST*FILE*", "*Post*File*", "*body*file*",
                        "*BODY*FILE*", "*Body*File*"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends a file that a setting names"),
                Act::ReadsAfter(&["file="]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-e"], &["*ave*ookies*", "*ir*refix*", "*arc*ile*", "*sts*ile*", "*SAVE*COOK*",
                        "*PREFIX*", "*WARC*", "*HSTS*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "writes a file that a setting names"),
            ],
        },
    ])
    ,
];
