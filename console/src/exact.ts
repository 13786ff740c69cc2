// JSON whose numbers are shown as they were spelled: what a binary float can't hold (2^53 + 1, thirty decimals) is kept as
// its text. A grant is bound to the exact value, so the exact value is what a person has to see.

export class Exact {
  constructor(readonly text: string) {}
  toString(): string { return this.text; }
}

export type Json = null | boolean | number | string | Exact | Json[] | { [key: string]: Json };

// A string, or a number outside of one.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
// Fifteen digits are always kept; only longer ones and powers are looked at.
const LONG = /[:[,\s]-?(?:[\d.]{16}|[\d.]+[eE])/;

export function parse(text: string): Json {
  if (!LONG.test(text)) return JSON.parse(text) as Json;
  // Nobody can have written this word into the text: it is made now.
  const word = `exact:${crypto.randomUUID()}:`;
  let changed = false;
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || String(Number(token)) === token) return token;
    changed = true;
    return `"${word}${token}"`;
  });
  if (!changed) return JSON.parse(text) as Json;
  return JSON.parse(marked, (_, value: Json) => (typeof value === "string" && value.startsWith(word) ? new Exact(value.slice(word.length)) : value)) as Json;
}

// As JSON again, every number as it came; with `indent` a member a line.
export function spell(value: Json, indent = 0, depth = 1): string {
  if (value instanceof Exact) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((item) => spell(item, indent, depth + 1))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${indent ? " " : ""}${spell(item, indent, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (!indent || parts.length === 0) return `${open}${parts.join(",")}${close}`;
  const line = (by: number) => `\n${" ".repeat(indent * by)}`;
  return `${open}${line(depth)}${parts.join(`,${line(depth)}`)}${line(depth - 1)}${close}`;
}
