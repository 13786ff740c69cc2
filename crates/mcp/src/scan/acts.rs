//! Finds orders by the demanded act: an imperative with a command, an address, a file of secrets, another tool.
//!
//! The introduction doesn't matter (`you must execute the following command`, `kindly run`, `step 1:`), the act
//! does. A definition explains what its tool does and how to fill in its arguments. That needs no shell command
//! line, upload, installation or foreign tool. Installation hints for people and addresses of manuals are ordinary
//! documentation.

use std::sync::OnceLock;

use regex_automata::meta::Regex;

use super::orders::{PLACE, WORTH, compiled};

macro_rules! acts {
    ($($name:ident = $pattern:expr;)*) => {
        #[derive(Debug, Clone, Copy)]
        enum Act { $($name),* }
        const PATTERNS: &[&str] = &[$($pattern),*];
    };
}

acts! {
    // Obligation.
    Must = concat!(
        r"\byou (?:must|should|shall|have to|need to|are (?:required|obliged|expected|asked|instructed) to)\b|",
        r"\b(?:must|has to|have to|needs? to|should) be (?:preceded|followed|run|executed|called|done|sent|read|",
        r"fetched|downloaded|installed)\b|\b(?:model|assistant|agent|ai|llm|caller|claude|gpt)s? (?:must|should|",
        r"shall|has to|have to|needs? to|(?:is|are) required to)\b|\bit(?: is|'s) (?:necessary|required|mandatory|",
        r"essential|important|imperative|crucial|vital)\b|\b(?:make sure|ensure|be sure|remember to|do(?: no|n'?)t ",
        r"forget)\b|\b(?:please|kindly)\b|\brequires? (?:that )?(?:you|the (?:model|assistant|agent|caller))\b|",
        r"\b(?:each|every) (?:time|call|invocation|query|request|use)\b",
    );
    // Timing, which makes it a step outside the tool's own work.
    Time = concat!(
        r"\b(?:always|first|before(?:hand)?|prior to|after(?:wards)?|once|when(?:ever)?|while|until|if|",
        r"should (?:the|it|this|that|any)|in case|finally|also|",
        r"additionally|instead)\b|\bstep \d|\b(?:important|notice|attention|mandatory|critical|compliance|setup|",
        r"initiali[sz]\w+)\b|\bin order to\b|^\W*to [a-z]+ [^,.]{0,48},",
    );
    Model = concat!(
        r"\b(?:model|assistant|agent|ai|llm|claude|gpt)s? (?:must|should|shall|has to|have to|needs? to|(?:is|are) ",
        r"required to)\b",
    );
    // Commands, in words and as command lines that download, destroy, open or hide something.
    Runs = concat!(
        r"(?:^[^a-z]*|[,;:]\s+|\b(?:then|and|also|please|kindly|first|must|should|shall|to|you|always|now|next|",
        r"ensure|that|agents?|models?|assistants?) )[`'\x22(]?(?:run|execute|invoke|launch|start|issue|type|enter|",
        r"paste|perform|do|use|call|delete|remove|clean|set|add|kill|copy|send|upload|download|fetch|cat|curl|",
        r"wget|rm|chmod|nc|bash|sh|eval|open a (?:shell|terminal))\b|",
        r"\b(?:by|of|with|without) (?:running|executing|invoking|launching|starting|calling)\b|",
        r"\b(?:is|be|are|gets?) (?:run|executed|invoked|launched|called)\b|\bcommands?\b.{0,12}:",
    );
    Line = concat!(
        r"\b(?:curl|wget|aria2c|fetch|iwr|irm)\s+(?:-\S+\s+)*['`\x22]?(?:https?://|ftp://|[\w.-]+\.[a-z]{2,}/|\$)|",
        r"\brm -\w*[rf]|\brmdir /s\b|\bdel /[fsq]\b|\bchmod (?:-r |\+|[0-7]{3,4} |[ugoa]*[+=])|\bchown -r\b|",
        r"\bnc(?:at)? (?:-\w+ )*[\w.-]+ \d|\bn(?:et)?cat? -\w*e\b|/bin/(?:ba|z|da)?sh (?:-|<|>|&)|/dev/tcp/|",
        r"\|\s*(?:sudo )?(?:ba|z|da|k)?sh\b|\|\s*python|\bpython3? -c\b|\bperl -e\b|\bruby -e\b|\bnode -e\b|",
        r"\bphp -r\b|\b(?:ba|z)?sh -c\b|\b(?:ba|z)?sh \S+\.sh\b|\bpython3? (?:/|~|https?:)\S+|",
        r"\bpowershell(?:\.exe)? -|\binvoke-(?:webrequest|expression|restmethod)\b|\biex\b|\bhistory -c\b|",
        r"\bunset histfile\b|\bgit remote (?:add|set-url)\b|\bgit push (?:--(?:all|mirror|force)|-f)\b|",
        r"\bgit config --global\b|\bgit clone (?:-\S+ )*(?:https?://|git@)|\bscp (?:-\S+ )*\S+ \S+@?\S*:|",
        r"\brsync .{1,60}:|\bssh (?:-\S+ )*\S+@\S+|\bbase64 (?:-d|--decode)\b|\bos\.system\b|\bsubprocess\.|",
        r"\beval\(|\bexec\(|\bcrontab\b|\bmkfs\b|\bdd if=|\bsystemctl (?:stop|disable|mask)|\bufw disable\b|",
        r"\bsetenforce 0\b|\bkill -9\b|\bpkill\b|\biptables -f\b|\bnpx (?:-y |--yes )|\bdocker run\b.{0,40}(?:-v |",
        r"--privileged)|>>? ?~?/?\S*(?:authorized_keys|bashrc|profile|zshrc|crontab)\b|\btar c\w* .{0,60}\||",
        r"\bcat (?:~|/etc/|\$home)\S*",
    );
    // A secret environment variable, and reading it.
    Variable = r"\$\{?\w*(?:secret|token|api_?key|passw|credential)\w*|\bprocess\.env\b|\bos\.environ\b";
    Takes = concat!(
        r"\b(?:retrieve|read|get|print|echo|copy|collect|take|obtain|extract|dump|grab|look up|send|append|",
        r"attach|include|write|save|store|paste)\b",
    );
    TakesNow = concat!(
        r"(?:^[^a-z]*|[,;:]\s+|\b(?:then|and|also|please|kindly|first|must|should|shall|to) )(?:retrieve|read|get|",
        r"print|echo|copy|collect|take|obtain|extract|dump|grab|look up|send|append|attach|include)\b",
    );
    Never = concat!(
        r"\b(?:never|do(?: no|n'?)t|must(?: no|n'?)t|should(?: no|n'?)t|can(?: ?no|n'?)t|not|avoid\w*|refus\w+|",
        r"block\w*|",
        r"reject\w*|forbid\w*|prevent\w*|disallow\w*|without|instead of|rather than|unlike)\b[^.;,:]{0,40}$",
    );
    Still = r"\b(?:forget|fail|hesitate|omit|skip|mind)\b";
    // Sending data to an address, and visiting an address.
    Sends = concat!(
        r"\b(?:send|post|upload|submit|forward|transmit|push|report|relay|e-?mail|back up|",
        r"deliver|pipe)\b",
    );
    Payload = concat!(
        r"\b(?:all|every|entire|whole|full|complete|files?|histor(?:y|ies)|conversations?|contents?|outputs?|",
        r"results?|",
        r"messages?|data|transcripts?|logs?|summary|prompts?|quer(?:y|ies)|repositor(?:y|ies)|director(?:y|ies)|",
        r"folders?|answers?|context|config\S*|settings|environment|credentials?|keys?|secrets?|\w+\.(?:json|ya?ml|",
        r"toml|env|db|sqlite|csv|txt|pem))\b",
    );
    All = r"\b(?:all|every|each|entire|whole|full|complete)\b";
    Visits = concat!(
        r"(?:^[^a-z]*|[,;:]\s+|\b(?:then|and|also|please|kindly|first|must|should|shall|to|you|you to|always|now|",
        r"next|ensure|that|agents?|models?|assistants?) )[`'\x22(]?(?:you )?(?:visit|open|fetch|download|load|",
        r"browse|clone|",
        r"navigate to|go to|get|retrieve|request|call|ping|contact|access|query|pull|import|read)\b|",
        r"\bby (?:visiting|opening|fetching|downloading|loading|calling|requesting|cloning)\b",
    );
    Address = r"\b(?:https?|ftp|wss?)://[^\s)\x22'`]+";
    ManualAt = concat!(
        r"://(?:docs?|help|support|developers?|learn|wiki|www\.w3|en\.wikipedia|man|api-docs)\.|://[^\s]*(?:docs?|",
        r"guide|reference|manual|wiki|help|readme|settings|account|sign-?up|register|console|dashboard|tokens?|",
        r"keys|pricing|licen[sc]e|terms|schema|spec|rfc|issues|releases|login|oauth|auth)\b|",
        r"://(?:localhost|127\.|\[::1|(?:[a-z0-9-]+\.)*example\.(?:com|org|net)/?(?:\s|$))",
    );
    Bare = r"://\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}";
    Carries = r"://[^\s]*[?/=][^\s]*(?:[<{\[]|\$\{?|%s)";
    Obeys = concat!(
        r"\b(?:and|then|to)\b.{0,24}\b(?:follow|run|execute|start|obey|launch|apply|eval(?:uate)?|install|carry out|",
        r"comply|do what|act on|source)\b",
    );
    // Installing packages.
    Installs = concat!(
        r"\b(?:pip3?|pipx|npm|yarn|pnpm|gem|cargo|go|brew|apt(?:-get)?|uv(?: pip)?|conda|dnf|yum|apk|choco) ",
        r"(?:install|add|i|get) \S|\binstall the (?:\w+ )?(?:package|extension|plugin|dependency|module)\b",
    );
    YouMust = concat!(
        r"\byou (?:must|have to|need to|should|are required to)\b|\b(?:model|assistant|agent)s? (?:must|should|has ",
        r"to)\b|\brequires? (?:that )?(?:you|the (?:model|assistant|agent|caller))\b|\b(?:before|after|",
        r"when(?:ever)?) (?:you (?:use|call|continue)|using|calling)\b",
    );
    // Inserting the attacker's content into everything that is written.
    Plants = concat!(
        r"\b(?:add|insert|append|put|include|write|embed|place)\b .{1,80}\b(?:to|into|in|at the (?:top|end|bottom|",
        r"beginning) of) (?:every|each|all|any)\b.{0,24}\b(?:files?|scripts?|commits?|pages?|repositor\w+|",
        r"documents?|",
        r"messages?|e-?mails?|repl(?:y|ies)|responses?|answers?|functions?|modules?)\b",
    );
    Beside = r"\balso\b|\bthat you\b|\byou (?:edit|write|create|send|make|generate)\b|\bsilently\b";
    Phishes = concat!(
        r"\b(?:tell|ask|instruct|have|get|convince|prompt|request) the user\b.{0,24}\b(?:paste|enter|type|send|",
        r"share|",
        r"give|reveal|provide|disclose|hand over|upload|confirm)\b.{0,40}\b(?:passwords?|passphrases?|seed phrases?|",
        r"private keys?|credit cards?|card numbers?|pins?|one-time codes?|2fa|otp|recovery codes?|social security)\b",
    );
    // Calling other tools.
    ToolCalled = concat!(
        r"\b(?:call|invoke|trigger|use|run|launch|execute)\b (?:on )?(?:the |a )?(?:mcp )?(?:tool|function|",
        r"server)s? ",
        r"(?:named |called )?[`'\x22]?[a-z0-9]+(?:[_.-][a-z0-9_]+)+",
    );
    InsteadOf = concat!(
        r"\b(?:instead of|rather than|in place of) (?:us(?:e|ing) |",
        r"call(?:ing)? )?[`'\x22]?[a-z0-9]+(?:_[a-z0-9]+)+[`'\x22]?,? .{0,24}\b(?:call|use|",
        r"invoke|run)\b",
    );
    Retargets = concat!(
        r"\b(?:change|set|replace|modify|alter|redirect|swap|rewrite|overwrite|substitute)\b .{1,80}\b(?:in|of|",
        r"for|on|",
        r"to|when calling) (?:the )?(?:tool|server|(?:create|send|transfer|pay|post|write|push|update|delete|",
        r"merge|call|",
        r"publish|invite|book|buy|order|move|execute|run)_[a-z0-9_]+)\b",
    );
    OthersServer = concat!(
        r"\b(?:do not|don'?t|never|avoid|stop) (?:use|using|call|calling|trust|trusting)\b.{0,40}\b(?:of|from|",
        r"on|by) ",
        r"(?:the |any |an)?other (?:mcp )?servers?\b",
    );
    // Typical explanations of a parameter: the command to execute, the address to open.
    ToBeGiven = concat!(
        r"\b(?:commands?|scripts?|code|quer(?:y|ies)|programs?|sql|expressions?|files?|urls?|address(?:es)?|",
        r"pages?|links?|",
        r"text|path|content|data|action|name|arguments?|statements?) to (?:be )?(?:run|execut\w+|invok\w+|visit\w*|",
        r"open\w*|fetch\w*|download\w*|read|load\w*|send|sent|upload\w*|call\w*|delet\w+|writ\w+|navigate|post\w*)\b",
    );
    Instance = concat!(
        r"(?:^|[\s(])(?:e\.g\.?|examples?:|for example|for instance|such as|like:?|usage:|defaults?(?::| is| to)|",
        r"samples?:|in the form)[\s,:]",
    );
    Place = PLACE;
    Worth = WORTH;
}

