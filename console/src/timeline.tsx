// The timeline: a row a call, joined with its answers and its outcome. The filters are in the address.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Call, call, said } from "./api";
import { CallView, LifeLine, agentOf, knownAs, steps } from "./call";
import { spell } from "./exact";
import { Icon } from "./icons";
import { Empty, Heading } from "./parts";
import { go, href, route } from "./route";
import { beat } from "./state";
import { Hostile } from "./text";
import { agentName, brief, clock, projectName, toolName } from "./title";
import { Windowed } from "./window";
import { type Key, t } from "./words";

const ROW = 60;
const PAGE = 200;
// Calls that are looked at again when something happened.
const HEAD = 50;
const MOST_EXPORTED = 10_000;
export const FILTERS = ["text", "verdict", "agent", "tool", "risk", "project", "rule"] as const;
type Filter = (typeof FILTERS)[number];

interface Page { calls: Call[]; next: number | null }
const ask = (more: URLSearchParams, limit: number, before?: number | null): Promise<Page> => {
  const query = new URLSearchParams();
  for (const name of FILTERS) { const value = more.get(name); if (value) query.set(name, value); }
  query.set("limit", String(limit));
  if (before) query.set("before", String(before));
  return call<Page>("GET", `/v1/calls?${query}`);
};

// Calls as far as one scrolled, kept fresh at their head.
function useCalls(key: string): { calls: Call[]; more: () => void; fault: string; loaded: boolean } {
  const [state, setState] = useState<{ key: string; calls: Call[]; next: number | null }>({ key: "", calls: [], next: null });
  const [fault, setFault] = useState("");
  const busy = useRef(false);
  const more = new URLSearchParams(key);
  useEffect(() => {
    let alive = true;
    const later = setTimeout(() => {
      ask(more, PAGE).then((page) => { if (alive) { setFault(""); setState({ key, ...page }); } }).catch((error) => { if (alive) setFault(said(error)); });
    }, state.key === "" || more.get("text") === new URLSearchParams(state.key).get("text") ? 0 : 200);
    return () => { alive = false; clearTimeout(later); };
  }, [key]);
  useEffect(() => {
    if (state.key !== key || beat.value === 0) return;
    let alive = true;
    const later = setTimeout(() => {
      ask(more, HEAD).then((page) => {
        if (!alive) return;
        const fresh = new Set(page.calls.map((one) => one.id));
        // Where more came than a look shows, the list begins anew: it has no gaps.
        const gap = (old: Call[]) => page.calls.length === HEAD && !old.some((one) => fresh.has(one.id));
        setState((old) => (old.key === key && gap(old.calls) ? { key, ...page } : old.key === key ? { key, calls: [...page.calls, ...old.calls.filter((one) => !fresh.has(one.id))], next: old.calls.length > HEAD ? old.next : page.next } : old));
      }).catch(() => undefined);
    }, 300);
    return () => { alive = false; clearTimeout(later); };
  }, [beat.value]);
  const further = () => {
    if (busy.current || state.next === null || state.key !== key) return;
    busy.current = true;
    ask(more, PAGE, state.next)
      .then((page) => setState((old) => ({ key, calls: [...old.calls, ...page.calls], next: page.next })))
      .catch((error) => setFault(said(error))).finally(() => { busy.current = false; });
  };
  return { calls: state.key === key ? state.calls : [], more: further, fault, loaded: state.key === key };
}

export function CallRow({ one, to, open }: { one: Call; to: string; open: boolean }) {
  const life = steps(one).slice(1).map((step) => t(step.word)).join(", ");
  return (
    <div role="row" class={`line ${open ? "here" : ""}`}>
      <time role="cell" dateTime={one.time}>{clock(one.time)}</time>
      <span role="cell" class={`chip ${one.verdict === "ALLOW" ? "green" : one.verdict === "DENY" ? "red" : "amber"}`}>{t(one.verdict === "ALLOW" ? "verdictAllow" : one.verdict === "DENY" ? "verdictDeny" : "verdictAsk")}</span>
      <span role="cell" class="what"><a href={to} aria-current={open ? "true" : undefined}><Hostile text={brief(one.resource.name, one.args ?? {}).slice(0, 160)} line whole /></a>
        <span class="meta"><span><Hostile text={toolName(one.resource.name, one.args ?? {}).slice(0, 40)} line /></span><span><Hostile text={agentName(knownAs(one)).slice(0, 40)} line /></span><span><Hostile text={projectName(one.project).slice(0, 40)} line /></span></span></span>
      <span role="cell">{life && <span class="sr">{life}</span>}<LifeLine one={one} /></span>
    </div>
  );
}

