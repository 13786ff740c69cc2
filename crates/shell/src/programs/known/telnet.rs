// Generated from knowledge/programs/telnet.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "telnet",
        "telnet(1) inetutils 2.4, netkit 0.17",
        "\
            -4|--ipv4 -6|--ipv6 -8|--binary -a|--login -c|--no-rc -d|--debug -E|--no-escape \
            -e|--escape=data -K|--no-login -k|--realm=data -L|--binary-output -l|--user=data \
            -n|--trace=write -r|--rlogin -X|--disable-auth=data -x|--encrypt",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "ftp tnftp inetutils-ftp",
        "tnftp(1), ftp(1) tnftp 20210827, inetutils 2.4",
        "\
            -4|--ipv4 -6|--ipv6 -A|--active -a -d|--debug -e|--no-edit -f -g|--no-glob -i|--no-prompt \
            -N|--netrc=read -n|--no-login -o=data -P=num -p|--passive --prompt?=data -q=num -R -r=num \
            -s=data -T=data -t|--trace -u=host -V -v|--verbose -x=num",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-u"]),
            ],
            acts: &[
                Act::Sends(0, true),
                Act::Finding("shell.upload", "sends files to another machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("ftp"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["|*"]),
            ],
            acts: &[
                Act::RunsAfter("|"),
                Act::RunsAfter("-o|"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-o", Role::Download),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
                Condition::Operand(&["*://*", "*:/*"]),
            ],
            acts: &[
                Act::WritesFile("."),
            ],
        },
    ])
    ,
    works(
        "tftp",
        "tftp(1) tftp-hpa 5.2",
        "-4 -6 -c=data -l -m=data -R=data -V -v",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("ftp"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-c"], &["put"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
                Act::Finding("shell.upload", "sends a file to another machine"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-c"], &["get"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Download),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "rsh remsh",
        "rsh(1) netkit 0.17, rsh-redone 85",
        "-4 -6 -d -K -l=data -n -p=num -v",
        "",
    )
    .style(Style::Posix)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Host),
                Act::RunsRemote(1, "{first}"),
            ],
        },
    ])
    ,
    works(
        "rlogin",
        "rlogin(1) netkit 0.17",
        "-8 -d -E -e=data -i=data -K -L -l=data -p=num",
        "host",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    ,
    works(
        "rexec",
        "rexec(1) 1.5",
        "-l=data -p=data -d",
        "",
    )
    .style(Style::Posix)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Host),
                Act::RunsRemote(1, "{first}"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "rcp",
        "rcp(1) netkit 0.17",
        "-d -K -k=data -p -r -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("rcp", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["*:*"]),
            ],
            acts: &[
                Act::Sends(0, false),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*:*"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Download),
            ],
        },
    ])
    ,
    works(
        "gopher",
        "gopher(1) 3.0.17",
        "-b -D -i=data -p=data -r -S -s -T=data -t=data",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "irssi",
        "irssi(1) 1.4",
        "\
            -!|--noconnect -c|--connect=host --config=config -h|--hostname=data --home=config \
            -n|--nick=data -p|--port=num -v|--version -w|--password=secret",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
            ],
            acts: &[
                Act::ContactsUnknown("irc", Direction::Both),
            ],
        },
    ])
    ,
    works(
        "weechat weechat-curses weechat-headless",
        "weechat(1) 3.8",
        "\
            -a|--no-connect -c|--colors --daemon -d|--dir=config -l|--license --no-dlclose --no-gcrypt \
            --no-gnutls -P|--plugins=data -p|--no-plugin -r|--run-command=data -s|--no-script --stdout \
            -t|--temp-dir --upgrade -v|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v", "-l", "-c"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives the client commands, which may start programs"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("irc", Direction::Both),
                Act::ContactsUrls("irc", Direction::Both),
            ],
        },
    ])
    ,
    works(
        "lynx",
        "lynx(1) 2.9.0dev.12",
        "\
            -accept_all_cookies -anonymous -assume_charset=data -assume_local_charset=data \
            -assume_unrec_charset=data -auth=secret -base -bibhost=url -blink -book -buried_news \
            -cache=num -case -center -cfg=config -child -child_relaxed -cmd_log=write -cmd_script=file \
            -collapse_br_tags -color -connect_timeout=num -cookie_file=read -cookie_save_file=write \
            -cookies -core -crawl -curses_pads -debug_partial -default_colors -delay -display=data \
            -display_charset=data -dont_wrap_pre -dump -editor=prog -emacskeys -enable_scrollback \
            -error_file=write -exec -fileversions -find_leaks -force_empty_hrefless_a -force_html \
            -force_secure -forms_options -from -ftp -get_data -head -hiddenlinks?=data -historical \
            -homepage=url -image_links -index=url -ismap -justify -link=num -list_decoded -list_inline \
            -listonly -localhost -locexec -lss=read -mime_header -minimal -nested_tables \
            -newschunksize=num -newsmaxchunk=num -nobold -nobrowse -nocc -nocolor -noexec -nofilereferer \
            -nolist -nolog -nomargins -nomore -nonrestarting_sigwinch -nonumbers -nopause -noprint \
            -noredir -noreferer -noreverse -nosocks -nostatus -notitle -nounderline -number_fields \
            -number_links -partial -partial_thres=num -passive_ftp -pauth=secret -popup -post_data \
            -preparsed -prettysrc -print -pseudo_inlines -raw -read_timeout=num -realm -reload \
            -restrictions=data -resubmit_posts -rlogin -scrollbar -scrollbar_arrow -selective \
            -session=inplace -sessionin=read -sessionout=write -short_url -show_cfg -show_cursor \
            -show_rate -socks5_proxy=host -soft_dquotes -source -stack_dump -startfile_ok -stderr -stdin \
            -syslog=data -syslog_urls -tagsoup -telnet -term=data -timeout=num -tlog -tna -trace \
            -trace_mask=num -traversal -trim_blank_lines -trim_input_fields -underline_links -underscore \
            -unique_urls -update_term_title -use_mouse -useragent=data -validate -verbose -vikeys -wdebug \
            -width=num -with_backspaces -xhtml_parsing",
        "",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-exec", "-locexec"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "lets pages start programs"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "takes its words from standard input"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-traversal", "-crawl"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-tlog", "-trace"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("Lynx.trace"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-post_data", "-get_data"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends standard input to a server"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "w3m",
        "w3m(1) 0.5.3",
        "\
            -4 -6 -B -F -H -I=data -M -N -O=data -T=data -W -X -bookmark=inplace -cols=num -config=config \
            -cookie -debug -dump -dump_both -dump_extra -dump_head -dump_source -graph -halfdump \
            -header=data -insecure -l=num -m -no-cookie -no-graph -no-mouse -no-proxy -num -o=data \
            -post=data -ppc=num -ppl=num -r -reqlog -s -session=data -show-option -t=num -title?=data -v",
        "",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*browser*=*", "mailer=*", "editor=*", "cgi_bin=*", "urimethodmap=*",
                        "mailcap=*", "*pager*=*", "siteconf_file=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names what is started by a setting"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-post"]),
            ],
            acts: &[
                Act::SendsValue("-post"),
                Act::Finding("shell.upload", "sends a file to a server"),
            ],
        },
    ])
    ,
    works(
        "links links2",
        "links(1) 2.28",
        "\
            -address-preference=data -aggressive-cache=data -anonymous -append-text-to-dns-lookups=data \
            -async-dns=data -bfu-aspect=data -bind-address=data -bind-address-ipv6=data \
            -bookmarks-codepage=data -bookmarks-file=inplace -codepage=data -display-blue-gamma=data \
            -display-green-gamma=data -display-optimize=data -display-red-gamma=data -dither-images=data \
            -dither-letters=data -dns-over-https=choose -download-dir=dir -download-utime=data \
            -driver=data -dump -enable-cookies=data -font=read -font-bold=read -font-cache-size=data \
            -font-italic=read -font-italic-bold=read -font-monospaced=read -font-monospaced-bold=read \
            -font-monospaced-italic=read -font-monospaced-italic-bold=read -force-html \
            -format-cache-size=data -ftp-proxy=host -ftp.anonymous-password=data -ftp.set-iptos=data \
            -ftp.use-erpt-epsv=data -ftp.use-passive=data -g -gamma-correction=data \
            -html-assume-codepage=data -html-auto-refresh=data -html-background-color=data \
            -html-bare-image-autoscale=data -html-break-long-lines=data -html-display-images=data \
            -html-frames=data -html-g-background-color=data -html-g-ignore-document-color=data \
            -html-g-link-color=data -html-g-text-color=data -html-hard-assume=data \
            -html-ignore-document-color=data -html-image-names=data -html-image-scale=data \
            -html-images=data -html-link-color=data -html-margin=data -html-numbered-links=data \
            -html-table-order=data -html-tables=data -html-target-in-new-window=data -html-text-color=data \
            -html-user-font-size=data -http-bugs.allow-blacklist=data \
            -http-bugs.bug-no-accept-charset=data -http-bugs.http10=data -http-bugs.no-compression=data \
            -http-bugs.retry-internal-errors=data -http-proxy=host -http.do-not-track=data \
            -http.extra-header=data -http.fake-firefox=data -http.fake-referer=data \
            -http.fake-user-agent=data -http.referer=data -https-proxy=host -image-cache-size=data \
            -language=data -lookup=host -max-connections=data -max-connections-to-host=data \
            -max-cookie-age=data -memory-cache-size=data -menu-background-color=data -menu-font-size=data \
            -menu-foreground-color=data -mode=data -no-connect -no-libevent -no-openmp \
            -no-proxy-domains=host -only-proxies=data -overwrite-instead-of-scroll=data \
            -receive-timeout=data -retries=data -save-cookies=data -save-url-history=data \
            -scroll-bar-area-color=data -scroll-bar-bar-color=data -scroll-bar-frame-color=data \
            -smb.allow-hyperlinks-to-smb=data -socks-proxy=host -source -ssl.builtin-certificates=data \
            -ssl.certificates=data -ssl.client-cert-crt=read -ssl.client-cert-key=read \
            -ssl.client-cert-password=secret -timeout-when-trying-multiple-addresses=data \
            -unrestartable-receive-timeout=data -user-gamma=data -width=data",
        "",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "elinks",
        "elinks(1) 0.13.2",
        "\
            -anonymous -auto-submit -base-session=num -config-dir=config -config-dump -config-file=config \
            -config-help -default-keys -default-mime-type=data -dump -dump-charset=data \
            -dump-color-mode=data -dump-width=num -eval=data -force-html -localhost -long-help -lookup \
            -no-connect -no-home -no-numbering -no-references -remote=data -session-ring=num -source \
            -touch-files -verbose=num",
        "",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-eval"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "sets what a setting names"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-remote"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    ,
    works(
        "browsh",
        "browsh --help 1.8",
        "-dump -source",
        "",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    .taken_over()
    ,
];
