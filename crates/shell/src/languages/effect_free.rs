//! Whether a snippet only computes and prints: every name in it is a keyword, its own, or listed here.
//!
//! Code that was read whole and holds nothing but these is LOW. A name that isn't listed proves nothing, and neither
//! does a loop without end. Sources: the library references of Python 3.12, ECMAScript 2023 and Node 20, Ruby 3.3,
//! Perl 5.38 and PHP 8.3.

use std::collections::HashSet;

use super::tokens::Token;

/// Names of a language, separated by spaces.
struct Names {
    /// Reserved words and constants.
    words: &'static str,
    /// Functions that compute or print.
    calls: &'static str,
    /// Modules and objects all of whose listed members compute.
    modules: &'static str,
    /// Members, called or not.
    members: &'static str,
    /// Marks in a text that stand for code.
    holes: &'static [&'static str],
}

const PYTHON: Names = Names {
    words: "and as assert async await break class continue def del elif else except finally for from \
        global if import in is lambda nonlocal not or pass raise return try while with yield match \
        case True False None Exception ValueError TypeError KeyError IndexError ArithmeticError \
        ZeroDivisionError StopIteration AssertionError RuntimeError self cls",
    calls: "abs all any ascii bin bool bytearray bytes callable chr complex dict divmod enumerate \
        filter float format frozenset hash hex id int isinstance issubclass iter len list map max \
        min next oct ord pow print range repr reversed round set slice sorted str sum super tuple \
        type zip",
    modules: "sys json math cmath re datetime time random string itertools functools collections \
        textwrap statistics decimal fractions hashlib hmac base64 binascii uuid calendar operator \
        zlib unicodedata difflib heapq bisect copy enum dataclasses typing pprint struct colorsys \
        numbers array html ast keyword",
    members: "version version_info platform argv maxsize byteorder executable stdout stderr write \
        flush dumps loads pi e tau inf nan sqrt floor ceil log log2 log10 exp sin cos tan atan atan2 \
        asin acos degrees radians factorial gcd lcm comb perm prod isclose hypot fsum isnan isinf \
        fabs trunc modf findall search match fullmatch sub subn split compile finditer escape group \
        groups groupdict start end span IGNORECASE MULTILINE DOTALL VERBOSE datetime date timedelta \
        timezone now utcnow today fromisoformat isoformat strftime strptime timestamp fromtimestamp \
        utc year month day hour minute second weekday isoweekday total_seconds days seconds time \
        perf_counter monotonic sleep gmtime localtime random randint choice choices shuffle sample \
        uniform seed randrange ascii_letters ascii_lowercase ascii_uppercase digits punctuation \
        hexdigits chain product permutations combinations count cycle repeat accumulate groupby \
        islice zip_longest starmap takewhile dropwhile reduce partial lru_cache cache wraps Counter \
        defaultdict OrderedDict deque namedtuple most_common dedent indent wrap fill shorten mean \
        median mode stdev variance pstdev Decimal Fraction getcontext prec quantize sha1 sha256 \
        sha512 md5 blake2b new hexdigest digest update b64encode b64decode urlsafe_b64encode hexlify \
        unhexlify uuid1 uuid4 uuid5 hex itemgetter attrgetter add mul compress decompress crc32 \
        normalize name category heappush heappop nlargest nsmallest bisect_left insort deepcopy copy \
        dataclass field Enum auto pprint pformat pack unpack calcsize literal_eval append extend \
        insert remove pop index sort reverse clear items keys values get setdefault join strip \
        lstrip rstrip upper lower title capitalize swapcase replace startswith endswith find rfind \
        splitlines partition rpartition zfill ljust rjust center isdigit isalpha isalnum isupper \
        islower isspace isnumeric encode decode format translate maketrans expandtabs casefold \
        removeprefix removesuffix bit_length to_bytes from_bytes real imag conjugate numerator \
        denominator as_integer_ratio fromhex union intersection difference issubset issuperset \
        discard fromkeys month_name monthrange isleap unescape escape date astimezone List Dict Set \
        Tuple Optional Any Union Callable Iterable kwlist iskeyword",
    holes: &["{"],
};