const choices: Record<Exclude<Filter, "text">, Map<string, string>> = { verdict: new Map(), agent: new Map(), tool: new Map(), risk: new Map(), project: new Map(), rule: new Map() };
const LABELS: Record<Exclude<Filter, "text">, Key> = { verdict: "verdict", agent: "agent", tool: "tool", risk: "risk", project: "project", rule: "rule" };
const RISKS: [string, Key][] = [["LOW", "riskLow"], ["MEDIUM", "riskMedium"], ["HIGH", "riskHigh"]];

// What can be chosen is what was seen.
function learn(calls: Call[]): void {
  for (const one of calls) {
    choices.agent.set(agentOf(one), agentName(agentOf(one)));
    choices.tool.set(one.resource.name, toolName(one.resource.name));
    if (one.project) choices.project.set(one.project, projectName(one.project));
    for (const rule of one.policy.ids) choices.rule.set(rule, rule);
  }
}

function Filters({ more, set }: { more: URLSearchParams; set: (name: Filter, value: string) => void }) {
  const fixed: Partial<Record<Filter, [string, string][]>> = {
    verdict: [["ALLOW", t("verdictAllow")], ["REQUIRE_USER_CONFIRMATION", t("verdictAsk")], ["DENY", t("verdictDeny")]], risk: RISKS.map(([level, word]) => [level, t(word)]),
  };
  return (
    <div class="filters" role="search">
      <input id="filter" type="search" placeholder={t("searchCalls")} aria-label={t("searchCalls")} value={more.get("text") ?? ""} onInput={(event) => set("text", event.currentTarget.value)} />
      {(Object.keys(LABELS) as Exclude<Filter, "text">[]).map((name) => {
        const value = more.get(name) ?? "";
        const options = fixed[name] ?? [...choices[name]].sort();
        const all = value && !options.some(([own]) => own === value) ? [...options, [value, value] as [string, string]] : options;
        return <select key={name} id={`filter-${name}`} class={value ? "set" : ""} aria-label={t(LABELS[name])} value={value} onChange={(event) => set(name, event.currentTarget.value)}><option value="">{t(LABELS[name])}</option>{all.map(([own, label]) => <option key={own} value={own}>{label.slice(0, 60)}</option>)}</select>;
      })}
    </div>
  );
}

