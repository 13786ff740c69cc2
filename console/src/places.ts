// Where a value leads: the host that a URL really names, and the folder that a path really ends in. Text alone; what the
// service resolved (links, addresses) is shown with the call's effects.

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>|;)\\\]}]+/gi;
const HOSTS = /^(host|hostname|address|addr|server|domain|ip|origin|endpoint)$/i;
const PATHS = /(^|_)(path|paths|file|files|filename|file_path|dir|directory|folder|cwd|source|src|dest|destination|target|to|from|root|output|out)$/i;

// Values under such a name have one line.
export const oneLine = (name: string): boolean => HOSTS.test(name) || PATHS.test(name) || /^(url|uri|href|link)s?$/i.test(name);

// Bootstring, RFC 3492: what a label of letters beyond ASCII says.
function unpuny(label: string): string {
  const out: number[] = [];
  const cut = label.lastIndexOf("-");
  for (const letter of cut > 0 ? label.slice(0, cut) : "") out.push(letter.charCodeAt(0));
  let [n, bias, i] = [128, 72, 0];
  for (let at = cut > 0 ? cut + 1 : 0; at < label.length;) {
    const before = i;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = label.charCodeAt(at);
      at += 1;
      const value = digit >= 48 && digit < 58 ? digit - 22 : digit >= 97 && digit < 123 ? digit - 97 : digit >= 65 && digit < 91 ? digit - 65 : -1;
      if (value < 0) return label;
      i += value * weight;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = out.length + 1;
    let delta = before === 0 ? Math.floor((i - before) / 700) : Math.floor((i - before) / 2);
    delta += Math.floor(delta / length);
    let steps = 0;
    while (delta > 455) { delta = Math.floor(delta / 35); steps += 36; }
    bias = steps + Math.floor((36 * delta) / (delta + 38));
    n += Math.floor(i / length);
    i %= length;
    if (n > 0x10ffff) return label;
    out.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...out);
}

const spoken = (host: string): string => host.split(".").map((label) => (label.startsWith("xn--") ? unpuny(label.slice(4)) : label)).join(".");

// What an address is, where it isn't one of the open internet.
function reach(host: string): string | null {
  const v4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(host);
  if (!v4) {
    if (host === "[::1]" || host === "localhost" || host.endsWith(".localhost")) return "loopback";
    if (/^\[fe[89ab]/.test(host)) return "linkLocal";
    if (/^\[f[cd]/.test(host)) return "privateNet";
    if (host === "[::]") return "anyAddress";
    return null;
  }
  const [a = 0, b = 0] = v4.slice(1).map(Number);
  if (a === 127) return "loopback";
  if (a === 169 && b === 254) return "linkLocal";
  if (a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 100 && b >= 64 && b < 128)) return "privateNet";
  if (a === 0) return "anyAddress";
  return null;
}

// An IPv4 address inside an IPv6 one is what is contacted.
function mapped(host: string): string {
  const found = /^\[(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host);
  if (!found) return host;
  const [high, low] = [parseInt(found[1] ?? "0", 16), parseInt(found[2] ?? "0", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

export interface Host { host: string; spoken: string | null; user: boolean; reach: string | null; port: string }

function host(text: string): Host | null {
  let url: URL;
  try { url = new URL(text); } catch { return null; }
  // A scheme that the parser doesn't know is read as one it does.
  if (url.hostname && !/^(https?|wss?|ftp):$/.test(url.protocol)) try { url = new URL(text.replace(/^[^:]+/, "http")); } catch { /* as it is */ }
  if (!url.hostname) return null;
  const own = mapped(url.hostname);
  const said = spoken(own);
  return { host: own, spoken: said === own ? null : said, user: url.username !== "" || url.password !== "", reach: reach(own), port: url.port };
}

// The hosts that a text names: a URL as a whole, URLs in it, or a bare host under a name that says so.
export function hosts(text: string, name: string | undefined): Host[] {
  const bare = name !== undefined && HOSTS.test(name) && /^[^\s/:@]+$|^\[[^\]]+\]$/.test(text) ? [host(`http://${text}/`)] : [];
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/\s/.test(text) ? [host(text)] : [...text.slice(0, 65536).matchAll(URLS)].slice(0, 20).map((found) => host(found[0]));
  const all = [...bare, ...whole].filter((one) => one !== null);
  return [...new Map(all.map((one) => [`${one.host}:${one.port}${one.user}`, one])).values()];
}

export interface Place { path: string; inside: boolean; moved: boolean }

const looksLikePath = (text: string): boolean => /^(\/|~(\/|$)|\.{1,2}(\/|$))/.test(text) && !/[\n\0]/.test(text) && !text.startsWith("//");

function normal(path: string): string {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") out.pop(); else out.push(part);
  }
  return `/${out.join("/")}`;
}

// Where a path ends, and whether that is inside the root. Links aren't followed here.
export function place(text: string, name: string | undefined, cwd: string, root: string): Place | null {
  if (/^file:\/\//i.test(text)) {
    // A file named as a URL is a file.
    try {
      const own = place(decodeURIComponent(new URL(text).pathname), "path", cwd, root);
      return own && { ...own, moved: true };
    } catch { return null; }
  }
  const named = name !== undefined && PATHS.test(name) && text !== "" && text.length < 4096 && !/\0/.test(text) && !/^[a-z][a-z0-9+.-]*:/i.test(text);
  if (!named && !(looksLikePath(text) && !/\s/.test(text))) return null;
  if (!cwd.startsWith("/")) return null;
  if (text.startsWith("~")) return { path: text, inside: false, moved: false };
  const path = normal(text.startsWith("/") ? text : `${cwd}/${text}`);
  const own = normal(root || cwd);
  return { path, inside: path === own || own === "/" || path.startsWith(`${own}/`), moved: path !== text && path !== text.replace(/\/$/, "") };
}
