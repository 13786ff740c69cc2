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
            ],
            acts: &[
                Act::Rust(crate::programs::processes::media),
            ],
        },
    ])
    .taken_over()
    ,
];
