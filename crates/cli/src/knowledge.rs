//! `doorward knowledge`: descriptions of programs of one's own, checked, shown and drafted.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Subcommand;
use doorward::rooms::knowledge::{ToolFile, Tools, draft, example, parse_own, show};
use doorward::{Door, Options};

use crate::approvals::visible;
use crate::output::{Failure, document, say};
use crate::state::StateOption;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check a file that describes programs, and run its examples
    Check {
        /// The file
        file: PathBuf,
    },
    /// Print what is known about a program, and from where
    Show {
        /// The program's name
        program: String,
        /// The project whose settings count
        #[arg(long, value_name = "DIR", default_value = ".")]
        project: PathBuf,
        #[command(flatten)]
        state: StateOption,
    },
    /// Print a cautious description of a program, made of its help text
    Draft {
        /// The program; it is run as `PROGRAM --help` in the sandbox, without network
        program: String,
        /// Read the help text from this file instead of running the program; `-` is standard input
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        #[command(flatten)]
        state: StateOption,
    },
}

/// Help texts longer than this are cut.
const LONGEST_HELP: u64 = 1 << 20;

pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        What::Check { file } => check(&file),
        What::Show { program, project, state } => shown(&program, &project, &state),
        What::Draft { program, from, state } => drafted(&program, from.as_deref(), &state),
    }
}

fn check(file: &Path) -> Result<ExitCode, Failure> {
    let path = file.display().to_string();
    let wrong = |message: String| Failure::new("settings.knowledge", message);
    let text = std::fs::read_to_string(file).map_err(|error| wrong(format!("{path}: {error}")))?;
    let spec = parse_own(&path, &text).map_err(|error| wrong(error.to_string()))?;
    let (tools, faults) = Tools::read([ToolFile { path: &path, text: &text, stricter: false }]);
    if let Some(fault) = faults.into_iter().next() {
        return Err(wrong(fault));
    }
    let mut differing = Vec::new();
    let mut count = 0_usize;
    for one in spec.programs.iter().flat_map(|program| &program.examples) {
        count += 1;
        let found = example(&one.command, &tools);
        if found != one.effects {
            let (line, command, expected) = (one.line, &one.command, &one.effects);
            differing.push(format!("{path}:{line}: {command}\n  expected {expected}\n  found    {found}"));
        }
    }
    if !differing.is_empty() {
        return Err(wrong(differing.join("\n")));
    }
    say!("{} programs, {count} examples: good", spec.programs.len());
    if count == 0 {
        say!("note: without examples nothing shows that it says what you mean");
    }
    Ok(ExitCode::SUCCESS)
}

fn shown(program: &str, project: &Path, state: &StateOption) -> Result<ExitCode, Failure> {
    let door = Door::open(Options::simulation(state.places()))?;
    let project = door.project(Some(project));
    for fault in project.faults().iter().filter(|fault| fault.starts_with("knowledge:")) {
        anstream::eprintln!("{}", visible(fault));
    }
    match show(program, &project.tools()) {
        Some(text) => {
            document(&text.lines().map(|line| visible(line) + "\n").collect::<String>())?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let message = format!(
                "nothing is known about {program}, so its calls are asked about; `doorward knowledge draft {program}` \
                 begins a description"
            );
            Err(Failure::new("settings.knowledge", visible(&message)))
        }
    }
}

fn drafted(program: &str, from: Option<&Path>, state: &StateOption) -> Result<ExitCode, Failure> {
    let help =
        match from {
            Some(file) if file == Path::new("-") => read_help(std::io::stdin())?,
            Some(file) => read_help(std::fs::File::open(file).map_err(|error| {
                Failure::new("settings.knowledge", format!("{}: {error}", file.display()))
            })?)?,
            None => help_of(program, state)?,
        };
    let day = jiff::Zoned::now().date().to_string();
    let name = Path::new(program).file_name().map_or_else(|| program.into(), |name| name.to_string_lossy());
    let text = draft(&name, &help, &day);
    document(&with_examples(&name, text)?)?;
    Ok(ExitCode::SUCCESS)
}

fn read_help(source: impl std::io::Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source.take(LONGEST_HELP).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The program's help text. It runs as any command that a person has run in the sandbox: judged, recorded, without
/// network, and in an empty folder, which is all that it can write.
fn help_of(program: &str, state: &StateOption) -> Result<String, Failure> {
    let folder = std::env::temp_dir().join(format!("doorward-draft-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let ran = Command::new(std::env::current_exe()?)
        .arg("run")
        .arg("--state")
        .arg(state.folder())
        .args(["--", program, "--help"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .output();
    let _ = std::fs::remove_dir_all(&folder);
    let ran = ran?;
    let help = String::from_utf8_lossy(&ran.stdout).into_owned();
    if help.trim().is_empty() {
        let told = String::from_utf8_lossy(&ran.stderr);
        let message = format!(
            "`{program} --help` in the sandbox printed nothing: {}\nGive its help text instead: {program} --help | \
             doorward knowledge draft {program} --from -",
            visible(told.trim())
        );
        return Err(Failure::new("settings.knowledge", message));
    }
    Ok(help)
}

/// The draft with an example for each command, which says what the draft now makes of it.
fn with_examples(program: &str, text: String) -> Result<String, Failure> {
    let path = format!("{program}.kdl");
    let wrong = |message: String| Failure::new("settings.knowledge", message);
    let spec = parse_own(&path, &text).map_err(|error| wrong(error.to_string()))?;
    let (tools, faults) = Tools::read([ToolFile { path: &path, text: &text, stricter: false }]);
    if let Some(fault) = faults.into_iter().next() {
        return Err(wrong(fault));
    }
    let commands = spec.programs.iter().flat_map(|program| &program.row.commands);
    let mut lines: Vec<String> =
        commands.filter_map(|command| Some(format!("{program} {} file", command.names.first()?))).collect();
    if lines.is_empty() {
        lines.push(format!("{program} file"));
    }
    let examples: String =
        lines.iter().map(|line| format!("        {line:?} {:?}\n", example(line, &tools))).collect();
    let body = text.trim_end().trim_end_matches('}');
    Ok(format!("{body}    examples {{\n{examples}    }}\n}}\n"))
}