const JAVASCRIPT: Names = Names {
    words: "const let var function return if else for of in while do switch case break continue \
        default new typeof instanceof void null undefined true false this class extends super static \
        get set try catch finally throw async await yield NaN Infinity",
    calls: "parseInt parseFloat isNaN isFinite String Number Boolean Array Object BigInt Symbol Date \
        RegExp Map Set WeakMap WeakSet Error TypeError RangeError encodeURIComponent \
        decodeURIComponent encodeURI decodeURI structuredClone btoa atob Promise Intl",
    modules: "console Math JSON Number String Object Array Date Buffer performance Reflect",
    members: "log error warn info table dir debug time timeEnd PI E LN2 LN10 SQRT2 abs max min floor \
        ceil round sqrt cbrt pow sin cos tan atan atan2 asin acos exp log2 log10 random sign trunc \
        hypot stringify parse length map filter reduce reduceRight forEach some every find findIndex \
        findLast includes indexOf lastIndexOf join split slice splice concat push pop shift unshift \
        sort reverse flat flatMap fill keys values entries assign freeze fromEntries isArray from of \
        toString toFixed toPrecision toLowerCase toUpperCase trim trimStart trimEnd padStart padEnd \
        repeat replace replaceAll match matchAll test exec charAt charCodeAt codePointAt \
        fromCharCode fromCodePoint startsWith endsWith substring substr at localeCompare normalize \
        now toISOString toLocaleString toLocaleDateString toJSON getTime getFullYear getMonth \
        getDate getDay getHours getMinutes getSeconds UTC isInteger isSafeInteger isFinite isNaN \
        MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE EPSILON parseFloat parseInt size has get set add \
        delete clear then catch finally resolve all byteLength alloc message name hasOwn is \
        getOwnPropertyNames NumberFormat DateTimeFormat",
    holes: &["${"],
};

/// Parts of Ruby's library whose loading does nothing else.
const RUBY_MODULES: [&str; 7] = ["json", "date", "time", "set", "digest", "securerandom", "bigdecimal"];

const RUBY: Names = Names {
    words: "BEGIN END begin break case class def do else elsif end ensure false for if in module \
        next nil not or and redo rescue return self super then true unless until when while yield",
    calls: "puts print p pp printf format sprintf putc Integer Float String Array Hash Rational \
        Complex rand srand lambda proc raise require freeze",
    modules: "Math Time Date Integer Float String Array Hash Struct Set Comparable Kernel JSON \
        RUBY_VERSION RUBY_PLATFORM Range Random Rational Complex BigDecimal SecureRandom Digest",
    members: "map collect each each_with_index each_with_object each_slice each_cons select filter \
        reject reduce inject sum min max minmax sort sort_by reverse first last take drop zip \
        flatten compact uniq group_by partition tally count size length empty? include? any? all? \
        none? find detect index join split strip lstrip rstrip chomp chop upcase downcase capitalize \
        swapcase gsub sub tr delete squeeze scan match match? start_with? end_with? chars bytes \
        lines to_s to_i to_f to_a to_h to_sym inspect times upto downto step succ pred abs floor \
        ceil round divmod gcd lcm pow even? odd? zero? positive? negative? digits keys values key? \
        value? fetch merge transform_values transform_keys to_proc push pop shift unshift append \
        prepend insert concat product permutation combination cycle rotate shuffle sample transpose \
        dig new now today year month day hour min sec strftime parse generate pretty_generate hex \
        uuid hexdigest sqrt sin cos tan log exp PI E ljust rjust center ord chr hash nil? is_a? \
        class dup clone freeze frozen? then tap lazy with_index filter_map flat_map each_char sum \
        iso8601",
    holes: &["#{"],
};

const PERL: Names = Names {
    words: "my our local sub if elsif else unless while until for foreach return last next redo and \
        or not xor eq ne lt gt le ge cmp x use no strict warnings feature say utf8 qw BEGIN END \
        undef List Util",
    calls: "print printf say sprintf join split map grep sort reverse push pop shift unshift splice \
        keys values each exists delete defined length substr index rindex uc lc ucfirst lcfirst chr \
        ord hex oct abs int sqrt sin cos atan2 exp log rand srand time localtime gmtime scalar \
        wantarray ref chomp chop sum max min first reduce uniq shuffle pos quotemeta tr y lc die \
        warn",
    modules: "",
    members: "",
    holes: &["@{", "${"],
};

