// What a text hides: characters that can't be seen, that move or reorder others, that a terminal obeys, and letters that
// only look like others. Each is told by what Unicode says it is, not by a list of known tricks. Honest text of any script
// stays as it is.

export interface Box { at: number; end: number; label: string; kind: "hidden" | "control" | "alike" }

const PLAIN = /^[\n\t\x20-\x7e]*$/;
// What pushes the rest out of sight.
const GAPS = /(?<=\S) {24,}(?=\S)|(?<=\n{2})\n{6,}(?=\s*\S)/g;
const CONTROLS = ["NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"];
const LATER: Record<number, string> = { 0x7f: "DEL", 0x85: "NEL", 0x90: "DCS", 0x9b: "CSI", 0x9c: "ST", 0x9d: "OSC", 0x9e: "PM", 0x9f: "APC" };

// Not to be seen: other, separators that aren't a plain space, what may be left out when drawn, the blank Braille cell, and
// more combining marks in a row than any language has.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc]|(?! )\p{Zs}|(?<=\p{M}\p{M}\p{M})\p{M}/gu;
// An emoji's own variation selector, and the joiner between two of them, are how it is spelled.
const SPELLED = /(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic}|[\u2640\u2642])/gu;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
// Scripts with letters that pass for Latin ones.
const OTHERS = /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}|\p{Script=Cherokee}|\p{Script=Coptic}|\p{Script=Lisu}|\p{Script=Deseret}|[\u0250-\u02af\u1d00-\u1d7f\ua730-\ua7ff\u01c0-\u01c3]/u;
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;
// Letters that are drawn as Latin ones, all of them in one word and no other letter of their script around.
const TWINS = /^[асеорхуіјѕһԁԛԝӏѵԍАВЕКМНОРСТХІЈЅԌԜοανρικυτχѡΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;
// Marks that pass for a slash, a colon, a semicolon, a dot, a dash, a bar or an exclamation mark.
const MARKS = /[\u01c0\u01c3\u02d0\u02d7\u037e\u0589\u05c0\u05f3\u2010-\u2012\u2024\u2043\u2044\u2212\u2215\u2216\u2223\u2236\u2758\u29f8\u29f9\ua4fa\ua789]|(?<![^\s])[\u2013\u2014](?=\p{L})/gu;

const point = (text: string): string => `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function unseen(text: string, boxes: Map<number, Box>): void {
  const spelled = new Set([...text.matchAll(SPELLED)].map((found) => found.index));
  for (const { 0: own, index: at } of text.matchAll(UNSEEN)) {
    const code = own.codePointAt(0) ?? 0;
    if (code === 9 || code === 10 || spelled.has(at)) continue;
    if (code === 0x3000 && EAST_ASIAN.test(text)) continue;
    const name = CONTROLS[code] ?? LATER[code];
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    boxes.set(at, { at, end: at + own.length, label: name ? `${name} ${point(own)}` : point(own), kind: control ? "control" : "hidden" });
  }
}

function alike(text: string, boxes: Map<number, Box>): void {
  const box = (at: number, own: string) => { if (!boxes.has(at)) boxes.set(at, { at, end: at + own.length, label: point(own), kind: "alike" }); };
  const words = [...text.matchAll(WORD)];
  // A text that has other letters of the script is written in it.
  const written = words.some(({ 0: word }) => [...word].some((letter) => OTHERS.test(letter) && !TWINS.test(letter) && !LATIN.test(letter)));
  for (const { 0: word, index } of words) {
    const mixed = LATIN.test(word) && OTHERS.test(word);
    const twin = !written && word.length > 1 && TWINS.test(word.replace(/[\d_]/g, ""));
    if (!mixed && !twin) continue;
    let at = index;
    for (const letter of word) {
      if (OTHERS.test(letter)) box(at, letter);
      at += letter.length;
    }
  }
  for (const { 0: own, index } of text.matchAll(MARKS)) box(index, own);
  // Forms for compatibility (full width, mathematical) that are read as plain ASCII; at home in East Asian text.
  if (!EAST_ASIAN.test(text)) {
    let at = 0;
    for (const own of text) {
      if (own > "\u007f" && !/[\u00aa\u00b2\u00b3\u00b9\u00ba]/.test(own) && /^[\x21-\x7e]$/.test(own.normalize("NFKC"))) box(at, own);
      at += own.length;
    }
  }
}

// Every place of a text where something else stands than what is seen, in order. A name or a path has one line: in it, an
// end of line is a character too.
export function boxes(text: string, line = false): Box[] {
  const found = new Map<number, Box>();
  for (const { 0: own, index: at } of text.matchAll(GAPS)) found.set(at, { at, end: at + own.length, label: `${own.length} × ${own[0] === " " ? "U+0020" : "LF"}`, kind: "control" });
  if (line) for (const { 0: own, index: at } of text.matchAll(/[\n\t]/g)) found.set(at, { at, end: at + 1, label: own === "\n" ? "LF U+000A" : "HT U+0009", kind: "control" });
  if (found.size === 0 && PLAIN.test(text)) return [];
  if (!PLAIN.test(text)) {
    unseen(text, found);
    alike(text, found);
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}