const COLUMNS = ["index", "time", "verdict", "risk", "agent", "project", "session", "tool", "call", "reason", "code", "rules", "answer", "outcome"];
function csv(calls: Call[]): string {
  // A cell that a spreadsheet would run as a formula is text.
  const cell = (value: unknown) => { const text = String(value ?? ""); return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`; };
  const rows = calls.map((one) => [one.index, one.time, one.verdict, one.risk.level, agentOf(one), one.project, one.session, one.resource.name, brief(one.resource.name, one.args ?? {}), one.reason, one.code, one.policy.ids.join(" "),
    one.life.find((step) => step.kind === "approval" && step.event !== "asked")?.decision, one.life.find((step) => step.kind === "outcome")?.outcome]);
  return [COLUMNS, ...rows].map((row) => row.map(cell).join(",")).join("\r\n");
}

async function exported(more: URLSearchParams, form: "jsonl" | "csv"): Promise<void> {
  const all: Call[] = [];
  let before: number | null = null;
  do {
    const page: Page = await ask(more, 500, before);
    all.push(...page.calls);
    before = page.next;
  } while (before !== null && all.length < MOST_EXPORTED);
  const text = form === "csv" ? csv(all) : all.map((one) => spell(one as never)).join("\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: form === "csv" ? "text/csv" : "application/jsonl" }));
  link.download = `doorward-calls.${form}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function Chosen({ id, known, back }: { id: string; known: Call | undefined; back: string }) {
  const [one, setOne] = useState<Call | null>(null);
  const [fault, setFault] = useState("");
  // Looked at again when something happened: an answer to an old call is news too.
  useEffect(() => {
    let alive = true;
    call<Page>("GET", `/v1/calls?id=${encodeURIComponent(id)}&limit=1`).then(({ calls }) => { if (alive) { setOne(calls[0] ?? null); setFault(calls[0] ? "" : t("noSuchCall")); } }).catch((error) => { if (alive) setFault(said(error)); });
    return () => { alive = false; };
  }, [id, beat.value]);
  const shown = one?.id === id ? one : known ?? null;
  return <div class="detail" tabIndex={-1}>{fault && !shown && <p class="said" role="status">{fault}</p>}{shown && <CallView key={shown.id} one={shown} back={<a class="button quiet" href={back} aria-label={t("close")}><Icon name="close" /></a>} />}</div>;
}

function Verify() {
  const [told, setTold] = useState("");
  const [fine, setFine] = useState(true);
  const verify = async () => {
    try {
      const report = await call<{ intact: boolean; entries: number; faults: { code: string; message: string }[] }>("GET", "/v1/ledger/verify");
      setFine(report.intact);
      setTold(report.intact ? t("intact").replace("{}", String(report.entries)) : report.faults.map((fault) => `${fault.code}: ${fault.message}`).join("; "));
    } catch (error) { setFine(false); setTold(said(error)); }
  };
  return <><button type="button" class="quiet" onClick={() => void verify()}><Icon name="guardian" small /><span class="wide-only">{t("verify")}</span></button><span role="status" id="verified" class={fine ? "ok" : "note"}>{told}</span></>;
}

export function Timeline() {
  const { id, more } = route.value;
  const kept = new URLSearchParams([...more].filter(([name, value]) => value && (FILTERS as readonly string[]).includes(name)));
  const { calls, more: further, fault, loaded } = useCalls(kept.toString());
  const [told, setTold] = useState("");
  learn(calls);
  const set = (name: Filter, value: string) => {
    const fresh = new URLSearchParams(kept);
    if (value) fresh.set(name, value); else fresh.delete(name);
    go(href("timeline", id, fresh), name === "text");
  };
  const save = (form: "jsonl" | "csv") => exported(kept, form).then(() => setTold("")).catch((error) => setTold(said(error)));
  return (
    <div class={`two timeline ${id ? "open" : "alone"}`}>
      <h1 class="sr">{t("timeline")}</h1>
      <div class={`side ${id ? "slim" : ""}`}>
        <div class="head"><Heading text={t("timeline")} /><span class="gap" /><Verify />
          <button type="button" class="quiet" onClick={() => void save("jsonl")}><Icon name="download" small /><span class="wide-only">JSONL</span></button><button type="button" class="quiet" onClick={() => void save("csv")}><Icon name="download" small /><span class="wide-only">CSV</span></button>
          <Filters more={kept} set={set} /></div>
        <p class="said" role="status">{fault || told}</p>
        {loaded && calls.length === 0 ? <Empty icon="timeline" title={t(kept.size > 0 ? "noneFits" : "noCalls")}><p>{t(kept.size > 0 ? "noneFitsHelp" : "noCallsHelp")}</p>{kept.size > 0 && <p><a href={href("timeline")}>{t("clearFilters")}</a></p>}</Empty> : (
          <div role="table" aria-label={t("timeline")} class="window-table stretch">
            <Windowed class="calls" role="rowgroup" label={t("timeline")} heights={{ count: calls.length, each: ROW }} end={further}
              row={(at) => { const one = calls[at]; return one && <CallRow key={one.id} one={one} open={one.id === id} to={href("timeline", one.id, kept)} />; }} />
          </div>
        )}
      </div>
      {id && <Chosen id={id} known={calls.find((one) => one.id === id)} back={href("timeline", null, kept)} />}
    </div>
  );
}
