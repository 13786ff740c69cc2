//! What code does beside its calls' own effects: loads code from an address, looks or listens in the room, calls a
//! host for ever.

use super::CodeEffects;
use super::rules::{NameRole, is};
use super::tokens::Token;

/// Servers of packages that everybody uses.
const KNOWN: &[&str] = &[
    "rubygems.org",
    "cran.r-project.org",
    "cloud.r-project.org",
    "pypi.org",
    "repo.maven.apache.org",
    "plugins.gradle.org",
    "registry.npmjs.org",
];

/// Says what the tokens of a text do of this.
pub(super) fn describe(effects: &mut CodeEffects, tokens: &[Token]) {
    loads(effects, tokens);
    built(effects, tokens);
    if super::repeats::is_bomb(tokens) {
        effects.finding("shell.resource", "makes a text or list larger than the memory");
    }
    let name = |wanted: &[&str]| tokens.iter().filter_map(Token::name).any(|name| wanted.contains(&name));
    let clipboard = name(&["pyperclip", "clipboard", "Clipboard"])
        && name(&["paste", "get", "GetText", "readText", "read"]);
    let script = tokens.windows(2).any(|pair| match pair {
        // AppleScript: `the clipboard`, `keystroke "x"`.
        [Token::Name(first), Token::Name(second)] => first == "the" && second == "clipboard",
        [Token::Name(first), Token::Text(_)] => first == "keystroke",
        _ => false,
    });
    let pictures = name(&["screenshot"]) && !tokens.iter().any(drives_browser);
    let senses = tokens.iter().filter_map(Token::name).any(|name| is(NameRole::Senses, name));
    if senses || pictures || clipboard || script {
        effects
            .finding("shell.sensing", "reads the keyboard, clipboard, screen, camera, microphone or place");
    }
    let asks = name(&["fetch", "get", "post", "request", "urlopen", "axios", "connect"]);
    let address = tokens.iter().any(|token| match token {
        Token::Text(value) => value.text.split_once("://").is_some_and(|(_, rest)| !is_this_machine(rest)),
        _ => false,
    });
    let contacts = effects.deeds.hosts.iter().any(|host| !is_this_machine(&host.host)) || asks && address;
    if contacts && has_endless_loop(tokens) {
        effects.finding("shell.beacon", "contacts a host again and again without end");
    }
}

/// `Command::new("rm").arg("-rf").args(["src"])`: a command whose words are added one by one.
fn built(effects: &mut CodeEffects, tokens: &[Token]) {
    for (at, token) in tokens.iter().enumerate() {
        if token.name() != Some("new") {
            continue;
        }
        let before = at.checked_sub(3).and_then(|at| tokens.get(at)).and_then(Token::name);
        let before = before.or_else(|| at.checked_sub(2).and_then(|at| tokens.get(at)).and_then(Token::name));
        if before != Some("Command") {
            continue;
        }
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let end = rest.iter().take(256).position(|token| token.is(';')).unwrap_or(rest.len().min(256));
        let words: Vec<super::Value> = rest
            .get(..end)
            .unwrap_or_default()
            .iter()
            .filter_map(|token| match token {
                Token::Text(value) => Some(value.clone()),
                _ => None,
            })
            .collect();
        if words.len() > 1 {
            effects.argv(&words);
        }
    }
}

/// An address that is given to a word which loads code.
fn loads(effects: &mut CodeEffects, tokens: &[Token]) {
    for (at, token) in tokens.iter().enumerate() {
        let Token::Text(value) = token else { continue };
        let address = ["http://", "https://", "ftp://", "git://", "git+"]
            .iter()
            .any(|front| value.text.starts_with(front));
        let known = KNOWN
            .iter()
            .any(|server| value.text.split("://").nth(1).is_some_and(|rest| rest.starts_with(server)));
        let near = tokens.get(at.saturating_sub(16)..at).unwrap_or_default();
        let start = near
            .iter()
            .rposition(|token| matches!(token, Token::Line) || token.is(';'))
            .map_or(0, |line| line + 1);
        let names: Vec<&str> = near.get(start..).unwrap_or_default().iter().filter_map(Token::name).collect();
        let repository =
            names.iter().any(|name| name.starts_with("install_git") || *name == "install_bitbucket");
        let fetched =
            names.iter().any(|name| matches!(*name, "fetch" | "read_csv" | "get" | "urlopen" | "Request"));
        let names_loader = names.iter().any(|name| is(NameRole::Loads, name.trim_start_matches('$')));
        let runs = names_loader && (!fetched || names.contains(&"eval"));
        if repository || address && !known && runs {
            return effects.finding("shell.remote_code", "loads code from an address");
        }
    }
}

pub(super) fn is_this_machine(host: &str) -> bool {
    host.starts_with("localhost") || host.starts_with("127.") || host == "::1" || host == "0.0.0.0"
}

/// `while True`, `while (1)`, `for (;;)`, `loop do`, `setInterval`.
fn has_endless_loop(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let mut next = tokens.iter().skip(at + 1).filter(|token| !token.is('('));
        let endless = match token.name() {
            Some("while") => next.next().is_some_and(|token| {
                matches!(token, Token::Number(number) if number == "1")
                    || matches!(token.name(), Some("True" | "true" | "TRUE"))
            }),
            Some("until") => next.next().and_then(Token::name) == Some("false"),
            Some("for") => next.next().is_some_and(|token| token.is(';')),
            Some("loop") => {
                matches!(next.next(), Some(Token::Name(word)) if word == "do")
                    || next.next().is_some_and(|token| token.is('{'))
            }
            Some("setInterval" | "schedule") => return true,
            _ => false,
        };
        endless && !is_left(tokens.get(at + 1..).unwrap_or_default())
    })
}

