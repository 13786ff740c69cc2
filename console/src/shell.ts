// Which tokens of a shell command a person has to look at twice. The service judges; this only says where to look: programs
// in command position and never words of a text, so that `echo "rm -rf /"` isn't marked and `r\m -rf /` is.

export type Span = [number, number];
interface Token { at: number; end: number; text: string; op: boolean }

const OPERATORS = ["<<<", "&>>", "<<-", "&&", "||", "|&", ";;", ">>", ">|", "&>", ">&", "<<", "<>", "<(", ">(", "|", "&", ";", "<", ">", "(", ")"];

// Words with their quotes taken off and operators, substitutions opened where they stand.
function tokens(text: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  let word: { at: number; text: string } | null = null;
  // What is open around here: a substitution, or double quotes.
  const open: string[] = [];
  const flush = () => { if (word) out.push({ at: word.at, end: at, text: word.text, op: false }); word = null; };
  const add = (piece: string, length: number) => { word ??= { at, text: "" }; word.text += piece; at += length; };
  const op = (piece: string) => { flush(); out.push({ at, end: at + piece.length, text: piece, op: true }); at += piece.length; };
  while (at < text.length) {
    const here = text[at] ?? "";
    const quoted = open.at(-1) === '"';
    if (text.startsWith("$(", at) && !text.startsWith("$((", at)) { op("$("); open.push(")"); continue; }
    if (here === "`") {
      if (open.at(-1) === "`") { op("`"); open.pop(); } else { op("`"); open.push("`"); }
      continue;
    }
    if (here === "\\") {
      if (text[at + 1] === "\n") { at += 2; continue; }
      add(text[at + 1] ?? "", 2);
      continue;
    }
    if (here === '"') {
      if (quoted) open.pop(); else open.push('"');
      add("", 1);
      continue;
    }
    if (quoted) { add(here, 1); continue; }
    if (here === "'" || text.startsWith("$'", at)) {
      const from = at + (here === "'" ? 1 : 2);
      const to = text.indexOf("'", from);
      add(text.slice(from, to < 0 ? text.length : to), (to < 0 ? text.length : to + 1) - at);
      continue;
    }
    if (here === "\n") { op("\n"); continue; }
    if (/\s/.test(here)) { flush(); at += 1; continue; }
    if (here === "#" && !word) { while (at < text.length && text[at] !== "\n") at += 1; continue; }
    const operator = OPERATORS.find((one) => text.startsWith(one, at));
    if (operator) {
      // `2>` is one operator.
      op(operator);
      if (operator === ")" && open.at(-1) === ")") open.pop();
      else if (operator.endsWith("(")) open.push(")");
      continue;
    }
    add(here, 1);
  }
  at = Math.min(at, text.length);
  flush();
  return out;
}

const set = (words: string) => new Set(words.split(" "));
const INTERPRETERS = set("sh bash zsh dash ksh ash fish csh tcsh busybox python python2 python3 perl ruby node nodejs deno bun php lua tclsh osascript pwsh powershell eval source . xargs parallel at batch psql mysql sqlite3");
const DANGEROUS = set("rm rmdir unlink shred dd wipefs fdisk parted sudo doas su pkexec run0 eval source . chmod chown chattr setfacl kill pkill killall curl wget nc ncat netcat socat telnet ssh scp sftp rsync ftp base64 base32 xxd crontab at systemctl service iptables nft mount umount insmod modprobe reboot shutdown halt poweroff truncate passwd useradd usermod visudo docker podman kubectl nsenter chroot unshare ptrace gdb");
const WRAPPERS = set("sudo doas env nohup time nice ionice timeout stdbuf setsid exec command builtin xargs run0 pkexec strace busybox watch parallel unbuffer then do else elif if while until ! {");
const STARTS = new Set(["|", "|&", "||", "&&", ";", ";;", "&", "(", "$(", "`", "<(", ">(", "\n"]);
const SENSITIVE = /(^|\/)(\.ssh|\.aws|\.gnupg|\.kube|id_(rsa|dsa|ecdsa|ed25519)|\.env(\.\w+)?|shadow|sudoers|authorized_keys|\.(bashrc|bash_profile|profile|zshrc|netrc|npmrc|pypirc)|\.git\/hooks)(\/|$)|^\/dev\/(tcp|udp|sd|nvme|mem|kmem)|^\/proc\/\d+\/(mem|environ)/;
const FLAGS = /^(--force(-with-lease)?|--no-verify|--no-preserve-root|--hard|--recursive|--privileged|--upload-file|--insecure|--dangerously-\S+|--unsafe-\S+|-delete|-exec|-execdir|-ok)$/;

