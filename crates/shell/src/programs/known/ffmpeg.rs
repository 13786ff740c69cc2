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
                Act::OperandOf(0, false, Role::Shell, &Choice {
                        behind: &["-c", "--command"],
                        ..Choice::ALL
                    }),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["exiftool"]),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::Lang("perl"), &Choice {
                        only: &["*(*", "*`*", "*$*"],
                        behind: &["-if", "-if0", "-if2", "-p", "-printFormat", "-userParam"],
                        ..Choice::ALL
                    }),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["gs"]),
            ],
            acts: &[
                Act::OperandOf(0, false, Role::Lang("postscript"), &Choice {
                        behind: &["-c"],
                        ..Choice::ALL
                    }),
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
                Act::OperandOf(0, true, Role::Read, &Choice {
                        only: &["*.*", "*/*"],
                        unless: &["-*", "+*"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mogrify", "optipng", "jpegoptim", "exiftool"]),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::InPlace, &Choice {
                        only: &["*.*", "*/*"],
                        unless: &["-*", "+*"],
                        ..Choice::ALL
                    }),
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
                Act::OperandOf(0, true, Role::Source, &Choice {
                        only: &["*.*", "*/*"],
                        unless: &["-*", "+*"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Made,
                        into: &[],
                        whole: &[],
                        choice: Choice {
                        only: &["*.*", "*/*"],
                        unless: &["-*", "+*"],
                        ..Choice::ALL
                    },
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