/// The codes of what a lower-case sentence orders.
pub(super) fn of_sentence(sentence: &str, own: &[&str]) -> Vec<&'static str> {
    static ALL: OnceLock<Option<Vec<Regex>>> = OnceLock::new();
    let all = ALL.get_or_init(|| PATTERNS.iter().map(|pattern| compiled(pattern)).collect());
    let Some(all) = all else { return vec!["text.instruction"] };
    let is_in = |act: Act, text: &str| all.get(act as usize).is_some_and(|regex| regex.is_match(text));
    let has = |act: Act| is_in(act, sentence);
    // The part of the sentence before the command line.
    let head = all.get(Act::Line as usize).and_then(|line| line.find(sentence));
    let head = head.and_then(|line| sentence.get(..line.start()));
    let commands = head.is_some_and(|head| !is_in(Act::Never, head) || is_in(Act::Still, head));
    let must = has(Act::Must);
    let explains = (has(Act::ToBeGiven) || has(Act::Instance)) && !has(Act::YouMust);
    let mut codes = Vec::new();
    if !explains && (runs(&has, must, commands) || moves(&has, must) || has(Act::Phishes)) {
        codes.push("text.order");
    }
    let names_own =
        own.iter().any(|name| name.contains(['_', '-', '.']) && sentence.contains(&name.to_lowercase()));
    let steered = has(Act::ToolCalled) && (must || has(Act::Time))
        || has(Act::InsteadOf)
        || has(Act::Retargets) && (must || has(Act::Time))
        || has(Act::OthersServer);
    if steered && !names_own {
        codes.push("text.cross_tool");
    }
    codes
}

