//! vim and its kin: the commands they take on their command line.

use doorward_core::intent::WriteMode;

use crate::deed::Word;

use super::call::Call;
use super::word;

pub(in crate::programs) fn vim(call: &mut Call<'_>) {
    // Outside of ex mode `-s` takes a script of keys.
    let keys = call.has("-s") && !call.any(&["-e", "-E"]) && call.program != "ex";
    if keys && !call.operands.is_empty() {
        let script = call.operands.remove(0);
        call.run_file(&script, "vim", Vec::new());
    }
    for name in ["-c", "--cmd"] {
        for text in call.values(name) {
            command(call, &text);
        }
    }
    for operand in call.operands.clone() {
        if let Some(text) = word::after(&operand, "+") {
            command(call, &text);
        }
    }
    // Another editor types it, or evaluates it.
    for keys in call.values("--remote-send") {
        let keys = word::instead(&keys, keys.text.replace("<CR>", "\n").replace("<Esc>", "\n"));
        call.run_language("vim", keys);
    }
    for code in call.values("--remote-expr") {
        call.run_language("vimscript", code);
    }
    let writes = !call.any(&["-R", "-M"]) && !matches!(call.program.as_str(), "view" | "rview" | "gview");
    for file in call.operands.clone().iter().filter(|word| !word.text.starts_with('+')) {
        call.read(file);
        if writes {
            call.write(file, WriteMode::InPlace);
        }
    }
    // Neovim's own Lua.
    if call.has("-l")
        && call.program == "nvim"
        && let Some(script) = call.operand(0)
    {
        call.deeds.writes.clear();
        call.run_file(&script, "lua", Vec::new());
    }
    call.beyond_plain |= writes && !call.deeds.writes.is_empty();
    if call.any(&["-e", "-E"]) && !matches!(call.argv.stdin, crate::deed::Stdin::Inherited)
        || call.has("-s") && call.has("-e")
        || matches!(call.program.as_str(), "ex") && !matches!(call.argv.stdin, crate::deed::Stdin::Inherited)
    {
        call.run_stdin("vim", Vec::new());
    }
}

/// An ex command: `!text` runs a shell, `w file` writes, `py …` runs a language.
fn command(call: &mut Call<'_>, text: &Word) {
    if text.text.split('|').any(|part| is_empty_all(part.trim_start_matches([':', ' ']))) {
        call.finding("shell.delete", "deletes every line of what is edited");
    }
    let trimmed = text.text.trim_start_matches([':', ' ', '%']);
    let offset = text.text.len() - trimmed.len();
    let body = word::slice(text, offset, text.text.len());
    for part in bars(&body) {
        one_command(call, &part);
    }
}

/// `%d`, `1,$d` and kin: every line goes. With a text to substitute it isn't one.
fn is_empty_all(text: &str) -> bool {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    ["%", "1,$", "0,$", ",", "g/^/", "g//", "g/./"].iter().any(|range| {
        text.strip_prefix(range).is_some_and(|verb| matches!(verb, "d" | "de" | "del" | "delete" | "d_"))
    })
}

/// The commands of a line: `|` stands between them, unless the first takes the whole line.
fn bars(body: &Word) -> Vec<Word> {
    let whole = [
        "!", "r !", "r!", "w !", "normal", "norm", "g/", "v/", "lua", "py", "perl", "ruby", "exe", "silent",
        "term",
    ];
    if !body.text.contains('|') || whole.iter().any(|start| body.text.starts_with(start)) {
        return vec![body.clone()];
    }
    word::split(body, '|')
        .into_iter()
        .map(|part| {
            word::slice(
                &part,
                part.text.len() - part.text.trim_start_matches([':', ' ']).len(),
                part.text.len(),
            )
        })
        .collect()
}

