// Hostile text: always text nodes, and whatever hides, moves or reorders is drawn as a box with its code point.

import { useState } from "preact/hooks";
import type { Json } from "./api";
import { t } from "./words";

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const DANGEROUS = /(\brm\b|\bsudo\b|\bcurl\b|\bwget\b|\beval\b|\bbase64\b|\bdd\b|\bmkfs\S*|\bchmod\b|--force\b|-rf\b|\|\s*(?:ba|z|da)?sh\b|>\s*\/\S+)/g;
const FOLD = 600;

function Boxes({ text }: { text: string }) {
  const out = [];
  let last = 0;
  for (const found of text.matchAll(HIDDEN)) {
    out.push(text.slice(last, found.index));
    const point = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    out.push(<span class="box">{`U+${point}`}</span>);
    last = found.index + found[0].length;
  }
  out.push(text.slice(last));
  return <>{out}</>;
}

export function Hostile({ text, marks = false }: { text: string; marks?: boolean }) {
  const [open, setOpen] = useState(false);
  const folded = !open && text.length > FOLD;
  const shown = folded ? text.slice(0, FOLD) : text;
  const hidden = [...text.matchAll(HIDDEN)].length;
  const parts = marks ? shown.split(DANGEROUS) : [shown];
  return (
    <span class="hostile" dir="ltr">
      {parts.map((part, at) => (at % 2 ? <mark><Boxes text={part} /></mark> : <Boxes text={part} />))}
      {folded && <button type="button" class="fold" onClick={() => setOpen(true)}>{`… ${text.length - FOLD} ${t("more")}`}</button>}
      {hidden > 0 && <em class="note">{` ${hidden} ${t("invisible")}`}</em>}
    </span>
  );
}

export function Tree({ value, name }: { value: Json; name?: string }) {
  const label = name === undefined ? null : <b><Boxes text={name} />: </b>;
  if (value !== null && typeof value === "object") {
    const entries: [string, Json][] = Array.isArray(value) ? value.map((item, at) => [String(at), item]) : Object.entries(value);
    return <div class="tree">{label}{entries.length === 0 ? (Array.isArray(value) ? "[]" : "{}") : entries.map(([key, item]) => <Tree key={key} name={key} value={item} />)}</div>;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return <div class="tree">{label}<Hostile text={text} marks={name === "command" || name === "cmd" || name === "code"} /></div>;
}