/// Runs a command line, installs something, or inserts code everywhere.
fn runs(has: &impl Fn(Act) -> bool, must: bool, commands: bool) -> bool {
    (commands && (must || has(Act::Runs)))
        || (has(Act::Installs) && has(Act::YouMust) && has(Act::Time))
        || (has(Act::Plants) && (has(Act::Beside) || must))
}

/// Sends data away or visits an address.
fn moves(has: &impl Fn(Act) -> bool, must: bool) -> bool {
    let ordered = must || has(Act::Time);
    let to_manual = has(Act::ManualAt) && !has(Act::Carries);
    let address = has(Act::Address);
    (has(Act::Variable) && (has(Act::Takes) && ordered || has(Act::TakesNow)))
        || (address
            && has(Act::Sends)
            && (has(Act::Payload) || has(Act::Worth))
            && (ordered || has(Act::All)))
        || (address
            && has(Act::Visits)
            && ((must && !to_manual) || has(Act::Obeys) && (ordered || has(Act::Bare))))
        || (address && has(Act::Carries) && ordered)
        || (has(Act::Model) && has(Act::Takes) && (has(Act::Worth) || has(Act::Place)))
        || (has(Act::Model) && has(Act::Worth) && has(Act::Sends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert!(PATTERNS.iter().all(|pattern| compiled(pattern).is_some()));
    }
}