fn one_command(call: &mut Call<'_>, body: &Word) {
    let body = body.clone();
    if let Some(keys) =
        ["normal!", "norm!", "normal", "norm"].iter().find_map(|prefix| word::after(&body, prefix))
    {
        // Keys that open the command line.
        if let Some(at) = keys.text.find(":!") {
            return call.run_shell(word::slice(&keys, at + 2, keys.text.len()));
        }
    }
    if [
        "set shell",
        "set sh=",
        "se sh=",
        "set shellcmdflag",
        "set shcf",
        "let &shell",
        "let &sh=",
        "set makeprg",
        "set grepprg",
    ]
    .iter()
    .any(|prefix| body.text.starts_with(prefix))
    {
        call.acts = true;
        call.finding("shell.obfuscated", "the editor is told what its shell is");
    }
    for prefix in ["call ", "let ", "echo ", "=", "eval ", "silent call "] {
        if let Some(code) = word::after(&body, prefix)
            && code.text.contains('(')
        {
            return call.run_language("vimscript", code);
        }
    }
    for prefix in ["r ", "read ", "e ", "edit ", "sp ", "split ", "vs ", "tabe ", "view "] {
        if let Some(file) = word::after(&body, prefix)
            && !file.text.starts_with('!')
        {
            return call.read(&file);
        }
    }
    if let Some(shell) = word::after(&body, "!") {
        return call.run_shell(shell);
    }
    for prefix in [
        "silent !",
        "sil !",
        "silent! !",
        "r !",
        "r!",
        "read !",
        "w !",
        "w!!",
        "terminal ",
        "term ",
        "execute '!",
        "exe '!",
        "execute \"!",
        "call system(",
        "call system (",
    ] {
        if let Some(shell) = word::after(&body, prefix) {
            let shell = word::instead(&shell, shell.text.trim_matches(['\'', '"', ')', ' ']).to_owned());
            return call.run_shell(shell);
        }
    }
    for (prefix, language) in [
        ("py3 ", "python"),
        ("python3 ", "python"),
        ("py ", "python"),
        ("python ", "python"),
        ("lua =", "lua"),
        ("lua ", "lua"),
        ("perl ", "perl"),
        ("ruby ", "ruby"),
    ] {
        if let Some(code) = word::after(&body, prefix) {
            return call.run_language(language, code);
        }
    }
    if body.text.contains("system(")
        || body.text.contains("!")
            && !body.text.ends_with('!')
            && !body.text.starts_with(['s', '/', 'g', 'n'])
        || body.text.contains("jobstart(")
        || body.text.contains("termopen(")
    {
        call.acts = true;
        call.finding("shell.obfuscated", "an editor command that can run a shell");
    }
    for prefix in ["w ", "w! ", "write ", "write! ", "saveas ", "saveas! ", "wq ", "wq! ", "sav ", "sav! "] {
        if let Some(file) = word::after(&body, prefix) {
            call.write(&file, WriteMode::Create);
        }
    }
    for prefix in ["source ", "so ", "luafile ", "pyfile ", "runtime "] {
        if let Some(file) = word::after(&body, prefix) {
            call.run_file(&file, "vim", Vec::new());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn editors_take_commands() {
        check(&[
            ("vim -c ':!rm x' -c q", "sh rm x"),
            (
                "vim -es -c 'call delete(\"x\",\"rf\")' -c q",
                "vimscript delete(\"x\",\"rf\"); stdin language(\"vim\")",
            ),
            ("vim '+r .env' '+%p' +q!", "read .env; plain"),
            ("vim -c 'normal! :!rm x'", "sh rm x"),
            ("ex -sc 'r .env|%p|q!'", "read .env; plain"),
            ("ex -sc '!rm x' a", "read a; inplace a; sh rm x"),
            ("vim a", "read a; inplace a"),
            ("view a", "read a; plain"),
            ("vim -S x a", "read a; inplace a; file x"),
            ("vim +'w x' a", "read a; create x; inplace a"),
            ("emacs --batch --eval '(shell-command \"x\")'", "elisp (shell-command \"x\")"),
            ("ed a", "read a; inplace a; stdin language(\"ed\")"),
        ]);
    }
}
