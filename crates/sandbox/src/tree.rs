//! The process tree of a run, read from `/proc`: for limits without a control group, and to end every process.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Totals of a tree.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    /// Processes and their threads.
    pub(crate) tasks: u32,
    /// Memory in bytes; memory shared by several processes counts for each, as do files of the private file system
    /// and segments.
    pub(crate) memory: u64,
    /// Most descriptors held by one process.
    pub(crate) open_files: u32,
}

/// All processes below `pid`, unordered, without `pid`.
pub(crate) fn descendants(pid: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut waiting = vec![pid];
    while let Some(parent) = waiting.pop() {
        for child in children(parent) {
            found.push(child);
            waiting.push(child);
        }
    }
    found
}

fn children(pid: i32) -> Vec<i32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    tasks
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>())
        .collect()
}

/// Totals of these processes.
pub(crate) fn load(pids: &[i32]) -> Load {
    let mut load = Load::default();
    for pid in pids {
        let place = PathBuf::from(format!("/proc/{pid}"));
        let Some((threads, memory)) = task_and_memory(&place) else { continue };
        load.tasks = load.tasks.saturating_add(threads);
        load.memory = load.memory.saturating_add(memory);
        // Since Linux 6.2 the directory's size is the number of open descriptors; before it is 0.
        let files = fs::metadata(place.join("fd")).map_or(0, |found| found.len());
        load.open_files = load.open_files.max(u32::try_from(files).unwrap_or(u32::MAX));
    }
    load
}

/// Threads, and bytes of all memory not backed by files.
fn task_and_memory(place: &std::path::Path) -> Option<(u32, u64)> {
    const KINDS: &[&str] = &["RssAnon:", "RssShmem:", "VmSwap:", "HugetlbPages:"];
    let status = fs::read_to_string(place.join("status")).ok()?;
    let mut threads = None;
    let mut memory = 0_u64;
    for line in status.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("Threads:") => threads = words.next().and_then(|word| word.parse().ok()),
            Some(name) if KINDS.contains(&name) => memory = memory.saturating_add(kib(words.next())),
            _ => {}
        }
    }
    // A zombie has no memory but counts as a task.
    Some((threads?, memory))
}

/// Kibibytes as bytes.
fn kib(word: Option<&str>) -> u64 {
    word.and_then(|word| word.parse::<u64>().ok()).unwrap_or(0).saturating_mul(1024)
}

/// Memory with shared pages counted once, without files of the private file system and System V segments, which are
/// counted separately. Exact but slower. A process that can't be read counts as in [`load`].
pub(crate) fn proportional_memory(pids: &[i32]) -> u64 {
    pids.iter()
        .map(|pid| {
            let place = PathBuf::from(format!("/proc/{pid}"));
            let rollup = fs::read_to_string(place.join("smaps_rollup")).unwrap_or_default();
            let field = |name: &str| {
                rollup
                    .lines()
                    .find_map(|line| line.strip_prefix(name))
                    .map(|rest| kib(rest.split_ascii_whitespace().next()))
            };
            match (field("Pss_Anon:"), field("Pss_Shmem:")) {
                (Some(private), shared) => {
                    let shared = if shared.unwrap_or(0) == 0 { 0 } else { shared_mappings(&place) };
                    private.saturating_add(shared).saturating_add(field("SwapPss:").unwrap_or(0))
                }
                _ => task_and_memory(&place).map_or(0, |(_, memory)| memory),
            }
        })
        .sum()
}

/// A process's shared memory without a name: shared anonymous mappings and anonymous files.
fn shared_mappings(place: &std::path::Path) -> u64 {
    let maps = fs::read_to_string(place.join("smaps")).unwrap_or_default();
    let mut counts = false;
    let mut held = 0_u64;
    for line in maps.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("Pss:") if counts => held = held.saturating_add(kib(words.next())),
            // Header line of a mapping: range, rights, offset, device, inode, name.
            Some(first) if first.contains('-') && !first.ends_with(':') => {
                let name = words.nth(4).unwrap_or_default();
                counts = ["/dev/zero", "/memfd:", "/anon_hugepage"].iter().any(|own| name.starts_with(own));
            }
            _ => {}
        }
    }
    held
}

/// Bytes of all segments held in memory, from the text of `/proc/sysvipc/shm`.
pub(crate) fn segments(text: &str) -> u64 {
    let mut lines = text.lines();
    let column = lines.next().and_then(|head| head.split_ascii_whitespace().position(|name| name == "rss"));
    let Some(column) = column else { return 0 };
    lines.filter_map(|line| line.split_ascii_whitespace().nth(column)?.parse::<u64>().ok()).sum()
}

/// Tasks of each user on the whole machine.
pub(crate) fn tasks_by_user() -> BTreeMap<u32, u32> {
    use std::os::unix::fs::MetadataExt;
    let mut tasks: BTreeMap<u32, u32> = BTreeMap::new();
    let Ok(all) = fs::read_dir("/proc") else { return tasks };
    for entry in all.flatten() {
        if !entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        // The link count of a folder is two plus one for each subfolder, here one per thread.
        let Ok(found) = fs::metadata(entry.path().join("task")) else { continue };
        let threads = u32::try_from(found.nlink().saturating_sub(2)).unwrap_or(u32::MAX);
        let count = tasks.entry(found.uid()).or_default();
        *count = count.saturating_add(threads);
    }
    tasks
}
