// Generated from knowledge/programs/mount.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            mount umount mkfs mke2fs fdisk sfdisk cfdisk parted gdisk sgdisk wipefs blkdiscard mkswap \
            swapon swapoff losetup cryptsetup lvm lvcreate lvremove lvextend lvreduce lvresize vgcreate \
            vgremove vgreduce pvcreate pvremove pvmove lvs vgs pvs lvdisplay vgdisplay pvdisplay mdadm zfs \
            zpool btrfs tune2fs resize2fs e2fsck fsck xfs_repair xfs_growfs dmsetup hdparm badblocks \
            e2label partprobe kpartx fstrim quotacheck quotaon setquota edquota diskutil hdiutil newfs \
            gpart format-disk ddrescue partclone partimage eject fuse fusermount fusermount3 udisksctl \
            multipath iscsiadm nvme sg_format",
        "mount(8), mkfs(8), fdisk(8) util-linux 2.39",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::disks),
            ],
        },
    ])
    .taken_over()
    ,
];
