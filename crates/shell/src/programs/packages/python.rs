//! pip and its kin, and the packages of Ruby and PHP.

use doorward_core::intent::{Direction, WriteMode};

use crate::programs::call::Call;

use super::*;

/// `pip install`: packages, requirement files, and where they are put.
pub(in crate::programs) fn installs(call: &mut Call<'_>) {
    let mut packages = call.operands.clone();
    if call.spelled == "create" {
        packages.clear();
    }
    packages.extend(call.values("-e"));
    for file in call.values("-r") {
        if file.text.contains("://") {
            call.contact(&file, "https", Direction::Fetch, Vec::new());
        } else {
            call.read(&file);
        }
    }
    let system = flag(call, &["--break-system-packages", "--system"]);
    install(call, &packages, true, system, "pypi.org");
    for target in ["-t", "--prefix", "--root"].iter().filter_map(|name| call.value(name)).collect::<Vec<_>>()
    {
        call.beyond_plain = true;
        call.write(&target, WriteMode::Create);
    }
}

/// `uv run COMMAND`, `poetry run COMMAND`, `pipx run PACKAGE`.
pub(in crate::programs) fn runs(call: &mut Call<'_>) {
    const TAKES: [&str; 8] = ["-n", "--name", "--with", "-p", "--python", "--extra", "--group", "--env-file"];
    if call.program == "pipx" {
        return run_remote_tool(call, 0);
    }
    let mut from = 0;
    while let Some(word) = call.operands.get(from).filter(|word| word.text.starts_with('-')) {
        from += if TAKES.contains(&word.text.as_str()) { 2 } else { 1 };
    }
    match call.operand(from) {
        Some(file) if file.text.ends_with(".py") => {
            let args = call.operands_from(from + 1);
            call.run_file(&file, "python", args);
        }
        Some(_) => crate::programs::wrappers::tail(call, from),
        None => {}
    }
}
