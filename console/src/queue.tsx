// The queue: questions by session beside the one that is chosen.

import { useEffect } from "preact/hooks";
import type { Approval } from "./api";
import { answerEach, answerMarked, recall, together } from "./answers";
import { Empty, Heading, Level, Unlocked } from "./parts";
import { Question, Settled } from "./question";
import { go, href, route } from "./route";
import { bunches, chosen, inOrder, marked, now, pointing, queue, recallable } from "./state";
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
      <span><Hostile text={agentName(first.caller).slice(0, 40)} line /> <span class="dim"><Hostile text={projectName(first.project).slice(0, 40)} line /></span></span><span class="gap" />
      {alike.length > 1 && <button type="button" class="quiet" aria-pressed={on} onClick={() => { marked.value = on ? new Set() : new Set(alike.map((one) => one.id)); }}>{t(on ? "unselect" : "select").replace("{}", String(alike.length))}</button>}
      {all.length > 1 && <button type="button" class="quiet" onClick={() => void answerEach(all, false)}>{t("denyAll").replace("{}", String(all.length))}</button>}
    </div>
  );
}

function Side({ place }: { place: number }) {
  const rows = bunches.value.flatMap((bunch): ({ all: Approval[] } | { one: Approval })[] => [{ all: bunch }, ...bunch.map((one) => ({ one }))]);
  const follow = rows.findIndex((row) => "one" in row && row.one.id === inOrder.value[place]?.id);
  return (
    <div class="side">
      <div class="head"><Heading text={t("queue")} /><span class="dim">{t(queue.value.length === 1 ? "oneWaits" : "manyWait").replace("{}", String(queue.value.length))}</span><span class="gap" /><Unlocked /></div>
      <Windowed class="queue" role="list" label={t("queue")} heights={rows.map((row) => ("all" in row ? HEAD : ENTRY))} follow={follow} point={(inside) => { pointing.list = inside; }}
        row={(at) => { const row = rows[at]; return row && ("all" in row ? <Bunch key={`bunch ${row.all[0]?.session}`} all={row.all} /> : <Entry key={row.one.id} one={row.one} />); }} />
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
  useEffect(() => { if (id !== null && open) chosen.value = id; }, [id, open]);
  if (id !== null && !open && (!approval || chosen.value !== id)) return <div class="two alone open"><h1 class="sr">{t("queue")}</h1><div class="detail"><Settled id={id} /></div><Undo /></div>;
  if (!approval) {
    return (
      <div class="page"><h1 class="sr">{t("queue")}</h1>
        <Empty icon="allow" title={t("nothing")}><p>{t("nothingHelp")}</p><p><code>doorward install claude-code</code></p><p><a href={href("timeline")}>{t("seeTimeline")}</a></p></Empty><Undo />
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

