//! What cmdlets do with their parameters: one row a cmdlet, from the reference of PowerShell 7.4 and Windows
//! PowerShell 5.1 (learn.microsoft.com, modules Microsoft.PowerShell.*, CimCmdlets, Defender, Dism, NetSecurity,
//! ScheduledTasks, Storage), read in November 2026.
//!
//! A row's parameters are `Name|Alias@position^!=role`: `@0` by position, `^` from the pipeline, `!` a switch.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::commands::Bound;
use super::eval::Runner;
use super::objects as own;
use super::value::Value;

/// What is done with a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Read,
    /// Names, sizes, times.
    Look,
    Write,
    Append,
    /// Owner, times, attributes.
    Meta,
    Delete,
    Url,
    Host,
    /// A file that is sent.
    Send,
    OutFile,
    /// A block that is run.
    Script,
    /// A script that is run.
    File,
    /// What is written or sent.
    Body,
}

#[derive(Debug, Clone)]
pub(super) struct Param {
    pub(super) name: &'static str,
    aliases: Vec<&'static str>,
    pub(super) position: Option<u8>,
    pub(super) piped: bool,
    pub(super) switch: bool,
    pub(super) role: Option<Role>,
}

/// What a cmdlet puts out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Out {
    Nothing,
    /// What it was fed, or part of it.
    Pass,
    Unknown,
    /// The content of what it reads.
    Content,
    Network,
}

type Does = for<'r, 'e, 'b> fn(&'r mut Runner<'e>, &'b Bound) -> Option<Value>;

/// What a cmdlet does beside the roles of its parameters.
#[derive(Clone, Copy)]
pub(super) enum Act {
    Plain,
    /// It changes something that nobody loses.
    Unlisted,
    Privilege(&'static str),
    Finding(&'static str, &'static str),
    Own(Does),
}

pub(super) struct Cmdlet {
    pub(super) name: &'static str,
    aliases: &'static str,
    params: &'static str,
    pub(super) act: Act,
    pub(super) out: Out,
    /// Nothing changes by it, but for what the roles say.
    pub(super) reads: bool,
}

impl Cmdlet {
    pub(super) fn params(&self) -> Vec<Param> {
        self.params.split_ascii_whitespace().map(param).collect()
    }

    /// Whether it changes, runs or contacts something.
    pub(super) fn acts(&self) -> bool {
        !self.reads
    }
}

fn param(spec: &'static str) -> Param {
    let (front, role) = spec.split_once('=').map_or((spec, None), |(front, role)| (front, Some(role)));
    let role = role.map(|role| match role {
        "read" => Role::Read,
        "look" => Role::Look,
        "write" => Role::Write,
        "append" => Role::Append,
        "meta" => Role::Meta,
        "delete" => Role::Delete,
        "url" => Role::Url,
        "host" => Role::Host,
        "send" => Role::Send,
        "outfile" => Role::OutFile,
        "script" => Role::Script,
        "file" => Role::File,
        _ => Role::Body,
    });
    let names = front.trim_end_matches(['!', '^']);
    let (names, position) =
        names.split_once('@').map_or((names, None), |(names, at)| (names, at.parse().ok()));
    let mut names = names.split('|');
    Param {
        name: names.next().unwrap_or_default(),
        aliases: names.collect(),
        position,
        piped: front.contains('^'),
        switch: front.contains('!'),
        role,
    }
}

/// The parameter of this name, which may be shortened to what only one begins with.
pub(super) fn parameter<'p>(params: &'p [Param], name: &str) -> Option<&'p Param> {
    let is = |own: &str| own.eq_ignore_ascii_case(name);
    if let Some(param) =
        params.iter().find(|param| is(param.name) || param.aliases.iter().any(|alias| is(alias)))
    {
        return Some(param);
    }
    if name.is_empty() {
        return None;
    }
    let begins = |own: &str| own.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    // Where several begin so PowerShell refuses; the one that does most stands for them.
    params
        .iter()
        .filter(|param| begins(param.name))
        .max_by_key(|param| (param.role.is_some(), param.name == "Recurse", param.name == "Force"))
}

/// Parameters of every cmdlet (about_CommonParameters 7.4).
const COMMON: &[(&str, bool)] = &[
    ("verbose", false),
    ("vb", false),
    ("debug", false),
    ("db", false),
    ("whatif", false),
    ("wi", false),
    ("confirm", false),
    ("cf", false),
    ("usetransaction", false),
    ("erroraction", true),
    ("ea", true),
    ("errorvariable", true),
    ("ev", true),
    ("warningaction", true),
    ("wa", true),
    ("warningvariable", true),
    ("wv", true),
    ("informationaction", true),
    ("infa", true),
    ("informationvariable", true),
    ("iv", true),
    ("progressaction", true),
    ("proga", true),
    ("outvariable", true),
    ("ov", true),
    ("outbuffer", true),
    ("ob", true),
    ("pipelinevariable", true),
    ("pv", true),
];

fn common(name: &str) -> Option<bool> {
    let name = name.to_ascii_lowercase();
    let exact = COMMON.iter().find(|(own, _)| *own == name);
    exact
        .or_else(|| COMMON.iter().find(|(own, _)| name.len() > 2 && own.starts_with(&name)))
        .map(|(_, takes)| *takes)
}

pub(super) fn is_common(name: &str) -> bool {
    common(name).is_some()
}

pub(super) fn common_takes_value(name: &str) -> bool {
    common(name) == Some(true)
}

/// Aliases that are programs of their own on Linux and macOS, where PowerShell doesn't define them.
const FOREIGN: &[&str] = &[
    "cat", "chdir", "clear", "compare", "cp", "curl", "diff", "echo", "kill", "ls", "man", "md", "mkdir",
    "mount", "mv", "ps", "pwd", "rm", "rmdir", "sleep", "sort", "start", "tee", "type", "wget", "where",
    "group", "history", "h", "r", "set",
];

pub(super) fn is_foreign(name: &str) -> bool {
    FOREIGN.contains(&name)
}

static INDEX: LazyLock<HashMap<String, &'static Cmdlet>> = LazyLock::new(|| {
    let mut index = HashMap::new();
    for row in ROWS {
        index.insert(row.name.to_ascii_lowercase(), row);
        for alias in row.aliases.split_ascii_whitespace() {
            index.insert(alias.to_ascii_lowercase(), row);
        }
    }
    index
});

/// The row of a cmdlet by its name or alias in lower case. `Process` means `Get-Process`, as in PowerShell.
pub(super) fn lookup(name: &str) -> Option<&'static Cmdlet> {
    INDEX.get(name).copied()
}

/// Every cmdlet with its own name.
#[cfg(test)]
pub(super) fn rows() -> &'static [Cmdlet] {
    ROWS
}

const fn reads(name: &'static str, aliases: &'static str, params: &'static str) -> Cmdlet {
    Cmdlet { name, aliases, params, act: Act::Plain, out: Out::Unknown, reads: true }
}

const fn works(name: &'static str, aliases: &'static str, params: &'static str) -> Cmdlet {
    Cmdlet { name, aliases, params, act: Act::Plain, out: Out::Unknown, reads: false }
}

const fn rules(name: &'static str, params: &'static str, message: &'static str) -> Cmdlet {
    Cmdlet { name, aliases: "", params, act: Act::Privilege(message), out: Out::Unknown, reads: false }
}

