// Hostile text: always text nodes. What hides, moves or reorders is drawn as a box with its code point, letters that only
// look like others too; what is long is folded in the middle and says how long it is; nothing is left out.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Exact, type Json, spell } from "./exact";
import { boxes } from "./glyphs";
import { type Host, hosts, oneLine, place } from "./places";
import { type Span, calls, marks, words as shellWords } from "./shell";
import { type Key, t } from "./words";

const FOLD = 600;
const [HEAD, TAIL] = [400, 120];
const SHELL = /^(command|commands|cmd|script|shell|bash|sh|run|exec|cmdline|input)$/i;
const CODE = /^(code|source|python|javascript|js|ruby|sql)$/i;
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]+(?:[ \u0300-\u036f]+[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]+)*/gu;

// Text of a script that runs from the right is a run of its own, so that it moves nothing beside it.
function Plain({ text }: { text: string }) {
  if (/^[\x00-\u0590]*$/.test(text)) return <>{text}</>;
  const out: ComponentChildren[] = [];
  let last = 0;
  for (const found of text.matchAll(RTL)) {
    out.push(text.slice(last, found.index), <bdi>{found[0]}</bdi>);
    last = found.index + found[0].length;
  }
  out.push(text.slice(last));
  return <>{out}</>;
}

// A piece of a text with its boxes and marks; both are of the whole text.
function Piece({ text, from, to, spans, line }: { text: string; from: number; to: number; spans: Span[]; line: boolean }) {
  const own = boxes(text.slice(from, to), line);
  const draw = (start: number, end: number) => {
    const out: ComponentChildren[] = [];
    let last = start;
    for (const box of own) {
      const [at, stop] = [box.at + from, box.end + from];
      if (at < start || at >= end) continue;
      out.push(<Plain text={text.slice(last, at)} />, <span class={`box ${box.kind}`}>{box.label}</span>);
      last = stop;
    }
    out.push(<Plain text={text.slice(last, end)} />);
    return out;
  };
  const out: ComponentChildren[] = [];
  let last = from;
  for (const [at, end] of spans) {
    const [start, stop] = [Math.max(at, last), Math.min(end, to)];
    if (start >= stop) continue;
    out.push(draw(last, start), <mark>{draw(start, stop)}</mark>);
    last = stop;
  }
  out.push(draw(last, to));
  return <>{out}</>;
}

// Where a text may be cut: never inside a character.
const cut = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? "") ? at + 1 : at);

const counted = (n: number, one: Key, many: Key): string => `${n} ${t(n === 1 ? one : many)}`;

export function Hostile({ text, spans = [], whole = false, line = false }: { text: string; spans?: Span[]; whole?: boolean; line?: boolean }) {
  const [open, setOpen] = useState(false);
  const folded = !open && !whole && text.length > FOLD;
  const [head, tail] = folded ? [cut(text, HEAD), cut(text, text.length - TAIL)] : [text.length, text.length];
  const strange = text.length > 200_000 && folded ? boxes(text.slice(0, 200_000), line) : boxes(text, line);
  const hidden = strange.filter((box) => box.kind === "hidden").length;
  const alike = strange.filter((box) => box.kind === "alike").length;
  return (
    <span class="hostile" dir="ltr">
      <Piece text={text} from={0} to={head} spans={spans} line={line} />
      {folded && <button type="button" class="fold" onClick={() => setOpen(true)}>{`… ${tail - head} ${t("more")} ${text.length} …`}</button>}
      {folded && <Piece text={text} from={tail} to={text.length} spans={spans} line={line} />}
      {hidden > 0 && <em class="note">{` ${counted(hidden, "invisibleOne", "invisible")}`}</em>}
      {alike > 0 && <em class="note">{` ${counted(alike, "alikeOne", "alike")}`}</em>}
    </span>
  );
}

function Host({ one }: { one: Host }) {
  return (
    <span class="place">{`${t("host")} ${one.host}`}{one.port && `:${one.port}`}{one.spoken && <> (<Hostile text={one.spoken} />)</>}{one.user && <em class="note">{` ${t("userInfo")}`}</em>}{one.reach && <em class="note">{` ${t(one.reach as Key)}`}</em>}</span>
  );
}

