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
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["-*", "/", "/?", "/a", "/A",
                    "/f", "/F", "/p", "/P", "/q", "/Q", "/s", "/S"], after: &[] }),
                Condition::Operand(&["-r*", "-R*", "/s", "/S"]),
            ],
            acts: &[
                Act::DeletesPicked(Pick { at: &["0.."], fits: &[], except: &["-*", "/", "/?", "/a",
                    "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s", "/S"], after: &[] }, &["always"],
                    &["always"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["-*", "/", "/?", "/a", "/A",
                    "/f", "/F", "/p", "/P", "/q", "/Q", "/s", "/S"], after: &[] }),
            ],
            acts: &[
                Act::DeletesPicked(Pick { at: &["0.."], fits: &[], except: &["-*", "/", "/?", "/a",
                    "/A", "/f", "/F", "/p", "/P", "/q", "/Q", "/s", "/S"], after: &[] }, &[], &["always"]),
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
            cipher Format-Volume Clear-Disk Initialize-Disk Remove-Partition Clear-EventLog \
            Disable-ComputerRestore",
        "Format-Volume PowerShell 7.4",
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
            sc Set-ExecutionPolicy Set-MpPreference Add-MpPreference New-Service Set-Service Stop-Service \
            Register-ScheduledTask New-ScheduledTask Set-ItemProperty New-ItemProperty Set-Acl \
            New-LocalUser Add-LocalGroupMember Enable-PSRemoting Set-NetFirewallProfile \
            Disable-NetFirewallRule Stop-Computer Restart-Computer Stop-Process",
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
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["-*"], after: &[] }),
            ],
            acts: &[
                Act::RunsCode(Pick { at: &["0.."], fits: &[], except: &["-*"], after: &[] }, "powershell"),
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
                Act::Picked(Pick { at: &["-Destination"], fits: &[], except: &["*://*"],
                    after: &[] }, Role::Download),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-Destination"], &["*://*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["-Destination"], fits: &["*://*"], except: &[], after: &[] }, Role::Host),
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
            Resolve-Path Split-Path Join-Path ConvertTo-Json ConvertFrom-Json Write-Output Write-Host ver",
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
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "/*"], after: &[] }, Role::Read),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "\
            Copy-Item Move-Item Rename-Item Set-Location Compress-Archive Expand-Archive copy move ren",
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
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &[],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &["-*", "/*"], after: &[] },
                    }),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
    works(
        "New-Item Set-Content sc-content Add-Content Out-File Export-Csv md",
        "PowerShell 7.4",
        "\
            -Path=write -LiteralPath=write -FilePath=write -Value=data -InputObject=data \
            -ItemType|-Type=data -Name=data -Encoding=data -Delimiter=data -Width=num -Stream=data \
            -Filter=data -Include=data -Exclude=data -Credential=secret -Append -Confirm -Force -NoClobber \
            -NoNewline -NoTypeInformation -PassThru -WhatIf",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-Path", "-LiteralPath", "-FilePath"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Write),
            ],
        },
    ])
    .taken_over()
    .any_case()
    ,
];
