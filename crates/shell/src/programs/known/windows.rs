// Generated from knowledge/programs/windows.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            Remove-Item del erase rd ri Clear-Content Remove-ItemProperty Clear-RecycleBin Clear-Item",
        "Remove-Item PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::remove_item),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            format diskpart bcdedit vssadmin wbadmin cipher wevtutil fsutil Format-Volume Clear-Disk \
            Initialize-Disk Remove-Partition Clear-EventLog Disable-ComputerRestore sdelete",
        "format Windows 11",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys disks, backups or logs"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            reg schtasks sc wmic icacls takeown netsh auditpol net1 runas Set-ExecutionPolicy \
            Set-MpPreference Add-MpPreference New-Service Set-Service Stop-Service Register-ScheduledTask \
            New-ScheduledTask Set-ItemProperty New-ItemProperty Set-Acl New-LocalUser Add-LocalGroupMember \
            Enable-PSRemoting Set-NetFirewallProfile Disable-NetFirewallRule Stop-Computer \
            Restart-Computer Stop-Process rundll32 regsvr32 mshta certutil bitsadmin cscript wscript \
            msiexec msbuild-win installutil forfiles pcalua",
        "Windows 11, PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes Windows, or runs something through it"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            Invoke-Expression iex Invoke-Command icm Start-Process saps Start-Job Add-Type Import-Module",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::invoke_expression),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "Invoke-WebRequest iwr Invoke-RestMethod irm Start-BitsTransfer",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::invoke_web_request),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    reads(
        "\
            Get-ChildItem gci Get-Content gc Get-Item Get-Process gps Get-Service Get-Date Get-Location gl \
            Get-Command gcm Get-Help Get-Host Get-Variable Get-Member Select-String sls Select-Object \
            Where-Object Sort-Object Measure-Object Format-Table Format-List Out-String Out-Host Test-Path \
            Resolve-Path Split-Path Join-Path ConvertTo-Json ConvertFrom-Json Write-Output Write-Host \
            ipconfig systeminfo tasklist ver findstr",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::get_child_item),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            New-Item Set-Content sc-content Add-Content Out-File Copy-Item Move-Item Rename-Item \
            Set-Location Compress-Archive Expand-Archive Export-Csv xcopy robocopy copy move ren md",
        "PowerShell 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::windows::new_item),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