// Whose call it is, to tell where its paths end.
export interface Where { cwd: string; root: string }

// `brief`: only what a reader wouldn't expect, so no path that is plainly inside the project.
export function Places({ text, name, where, brief = false }: { text: string; name: string | undefined; where: Where; brief?: boolean }) {
  const named = name !== undefined && SHELL.test(name);
  const paths = (named ? [...new Set(shellWords(text.slice(0, 65536)))].filter((word) => /^(\/|~|\.\.)/.test(word)) : [text])
    .map((word) => place(word, named ? undefined : name, where.cwd, where.root))
    .filter((one) => one !== null && (!(named || (brief && !text.includes(".."))) || !one.inside)).slice(0, 12);
  const found = hosts(text, name).filter((one) => !brief || one.user || one.spoken || one.reach || !text.includes(one.host));
  if (paths.length === 0 && found.length === 0) return null;
  return (
    <span class="places">
      {found.map((one) => <Host key={`${one.host}${one.port}`} one={one} />)}
      {paths.map((one) => one && <span class="place" key={one.path}>{(one.moved || named) && <>→ <Hostile text={one.path} /> </>}<em class={one.inside ? "badge in" : "badge out"}>{t(one.inside ? "insideRoot" : "outsideRoot")}</em></span>)}
    </span>
  );
}

// A text that reads as something else (nothing, a number, true, an edge of blanks) is shown in its quotes.
const quotes = (text: string): boolean => /^(null|true|false|-?\d+(\.\d+)?([eE][+-]?\d+)?|\[\]|\{\})?$/.test(text) || /^ | $/.test(text);

const spansOf = (text: string, name: string | undefined): Span[] => {
  if (name === undefined) return [];
  return SHELL.test(name) ? marks(text.slice(0, 65536)) : CODE.test(name) ? calls(text.slice(0, 65536)) : [];
};

// A sentence: what stands in backticks is a name, set as one.
export function Prose({ text }: { text: string }) {
  const parts = text.split(/`([^`\n]+)`/);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}><Hostile text={part} line /></code> : part && <Hostile key={at} text={part} />))}</>;
}

// A text on its own, as a title: marked like the value of its name, and in quotes where it would read as something else.
export function Titled({ text, name, brief = false }: { text: string; name: string; brief?: boolean }) {
  const quoted = quotes(text);
  const spans = brief ? [] : spansOf(text, name).map(([at, end]): Span => (quoted ? [at + 1, end + 1] : [at, end]));
  return <Hostile text={quoted ? `"${text}"` : text} spans={spans} line={oneLine(name)} whole={brief} />;
}

// A value with all its members. `name` says what it is; `label` is what stands in front of it.
export function Tree({ value, name, label = name, where }: { value: Json; name?: string | undefined; label?: string | undefined; where?: Where | undefined }) {
  const head = label === undefined ? null : <b><Hostile text={/^$|^ | $/.test(label) ? `"${label}"` : label} whole line />: </b>;
  if (value instanceof Exact || value === null || typeof value === "boolean" || typeof value === "number") return <div class="tree">{head}<span class="literal">{spell(value)}</span></div>;
  if (typeof value === "string") {
    const quoted = quotes(value);
    const spans = spansOf(value, name).map(([at, end]): Span => (quoted ? [at + 1, end + 1] : [at, end]));
    return <div class="tree">{head}<Hostile text={quoted ? `"${value}"` : value} spans={spans} line={name !== undefined && oneLine(name)} />{where && <Places text={value} name={name} where={where} />}</div>;
  }
  if (Array.isArray(value)) {
    // What a list is called is what its items are.
    return <div class="tree">{head}{value.length === 0 ? "[]" : value.map((item, at) => <Tree key={at} name={name} label={String(at)} value={item} where={where} />)}</div>;
  }
  const members = Object.entries(value);
  return <div class="tree">{head}{members.length === 0 ? "{}" : members.map(([key, item]) => <Tree key={key} name={key} value={item} where={where} />)}</div>;
}
