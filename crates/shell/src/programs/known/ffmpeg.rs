// Generated from knowledge/programs/ffmpeg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            ffmpeg convert magick mogrify composite montage sox lame flac oggenc imagemagick cwebp optipng \
            jpegoptim pngquant inkscape rsvg-convert gs ps2pdf pdftk qpdf pdfunite pdfseparate exiftool \
            wkhtmltopdf soffice libreoffice unoconv dot neato fdp mmdc plantuml qrencode enscript a2ps lp \
            lpr lpstat asciinema vhs cdrecord growisofs handbrake mkvmerge mencoder xpdf groff troff",
        "ffmpeg(1) 6.1, convert(1) ImageMagick 6.9",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["asciinema", "vhs"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-c", ">--command"], fits: &[], except: &[], after: &[] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["exiftool"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-if", ">-if0", ">-if2", ">-p", ">-printFormat",
                    ">-userParam"], fits: &["*(*", "*`*", "*$*"], except: &[], after: &[] },
                    Role::Lang("perl")),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["gs"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &[">-c"], fits: &[], except: &[], after: &[] }, Role::Lang("postscript")),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*.*", "*/*"]),
                Condition::Operand(&["-*U*"]),
                Condition::Program(&["groff", "troff"]),
            ],
            acts: &[
                Act::RunsStdin("roff"),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*=*"]),
                Condition::Program(&["lpstat", "exiftool"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Picked(Pick { at: &["0.."], fits: &["*.*", "*/*"], except: &["-*", "+*"],
                    after: &[] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mogrify", "optipng", "jpegoptim", "exiftool"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*.*", "*/*"], except: &["-*", "+*"],
                    after: &[] }, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Named,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["lp", "lpr"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*.*", "*/*"], except: &["-*", "+*"],
                    after: &[] }, Role::Source),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying { kind: Copies::Made, into: &[], whole: &[],
                    pick: Pick { at: &["0.."], fits: &["*.*", "*/*"], except: &["-*", "+*"],
                    after: &[] }, }),
            ],
        },
    ])
    .taken_over()
    ,
];
