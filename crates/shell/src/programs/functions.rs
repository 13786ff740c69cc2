//! The functions that `rust` names in specs, for what data can't express.

use super::call::Call;
use super::{
    archives, build, builtins, coreutils, debug, editors, find, git, interpreters, network, packages, shells,
    ssh, text, windows, wrappers,
};

/// A function that says what a call does.
pub(super) type Function = fn(&mut Call<'_>);

/// A function by the name that a row has for it, `MODULE::NAME`.
pub(super) fn named(name: &str) -> Option<Function> {
    Some(match name {
        "archives::compress" => archives::compress,
        "archives::tar" => archives::tar,
        "archives::zip" => archives::zip,
        "build::compiler" => build::compiler,
        "build::make" => build::make,
        "build::project" => build::project,
        "builtins::declare" => builtins::declare,
        "builtins::test" => builtins::test,
        "coreutils::chmod" => coreutils::chmod,
        "debug::debugger" => debug::debugger,
        "editors::vim" => editors::vim,
        "find::fd" => find::fd,
        "find::find" => find::find,
        "git::branch" => git::branch,
        "git::checkout" => git::checkout,
        "git::clean" => git::clean,
        "git::clone" => git::clone,
        "git::config" => git::config,
        "git::global" => git::global,
        "git::grep" => git::grep,
        "git::moves" => git::moves,
        "git::push" => git::push,
        "git::reset" => git::reset,
        "git::restore" => git::restore,
        "git::revisions" => git::revisions,
        "git::stash" => git::stash,
        "git::switch" => git::switch,
        "git::tag" => git::tag,
        "interpreters::perl" => interpreters::perl,
        "interpreters::python" => interpreters::python,
        "interpreters::ruby" => interpreters::ruby,
        "network::curl" => network::curl,
        "network::socat" => network::socat,
        "network::wget" => network::wget,
        "packages::remote_tool" => packages::remote_tool,
        "shells::cmd" => shells::cmd,
        "shells::posix" => shells::posix,
        "shells::powershell" => shells::powershell,
        "ssh::rclone" => ssh::rclone,
        "ssh::rsync" => ssh::rsync,
        "ssh::scp" => ssh::scp,
        "ssh::sftp" => ssh::sftp,
        "ssh::ssh" => ssh::ssh,
        "text::awk" => text::awk,
        "text::jq" => text::jq,
        "text::rename" => text::rename,
        "text::ripgrep" => text::ripgrep,
        "text::sed" => text::sed,
        "text::yq" => text::yq,
        "windows::bitsadmin" => windows::bitsadmin,
        "windows::certutil" => windows::certutil,
        "windows::for_files" => windows::for_files,
        "windows::registry_key" => windows::registry_key,
        "windows::wmic" => windows::wmic,
        "wrappers::env" => wrappers::env,
        "wrappers::parallel" => wrappers::parallel,
        "wrappers::su" => wrappers::su,
        "wrappers::xargs" => wrappers::xargs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use doorward_knowledge::effect::{Act, Rule};
    use doorward_knowledge::row::ProgramRow;

    use super::super::shipped::SHIPPED;
    use super::named;

    #[test]
    fn every_function_that_a_row_names_is_here() {
        fn check(row: &ProgramRow, seen: &mut usize) {
            let rules = row.rules.iter().chain(row.otherwise.iter()).chain(row.throughout.iter());
            for act in rules.flat_map(|rule: &Rule| rule.acts.iter()) {
                if let Act::Rust(name) = act {
                    assert!(named(name).is_some(), "{}: {name} isn't in `functions.rs`", row.names);
                    *seen += 1;
                }
            }
            row.commands().for_each(|row| check(row, seen));
        }
        let mut seen = 0;
        SHIPPED.all().flatten().for_each(|row| check(row, &mut seen));
        assert!(seen > 50, "{seen}");
    }
}
