//! The system itself: users, mounts, disks, services, kernel, logs, keys.

use doorward_core::intent::{PrivilegeKind, WriteMode};

use super::call::Call;
use super::row::Nature;

pub(in crate::programs) fn setcap(call: &mut Call<'_>) {
    call.privilege(PrivilegeKind::Capability, "gives a file capabilities");
    if let Some(file) = call.operands.last().cloned() {
        call.write(&file, WriteMode::Metadata);
    }
}

fn texts(call: &Call<'_>) -> Vec<String> {
    call.operands.iter().map(|word| word.text.clone()).collect()
}

pub(in crate::programs) fn users(call: &mut Call<'_>) {
    let words = texts(call);
    if call.program == "passwd" && words.iter().any(|word| matches!(word.as_str(), "-S" | "--status"))
        || call.program == "chage" && words.iter().any(|word| matches!(word.as_str(), "-l" | "--list"))
        || call.program == "dscl"
            && words
                .iter()
                .any(|word| matches!(word.as_str(), "-read" | "read" | "-list" | "list" | "-search"))
    {
        call.nature = Nature::Reads;
        return;
    }
    if call.program == "htpasswd" {
        if let Some(file) = call.operands.iter().find(|word| !word.text.starts_with('-')).cloned() {
            call.write(&file, WriteMode::InPlace);
        }
        return;
    }
    call.privilege(PrivilegeKind::Group, "changes users, groups or passwords");
}

pub(in crate::programs) fn kernel(call: &mut Call<'_>) {
    let words = texts(call);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let reading = match call.program.as_str() {
        "sysctl" => {
            !has(&["-w", "-p", "--write", "--load", "--system", "-f"])
                && !words.iter().any(|word| word.contains('='))
        }
        "auditctl" => has(&["-l", "-s", "-v"]) && words.len() == 1,
        "kmod" => has(&["list"]),
        "modprobe" => has(&["-n", "--dry-run", "-c", "--showconfig", "--show-depends", "-D"]),
        "update-alternatives" | "alternatives" => {
            has(&["--display", "--list", "--query", "--get-selections"])
        }
        "bootctl" | "efibootmgr" => words.is_empty() || has(&["status", "list", "-v"]),
        "semanage" | "semodule" => has(&["-l", "--list"]),
        "perf" => has(&["list", "report", "annotate", "script", "stat"]) && !has(&["record"]),
        "ldconfig" => has(&["-p", "--print-cache", "-N"]),
        "chkconfig" | "rc-update" => {
            has(&["--list", "show", "-v"]) && !has(&["add", "del", "on", "off"]) || words.is_empty()
        }
        "csrutil" | "spctl" => has(&["status", "--status"]),
        "bpftool" => has(&["show", "list", "dump"]),
        _ => false,
    };
    if reading {
        call.nature = Nature::Reads;
        if call.program == "perf" && has(&["stat"]) {
            let from =
                words.iter().position(|word| !word.starts_with('-') && word != "stat").unwrap_or(words.len());
            let argv = call.operands_from(from);
            call.run_argv(argv);
        }
        return;
    }
    call.privilege(PrivilegeKind::Kernel, "changes the kernel, boot or security settings");
    match call.program.as_str() {
        "setenforce" | "aa-disable" | "aa-complain" | "aa-teardown" | "auditctl" | "spctl" | "csrutil"
        | "setsebool" => call.finding("shell.tamper", "weakens the system's guards"),
        "chkconfig" | "update-rc.d" | "rc-update" | "rcctl" => {
            call.finding("shell.persistence", "changes what starts with the machine")
        }
        _ => {}
    }
}

