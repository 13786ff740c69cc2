//! Tells language runtimes how much memory a run has, in the variables that they read.
//!
//! They size their heaps by the machine's memory, and a run without a control group of its own shows them no other
//! number. Then the limit would end them where they could have collected garbage.

use std::collections::BTreeMap;

use crate::spec::Limits;

/// Adds the variables that the environment doesn't have yet.
pub(crate) fn tell(env: &mut BTreeMap<String, String>, limits: &Limits) {
    let Some(machine) = machine_memory().filter(|machine| limits.memory < *machine) else { return };
    for (name, value) in variables(limits.memory, machine) {
        env.entry(name.to_owned()).or_insert(value);
    }
}

/// A quarter is left for what isn't heap: code, stacks, buffers, other processes of the run.
fn variables(memory: u64, machine: u64) -> Vec<(&'static str, String)> {
    let heap = memory / 4 * 3;
    let mib = heap >> 20;
    let mut all = vec![
        // https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
        ("NODE_OPTIONS", format!("--max-old-space-size={mib}")),
        // https://pkg.go.dev/runtime#hdr-Environment_Variables
        ("GOMEMLIMIT", format!("{mib}MiB")),
        // https://learn.microsoft.com/dotnet/core/runtime-config/garbage-collector#heap-hard-limit
        ("DOTNET_GCHeapHardLimit", format!("{heap:X}")),
    ];
    // Its default is a quarter of the machine's memory. The variable makes it write a line, so only if needed.
    if machine / 4 > heap {
        all.push(("JAVA_TOOL_OPTIONS", format!("-XX:MaxRAM={memory} -XX:MaxRAMPercentage=75")));
    }
    all
}

fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_is_told_only_where_its_own_choice_would_be_too_large() {
        let names = |memory: u64, machine: u64| -> Vec<&str> {
            variables(memory << 30, machine << 30).into_iter().map(|(name, _)| name).collect()
        };
        assert!(names(4, 32).contains(&"JAVA_TOOL_OPTIONS"));
        assert!(!names(4, 8).contains(&"JAVA_TOOL_OPTIONS"));
        assert_eq!(variables(4 << 30, 8 << 30).first().unwrap().1, "--max-old-space-size=3072");
    }

    #[test]
    fn what_is_set_already_stays() {
        let mut env = BTreeMap::from([("NODE_OPTIONS".to_owned(), "--trace-gc".to_owned())]);
        tell(&mut env, &Limits { memory: 64 << 20, ..Limits::default() });
        assert_eq!((env["NODE_OPTIONS"].as_str(), env["GOMEMLIMIT"].as_str()), ("--trace-gc", "48MiB"));
        let mut env = BTreeMap::new();
        tell(&mut env, &Limits { memory: u64::MAX >> 1, ..Limits::default() });
        assert_eq!(env.len(), 0, "without a limit there is nothing to tell");
    }
}