const fn wipes(name: &'static str, params: &'static str, message: &'static str) -> Cmdlet {
    Cmdlet {
        name,
        aliases: "",
        params,
        act: Act::Finding("shell.data_loss", message),
        out: Out::Nothing,
        reads: false,
    }
}

impl Cmdlet {
    const fn out(self, out: Out) -> Self {
        Self { out, ..self }
    }

    const fn act(self, act: Act) -> Self {
        Self { act, ..self }
    }

    const fn own(self, act: Does) -> Self {
        Self { act: Act::Own(act), ..self }
    }
}

const WEB: &str = "Uri|Url@0=url Method CustomMethod Body^=body InFile=send OutFile=outfile Headers=body Form=body \
    ContentType \
    UserAgent UseBasicParsing! Credential Authentication Token SessionVariable|SV WebSession TimeoutSec \
        ConnectionTimeoutSeconds \
    OperationTimeoutSeconds MaximumRedirection MaximumRetryCount RetryIntervalSec Proxy ProxyCredential \
        ProxyUseDefaultCredentials! \
    UseDefaultCredentials! SkipCertificateCheck! SkipHeaderValidation! SkipHttpErrorCheck! PassThru! Resume! \
        DisableKeepAlive! \
    TransferEncoding HttpVersion SslProtocol Certificate CertificateThumbprint AllowUnencryptedAuthentication! \
    PreserveAuthorizationOnRedirect! NoProxy! AllowInsecureRedirect! StatusCodeVariable ResponseHeadersVariable|RHV \
        FollowRelLink! \
    MaximumFollowRelLink";
const LISTED: &str = "Path|PSPath@0^=look LiteralPath|LP=look Filter@1 Include Exclude Recurse|s! Depth Force! Name! \
    Attributes \
    Directory|ad! File|af! Hidden|ah|h! ReadOnly|ar! System|as! FollowSymlink! CodeSigningCert! Stream Credential";
const PICK: &str = "FilterScript|Property@0=script Value@1 InputObject^ EQ! NE! GT! GE! LT! LE! Like! NotLike! \
    Match! NotMatch! \
    Contains! NotContains! In! NotIn! Is! IsNot! Not! CEQ! CNE! CLike! CMatch! CNotMatch! CContains! CIn!";
const SHAPE: &str = "Property@0=script InputObject^ First Last Skip SkipLast Index Unique! ExpandProperty \
    ExcludeProperty Wait! \
    Descending! Stable! Top Bottom CaseSensitive! Culture AutoSize! Wrap! HideTableHeaders! GroupBy View Force! \
        ShowError! \
    DisplayError! RepeatHeader! Expand Column Depth CaseInsensitive! NoElement! AsHashTable! AsString! OnType \
        SkipIndex";
const JOB: &str = "ScriptBlock|Command@0=script FilePath=file LiteralPath=file InitializationScript=script \
    ArgumentList|Args Name \
    InputObject^ Credential Authentication PSVersion RunAs32! DefinitionName ThrottleLimit StreamingHost \
        WorkingDirectory Type";