/// Whether something in the body of a loop leaves it. A body without braces ends with the next function, or where it
/// is longer than the body of any loop that only asks a host again.
fn is_left(after: &[Token]) -> bool {
    let mut open = 0_usize;
    // A key that a person may press is no end.
    let mut by_hand = false;
    for token in after.iter().take(LONGEST_BODY) {
        match token {
            Token::Mark('{') => open += 1,
            Token::Mark('}') if open <= 1 => return false,
            Token::Mark('}') => open -= 1,
            Token::Name(name) => match name.as_str() {
                "KeyboardInterrupt" | "Interrupt" => by_hand = true,
                "break" | "return" | "raise" | "throw" | "last" | "die" | "exit" if !by_hand => return true,
                "break" | "return" | "raise" | "throw" | "last" | "die" | "exit" => by_hand = false,
                "def" | "class" => return false,
                _ => {}
            },
            _ => {}
        }
    }
    false
}

/// Most tokens of a loop's body that are looked at.
const LONGEST_BODY: usize = 160;

/// Whether a token names a library that drives a browser: `from playwright.sync_api import …`, `require("puppeteer")`.
fn drives_browser(token: &Token) -> bool {
    let name = match token {
        Token::Name(name) => name.as_str(),
        Token::Text(value) => value.text.split(['/', '-']).next().unwrap_or_default(),
        _ => return false,
    };
    let name = name.split('.').next().unwrap_or(name).trim_start_matches('@');
    is(NameRole::Browsers, name)
}

#[cfg(test)]
mod tests {
    use doorward_core::intent::Origin;

    use crate::{Options, analyze_code};

    fn finds(code: &str, text: &str) -> bool {
        analyze_code("python", text, &Options::default()).findings.iter().any(|finding| finding.code == code)
    }

    #[test]
    fn a_loop_that_is_left_is_not_without_end() {
        let ask = "import requests\nwhile True:\n    r = requests.get('https://example.org/job')\n";
        assert!(finds("shell.beacon", &format!("{ask}    time.sleep(60)\n")));
        assert!(finds("shell.beacon", &format!("{ask}    time.sleep(60)\ndef f():\n    return 1\n")));
        let by_hand =
            format!("{ask}    try:\n        wait()\n    except KeyboardInterrupt:\n        break\n");
        assert!(finds("shell.beacon", &by_hand));
        assert!(!finds("shell.beacon", &format!("{ask}    if r.ok:\n        break\n")));
    }

    #[test]
    fn a_picture_of_a_page_is_not_one_of_the_screen() {
        assert!(finds("shell.sensing", "from desktop import screenshot\nscreenshot('x.png')\n"));
        let page = "from playwright.sync_api import sync_playwright\npage.screenshot(path='x.png')\n";
        assert!(!finds("shell.sensing", page));
        assert!(finds("shell.sensing", &format!("import pyautogui\n{page}")));
    }

    #[test]
    fn a_method_is_no_host_and_a_comparison_of_types_no_call() {
        let hosts = |text: &str| -> Vec<String> {
            let intent = analyze_code("python", text, &Options::default());
            intent.hosts.iter().map(|host| host.host.clone()).collect()
        };
        let by_method = "import requests\nrequests.request('GET', 'example.org')\n";
        assert_eq!(hosts(by_method), ["example.org"]);
        let compares = "import types\nisinstance(x, types.CodeType)\n";
        assert!(!finds("shell.obfuscated", compares));
        assert!(finds("shell.obfuscated", "import types\nmap(types.CodeType, x)\n"));
    }

    #[test]
    fn who_runs_the_text_of_a_file_runs_the_file() {
        let script = |text: &str| {
            let script = Some("/w/setup.py".to_owned());
            analyze_code("python", text, &Options { script, ..Options::default() })
        };
        let runs = |text: &str| -> Vec<String> {
            let intent = script(text);
            let files = intent.commands.into_iter().filter_map(|command| match command.origin {
                Origin::File(operand) => Some(operand.text),
                _ => None,
            });
            files.collect()
        };
        let opened = "with open('version.py') as f:\n    text = f.read()\n";
        assert_eq!(runs("exec(open('version.py').read())\n"), ["version.py"]);
        assert_eq!(runs(&format!("{opened}exec(compile(text, 'v', 'exec'), {{}})\n")), ["version.py"]);
        assert!(finds("shell.obfuscated", "exec(open('version.py').read())"), "on a command line");
        for hidden in [
            "exec(open(0).read())",
            "exec(open('/dev/stdin').read())",
            "exec(open('//dev/stdin').read())",
            "exec(open('../../dev/fd/0').read())",
            "exec(open('x').read()[3:])",
            "exec(open('x').read(10))",
            "exec('import os;' + open('x').read())",
            "import base64; exec(base64.b64decode(open('x').read()))",
            "import sys; exec(open(sys.argv[1]).read())",
        ] {
            let found = script(hidden).findings;
            assert!(found.iter().any(|finding| finding.code == "shell.obfuscated"), "{hidden}");
        }
    }

    #[test]
    fn line_ends_of_windows_are_line_ends_and_one_alone_is_told() {
        let told = |text: &str| {
            let intent = analyze_code("python", text, &Options::default());
            intent.unknown.iter().any(|unknown| unknown.code == "shell.control_character")
        };
        assert!(!told("# x\r\nimport os\r\n"));
        assert!(told("# x\rimport os; os.system('id')\n"));
    }
}
