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
                Condition::Operand(&["-A*", "-B*", "-c*", "-C*", "-d*", "-e*", "-g*", "-G*", "-h*", "-j*",
                        "-k*", "-l*", "-m*", "-n*", "-N*", "-o", "-r*", "-R*", "-s", "-S*",
                        "-t*"]),
                Condition::Program(&["sgdisk"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "sgdisk changes the table of a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-T*", "-u*", "-U*", "-z*", "-Z*", "--attr*", "--byte*", "--change*",
                        "--clear", "--del*", "--disk-g*", "--gpt*"]),
                Condition::Program(&["sgdisk"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "sgdisk changes the table of a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--hybrid*", "--load*", "--largest*", "--mbrtogpt", "--move*",
                        "--new*", "--partition-guid*", "--rand*"]),
                Condition::Program(&["sgdisk"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "sgdisk changes the table of a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--recomp*", "--repl*", "--resize*", "--set-a*", "--sort", "--trans*",
                        "--type*", "--zap*", "--adjust*"]),
                Condition::Program(&["sgdisk"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "sgdisk changes the table of a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["mktable*", "mklabel*", "mkpart*", "rm", "set", "toggle", "name",
                        "rescue", "resize*", "disk_*"]),
                Condition::Program(&["parted"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "parted changes the table of a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-a*", "-o*", "-fa*", "-qa*", "-fqa*", "-qfa*", "-ffa*", "-ba*",
                        "-fo*", "-qo*", "--al*", "--off*"]),
                Condition::Program(&["wipefs"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.data_loss", "wipefs destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-a", "--all", "-al", "-la", "-o*", "-B", "--bind", "-M", "--move",
                        "-R", "--rbind", "--source*", "--target*", "-L*", "-U*", "-F*"]),
                Condition::Program(&["mount"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-t*", "--types*"]),
                Condition::Operands(3, usize::MAX),
                Condition::Program(&["mount"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--security-erase*", "--trim*", "--make-bad*", "--write-sector*",
                        "--dco-restore*", "--fwdownload*"]),
                Condition::Program(&["hdparm"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "hdparm destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--sec*", "--yes*", "--trim*", "--make*", "--write*", "--fw*",
                        "--dco*", "-W*", "-M*", "-B*", "-S*", "-Y*", "-y", "-Z*", "-K*"]),
                Condition::Program(&["hdparm"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes a disk"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-d*", "--detach*", "-D", "-c*", "--set-cap*"]),
                Condition::Program(&["losetup"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["sanitize", "write-zeroes", "dsm", "delete-ns", "write", "write-uncor",
                        "security-send"]),
                Condition::Program(&["nvme"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "nvme destroys what is on a disk"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["erase", "luksKillSlot", "luksRemoveKey", "reencrypt"]),
                Condition::Program(&["cryptsetup"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "cryptsetup takes away keys, or writes a disk anew"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--dump-volume-key*", "--dump-master-key*"]),
                Condition::Program(&["cryptsetup"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the key of a disk"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--showkeys"]),
                Condition::Program(&["dmsetup"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the keys of disks"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--exec*"]),
                Condition::Program(&["dmsetup"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command for each device"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["mount"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l", "--show-labels"]),
                Condition::Operands(0, 3),
                Condition::Program(&["mount"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["lvs", "vgs", "pvs", "lvdisplay", "vgdisplay", "pvdisplay"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l", "--list", "-p", "-d", "--dump", "-s"]),
                Condition::Program(&["fdisk", "sfdisk", "gdisk", "sgdisk"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["mklabel", "mkpart", "rm", "resizepart"]),
                Condition::Operand(&["-l", "--list", "print"]),
                Condition::Program(&["parted"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["swapon", "losetup"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-s", "--show", "--summary"]),
                Condition::Program(&["swapon"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-a", "-l", "--list", "--all"]),
                Condition::Program(&["losetup"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--detail", "-D", "--examine", "-E", "--query"]),
                Condition::Program(&["mdadm"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "get", "status", "iostat", "history"]),
                Condition::Program(&["zfs", "zpool"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["delete", "create"]),
                Condition::Operand(&["list", "show", "df", "usage", "stats"]),
                Condition::Program(&["btrfs"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["status", "luksDump", "isLuks"]),
                Condition::Program(&["cryptsetup"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["ls", "info", "status", "table"]),
                Condition::Program(&["dmsetup"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-a", "--all", "-o", "--offset"]),
                Condition::Program(&["wipefs"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l"]),
                Condition::Program(&["tune2fs"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-n", "-N"]),
                Condition::Program(&["fsck", "e2fsck", "xfs_repair"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "info"]),
                Condition::Program(&["diskutil"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["lvs", "vgs", "pvs", "version"]),
                Condition::Program(&["lvm"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-I", "-i", "list", "smart-log", "id-ctrl"]),
                Condition::Program(&["hdparm", "nvme"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["status", "info", "dump"]),
                Condition::Program(&["udisksctl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mkfs", "mke2fs", "newfs", "wipefs", "blkdiscard", "mkswap",
                        "lvremove", "vgremove", "pvremove", "lvreduce", "vgreduce", "gpart"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["sgdisk", "fdisk", "sfdisk", "cfdisk", "parted", "gdisk", "badblocks",
                        "partclone", "ddrescue", "sg_format", "format-disk"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["destroy", "labelclear", "luksFormat", "luksErase", "eraseDisk",
                        "eraseVolume", "delete", "rollback", "format"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--zero-superblock", "lvremove", "vgremove", "pvremove",
                        "--security-erase"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys what is on a disk"),
                Act::Picked(Pick { at: &["0.."], fits: &["/*"], except: &[], after: &[] }, Role::Write),
            ],
        },
    ])
    .taken_over()
    ,
];