pub(in crate::programs) fn disks(call: &mut Call<'_>) {
    let words = texts(call);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let program = call.program.as_str();
    let reading = match program {
        "mount" => words.is_empty() || has(&["-l", "--show-labels"]) && words.len() <= 3,
        "lvs" | "vgs" | "pvs" | "lvdisplay" | "vgdisplay" | "pvdisplay" => true,
        "fdisk" | "sfdisk" | "gdisk" | "sgdisk" => has(&["-l", "--list", "-p", "-d", "--dump", "-s"]),
        "parted" => has(&["-l", "--list", "print"]) && !has(&["mklabel", "mkpart", "rm", "resizepart"]),
        "swapon" => words.is_empty() || has(&["-s", "--show", "--summary"]),
        "losetup" => words.is_empty() || has(&["-a", "-l", "--list", "--all"]),
        "mdadm" => has(&["--detail", "-D", "--examine", "-E", "--query"]),
        "zfs" | "zpool" => matches!(
            words.first().map(String::as_str),
            Some("list" | "get" | "status" | "iostat" | "history")
        ),
        "btrfs" => has(&["list", "show", "df", "usage", "stats"]) && !has(&["delete", "create"]),
        "cryptsetup" => has(&["status", "luksDump", "isLuks"]),
        "dmsetup" => has(&["ls", "info", "status", "table"]),
        "wipefs" => !has(&["-a", "--all", "-o", "--offset"]),
        "tune2fs" => has(&["-l"]),
        "fsck" | "e2fsck" | "xfs_repair" => has(&["-n", "-N"]),
        "diskutil" => matches!(words.first().map(String::as_str), Some("list" | "info")),
        "lvm" => matches!(words.first().map(String::as_str), Some("lvs" | "vgs" | "pvs" | "version")),
        "hdparm" | "nvme" => has(&["-I", "-i", "list", "smart-log", "id-ctrl"]),
        "udisksctl" => has(&["status", "info", "dump"]),
        _ => false,
    };
    if reading {
        call.nature = Nature::Reads;
        return;
    }
    let destroys = matches!(
        program,
        "mkfs"
            | "mke2fs"
            | "newfs"
            | "wipefs"
            | "blkdiscard"
            | "mkswap"
            | "lvremove"
            | "vgremove"
            | "pvremove"
            | "lvreduce"
            | "vgreduce"
            | "sgdisk"
            | "fdisk"
            | "sfdisk"
            | "cfdisk"
            | "parted"
            | "gdisk"
            | "badblocks"
            | "partclone"
            | "ddrescue"
            | "sg_format"
            | "format-disk"
            | "gpart"
    ) || has(&[
        "destroy",
        "labelclear",
        "luksFormat",
        "luksErase",
        "eraseDisk",
        "eraseVolume",
        "delete",
        "rollback",
        "--zero-superblock",
        "format",
        "lvremove",
        "vgremove",
        "pvremove",
        "--security-erase",
    ]);
    let target = call.operands.iter().rev().find(|word| word.text.starts_with('/')).cloned();
    if destroys {
        call.finding("shell.data_loss", format!("{} destroys what is on a disk", call.program));
        if let Some(target) = target {
            call.write(&target, WriteMode::Create);
        }
    }
    call.privilege(PrivilegeKind::Kernel, "changes disks or mounts");
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn the_system_is_shown_or_changed() {
        check(&[
            ("useradd -o -u 0 x", "privilege group"),
            ("setenforce 0", "privilege kernel; tamper"),
            ("sysctl -a", "read-only"),
            ("sysctl -w a=1", "privilege kernel"),
            ("mount", "read-only"),
            ("mkfs.ext4 /dev/sdb1", "create /dev/sdb1; privilege kernel; data_loss"),
            ("systemctl status x", "read-only"),
            ("systemctl enable x", "persistence"),
            ("systemctl stop auditd", "tamper"),
            ("journalctl -u x", "read-only"),
            ("crontab -l", "read-only"),
            ("crontab x", "persistence; file x"),
            ("crontab -", "persistence; stdin language(\"crontab\")"),
            ("security find-generic-password -w x", "secret_read"),
            ("pass show x", "secret_read"),
            ("gpg --export-secret-keys", "secret_read"),
            ("claude --dangerously-skip-permissions -p x", "tamper"),
        ]);
    }
}
