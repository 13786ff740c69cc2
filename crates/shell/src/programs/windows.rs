//! Commands of Windows and cmdlets of PowerShell that agents write also where they make no sense; names ignore case.

use doorward_core::intent::Direction;

use super::call::Call;
use super::known::TABLES;
use super::row::ProgramRow;

/// The row of a Windows command, and its name there.
pub(super) fn lookup(name: &str) -> Option<(&'static str, &'static ProgramRow)> {
    let rows = TABLES.iter().flat_map(|table| table.iter()).filter(|row| row.any_case);
    rows.into_iter().find_map(|row| {
        row.names.split_ascii_whitespace().find(|own| own.eq_ignore_ascii_case(name)).map(|own| (own, row))
    })
}

pub(in crate::programs) fn remove_item(call: &mut Call<'_>) {
    let recursive = call.operands.iter().any(|word| {
        let text = word.text.to_ascii_lowercase();
        text.starts_with("-r") || text == "/s"
    });
    for path in call.operands.clone().iter().filter(|word| {
        !word.text.starts_with(['-', '/']) || word.text.len() > 2 && word.text.starts_with('/')
    }) {
        call.delete(path, recursive, true);
    }
    // What a pipeline hands it.
    if call.deeds.deletes.is_empty() && call.program.eq_ignore_ascii_case("Remove-Item") {
        let span = call.span();
        let mut unknown = crate::deed::Word::literal("…", span);
        unknown.form = doorward_core::intent::Form::Unknown;
        call.delete(&unknown, true, true);
    }
}

pub(in crate::programs) fn invoke_expression(call: &mut Call<'_>) {
    let text = super::word::join(
        &call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect::<Vec<_>>(),
    );
    match text {
        Some(text) => {
            call.run_language("powershell", text);
        }
        None => call.run_stdin("powershell", Vec::new()),
    }
}

pub(in crate::programs) fn invoke_web_request(call: &mut Call<'_>) {
    let url =
        call.operands.iter().find(|word| word.text.contains("://") || !word.text.starts_with('-')).cloned();
    let sent = call.operands.iter().position(|word| word.text.eq_ignore_ascii_case("-InFile"));
    if let Some(file) = sent.and_then(|at| call.operand(at + 1)) {
        call.read(&file);
        call.deeds.reads.iter_mut().for_each(|read| read.reaches_host = true);
        call.finding("shell.upload", "sends a file");
    }
    match url {
        Some(url) => {
            call.contact(&url, "http", Direction::Both, Vec::new());
        }
        None => call.contact_unknown("http", Direction::Both),
    }
    call.deeds.output = crate::deed::Output::Network;
}

pub(in crate::programs) fn get_child_item(call: &mut Call<'_>) {
    for path in call.operands.clone().iter().filter(|word| !word.text.starts_with(['-', '/'])) {
        call.read(path);
    }
}

pub(in crate::programs) fn new_item(call: &mut Call<'_>) {
    let paths: Vec<_> =
        call.operands.iter().filter(|word| !word.text.starts_with(['-', '/'])).cloned().collect();
    // These write what their first operand names; the others have the target last.
    let names_target_first =
        ["New-Item", "Set-Content", "sc-content", "Add-Content", "Out-File", "Export-Csv", "md"]
            .iter()
            .any(|name| call.program.eq_ignore_ascii_case(name));
    if names_target_first {
        if let Some(target) = paths.first() {
            call.write(target, doorward_core::intent::WriteMode::Create);
        }
    } else if let Some((last, sources)) = paths.split_last() {
        sources.iter().for_each(|source| call.read(source));
        call.write(last, doorward_core::intent::WriteMode::Create);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn cmdlets_are_known_in_any_case() {
        check(&[
            ("Remove-Item -Recurse -Force C:\\", "delete-rf C:\\"),
            ("remove-item x", "delete-f x"),
            ("format c: /y", "data_loss"),
            ("bcdedit /set safeboot minimal", "data_loss"),
        ]);
    }
}
