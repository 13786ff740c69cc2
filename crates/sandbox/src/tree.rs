//! The process tree of a run, as `/proc` shows it: for limits no control group holds, and to leave nobody behind.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Sums over a tree.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Load {
    /// Processes and their threads.
    pub(crate) tasks: u32,
    /// Private memory, in bytes; pages shared after a fork count once for each sharer.
    pub(crate) memory: u64,
    /// Most descriptors one process holds.
    pub(crate) open_files: u32,
}

/// Everybody below `pid`, in no order, without `pid`.
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

/// What these processes hold.
pub(crate) fn load(pids: &[i32]) -> Load {
    let mut load = Load::default();
    for pid in pids {
        let place = PathBuf::from(format!("/proc/{pid}"));
        let Some((threads, private)) = task_and_memory(&place) else { continue };
        load.tasks = load.tasks.saturating_add(threads);
        load.memory = load.memory.saturating_add(private);
        // Since Linux 6.2 the directory's size is the number of open descriptors; before it is 0.
        let files = fs::metadata(place.join("fd")).map_or(0, |found| found.len());
        load.open_files = load.open_files.max(u32::try_from(files).unwrap_or(u32::MAX));
    }
    load
}

fn task_and_memory(place: &std::path::Path) -> Option<(u32, u64)> {
    let stat = fs::read_to_string(place.join("stat")).ok()?;
    // The name may hold spaces and parentheses: fields are counted from the last one.
    let threads = stat.rsplit_once(')')?.1.split_whitespace().nth(17)?.parse().ok()?;
    let pages = fs::read_to_string(place.join("statm")).ok()?;
    let mut pages = pages.split_whitespace().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (resident, shared) = (pages.next()?, pages.next()?);
    Some((threads, resident.saturating_sub(shared).saturating_mul(4096)))
}

/// Memory with shared pages counted once: exact, slower. A process that can't be read counts what [`load`] says.
pub(crate) fn proportional_memory(pids: &[i32]) -> u64 {
    pids.iter()
        .map(|pid| {
            let place = PathBuf::from(format!("/proc/{pid}"));
            let rollup = fs::read_to_string(place.join("smaps_rollup")).unwrap_or_default();
            let field = |name: &str| {
                rollup
                    .lines()
                    .find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse::<u64>().ok())
            };
            match (field("Pss_Anon:"), field("Pss_Shmem:")) {
                (Some(private), shared) => private.saturating_add(shared.unwrap_or(0)).saturating_mul(1024),
                _ => task_and_memory(&place).map_or(0, |(_, private)| private),
            }
        })
        .sum()
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
        // A folder has two names of its own and one more for each folder in it: one for each thread.
        let Ok(found) = fs::metadata(entry.path().join("task")) else { continue };
        let threads = u32::try_from(found.nlink().saturating_sub(2)).unwrap_or(u32::MAX);
        let count = tasks.entry(found.uid()).or_default();
        *count = count.saturating_add(threads);
    }
    tasks
}
