// Generated from knowledge/programs/who.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "who w pinky finger last lastb lastlog",
        "who(1) coreutils 9.4",
        "\
            -# -a|--all -b|--boot -d|--dead -H|--heading --ips -i|--ip-addr -l|--login --lookup -m \
            -p|--process -q|--count -r|--runlevel -s|--short -t|--time -T|-w|--mesg -u|--users -f=read \
            -F|--fulltimes -h|--no-header -o|--old-style -n=num -x|--system -R|--nohostname -S \
            -N|--clear-x",
        "data*",
    )
    .taken_over()
    ,
];