const base = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
const interprets = (program: string): boolean => INTERPRETERS.has(program) || /^(python|perl|ruby|node|php)[\d.]+$/.test(program);

// The program of a simple command, behind assignments and wrappers with their options; every one of them by its place.
function programs(words: Token[]): Token[] {
  const out: Token[] = [];
  let wrapped = true;
  let value = false;
  for (const word of words) {
    if (!wrapped) break;
    if (value) { value = false; continue; }
    if (/^[A-Za-z_]\w*\+?=/.test(word.text)) continue;
    // Options and times of a wrapper.
    if (out.length > 0 && (/^-/.test(word.text) || /^[\d.]+[smhd]?$/.test(word.text))) { value = /^-[ugnsIPkCaDLE]$/.test(word.text); continue; }
    out.push(word);
    wrapped = WRAPPERS.has(base(word.text));
  }
  return out;
}

export function marks(text: string): Span[] {
  const all = tokens(text);
  const out: Span[] = [];
  const mark = (token: Token | undefined) => { if (token) out.push([token.at, token.end]); };
  let words: Token[] = [];
  let before: Token | null = null;
  const simple = () => {
    const own = programs(words);
    const last = own.at(-1);
    for (const program of own) {
      const name = base(program.text);
      if (DANGEROUS.has(name) || name.startsWith("mkfs")) mark(program);
    }
    if (last && before && (before.text === "|" || before.text === "|&" || before.text === "<(") && own.some((one) => interprets(base(one.text)))) { mark(before); for (const one of own) if (interprets(base(one.text))) mark(one); }
    const names = new Set(own.map((one) => base(one.text)));
    for (const word of words) {
      const inline = own.some((one) => interprets(base(one.text))) && /^-\w*[ce]$/.test(word.text);
      if (inline) { mark(word); mark(last); }
      if (FLAGS.test(word.text) || SENSITIVE.test(word.text)) mark(word);
      if (names.has("rm") && (/^-\w*[rRf]/.test(word.text) || /^(\/|\/\*|~\/?|\$HOME\/?|\.\.?\/?|\*)$/.test(word.text))) mark(word);
      if (names.has("chmod") && /^(0?[0-7]?777|[ugoa]*\+\w*s|[246]\d{3}|-R)$/.test(word.text)) mark(word);
      if ((names.has("curl") || names.has("wget")) && /^(@|-T$|-d$|-F$|-k$|--data|--post-file|--form)/.test(word.text)) mark(word);
      if (names.has("git") && word.text === "-f") mark(word);
    }
    words = [];
  };
  for (let at = 0; at < all.length; at += 1) {
    const token = all[at];
    if (!token) continue;
    if (!token.op) { words.push(token); continue; }
    if (STARTS.has(token.text)) {
      simple();
      // What a substitution gives runs as a program.
      if ((token.text === "$(" || token.text === "`") && (words.length === 0) && (!before || before.end <= token.at) && (at === 0 || all[at - 1]?.op)) mark(token);
      before = token;
      continue;
    }
    if (token.text.includes(">")) {
      const target = all[at + 1];
      if (target && !target.op && !/^(&?\d+|\/dev\/(null|stdout|stderr|tty))$/.test(target.text) && (/^(\/|~|\.\.|\$)/.test(target.text) || SENSITIVE.test(target.text))) { mark(token); mark(target); }
      if (target && !target.op) at += 1;
      continue;
    }
    if (token.text === "<<<" || token.text.startsWith("<<")) { if (programs(words).some((one) => interprets(base(one.text)))) { mark(token); for (const one of programs(words)) mark(one); } continue; }
    if (token.text === "<") { const target = all[at + 1]; if (target && SENSITIVE.test(target.text)) mark(target); at += 1; continue; }
    if (token.text === ")") simple();
  }
  simple();
  return [...new Map(out.map((span) => [span[0], span])).values()].sort((one, other) => one[0] - other[0]);
}

const CALLS = /\b(eval|exec|execfile|compile|__import__|system|popen|spawn(?:Sync)?|exec(?:File)?(?:Sync)?|fork|subprocess|child_process|ctypes|pickle|marshal|rmtree|unlink(?:Sync)?|rm(?:Sync)?|rmdir(?:Sync)?|remove|socket|urlopen|urllib|requests|fetch|setuid|chmod)\b(?=\s*[.(])/g;

// The same for code of another language: calls that run, delete or reach out.
export const calls = (text: string): Span[] => [...text.matchAll(CALLS)].map((found): Span => [found.index, found.index + found[0].length]);

// Words of a command that are paths, for whoever resolves them.
export const words = (text: string): string[] => tokens(text).filter((token) => !token.op).map((token) => token.text);
