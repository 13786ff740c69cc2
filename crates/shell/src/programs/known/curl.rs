// Generated from knowledge/programs/curl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "curl curlie",
        "curl(1) 7.88, and the help of 8.13",
        "\
            -#|--progress-bar -0|--http1.0 -1|--tlsv1 -2|--sslv2 -3|--sslv3 -4|--ipv4 -6|--ipv6 \
            -a|--append -A|--user-agent=data -b|--cookie=data -B|--use-ascii -c|--cookie-jar=write \
            -C|--continue-at=num -d|--data|--data-ascii=data --data-binary=data --data-raw=data \
            --data-urlencode=data --json=data -D|--dump-header=write -e|--referer=data -E|--cert=read \
            -f|--fail --fail-with-body --fail-early -F|--form=data --form-string=data --form-escape \
            -g|--globoff -G|--get -h|--help?=data -H|--header=data -i|--include|--show-headers -I|--head \
            -j|--junk-session-cookies -J|--remote-header-name -k|--insecure -K|--config=file:curl \
            -l|--list-only -L|--location --location-trusted -m|--max-time=num -M|--manual -n|--netrc \
            --netrc-file=read --netrc-optional -N|--no-buffer -o|--output=data --output-dir=data \
            -O|--remote-name --remote-name-all -p|--proxytunnel -P|--ftp-port=data -q|--disable \
            -Q|--quote=data -r|--range=data -R|--remote-time -s|--silent -S|--show-error \
            -t|--telnet-option=data -T|--upload-file=data -u|--user=secret -U|--proxy-user=secret \
            -v|--verbose -V|--version -w|--write-out=data -x|--proxy|--preproxy=choose --socks4=choose \
            --socks4a=choose --socks5=choose --socks5-hostname=choose -X|--request=data \
            -y|--speed-time=num -Y|--speed-limit=num -z|--time-cond=data -Z|--parallel --parallel-max=num \
            --abstract-unix-socket=choose --alt-svc=write --anyauth --aws-sigv4=data --basic \
            --bearer=secret --ca-native --cacert=read --capath=look --cert-status --cert-type=data \
            --ciphers=data --compressed --compressed-ssh --connect-timeout=num --connect-to=choose \
            --create-dirs --create-file-mode=data --crlf --crlfile=read --curves=data --delegation=data \
            --digest --dns-servers=choose --doh-url=choose --egd-file=read --engine=choose \
            --etag-compare=read --etag-save=write --expect100-timeout=num --false-start --ftp-create-dirs \
            --ftp-method=data --ftp-pasv --haproxy-protocol --hsts=write --http0.9 --http1.1 --http2 \
            --http2-prior-knowledge --http3 --http3-only --ignore-content-length --interface=choose \
            --ip-tos=num --keepalive-time=num --key=read --key-type=data --krb=data --libcurl=write \
            --limit-rate=num --local-port=data --login-options=data --mail-auth=data --mail-from=data \
            --mail-rcpt=data --max-filesize=num --max-redirs=num --metalink --negotiate --no-alpn \
            --no-clobber --no-keepalive --no-progress-meter --no-sessionid --no-verbose --noproxy=data \
            --ntlm --oauth2-bearer=secret --pass=secret --path-as-is --pinnedpubkey=data --post301 \
            --post302 --post303 --proto=data --proto-default=data --proto-redir=data --proxy-header=data \
            --proxy-insecure --pubkey=read --random-file=read --rate=data --raw --remove-on-error \
            --request-target=data --resolve=choose --retry=num --retry-all-errors --retry-connrefused \
            --retry-delay=num --retry-max-time=num --sasl-ir --service-name=data --ssl --ssl-reqd \
            --ssl-no-revoke --stderr=write --styled-output --suppress-connect-headers --tcp-fastopen \
            --tcp-nodelay --tftp-blksize=num --tls-max=data --tls13-ciphers=data --tlsv1.0 --tlsv1.1 \
            --tlsv1.2 --tlsv1.3 --tr-encoding --trace=write --trace-ascii=write --trace-config=data \
            --trace-ids --trace-time --unix-socket=choose --url=data --url-query=data --variable=data \
            --xattr --skip-existing --disable-eprt --disable-epsv --disallow-username-in-url \
            --dns-interface=choose --dns-ipv4-addr=choose --dns-ipv6-addr=choose --doh-cert-status \
            --doh-insecure --dump-ca-embed --ech=data --ftp-account=secret --ftp-alternative-to-user=data \
            --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-ccc-mode=data --ftp-ssl-control \
            --happy-eyeballs-timeout-ms=num --haproxy-clientip=data --hostpubmd5=data --hostpubsha256=data \
            --ipfs-gateway=choose --keepalive-cnt=num --mail-rcpt-allowfails --mptcp -:|--next --no-npn \
            --ntlm-wb --parallel-immediate --proxy-anyauth --proxy-basic --proxy-ca-native \
            --proxy-cacert=read --proxy-capath=look --proxy-cert=read --proxy-cert-type=data \
            --proxy-ciphers=data --proxy-crlfile=read --proxy-digest --proxy-http2 --proxy-key=read \
            --proxy-key-type=data --proxy-negotiate --proxy-ntlm --proxy-pass=secret \
            --proxy-pinnedpubkey=data --proxy-service-name=data --proxy-ssl-allow-beast \
            --proxy-ssl-auto-client-cert --proxy-tls13-ciphers=data --proxy-tlsauthtype=data \
            --proxy-tlspassword=secret --proxy-tlsuser=data --proxy-tlsv1 --proxy1.0=choose \
            --request-mode=data --sasl-authzid=data --socks5-basic --socks5-gssapi --socks5-gssapi-nec \
            --socks5-gssapi-service=data --ssl-allow-beast --ssl-auto-client-cert --ssl-revoke-best-effort \
            --ssl-sessions=write --tftp-no-options --tls-earlydata --tlsauthtype=data --tlspassword=secret \
            --tlsuser=data --vlan-priority=num --no-location --no-fail --no-silent --no-insecure \
            --no-progress",
        "",
    )
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["--url"], &["@*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads the addresses that it fetches from a file"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::curl),
            ],
        },
    ])
    ,
];