static ROWS: &[Cmdlet] = &[
    // Files.
    works("Remove-Item", "ri rm rmdir del erase rd",
        "Path@0^=delete LiteralPath|PSPath|LP=delete Recurse! Force! Filter Include Exclude Stream Credential \
            WhatIf|wi!").out(Out::Nothing),
    works("Clear-Content", "clc", "Path@0^=delete LiteralPath|PSPath=delete Force! Filter Include Exclude Stream \
        Credential WhatIf|wi!").out(Out::Nothing),
    works("Clear-Item", "cli", "Path@0^=delete LiteralPath|PSPath=delete Force! Filter Include Exclude Credential \
        WhatIf|wi!").out(Out::Nothing),
    wipes("Clear-RecycleBin", "DriveLetter@0 Force! WhatIf|wi!", "empties the recycle bin"),
    works("Copy-Item", "copy cp cpi",
        "Path@0^=read LiteralPath|PSPath|LP=read Destination@1=write Container! Force! Filter Include Exclude \
            Recurse! PassThru! \
        Credential FromSession ToSession WhatIf|wi!").own(own::copy),
    works("Move-Item", "move mv mi",
        "Path@0^ LiteralPath|PSPath|LP Destination@1 Force! Filter Include Exclude PassThru! Credential \
            WhatIf|wi!").own(own::rename),
    works("Rename-Item", "ren rni", "Path@0^ LiteralPath|PSPath|LP NewName@1 Force! PassThru! Credential \
        WhatIf|wi!").own(own::rename),
    works("New-Item", "ni", "Path@0 Name ItemType|Type Value|Target^ Force! Credential Options \
        WhatIf|wi!").own(own::new_item),
    works("mkdir", "md", "Path@0^ Name Force! Value Credential").own(own::new_item),
    works("Set-Item", "si", "Path@0=write LiteralPath=write Value@1^=body Force! PassThru! Filter Include Exclude \
        Options WhatIf|wi!").own(own::set_item),
    works("Set-Content", "sc", "Path@0=write LiteralPath|PSPath=write Value@1^=body Encoding Force! NoNewline! \
        PassThru! Filter Include \
        Exclude Stream AsByteStream! Credential WhatIf|wi!").out(Out::Nothing),
    works("Add-Content", "ac", "Path@0=append LiteralPath|PSPath=append Value@1^=body Encoding Force! NoNewline! \
        PassThru! Filter Include \
        Exclude Stream AsByteStream! Credential WhatIf|wi!").out(Out::Nothing),
    works("Out-File", "", "FilePath|Path@0=write LiteralPath|PSPath=write Encoding@1 Append! Force! NoClobber! \
        NoNewline! Width \
        InputObject^=body WhatIf|wi!").out(Out::Nothing),
    works("Tee-Object", "tee", "FilePath|Path@0=write LiteralPath=write Append! Variable InputObject^=body \
        Encoding").out(Out::Pass),
    reads("Get-Content", "gc cat type", "Path@0^=read LiteralPath|PSPath|LP=read Raw! TotalCount|First|Head \
        Tail|Last ReadCount Wait! \
        Encoding Delimiter AsByteStream! Force! Filter Include Exclude Stream Credential").out(Out::Content),
    reads("Get-ChildItem", "gci ls dir", LISTED).own(own::listed),
    reads("Get-Item", "gi", LISTED).own(own::item),
    reads("Get-ItemProperty", "gp", "Path@0^=read LiteralPath|PSPath=read Name@1 Filter Include Exclude \
        Credential").own(own::property),
    reads("Get-ItemPropertyValue", "gpv", "Path@0^=read LiteralPath|PSPath=read Name@1 Filter Include Exclude \
        Credential").own(own::property),
    works("Set-ItemProperty", "sp", "Path@0^=meta LiteralPath|PSPath=meta Name@1 Value@2 Type InputObject Force! \
        PassThru! Filter Include \
        Exclude Credential WhatIf|wi!"),
    works("New-ItemProperty", "", "Path@0=meta LiteralPath|PSPath=meta Name@1 PropertyType|Type Value Force! \
        Credential Filter Include Exclude WhatIf|wi!"),
    works("Remove-ItemProperty", "rp", "Path@0^=meta LiteralPath|PSPath=meta Name@1 Force! Filter Include Exclude \
        Credential WhatIf|wi!"),
    works("Rename-ItemProperty", "rnp", "Path@0=meta LiteralPath=meta Name@1 NewName@2 Force! PassThru! WhatIf|wi!"),
    works("Clear-ItemProperty", "clp", "Path@0=meta LiteralPath=meta Name@1 Force! WhatIf|wi!"),
    works("Copy-ItemProperty", "cpp", "Path@0=read LiteralPath=read Destination@1=meta Name@2 Force! WhatIf|wi!"),
    works("Move-ItemProperty", "mp", "Path@0=meta LiteralPath=meta Destination@1=meta Name@2 Force! WhatIf|wi!"),
    reads("Test-Path", "", "Path@0^=look LiteralPath|PSPath=look PathType|Type IsValid! NewerThan OlderThan Include \
        Exclude Filter Credential"),
    reads("Resolve-Path", "rvpa", "Path@0^=look LiteralPath=look Relative! RelativeBasePath Force! \
        Credential").own(own::resolved),
    reads("Convert-Path", "cvpa", "Path@0^=look LiteralPath=look").own(own::resolved),
    reads("Join-Path", "", "Path@0^ ChildPath@1 AdditionalChildPath@2 Resolve! Credential").own(own::joined_path),
    reads("Split-Path", "", "Path@0^ LiteralPath Leaf! LeafBase! Extension! Parent! Qualifier! NoQualifier! Resolve! \
        IsAbsolute! Credential"),
    reads("Get-FileHash", "", "Path@0^=read LiteralPath=read InputStream Algorithm"),
    reads("Get-Acl", "", "Path@0^=look LiteralPath=look InputObject Audit! AllCentralAccessPolicies! Filter Include \
        Exclude"),
    rules("Set-Acl", "Path@0^=meta LiteralPath=meta AclObject@1 Filter Include Exclude Passthru! \
        WhatIf|wi!", "changes who may reach a file"),
    works("Unblock-File", "", "Path@0=meta LiteralPath=meta WhatIf|wi!"),
    works("Compress-Archive", "", "Path@0^=read LiteralPath=read DestinationPath@1=write CompressionLevel Update! \
        Force! PassThru! WhatIf|wi!"),
    works("Expand-Archive", "", "Path@0^=read LiteralPath=read DestinationPath@1=write Force! PassThru! \
        WhatIf|wi!").own(own::unpacked),
    works("New-TemporaryFile", "", "WhatIf|wi!"),
    reads("Get-PSDrive", "gdr", "Name@0 LiteralName Scope PSProvider"),
    reads("Get-PSProvider", "", "PSProvider@0"),
    works("New-PSDrive", "ndr mount", "Name@0 PSProvider@1 Root@2 Description Scope Persist! \
        Credential").own(own::drive),
    works("Remove-PSDrive", "rdr", "Name@0 LiteralName PSProvider Scope Force! WhatIf|wi!"),
    works("Import-Csv", "ipcsv", "Path@0^=read LiteralPath=read Delimiter@1 Header Encoding \
        UseCulture!").act(Act::Plain).out(Out::Content).reading(),
    reads("Import-Clixml", "", "Path@0^=read LiteralPath=read IncludeTotalCount! Skip First").out(Out::Content),
    reads("Import-PowerShellDataFile", "", "Path@0^=read LiteralPath=read SkipLimitCheck!").out(Out::Content),
    works("Export-Csv", "epcsv", "Path@0=write LiteralPath=write InputObject^=body Delimiter@1 \
        NoTypeInformation|NTI! IncludeTypeInformation! Encoding Append! \
        Force! NoClobber! UseCulture! QuoteFields UseQuotes NoHeader! WhatIf|wi!").out(Out::Nothing),
    works("Export-Clixml", "", "Path@0=write LiteralPath=write InputObject^=body Depth Encoding Force! NoClobber! \
        WhatIf|wi!").out(Out::Nothing),
    works("Export-FormatData", "", "Path=write LiteralPath=write InputObject^=body IncludeScriptBlock! Force!"),
    works("Start-Transcript", "", "Path@0=write LiteralPath=write OutputDirectory=write Append! Force! NoClobber! \
        IncludeInvocationHeader! UseMinimalHeader!"),
    works("Stop-Transcript", "", ""),
    // The web and other hosts.
    works("Invoke-WebRequest", "iwr curl wget", WEB).out(Out::Network),
    works("Invoke-RestMethod", "irm", WEB).out(Out::Network),
    works("Start-BitsTransfer", "", "Source@0^=url Destination@1=outfile TransferType Description DisplayName \
        Asynchronous! Priority RetryInterval \
        Credential Authentication ProxyUsage ProxyList Suspended! Dynamic!").own(own::bits),
    works("Send-MailMessage", "", "To@0 Subject@1 Body@2=body SmtpServer|ComputerName@3=url From \
        Attachments|PsPath^=send Bcc Cc BodyAsHtml! Encoding Port \
        Priority UseSsl! Credential DeliveryNotificationOption ReplyTo"),
    works("Test-Connection", "", "TargetName|ComputerName@0^=host Count Quiet! Ping! Traceroute! TcpPort Delay \
        Repeat! TimeoutSeconds BufferSize IPv4! IPv6! \
        MtuSize! ResolveDestination! Source MaxHops Detailed!"),
    works("Test-NetConnection", "tnc", "ComputerName@0^=host Port CommonTCPPort@1 TraceRoute! DiagnoseRouting! \
        InformationLevel Hops"),
    works("Resolve-DnsName", "", "Name@0^=host Type@1 Server DnsOnly! NoHostsFile! QuickTimeout!"),
    works("New-PSSession", "nsn", "ComputerName|Cn@0=host Credential Port UseSSL! HostName=host UserName KeyFilePath \
        VMName ContainerId ConfigurationName Name \
        SessionOption Authentication ConnectionUri=url SSHConnection EnableNetworkAccess! ThrottleLimit"),
    works("Enter-PSSession", "etsn", "ComputerName|Cn@0=host Credential Port UseSSL! HostName=host UserName \
        KeyFilePath VMName ContainerId ConfigurationName \
        Session Id Name SessionOption Authentication ConnectionUri=url"),
    works("Invoke-Command", "icm", "ScriptBlock|Command@1=script FilePath=file ComputerName|Cn@0=host Session \
        HostName=host UserName KeyFilePath VMName VMId \
        ContainerId Credential ArgumentList|Args AsJob! HideComputerName|HCN! InputObject^ JobName Port UseSSL! \
            NoNewScope! ThrottleLimit SessionOption \
        Authentication ConfigurationName ConnectionUri=url InDisconnectedSession! EnableNetworkAccess! \
            RunAsAdministrator! SSHConnection Subsystem").own(own::invoke),
    works("Remove-PSSession", "rsn", "Session@0^ Id InstanceId Name ComputerName"),
    reads("Get-PSSession", "gsn", "ComputerName@0 Name Id InstanceId"),
    rules("Enable-PSRemoting", "Force! SkipNetworkProfileCheck! WhatIf|wi!", "lets other hosts run commands here"),
    rules("Set-WSManQuickConfig", "Force! UseSSL! SkipNetworkProfileCheck!", "lets other hosts run commands here"),
    // Code.
    works("Invoke-Expression", "iex", "Command@0^=body").own(own::evaluate),
    works("Start-Process", "saps start", "FilePath|PSPath|Path@0 ArgumentList|Args@1 Verb WorkingDirectory \
        NoNewWindow|nnw! Wait! PassThru! WindowStyle \
        Credential|RunAs LoadUserProfile|Lup! RedirectStandardInput|RSI=read RedirectStandardOutput|RSO=write \
            RedirectStandardError|RSE=write \
        UseNewEnvironment! Environment WhatIf|wi!").own(own::start),
    works("Invoke-Item", "ii", "Path@0^ LiteralPath Filter Include Exclude Credential WhatIf|wi!").own(own::open),
    reads("Start-Job", "sajb", JOB),
    reads("Start-ThreadJob", "", JOB),
    reads("Measure-Command", "", "Expression@0=script InputObject^"),
    reads("ForEach-Object", "foreach %", "Process|MemberName@0 Begin End RemainingScripts ArgumentList|Args \
        InputObject^ Parallel ThrottleLimit AsJob! \
        TimeoutSeconds UseNewRunspace!").own(own::for_each),
    reads("Where-Object", "where ?", PICK).out(Out::Pass),
    works("Register-ObjectEvent", "", "InputObject@0 EventName@1 SourceIdentifier@2 Action@3=script MessageData \
        SupportEvent! Forward! MaxTriggerCount"),
    works("Register-EngineEvent", "", "SourceIdentifier@0 Action@1=script MessageData SupportEvent! Forward! \
        MaxTriggerCount"),
    works("Register-WmiEvent", "", "Class@0 SourceIdentifier@1 Action@2=script Query Namespace ComputerName=host")
        .act(Act::Finding("shell.persistence", "runs something whenever an event comes")),
    works("Register-CimIndicationEvent", "", "ClassName@0 SourceIdentifier@1 Action@2=script Query Namespace \
        ComputerName=host")
        .act(Act::Finding("shell.persistence", "runs something whenever an event comes")),
    works("New-Object", "", "TypeName@0 ArgumentList|Args@1 ComObject Property Strict!").own(own::made),
    works("Add-Type", "", "TypeDefinition@0 Name@0 MemberDefinition@1 AssemblyName|AN Path=file LiteralPath=file \
        Language Namespace|NS UsingNamespace|Using \
        ReferencedAssemblies|RA OutputAssembly|OA=write OutputType PassThru! IgnoreWarnings! \
            CompilerOptions").own(own::add_type),
    works("Import-Module", "ipmo", "Name|ModuleInfo@0^ Assembly FullyQualifiedName Force! Global! PassThru! Scope \
        Prefix Function Cmdlet Variable Alias \
        ArgumentList|Args MinimumVersion|Version RequiredVersion MaximumVersion DisableNameChecking! NoClobber! \
            SkipEditionCheck! UseWindowsPowerShell! \
        PSSession CimSession AsCustomObject!").own(own::import),
    works("Remove-Module", "rmo", "Name@0^ Force! ModuleInfo FullyQualifiedName"),
    works("New-Module", "nmo", "Name ScriptBlock@0=script Function Cmdlet ArgumentList ReturnResult! AsCustomObject!"),
    works("Install-Module", "inmo", "Name@0^ Scope Force! Repository RequiredVersion MinimumVersion MaximumVersion \
        AllowClobber! AcceptLicense! \
        SkipPublisherCheck! AllowPrerelease! Credential PassThru!").own(own::install),
    works("Install-PSResource", "", "Name@0^ Scope Repository Version TrustRepository! Reinstall! Prerelease! \
        AcceptLicense! Quiet! Credential").own(own::install),
    works("Install-Script", "", "Name@0^ Scope Force! Repository RequiredVersion MinimumVersion AcceptLicense! \
        NoPathUpdate!").own(own::install),
    works("Install-Package", "", "Name@0^ Source ProviderName Force! RequiredVersion MinimumVersion Scope \
        SkipDependencies!").own(own::install),
    works("Update-Module", "", "Name@0^ RequiredVersion MaximumVersion Force! Scope AcceptLicense! \
        AllowPrerelease!").own(own::install),
    works("Install-PackageProvider", "", "Name@0 Force! MinimumVersion RequiredVersion Scope Source \
        ForceBootstrap!").own(own::install),
    works("Save-Module", "", "Name@0 Path@1=write Repository RequiredVersion Force! \
        LiteralPath=write").own(own::install),
    works("Publish-Module", "", "Name@0 Path=read NuGetApiKey Repository Force! \
        RequiredVersion").act(Act::Finding("shell.infra", "publishes a module")),
    reads("Find-Module", "", "Name@0 Repository RequiredVersion MinimumVersion AllVersions! Filter \
        Tag").act(Act::Unlisted),
    works("Register-PSRepository", "", "Name@0 SourceLocation@1=url InstallationPolicy PublishLocation \
        ScriptSourceLocation Default!"),
    works("Set-PSRepository", "", "Name@0 SourceLocation@1=url InstallationPolicy PublishLocation"),
    works("Invoke-Pester", "", "Path|Script@0=file Output Configuration PassThru! CI! CodeCoverage TagFilter \
        ExcludeTagFilter FullNameFilter Show Quiet! TestName Tag \
        OutputFile=write OutputFormat ExcludePath EnableExit! Container"),
    reads("Invoke-ScriptAnalyzer", "", "Path@0=read ScriptDefinition Recurse! Severity ExcludeRule IncludeRule \
        Settings EnableExit! ReportSummary! CustomRulePath"),
    // Names and variables.
    works("Set-Alias", "sal", "Name@0 Value@1 Option Scope Force! PassThru! Description").own(own::alias).reading(),
    works("New-Alias", "nal", "Name@0 Value@1 Option Scope Force! PassThru! Description").own(own::alias).reading(),
    reads("Get-Alias", "gal", "Name@0^ Exclude Scope Definition"),
    works("Import-Alias", "ipal", "Path@0=file LiteralPath=file Scope Force! PassThru!"),
    works("Export-Alias", "epal", "Path@0=write LiteralPath=write Name@1 As Append! Force! NoClobber! PassThru! \
        Description Scope"),
    works("Remove-Alias", "", "Name@0 Scope Force!").reading(),
    works("Set-Variable", "sv set", "Name@0 Value@1^ Option Scope Force! PassThru! Visibility Description Include \
        Exclude").own(own::variable).reading(),
    works("New-Variable", "nv", "Name@0 Value@1^ Option Scope Force! PassThru! Visibility \
        Description").own(own::variable).reading(),
    reads("Get-Variable", "gv", "Name@0^ ValueOnly! Scope Include Exclude").own(own::variable_value),
    works("Remove-Variable", "rv", "Name@0 Scope Force! Include Exclude").reading(),
    works("Clear-Variable", "clv", "Name@0 Scope Force! PassThru! Include Exclude").reading(),
    reads("Get-Command", "gcm", "Name@0^ Verb Noun Module|PSSnapin CommandType|Type TotalCount All! ListImported! \
        Syntax! ArgumentList|Args ParameterName \
        ParameterType ShowCommandInfo! UseFuzzyMatching! FullyQualifiedModule \
            UseAbbreviationExpansion!").own(own::command_name),
    works("Set-Location", "sl cd chdir", "Path@0^ LiteralPath|PSPath PassThru! StackName").own(own::enter).reading(),
    works("Push-Location", "pushd", "Path@0^ LiteralPath|PSPath PassThru! StackName").own(own::push).reading(),
    works("Pop-Location", "popd", "StackName PassThru!").own(own::pop).reading(),
    reads("Get-Location", "gl pwd", "PSProvider PSDrive Stack! StackName").own(own::here),
    // Objects.
    reads("Select-Object", "select", SHAPE).out(Out::Pass),
    reads("Sort-Object", "sort", SHAPE).out(Out::Pass),
    reads("Group-Object", "group", SHAPE).out(Out::Pass),
    reads("Measure-Object", "measure", "Property@0=script InputObject^ Sum! Average! Maximum! Minimum! \
        StandardDeviation! AllStats! Line! Word! Character! IgnoreWhiteSpace!"),
    reads("Compare-Object", "diff compare", "ReferenceObject@0 DifferenceObject@1^ Property IncludeEqual! \
        ExcludeDifferent! SyncWindow CaseSensitive! Culture PassThru!"),
    reads("Format-Table", "ft", SHAPE).out(Out::Pass),
    reads("Format-List", "fl", SHAPE).out(Out::Pass),
    reads("Format-Wide", "fw", SHAPE).out(Out::Pass),
    reads("Format-Custom", "fc", SHAPE).out(Out::Pass),
    reads("Format-Hex", "fhx", "Path@0^=read LiteralPath=read InputObject Encoding Raw! Count \
        Offset").out(Out::Content),
    reads("Out-String", "", "InputObject^ Stream! Width NoNewline!").out(Out::Pass),
    reads("Out-Host", "oh", "InputObject^ Paging!").own(own::printed),
    reads("Out-Default", "", "InputObject^ Transcript!").own(own::printed),
    reads("Out-Null", "", "InputObject^").out(Out::Nothing),
    reads("Out-GridView", "ogv", "InputObject^ Title Wait! PassThru! OutputMode").out(Out::Pass),
    works("Out-Printer", "lp", "Name@0 InputObject^"),
    reads("Write-Output", "echo write", "InputObject@0^ NoEnumerate!").own(own::printed),
    reads("Write-Host", "", "Object@0^ NoNewline! Separator ForegroundColor BackgroundColor").own(own::shown),
    reads("Write-Verbose", "", "Message@0^").own(own::shown),
    reads("Write-Debug", "", "Message@0^").own(own::shown),
    reads("Write-Warning", "", "Message@0^").own(own::shown),
    reads("Write-Error", "", "Message|Exception@0^ Category ErrorId TargetObject RecommendedAction CategoryActivity \
        ErrorRecord CategoryReason CategoryTargetName \
        CategoryTargetType").own(own::shown),
    reads("Write-Information", "", "MessageData@0^ Tags@1").own(own::shown),
    reads("Write-Progress", "", "Activity@0 Status@1 Id@2 PercentComplete SecondsRemaining CurrentOperation ParentId \
        Completed! SourceId"),
    works("Write-EventLog", "", "LogName@0 Source@1 EventId@2 EntryType Message Category RawData ComputerName"),
    reads("Select-String", "sls", "Pattern@0 Path@1=read LiteralPath=read InputObject AllMatches! CaseSensitive! \
        Context Encoding Exclude Include List! NoEmphasis! \
        NotMatch! Quiet! Raw! SimpleMatch! Culture").out(Out::Content).own(own::searched),
    reads("Select-Xml", "", "XPath@0 Path@1^=read LiteralPath=read Xml Content Namespace").out(Out::Content),
    reads("ConvertTo-Json", "", "InputObject@0^ Depth Compress! AsArray! EnumsAsStrings! \
        EscapeHandling").out(Out::Pass),
    reads("ConvertFrom-Json", "", "InputObject@0^ AsHashtable! Depth NoEnumerate! DateKind").own(own::pass),
    reads("ConvertTo-Csv", "", "InputObject@0^ Delimiter@1 NoTypeInformation! IncludeTypeInformation! UseCulture! \
        QuoteFields UseQuotes NoHeader!").out(Out::Pass),
    reads("ConvertFrom-Csv", "", "InputObject@0^ Delimiter@1 Header UseCulture!").own(own::pass),
    reads("ConvertTo-Xml", "", "InputObject@0^ Depth As NoTypeInformation!").out(Out::Pass),
    reads("ConvertTo-Html", "", "InputObject@0^ Property Head Title Body Fragment! CssUri As PreContent PostContent \
        Charset Meta Transitional!").out(Out::Pass),
    reads("ConvertFrom-StringData", "", "StringData@0^ Delimiter").own(own::pass),
    reads("ConvertFrom-Markdown", "", "Path@0=read InputObject^ LiteralPath=read AsVT100EncodedString!"),
    reads("Test-Json", "", "Json@0^ Path=read LiteralPath=read Schema@1 SchemaFile=read Options"),
    works("ConvertTo-SecureString", "", "String@0^ AsPlainText! Force! Key SecureKey").own(own::pass).reading(),
    works("ConvertFrom-SecureString", "", "SecureString@0^ AsPlainText! Key \
        SecureKey").own(own::secure_string).reading(),
    works("Get-Credential", "", "Credential@0 Message UserName Title"),
    works("Get-Secret", "", "Name@0 Vault AsPlainText!").act(Act::Finding("shell.secret_read", "reads a secret of a \
        vault")),
    reads("Get-Member", "gm", "Name@0 InputObject^ Force! MemberType|Type Static! View"),
    reads("Add-Member", "", "NotePropertyName|MemberType@0 NotePropertyValue|Name@1 Value@2 SecondValue@3 \
        InputObject^ NotePropertyMembers Force! PassThru! TypeName").out(Out::Pass),
    reads("Get-Unique", "gu", "InputObject^ AsString! OnType! CaseInsensitive!").out(Out::Pass),
    reads("Get-Random", "", "Maximum|InputObject@0^ Minimum Count SetSeed Shuffle!").own(own::pass),
    reads("Get-Date", "", "Date@0^ Format UFormat Year Month Day Hour Minute Second Millisecond DisplayHint AsUTC! \
        UnixTimeSeconds"),
    reads("New-TimeSpan", "", "Start@0^ End@1 Days Hours Minutes Seconds"),
    reads("New-Guid", "", "Empty! InputObject"),
    reads("Get-Host", "", ""),
    reads("Get-Help", "man help", "Name@0^ Path Category Component Functionality Role Detailed! Full! Examples! \
        Parameter Online! ShowWindow!"),
    works("Update-Help", "", "Module@0 SourcePath Recurse! Force! Credential UICulture Scope").act(Act::Unlisted),
    works("Save-Help", "", "DestinationPath@0=write Module Force! UICulture LiteralPath=write"),
    reads("Get-History", "ghy h history", "Id@0 Count@1"),
    works("Invoke-History", "ihy r", "Id@0^").act(Act::Finding("shell.obfuscated", "runs an earlier command that \
        can't be seen")),
    wipes("Clear-History", "Id@0 Count@1 CommandLine Newest! WhatIf|wi!", "wipes the history of \
        commands").act(Act::Finding("shell.tamper", "wipes the history of commands")),
    works("Add-History", "", "InputObject@0^ Passthru!"),
    reads("Set-StrictMode", "", "Version Off!"),
    reads("Clear-Host", "cls clear", ""),
    works("Start-Sleep", "sleep", "Seconds@0^ Milliseconds|ms Duration").reading(),
    works("Read-Host", "", "Prompt@0 AsSecureString! MaskInput!").reading(),
    reads("Get-Culture", "", "Name NoUserOverrides! ListAvailable!"),
    reads("Get-UICulture", "", ""),
    reads("Get-TimeZone", "", "Id@0 Name ListAvailable!"),
    rules("Set-TimeZone", "Id Name@0 InputObject PassThru! WhatIf|wi!", "changes the clock"),
    rules("Set-Date", "Date@0^ Adjust DisplayHint WhatIf|wi!", "changes the clock"),
    reads("Get-Error", "", "InputObject^ Newest"),
    reads("Get-TraceSource", "", "Name@0"),
    reads("Get-Verb", "", "Verb@0 Group@1"),
    reads("Get-PSCallStack", "", ""),
    reads("Get-Module", "gmo", "Name@0^ ListAvailable! All! FullyQualifiedName Refresh! PSEdition SkipEditionCheck! \
        PSSession"),
    reads("Get-InstalledModule", "", "Name@0^ AllVersions! RequiredVersion"),
    reads("Get-Package", "", "Name@0 ProviderName Scope AllVersions!"),
    reads("Get-Job", "gjb", "Id@0 Name State HasMoreData Newest IncludeChildJob! Before After Command InstanceId"),
    reads("Receive-Job", "rcjb", "Job|Id@0^ Name Keep! Wait! AutoRemoveJob! ErrorAction Location@1 InstanceId"),
    reads("Wait-Job", "wjb", "Job|Id@0^ Name Any! Timeout Force! State"),
    works("Stop-Job", "spjb", "Job|Id@0^ Name PassThru!"),
    works("Remove-Job", "rjb", "Job|Id@0^ Name Force! State"),
    reads("Debug-Runspace", "", "Name@0 Id"),
    // Windows itself.
    reads("Get-Process", "gps ps", "Name|ProcessName@0^ Id|PID IncludeUserName! Module! FileVersionInfo! \
        ComputerName InputObject"),
    works("Stop-Process", "spps kill", "Id@0 Name|ProcessName InputObject^ Force! PassThru! \
        WhatIf|wi!").act(Act::Finding("shell.resource", "ends processes by number or name")),
    reads("Wait-Process", "", "Name@0 Id Timeout@1 InputObject^ Any! PassThru!"),
    works("Debug-Process", "", "Name@0 Id InputObject^"),
    reads("Get-Service", "gsv", "Name|ServiceName@0^ DisplayName DependentServices! RequiredServices! Include \
        Exclude ComputerName InputObject"),
    works("New-Service", "", "Name@0 BinaryPathName@1 DisplayName Description StartupType Credential DependsOn \
        SecurityDescriptorSddl WhatIf|wi!")
        .act(Act::Finding("shell.persistence", "makes a service, which Windows starts by itself")),
    rules("Set-Service", "Name|SN@0^ DisplayName Description StartupType Status Credential InputObject PassThru! \
        Force! WhatIf|wi!", "changes a service of Windows"),
    rules("Start-Service", "Name|ServiceName@0^ DisplayName InputObject PassThru! Include Exclude \
        WhatIf|wi!", "starts a service of Windows"),
    rules("Stop-Service", "Name|ServiceName@0^ DisplayName InputObject Force! NoWait! PassThru! Include Exclude \
        WhatIf|wi!", "stops a service of Windows"),
    rules("Restart-Service", "Name|ServiceName@0^ DisplayName InputObject Force! PassThru! Include Exclude \
        WhatIf|wi!", "restarts a service of Windows"),
    rules("Suspend-Service", "Name@0^ DisplayName InputObject PassThru! WhatIf|wi!", "suspends a service of Windows"),
    rules("Remove-Service", "Name@0^ InputObject WhatIf|wi!", "removes a service of Windows"),
    reads("Get-ComputerInfo", "gin", "Property@0"),
    works("Stop-Computer", "", "ComputerName@0 Force! Credential WsmanAuthentication \
        WhatIf|wi!").act(Act::Finding("shell.resource", "shuts the machine down")),
    works("Restart-Computer", "", "ComputerName@0 Force! Credential Wait! For Delay Timeout \
        WhatIf|wi!").act(Act::Finding("shell.resource", "restarts the machine")),
    rules("Rename-Computer", "NewName@0 ComputerName Force! Restart! DomainCredential LocalCredential PassThru! \
        WhatIf|wi!", "renames the machine"),
    rules("Add-Computer", "DomainName@0 WorkgroupName Credential Restart! Force! OUPath NewName WhatIf|wi!", "joins \
        a domain"),
    rules("Reset-ComputerMachinePassword", "Credential Server", "changes a password"),
    wipes("Clear-EventLog", "LogName@0 ComputerName@1 WhatIf|wi!", "wipes \
        logs").act(Act::Finding("shell.tamper", "wipes logs")),
    wipes("Remove-EventLog", "LogName@0 Source ComputerName@1 WhatIf|wi!", "wipes \
        logs").act(Act::Finding("shell.tamper", "wipes logs")),
    rules("Limit-EventLog", "LogName@0 MaximumSize OverflowAction RetentionDays ComputerName WhatIf|wi!", "changes \
        logs"),
    rules("New-EventLog", "LogName@0 Source@1 CategoryResourceFile MessageResourceFile ComputerName \
        WhatIf|wi!", "makes a log"),
    reads("Get-EventLog", "", "LogName@0 InstanceId@1 Newest After Before EntryType Source UserName Index \
        ComputerName List! AsBaseObject! AsString! Message"),
    reads("Get-WinEvent", "", "LogName@0 MaxEvents FilterHashtable FilterXPath FilterXml ListLog ListProvider \
        ProviderName Path=read Oldest! Force! ComputerName Credential"),
    works("Get-WmiObject", "gwmi", "Class|ClassName@0 Property@1 Query Filter Namespace|NS ComputerName List! \
        Recurse! Amended! Credential Authority").own(own::wmi).reading(),
    works("Get-CimInstance", "gcim", "ClassName|Class@0 Property Query Filter Namespace ComputerName|CN Key KeyOnly! \
        CimSession ResourceUri OperationTimeoutSec \
        QueryDialect Shallow!").own(own::wmi).reading(),
    reads("Get-CimClass", "gcls", "ClassName@0 Namespace@1 MethodName PropertyName QualifierName ComputerName \
        Amended!"),
    works("Invoke-WmiMethod", "iwmi", "Class@0 Name@1 ArgumentList|Args@2 Path Namespace ComputerName=host \
        InputObject^ Credential").own(own::wmi_method),
    works("Invoke-CimMethod", "icim", "ClassName|Class@0 MethodName|Name@1 Arguments@2 Query Namespace \
        ComputerName=host InputObject^ CimSession").own(own::wmi_method),
    works("Set-WmiInstance", "swmi", "Class@0 Arguments@1 Path Namespace PutType \
        InputObject^").act(Act::Finding("shell.persistence", "changes what Windows manages through WMI")),
    works("New-CimInstance", "ncim", "ClassName@0 Property@1 Namespace ComputerName ClientOnly! \
        Key").act(Act::Finding("shell.persistence", "changes what Windows manages through WMI")),
    rules("Set-CimInstance", "InputObject@0^ Property Query Namespace ComputerName PassThru!", "changes what Windows \
        manages"),
    wipes("Remove-CimInstance", "InputObject@0^ Query Namespace ComputerName", "deletes what Windows manages"),
    wipes("Remove-WmiObject", "Class@0 Path InputObject^ Namespace ComputerName", "deletes what Windows manages"),
    rules("Set-ExecutionPolicy", "ExecutionPolicy@0 Scope@1 Force! WhatIf|wi!", "changes which scripts may run"),
    reads("Get-ExecutionPolicy", "", "Scope@0 List!"),
    rules("Set-MpPreference", "DisableRealtimeMonitoring ExclusionPath ExclusionProcess ExclusionExtension \
        DisableIOAVProtection DisableBehaviorMonitoring \
        DisableScriptScanning MAPSReporting SubmitSamplesConsent Force! PUAProtection \
            DisableBlockAtFirstSeen", "changes Windows Defender"),
    rules("Add-MpPreference", "ExclusionPath ExclusionProcess ExclusionExtension \
        AttackSurfaceReductionOnlyExclusions Force!", "changes Windows Defender"),
    rules("Remove-MpPreference", "ExclusionPath ExclusionProcess ExclusionExtension Force!", "changes Windows \
        Defender"),
    reads("Get-MpPreference", "", ""),
    reads("Get-MpComputerStatus", "", ""),
    rules("Set-NetFirewallProfile", "Profile|Name@0 Enabled All! DefaultInboundAction DefaultOutboundAction \
        NotifyOnListen", "changes the firewall"),
    rules("New-NetFirewallRule", "DisplayName Name Direction Action Protocol LocalPort RemotePort Program Profile \
        Enabled RemoteAddress LocalAddress Group Description", "changes the firewall"),
    rules("Set-NetFirewallRule", "DisplayName Name Direction Action Enabled Profile", "changes the firewall"),
    rules("Remove-NetFirewallRule", "DisplayName Name All! Group", "changes the firewall"),
    rules("Disable-NetFirewallRule", "DisplayName Name@0 All! Group DisplayGroup", "changes the firewall"),
    rules("Enable-NetFirewallRule", "DisplayName Name@0 All! Group DisplayGroup", "changes the firewall"),
    reads("Get-NetFirewallRule", "", "DisplayName Name@0 All! Enabled Direction Action Group PolicyStore"),
    reads("Get-NetFirewallProfile", "", "Name@0 All! PolicyStore"),
    reads("Get-NetTCPConnection", "", "LocalAddress@0 LocalPort@1 RemoteAddress RemotePort State OwningProcess \
        AppliedSetting"),
    reads("Get-NetUDPEndpoint", "", "LocalAddress@0 LocalPort@1 OwningProcess"),
    reads("Get-NetIPAddress", "", "IPAddress@0 InterfaceIndex InterfaceAlias AddressFamily"),
    reads("Get-NetIPConfiguration", "gip", "InterfaceAlias@0 InterfaceIndex All! Detailed!"),
    reads("Get-NetAdapter", "", "Name@0 InterfaceDescription Physical! IncludeHidden!"),
    reads("Get-NetRoute", "", "DestinationPrefix@0 InterfaceIndex AddressFamily NextHop"),
    reads("Get-NetNeighbor", "", "IPAddress@0 InterfaceIndex State"),
    reads("Get-DnsClientCache", "", "Entry@0 Name Type"),
    reads("Get-DnsClientServerAddress", "", "InterfaceAlias@0 InterfaceIndex AddressFamily"),
    rules("Set-DnsClientServerAddress", "InterfaceAlias@0 InterfaceIndex ServerAddresses \
        ResetServerAddresses!", "changes who answers for names"),
    rules("Set-NetIPAddress", "IPAddress@0 InterfaceIndex InterfaceAlias", "changes the network"),
    rules("New-NetIPAddress", "IPAddress@0 InterfaceIndex InterfaceAlias PrefixLength DefaultGateway", "changes the \
        network"),
    rules("Disable-NetAdapter", "Name@0 Confirm!", "changes the network"),
    rules("New-SmbShare", "Name@0 Path@1 FullAccess ChangeAccess ReadAccess Temporary!", "opens a folder to other \
        hosts"),
    rules("Grant-SmbShareAccess", "Name@0 AccountName AccessRight Force!", "opens a folder to other hosts"),
    reads("Get-SmbShare", "", "Name@0 Special"),
    works("New-SmbMapping", "", "LocalPath@0 RemotePath@1 UserName Password Persistent").act(Act::Privilege("maps a \
        folder of another host")),
    rules("New-LocalUser", "Name@0 Password NoPassword! FullName Description AccountNeverExpires! \
        PasswordNeverExpires! Disabled! UserMayNotChangePassword!", "makes a user"),
    rules("Set-LocalUser", "Name@0^ Password FullName Description PasswordNeverExpires \
        AccountNeverExpires!", "changes a user"),
    rules("Remove-LocalUser", "Name@0^ SID InputObject", "removes a user"),
    rules("Enable-LocalUser", "Name@0^ SID InputObject", "changes a user"),
    rules("Disable-LocalUser", "Name@0^ SID InputObject", "changes a user"),
    rules("Add-LocalGroupMember", "Group|Name@0 Member@1^ SID", "gives a user the rights of a group"),
    rules("Remove-LocalGroupMember", "Group|Name@0 Member@1^ SID", "changes a group"),
    rules("New-LocalGroup", "Name@0 Description", "makes a group"),
    reads("Get-LocalUser", "", "Name@0 SID"),
    reads("Get-LocalGroup", "", "Name@0 SID"),
    reads("Get-LocalGroupMember", "", "Group|Name@0 Member SID"),
    rules("New-ADUser", "Name@0 AccountPassword Enabled Path SamAccountName", "makes a user of the domain"),
    rules("Add-ADGroupMember", "Identity@0 Members@1", "gives rights in the domain"),
    rules("Set-ADAccountPassword", "Identity@0 NewPassword OldPassword Reset!", "changes a password of the domain"),
    works("Register-ScheduledTask", "", "TaskName@0 Action@1 Trigger@2 TaskPath Xml User Password RunLevel Force! \
        Principal Settings Description InputObject^")
        .act(Act::Finding("shell.persistence", "makes a task, which Windows starts by itself")),
    works("Set-ScheduledTask", "", "TaskName@0 Action Trigger TaskPath User Password Principal Settings InputObject^")
        .act(Act::Finding("shell.persistence", "changes a task, which Windows starts by itself")),
    works("Register-ScheduledJob", "", "Name@0 ScriptBlock|FilePath@1 Trigger RunNow! RunEvery ScheduledJobOption \
        Credential")
        .act(Act::Finding("shell.persistence", "makes a job, which Windows starts by itself")),
    rules("Start-ScheduledTask", "TaskName@0 TaskPath InputObject^ CimSession", "starts a task of Windows"),
    rules("Unregister-ScheduledTask", "TaskName@0 TaskPath InputObject^ WhatIf|wi!", "removes a task of Windows"),
    rules("Disable-ScheduledTask", "TaskName@0 TaskPath InputObject^", "changes a task of Windows"),
    rules("Enable-ScheduledTask", "TaskName@0 TaskPath InputObject^", "changes a task of Windows"),
    reads("Get-ScheduledTask", "", "TaskName@0 TaskPath CimSession"),
    reads("Get-ScheduledTaskInfo", "", "TaskName@0 TaskPath InputObject^"),
    reads("New-ScheduledTaskAction", "", "Execute@0 Argument@1 WorkingDirectory Id"),
    reads("New-ScheduledTaskTrigger", "", "At AtLogOn! AtStartup! Daily! Weekly! Once! DaysInterval DaysOfWeek \
        RepetitionInterval RepetitionDuration User RandomDelay"),
    reads("New-ScheduledTaskPrincipal", "", "UserId@0 LogonType RunLevel GroupId Id"),
    reads("New-ScheduledTaskSettingsSet", "", "AllowStartIfOnBatteries! DontStopIfGoingOnBatteries! \
        StartWhenAvailable! Hidden! RunOnlyIfNetworkAvailable! \
        ExecutionTimeLimit MultipleInstances"),
    wipes("Format-Volume", "DriveLetter@0 FileSystem FileSystemLabel|NewFileSystemLabel Force! Full! Path Confirm \
        InputObject^ Partition WhatIf|wi!", "formats a volume"),
    wipes("Clear-Disk", "Number@0 RemoveData! RemoveOEM! Confirm InputObject^ FriendlyName WhatIf|wi!", "wipes a disk"),
    wipes("Initialize-Disk", "Number@0 PartitionStyle InputObject^ VirtualDisk WhatIf|wi!", "initialises a disk"),
    wipes("Remove-Partition", "DriveLetter DiskNumber PartitionNumber InputObject^ Confirm WhatIf|wi!", "removes a \
        partition"),
    wipes("Remove-VM", "Name@0 VM Force! ComputerName WhatIf|wi!", "deletes a virtual machine"),
    wipes("Remove-VMSnapshot", "VMName@0 Name@1 IncludeAllChildSnapshots! WhatIf|wi!", "deletes a snapshot"),
    wipes("Remove-ComputerRestorePoint", "", "deletes restore points"),
    wipes("Disable-ComputerRestore", "Drive@0 WhatIf|wi!", "switches restore points off"),
    reads("Get-Volume", "", "DriveLetter@0 FileSystemLabel Path"),
    reads("Get-Disk", "", "Number@0 FriendlyName UniqueId"),
    reads("Get-Partition", "", "DiskNumber DriveLetter PartitionNumber"),
    reads("Get-PhysicalDisk", "", "FriendlyName@0 UniqueId"),
    reads("Get-HotFix", "", "Id@0 Description ComputerName"),
    reads("Get-WindowsOptionalFeature", "", "Online! FeatureName Path"),
    rules("Enable-WindowsOptionalFeature", "Online! FeatureName@0 All! NoRestart! Path Source \
        LimitAccess!", "changes Windows"),
    rules("Disable-WindowsOptionalFeature", "Online! FeatureName@0 NoRestart! Remove!", "changes Windows"),
    rules("Add-WindowsCapability", "Online! Name@0 Source LimitAccess!", "changes Windows"),
    rules("Remove-AppxPackage", "Package@0^ AllUsers! User PreserveApplicationData!", "removes a program"),
    rules("Add-AppxPackage", "Path@0^ Register! DisableDevelopmentMode! ForceApplicationShutdown!", "installs a \
        program"),
    reads("Get-AppxPackage", "", "Name@0 AllUsers! Publisher User"),
    rules("Import-Certificate", "FilePath@0=read CertStoreLocation", "changes the certificates that Windows trusts"),
    rules("Import-PfxCertificate", "FilePath@0=read CertStoreLocation@1 Password Exportable!", "changes the \
        certificates that Windows trusts"),
    works("Export-PfxCertificate", "", "Cert@0^ FilePath@1=write Password ProtectTo ChainOption \
        Force!").act(Act::Finding("shell.secret_read", "writes out a private key")),
    works("New-SelfSignedCertificate", "", "DnsName Subject CertStoreLocation Type KeyUsage NotAfter FriendlyName \
        KeyAlgorithm KeyLength TextExtension Signer").act(Act::Unlisted),
    reads("Get-AuthenticodeSignature", "", "FilePath@0^=read LiteralPath=read Content SourcePathOrExtension"),
    works("Set-AuthenticodeSignature", "", "FilePath@0=write LiteralPath=write Certificate@1 TimestampServer \
        HashAlgorithm IncludeChain Force!"),
    works("Get-Clipboard", "gcb", "Raw! Format TextFormatType Delimiter").act(Act::Finding("shell.sensing", "reads \
        the clipboard")),
    works("Set-Clipboard", "scb", "Value@0^ Append! Path AsOSC52! PassThru!"),
    reads("Get-PSBreakpoint", "gbp", "Script@0 Id Variable Command Type"),
    works("Set-PSReadLineOption", "", "HistorySaveStyle HistorySavePath EditMode PredictionSource \
        PredictionViewStyle Colors BellStyle AddToHistoryHandler"),
    reads("Get-PSReadLineOption", "", ""),
    works("Set-PSDebug", "", "Trace Step! Strict! Off!"),
    works("Trace-Command", "", "Name@0 Expression@1=script Command ListenerOption Option PSHost! FilePath=write \
        Debugger!"),
    works("Update-TypeData", "", "TypeName MemberName MemberType Value AppendPath=file PrependPath=file Force!"),
    works("Update-FormatData", "", "AppendPath@0=file PrependPath=file"),
    works("Enable-ComputerRestore", "", "Drive@0").act(Act::Privilege("changes Windows")),
    works("Checkpoint-Computer", "", "Description@0 RestorePointType").act(Act::Privilege("changes Windows")),
    rules("Suspend-BitLocker", "MountPoint@0 RebootCount", "changes the encryption of a disk"),
    rules("Disable-BitLocker", "MountPoint@0", "changes the encryption of a disk"),
    rules("Enable-BitLocker", "MountPoint@0 PasswordProtector! RecoveryPasswordProtector! \
        EncryptionMethod", "changes the encryption of a disk"),
    rules("Disable-UAC", "", "changes Windows"),
    reads("Get-Uptime", "", "Since!"),
    reads("Show-Command", "shcm", "Name@0"),
    reads("Get-ItemPropertyNames", "", ""),
    reads("Get-Runspace", "", "Name@0 Id InstanceId"),
    reads("Get-FormatData", "", "TypeName@0"),
    reads("Get-TypeData", "", "TypeName@0"),
    reads("Get-EventSubscriber", "", "SourceIdentifier@0"),
    reads("Get-Event", "", "SourceIdentifier@0"),
    reads("Join-String", "", "Property@0 Separator@1 InputObject^ OutputPrefix OutputSuffix SingleQuote! \
        DoubleQuote! FormatString").own(own::joined_text),
];

impl Cmdlet {
    /// Changes nothing outside the session.
    const fn reading(self) -> Self {
        Self { reads: true, ..self }
    }
}