const PHP: Names = Names {
    words: "echo print if else elseif for foreach as while do switch case break continue return \
        function fn true false null new array list and or xor TRUE FALSE NULL PHP_EOL PHP_VERSION \
        PHP_INT_MAX M_PI JSON_PRETTY_PRINT",
    calls: "strlen count implode explode join trim ltrim rtrim strtoupper strtolower ucfirst ucwords \
        str_replace substr strpos strrev str_repeat str_pad sprintf printf number_format json_encode \
        json_decode var_dump print_r var_export array_map array_filter array_reduce array_sum \
        array_keys array_values array_merge array_slice array_unique array_flip in_array sort rsort \
        asort ksort range max min abs floor ceil round sqrt pow intdiv rand mt_rand random_int date \
        time strtotime mktime microtime md5 sha1 hash base64_encode base64_decode bin2hex hex2bin \
        dechex hexdec bindec decbin ord chr is_array is_string is_int is_numeric intval floatval \
        strval preg_match preg_replace preg_split phpversion htmlspecialchars urlencode urldecode \
        uniqid str_contains str_starts_with nl2br wordwrap similar_text levenshtein gettype",
    modules: "",
    members: "",
    holes: &["{$", "${"],
};

fn of(language: &str) -> Option<&'static Names> {
    Some(match language {
        "python" | "python3" => &PYTHON,
        "javascript" | "node" => &JAVASCRIPT,
        "ruby" => &RUBY,
        "perl" => &PERL,
        "php" => &PHP,
        _ => return None,
    })
}

/// Whether a function of a language only computes or prints.
pub(super) fn computes(language: &str, name: &str) -> bool {
    of(language).is_some_and(|names| lists(names.calls, name))
}

fn lists(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|own| own == name)
}

/// `f"…"` and `t"…"`, also raw.
fn fills_in(text: &str) -> bool {
    text.match_indices(['"', '\'']).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let before = before.strip_suffix(['r', 'R']).unwrap_or(before);
        before.ends_with(['f', 'F', 't', 'T'])
    })
}

/// Whether the code of a language, and its tokens, hold nothing but what is listed.
pub(super) fn only_computes(language: &str, text: &str, tokens: &[Token]) -> bool {
    let Some(names) = of(language) else { return false };
    if text.trim().is_empty() || text.contains('…') || tokens.len() > 4096 {
        return false;
    }
    // A text that the language fills in: Python's only with the letter in front.
    let filled = language != "python" || fills_in(text);
    let own = bound(tokens);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match token {
            Token::Command(_) => return false,
            Token::Text(value) if filled && names.holes.iter().any(|hole| value.text.contains(hole)) => {
                return false;
            }
            // `<>` of Perl reads files.
            Token::Mark('<') if language == "perl" && tokens.get(at + 1).is_some_and(|next| next.is('>')) => {
                return false;
            }
            Token::Mark('(') if starts_endless(tokens, at) => return false,
            Token::Name(name) => match imported(language, names, tokens, at) {
                Some(0) => return false,
                Some(used) => {
                    at += used;
                    continue;
                }
                // A key of an object.
                None if matches!(language, "javascript" | "node")
                    && tokens.get(at + 1).is_some_and(|next| next.is(':')) => {}
                None if !is_listed(name, names, &own, before, tokens.get(at.wrapping_sub(2))) => {
                    return false;
                }
                None if name == "while" && tokens.get(at + 1).is_some_and(is_always) => return false,
                None => {}
            },
            _ => {}
        }
        at += 1;
    }
    true
}

fn is_listed(
    name: &str,
    names: &Names,
    own: &HashSet<&str>,
    before: Option<&Token>,
    behind: Option<&Token>,
) -> bool {
    let bare = name.trim_start_matches(['$', '@', '%', '&']);
    if bare.starts_with("__") {
        return false;
    }
    let arrow = before.is_some_and(|token| token.is('>')) && behind.is_some_and(|token| token.is('-'));
    let scope = before.is_some_and(|token| token.is(':')) && behind.is_some_and(|token| token.is(':'));
    if before.is_some_and(|token| token.is('.')) || arrow || scope {
        return lists(names.members, bare);
    }
    lists(names.words, bare)
        || own.contains(name)
        || own.contains(bare)
        || lists(names.calls, bare)
        || lists(names.modules, bare)
        // `$_`, `$a` and `$b` of Perl; a keyword argument or key is bound by its `=` or `:`.
        || name != bare && matches!(bare, "_" | "a" | "b" | "")
}

