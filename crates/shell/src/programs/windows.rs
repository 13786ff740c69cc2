//! Commands of Windows and cmdlets of PowerShell that agents write also where they make no sense; names ignore case.

use doorward_core::intent::{Direction, PrivilegeKind};

use super::row::{ProgramRow, Style, reads, works};

/// The row of a Windows command, and its name there.
pub(super) fn lookup(name: &str) -> Option<(&'static str, &'static ProgramRow)> {
    ROWS.iter().find_map(|row| {
        row.names.split_ascii_whitespace().find(|own| own.eq_ignore_ascii_case(name)).map(|own| (own, row))
    })
}

static ROWS: &[ProgramRow] = &[
    works(
        "Remove-Item del erase rd ri Clear-Content Remove-ItemProperty Clear-RecycleBin Clear-Item",
        "Remove-Item, PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| {
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
    }),
    works(
        "format diskpart bcdedit vssadmin wbadmin cipher wevtutil fsutil Format-Volume Clear-Disk \
        Initialize-Disk Remove-Partition Clear-EventLog Disable-ComputerRestore sdelete",
        "format, Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| call.finding("shell.data_loss", format!("{} destroys disks, backups or logs", call.program))),
    works(
        "reg schtasks sc wmic icacls takeown netsh auditpol net1 runas Set-ExecutionPolicy \
        Set-MpPreference Add-MpPreference New-Service Set-Service Stop-Service \
        Register-ScheduledTask New-ScheduledTask Set-ItemProperty New-ItemProperty Set-Acl \
        New-LocalUser Add-LocalGroupMember Enable-PSRemoting Set-NetFirewallProfile \
        Disable-NetFirewallRule Stop-Computer Restart-Computer Stop-Process rundll32 regsvr32 mshta \
        certutil bitsadmin cscript wscript msiexec msbuild-win installutil forfiles pcalua",
        "Windows 11, PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| call.privilege(PrivilegeKind::Root, "changes Windows, or runs something through it")),
    works(
        "Invoke-Expression iex Invoke-Command icm Start-Process saps Start-Job Add-Type \
        Import-Module",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| {
        let text = super::word::join(
            &call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect::<Vec<_>>(),
        );
        match text {
            Some(text) => {
                call.run_language("powershell", text);
            }
            None => call.run_stdin("powershell", Vec::new()),
        }
    }),
    works("Invoke-WebRequest iwr Invoke-RestMethod irm Start-BitsTransfer", "PowerShell 7.4", "", "")
        .style(Style::Raw)
        .act(|call| {
            let url = call
                .operands
                .iter()
                .find(|word| word.text.contains("://") || !word.text.starts_with('-'))
                .cloned();
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
        }),
    reads(
        "Get-ChildItem gci Get-Content gc Get-Item Get-Process gps Get-Service Get-Date \
        Get-Location gl Get-Command gcm Get-Help Get-Host Get-Variable Get-Member Select-String sls \
        Select-Object Where-Object Sort-Object Measure-Object Format-Table Format-List Out-String \
        Out-Host Test-Path Resolve-Path Split-Path Join-Path ConvertTo-Json ConvertFrom-Json \
        Write-Output Write-Host ipconfig systeminfo tasklist ver findstr",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| {
        for path in call.operands.clone().iter().filter(|word| !word.text.starts_with(['-', '/'])) {
            call.read(path);
        }
    }),
    works(
        "New-Item Set-Content sc-content Add-Content Out-File Copy-Item Move-Item Rename-Item \
        Set-Location Compress-Archive Expand-Archive Export-Csv xcopy robocopy copy move ren md",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .act(|call| {
        let paths: Vec<_> =
            call.operands.iter().filter(|word| !word.text.starts_with(['-', '/'])).cloned().collect();
        if let Some((last, sources)) = paths.split_last() {
            sources.iter().for_each(|source| call.read(source));
            call.write(last, doorward_core::intent::WriteMode::Create);
        }
    }),
];

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
