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
                Condition::Operand(&["-r*", "-R*", "/s", "/S"]),
                Condition::OperandNot(&["-*", "/", "/?", "/a", "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s",
                        "/S"]),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::Delete, &Choice {
                        unless: &["-*", "/", "/?", "/a", "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s",
                        "/S"],
                        recursive: &["always"],
                        force: &["always"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::OperandNot(&["-*", "/", "/?", "/a", "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s",
                        "/S"]),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::Delete, &Choice {
                        unless: &["-*", "/", "/?", "/a", "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s",
                        "/S"],
                        force: &["always"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["Remove-Item"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "deletes what a pipeline hands it"),
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
                Condition::OperandNot(&["-*"]),
            ],
            acts: &[
                Act::RunsJoined(0, &Choice {
                        unless: &["-*"],
                        ..Choice::ALL
                    }, "powershell"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsStdin("powershell"),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "Invoke-WebRequest iwr Invoke-RestMethod irm Start-BitsTransfer",
        "PowerShell 7.4",
        "\
            -Uri=host -Source=source -InFile=data -OutFile=download -Destination=data -Body=data \
            -Form=data -Method=data -CustomMethod=data -TransferType=data -Headers=data -ContentType=data \
            -TransferEncoding=data -UserAgent=data -WebSession=data -SessionVariable=data \
            -StatusCodeVariable=data -ResponseHeadersVariable=data -Authentication=data -Credential=secret \
            -Token=secret -Certificate=data -CertificateThumbprint=data -HttpVersion=data \
            -SslProtocol=data -TimeoutSec=num -ConnectionTimeoutSeconds=num -OperationTimeoutSeconds=num \
            -MaximumRedirection=num -MaximumRetryCount=num -MaximumFollowRelLink=num -RetryIntervalSec=num \
            -Proxy=choose -ProxyCredential=secret -UnixSocket=data -ErrorAction|-EA=data -UseBasicParsing \
            -UseDefaultCredentials -ProxyUseDefaultCredentials -AllowUnencryptedAuthentication \
            -AllowInsecureRedirect -SkipCertificateCheck -SkipHeaderValidation -SkipHttpErrorCheck \
            -DisableKeepAlive -FollowRelLink -PreserveAuthorizationOnRedirect \
            -PreserveHttpMethodOnRedirect -NoProxy -PassThru -Resume",
        "host read*",
    )
    .style(Style::Word)
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-Uri", "-Source"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::ContactsUnknown("http", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-InFile"]),
            ],
            acts: &[
                Act::Finding("shell.upload", "sends a file"),
                Act::SendsValue("-InFile"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ValueOf("-Destination", Role::Download, &Choice {
                        unless: &["*://*"],
                        ..Choice::ALL
                    }),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-Destination"], &["*://*"]),
            ],
            acts: &[
                Act::ValueOf("-Destination", Role::Host, &Choice {
                        only: &["*://*"],
                        ..Choice::ALL
                    }),
                Act::Finding("shell.upload", "sends a file"),
                Act::SendsValue("-Source"),
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
                Act::OperandOf(0, true, Role::Read, &Choice {
                        unless: &["-*", "/*"],
                        ..Choice::ALL
                    }),
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
                Condition::Program(&["New-Item", "Set-Content", "sc-content", "Add-Content", "Out-File",
                        "Export-Csv", "md"]),
            ],
            acts: &[
                Act::OperandOf(0, false, Role::Write, &Choice {
                        unless: &["-*", "/*"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &[],
                        whole: &[],
                        choice: Choice {
                        unless: &["-*", "/*"],
                        ..Choice::ALL
                    },
                    }),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
