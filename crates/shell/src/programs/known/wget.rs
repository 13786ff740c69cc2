// Generated from knowledge/programs/wget.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "wget wget2",
        "wget(1) 1.21",
        "\
            -V -h|--help -b|--background -e|--execute=data -o|--output-file=write \
            -a|--append-output=append -d|--debug -q|--quiet -v|--verbose -nv|--no-verbose \
            --report-speed=data -i|--input-file=read -F|--force-html -B|--base=data --config=file:wget \
            --rejected-log=write -t|--tries=num --retry-connrefused --retry-on-http-error=data \
            -O|--output-document=data -nc|--no-clobber --no-netrc -c|--continue --start-pos=num \
            --progress=data --show-progress -N|--timestamping --no-if-modified-since \
            --no-use-server-timestamps -S|--server-response --spider -T|--timeout=num --dns-timeout=num \
            --connect-timeout=num --read-timeout=num -w|--wait=num --waitretry=num --random-wait \
            --no-proxy -Q|--quota=num --bind-address=data --limit-rate=num --no-dns-cache \
            --restrict-file-names=data --ignore-case -4|--inet4-only -6|--inet6-only --prefer-family=data \
            --user=data --password=secret --ask-password --use-askpass=prog --no-iri --local-encoding=data \
            --remote-encoding=data --unlink -nd|--no-directories -x|--force-directories \
            -nH|--no-host-directories --protocol-directories -P|--directory-prefix=data --cut-dirs=num \
            --default-page=data -E|--adjust-extension --http-user=data --http-password=secret --no-cache \
            --ignore-length --header=data --compression=data --max-redirect=num --proxy-user=data \
            --proxy-password=secret --referer=data --save-headers -U|--user-agent=data \
            --no-http-keep-alive --no-cookies --load-cookies=read --save-cookies=write \
            --keep-session-cookies --post-data=data --post-file=data --method=data --body-data=data \
            --body-file=data --content-disposition --content-on-error --trust-server-names \
            --auth-no-challenge --secure-protocol=data --https-only --ciphers=data --no-check-certificate \
            --certificate=read --certificate-type=data --private-key=read --private-key-type=data \
            --ca-certificate=read --ca-directory=look --crl-file=read --pinnedpubkey=data \
            --random-file=read --no-hsts --hsts-file=write --ftp-user=data --ftp-password=secret \
            --no-remove-listing --no-glob --no-passive-ftp --preserve-permissions --retr-symlinks \
            --warc-file=write -r|--recursive -l|--level=num --delete-after -k|--convert-links \
            -K|--backup-converted -m|--mirror -p|--page-requisites --strict-comments -A|--accept=data \
            -R|--reject=data --accept-regex=pat --reject-regex=pat --regex-type=data -D|--domains=data \
            --exclude-domains=data --follow-ftp --follow-tags=data --ignore-tags=data -H|--span-hosts \
            -L|--relative -I|--include-directories=data -X|--exclude-directories=data -np|--no-parent \
            -n=data",
        "",
    )
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
    ])
    .taken_over()
    ,
];
