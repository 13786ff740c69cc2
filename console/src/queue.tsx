// The queue: questions by session beside the one that is chosen.

import { useEffect } from "preact/hooks";
import type { Approval } from "./api";
import { answerEach, answerMarked, recall, together } from "./answers";
import { Empty, Heading, Level, Unlocked } from "./parts";
import { Question, Settled } from "./question";
import { go, href, route } from "./route";
import { badge, bunches, chosen, inOrder, isLate, lateCount, lateShown, marked, now, pointing, queue, recallable } from "./state";
import { Hostile } from "./text";
import { agentName, ago, brief, left, projectName, toolName } from "./title";
import { Windowed } from "./window";
import { t } from "./words";

const ENTRY = 76;
const HEAD = 44;

// A long one isn't written out for its first characters more than once.
const briefs = new WeakMap<Approval, string>();
function briefly(one: Approval): string {
  let text = briefs.get(one);
  if (text === undefined) { text = brief(one.tool, one.args); briefs.set(one, text); }
  return text;
}

function Entry({ one }: { one: Approval }) {
  const on = marked.value.has(one.id);
  const late = one.waiting !== true;
  return (
    <div role="listitem" key={one.id} class="entry">
      <button type="button" aria-current={one.id === chosen.value} class={on ? "marked" : ""} onClick={() => go(href("queue", one.id))}>
        <Level level={one.security_warning.level} brief />
        <span class="what"><Hostile text={briefly(one)} whole />{on && <span class="sr">{` ${t("marked")}`}</span>}</span>
        <span class="meta"><span><Hostile text={toolName(one.tool, one.args).slice(0, 40)} line /></span><span>{ago(one.asked_at, now.value)}</span><span class={late ? "late" : "waits"}>{`${t(late ? "late" : "waits")} ${left(one.expires, now.value)}`}</span></span>
      </button>
    </div>
  );
}

function Bunch({ all }: { all: Approval[] }) {
  const first = all[0];
  if (!first) return null;
  const alike = together(all);
  const on = alike.length > 0 && alike.every((one) => marked.value.has(one.id));
  return (
    <div role="listitem" class="bunch">
      <span>{first.title ? <Hostile text={first.title.slice(0, 60)} line /> : <Hostile text={agentName(first.agent ?? first.caller).slice(0, 40)} line />} <span class="dim"><Hostile text={[first.title ? agentName(first.agent ?? first.caller).slice(0, 40) : "", projectName(first.project).slice(0, 40), first.branch ?? ""].filter(Boolean).join(" · ")} line /></span></span><span class="gap" />
      {alike.length > 1 && <button type="button" class="quiet" aria-pressed={on} onClick={() => { marked.value = on ? new Set() : new Set(alike.map((one) => one.id)); }}>{t(on ? "unselect" : "select").replace("{}", String(alike.length))}</button>}
      {all.length > 1 && <button type="button" class="quiet" onClick={() => void answerEach(all, false)}>{t("denyAll").replace("{}", String(all.length))}</button>}
    </div>
  );
}

// Late questions, folded away until somebody wants them.
function Late() {
  const all = queue.value.filter(isLate);
  return (
    <div role="listitem" class="bunch" id="late">
      <button type="button" class="quiet" aria-expanded={lateShown.value} onClick={() => { lateShown.value = !lateShown.value; }}>{t("lateOnes").replace("{}", String(all.length))}</button><span class="gap" />
      <button type="button" class="quiet" onClick={() => void answerEach(all, false)}>{t("denyAll").replace("{}", String(all.length))}</button>
    </div>
  );
}

function Side({ place }: { place: number }) {
  type Row = { all: Approval[] } | { one: Approval } | { fold: true };
  const rows = bunches.value.flatMap((bunch): Row[] => [{ all: bunch }, ...bunch.map((one) => ({ one }))]);
  if (lateCount.value > 0) {
    const first = rows.findIndex((row) => "all" in row && row.all[0] && isLate(row.all[0]));
    rows.splice(first < 0 ? rows.length : first, 0, { fold: true });
  }
  const follow = rows.findIndex((row) => "one" in row && row.one.id === inOrder.value[place]?.id);
  return (
    <div class="side">
      <div class="head"><Heading text={t("queue")} /><span class="dim">{t(badge.value === 1 ? "oneWaits" : "manyWait").replace("{}", String(badge.value))}</span><span class="gap" /><Unlocked /></div>
      <Windowed class="queue" role="list" label={t("queue")} heights={rows.map((row) => ("one" in row ? ENTRY : HEAD))} follow={follow} point={(inside) => { pointing.list = inside; }}
        row={(at) => { const row = rows[at]; return row && ("fold" in row ? <Late key="late" /> : "all" in row ? <Bunch key={`bunch ${row.all[0]?.id}`} all={row.all} /> : <Entry key={row.one.id} one={row.one} />); }} />
      {marked.value.size > 0 && (
        <p class="bar batch"><strong>{t("selected").replace("{}", String(marked.value.size))}</strong><span class="gap" /><button type="button" class="no" onClick={() => void answerMarked(false)}>{t("denyMarked")}</button> <button type="button" class="yes" onClick={() => void answerMarked(true)}>{t("allowMarked")}</button></p>
      )}
    </div>
  );
}

const Undo = () => (recallable.value ? <p class="toast" role="status"><span>{t("given")}</span> <button type="button" onClick={() => void recall()}>{t("undo")} <kbd>u</kbd></button></p> : null);

export function Queue() {
  const { id, more } = route.value;
  const place = inOrder.value.findIndex((one) => one.id === chosen.value);
  const approval = inOrder.value[place];
  const open = id !== null && queue.value.some((one) => one.id === id);
  // The address chooses; what it names and isn't open any more is shown as it ended.
  useEffect(() => {
    if (id === null || !open) return;
    chosen.value = id;
    if (queue.value.some((one) => one.id === id && isLate(one))) lateShown.value = true;
  }, [id, open]);
  if (id !== null && !open && (!approval || chosen.value !== id)) return <div class="two alone open"><h1 class="sr">{t("queue")}</h1><div class="detail"><Settled id={id} /></div><Undo /></div>;
  if (!approval) {
    return (
      <div class="page"><h1 class="sr">{t("queue")}</h1>
        <Empty icon="allow" title={t("nothing")}><p>{t("nothingHelp")}</p><p><code>doorward install claude-code</code></p><p><a href={href("timeline")}>{t("seeTimeline")}</a></p></Empty>{lateCount.value > 0 && <div role="list"><Late /></div>}<Undo />
      </div>
    );
  }
  return (
    <div class={`two ${more.has("list") ? "" : "open"}`}>
      <h1 class="sr">{t("queue")}</h1>
      <Side place={place} />
      <div class="detail"><Question approval={approval} /></div>
      <Undo />
    </div>
  );
}

