// What an edit changes, line by line: from the arguments alone, nothing is looked up.

import { useState } from "preact/hooks";
import type { Tree } from "./api";
import { Exact } from "./exact";
import { Hostile } from "./text";
import { t } from "./words";

export type Line = ["+" | "-" | " ", string];
const MOST = 600;

// The longest common subsequence over lines; long texts are shown as taken out and put in.
export function lines(before: string, after: string): Line[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  if (a.length > MOST || b.length > MOST) return [...a.map((line): Line => ["-", line]), ...b.map((line): Line => ["+", line])];
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const out: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { out.push([" ", a[i] ?? ""]); i += 1; j += 1; }
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) { out.push(["-", a[i] ?? ""]); i += 1; }
    else { out.push(["+", b[j] ?? ""]); j += 1; }
  }
  return out;
}

const PAIRS = [["old_string", "new_string"], ["old_str", "new_str"], ["old_text", "new_text"], ["search", "replace"]] as const;

export function change(args: Tree): Line[] | null {
  const text = (key: string) => (typeof args[key] === "string" ? (args[key] as string) : null);
  for (const [from, to] of PAIRS) {
    const [before, after] = [text(from), text(to)];
    if (before !== null && after !== null) return lines(before, after);
  }
  if (Array.isArray(args.edits)) {
    const all = args.edits.flatMap((edit) => (edit && typeof edit === "object" && !Array.isArray(edit) && !(edit instanceof Exact) ? change(edit) ?? [] : []));
    return all.length ? all : null;
  }
  const patch = text("patch") ?? text("diff");
  if (patch !== null) return patch.split("\n").map((line): Line => [line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ", line.replace(/^[+ -]/, "")]);
  const content = text("content") ?? text("file_text");
  return content !== null && (text("path") ?? text("file_path")) !== null ? content.split("\n").map((line): Line => ["+", line]) : null;
}

const SHOWN = 400;

export function Diff({ args }: { args: Tree }) {
  const [whole, setWhole] = useState(false);
  const all = change(args);
  if (!all) return null;
  const count = (sign: Line[0]) => all.filter(([own]) => own === sign).length;
  const path = args.path ?? args.file_path;
  const shown = whole ? all : all.slice(0, SHOWN);
  return (
    <figure class="diff" aria-label={t("diff")}>
      <figcaption>{typeof path === "string" && <Hostile text={path} line />}<span class="plus">{`+${count("+")}`}</span><span class="minus">{`−${count("-")}`}</span></figcaption>
      <pre tabIndex={0}>{shown.map(([sign, text]) => <span class={sign === "+" ? "ins" : sign === "-" ? "del" : "same"}>{`${sign} `}<Hostile text={text} />{"\n"}</span>)}</pre>
      {shown.length < all.length && <button type="button" class="quiet" onClick={() => setWhole(true)}>{t("showAll").replace("{}", String(all.length))}</button>}
    </figure>
  );
}
