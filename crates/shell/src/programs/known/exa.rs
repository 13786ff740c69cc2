// Generated from knowledge/programs/exa.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "exa",
        "exa(1) 0.10",
        "\
            -@|--extended -1|--oneline -a|--all -B|--bytes -b|--binary --changed --color|--colour=data \
            --color-scale|--colour-scale -D|--only-dirs -d|--list-dirs -F|--classify -G|--grid -g|--group \
            --git --git-ignore --group-directories-first -H|--links -h|--header -I|--ignore-glob=pat \
            --icons -i|--inode -L|--level=num -l|--long -m|--modified -n|--numeric --no-filesize \
            --no-icons --no-permissions --no-time --no-user -R|--recurse -r|--reverse -S|--blocks \
            -s|--sort=data -T|--tree -t|--time=data --time-style=data -U|--created -u|--accessed \
            -x|--across",
        "look*",
    )
    ,
    reads(
        "eza",
        "eza(1) its repository at 03653e1",
        "\
            -@|--extended -1|--oneline -A|--almost-all -a|--all -B|--bytes -b|--binary --changed \
            --color|--colour?=data --color-scale|--colour-scale?=data \
            --color-scale-mode|--colour-scale-mode?=data -D|--only-dirs -d|--list-dirs -F|--classify?=data \
            -f|--only-files -G|--grid -g|--group --git --git-ignore --git-repos --git-repos-no-status \
            --group-directories-first -H|--links -h|--header --hyperlink?=data -I|--ignore-glob=pat \
            --icons?=data -i|--inode -L|--level=num -l|--long -M|--mounts -m|--modified -n|--numeric \
            --no-filesize --no-git --no-permissions --no-quotes --no-symlinks --no-time --no-user \
            -O|--flags -o|--octal-permissions -R|--recurse -r|--reverse -S|--blocksize -s|--sort=data \
            --show-symlinks --smart-group --stdin -T|--tree -t|--time=data --time-style=data --total-size \
            -U|--created -u|--accessed -w|--width=num --write-theme=dir -X|--dereference -x|--across \
            -Z|--context",
        "look*",
    )
    ,
    reads(
        "lsd",
        "lsd(1) its repository at 0d0458c",
        "\
            -1|--oneline -A|--almost-all -a|--all --blocks=data --classic --color=data --config-file=read \
            --date=data --depth=num -d|--directory-only -F|--classify --git --group-directories-first \
            --group-dirs=data --header -h|--human-readable --hyperlink=data -I|--ignore-glob=pat \
            --icon=data --icon-theme=data --ignore-config -i|--inode -L|--dereference -l|--long \
            --no-symlink --permission=data -R|--recursive -r|--reverse -S|--sizesort --size=data \
            --sort=data -t|--timesort --total-size --tree -U|--no-sort -V -v|--versionsort \
            -X|--extensionsort -Z|--context",
        "look*",
    )
    ,
];