/// How many tokens an import takes; `Some(0)` if it imports what isn't listed, `None` if it is none.
fn imported(language: &str, names: &Names, tokens: &[Token], at: usize) -> Option<usize> {
    let name = tokens.get(at)?.name()?;
    match (language, name) {
        ("python" | "python3", "import" | "from") => {
            let end = tokens.iter().skip(at).position(|token| matches!(token, Token::Line) || token.is(';'));
            let end = end.unwrap_or(tokens.len() - at);
            let words: Vec<&str> = tokens.get(at + 1..at + end)?.iter().filter_map(Token::name).collect();
            let modules: Vec<&str> = match name {
                "from" => words.first().copied().into_iter().collect(),
                _ => words
                    .iter()
                    .enumerate()
                    .filter(|(place, word)| {
                        **word != "as" && (*place == 0 || words.get(place - 1) != Some(&"as"))
                    })
                    .map(|(_, word)| *word)
                    .collect(),
            };
            let star = tokens.get(at..at + end)?.iter().any(|token| token.is('*'));
            let listed =
                !star && !modules.is_empty() && modules.iter().all(|module| lists(names.modules, module));
            Some(if listed { end } else { 0 })
        }
        ("javascript" | "node", "import" | "export" | "require") => Some(0),
        ("ruby", "require") => {
            let listed = match tokens.get(at + 1) {
                Some(Token::Text(module)) => RUBY_MODULES.contains(&module.text.as_str()),
                _ => false,
            };
            Some(if listed { 2 } else { 0 })
        }
        _ => None,
    }
}

/// Names that the code itself gives to values, functions and parameters.
fn bound(tokens: &[Token]) -> HashSet<&str> {
    let mut own = HashSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = token.name() else { continue };
        let next = |step: usize| tokens.get(at + step);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_member = before.is_some_and(|token| token.is('.'));
        let assigned = next(1).is_some_and(|mark| mark.is('='))
            && !next(2).is_some_and(|mark| mark.is('=') || mark.is('~'));
        let follows = before.and_then(Token::name).is_some_and(|word| {
            matches!(
                word,
                "for"
                    | "as"
                    | "def"
                    | "lambda"
                    | "class"
                    | "function"
                    | "const"
                    | "let"
                    | "var"
                    | "my"
                    | "foreach"
                    | "catch"
            )
        });
        // `a, b =`, `for a, b in`, `(a, b) =>`, `|a, b|`, `lambda a, b:` and parameter lists.
        let listed = before.is_some_and(|mark| mark.is(',') || mark.is('(') || mark.is('|'))
            && next(1).is_some_and(|mark| {
                mark.is(',') || mark.is(')') || mark.is('|') || mark.is(':') || mark.name() == Some("in")
            })
            && is_parameter(tokens, at);
        let arrow = next(1).is_some_and(|mark| mark.is('=')) && next(2).is_some_and(|mark| mark.is('>'));
        if !is_member && (assigned || follows || listed || arrow) {
            own.insert(name);
        }
    }
    own
}

/// How many tokens of a list of parameters are looked through: each name looks through them again.
const LONGEST_LIST: usize = 512;

/// Whether a name stands in a list that binds: parameters of a function, a block or a loop.
fn is_parameter(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(LONGEST_LIST);
    let start = tokens
        .get(from..at)
        .unwrap_or_default()
        .iter()
        .rposition(|token| !(token.is(',') || token.name().is_some_and(|name| !is_binder(name))))
        .map(|start| from + start);
    let binds_before = start
        .and_then(|start| tokens.get(start))
        .is_some_and(|token| token.is('|') || token.name().is_some_and(is_binder));
    let opens = start.and_then(|start| tokens.get(start)).is_some_and(|token| token.is('('));
    let named = opens && {
        let start = start.unwrap_or_default();
        let words = |back: usize| start.checked_sub(back).and_then(|at| tokens.get(at)).and_then(Token::name);
        matches!(words(1), Some("function" | "catch")) || matches!(words(2), Some("def" | "function"))
    };
    let close = tokens.iter().skip(at).take(LONGEST_LIST).position(|token| token.is(')'));
    let close = close.map(|end| at + end);
    let arrow = close.is_some_and(|close| {
        opens
            && tokens.get(close + 1).is_some_and(|token| token.is('='))
            && tokens.get(close + 2).is_some_and(|token| token.is('>'))
    });
    binds_before || named || arrow
}

fn is_binder(name: &str) -> bool {
    matches!(name, "for" | "lambda" | "const" | "let" | "var" | "my")
}

fn is_always(token: &Token) -> bool {
    matches!(token, Token::Number(number) if number != "0")
        || token.name().is_some_and(|name| matches!(name, "True" | "true"))
        || token.is('(')
}

/// `for (;;)` and `while (true)`.
fn starts_endless(tokens: &[Token], at: usize) -> bool {
    let word = at.checked_sub(1).and_then(|at| tokens.get(at)).and_then(Token::name);
    match word {
        Some("for") => tokens.get(at + 1).is_some_and(|token| token.is(';')),
        Some("while") => tokens.get(at + 1).is_some_and(|token| is_always(token) && !token.is('(')),
        _ => false,
    }
}
