// Rules: what is in force and how often it mattered this week, trying a command out, and writing a rule.

import { useEffect, useState } from "preact/hooks";
import { type InForce, type Json, type Tree as Values, type Tried, call, said } from "./api";
import { spell } from "./exact";
import { Icon } from "./icons";
import { Empty, Fault, Level, Unlock, Unlocked, Verdict, Why, useAnswer } from "./parts";
import { go, href, route } from "./route";
import { newest } from "./state";
import { Hostile, Tree } from "./text";
import { brief, projectName } from "./title";
import { type Key, t } from "./words";

const TABS: [string, Key][] = [["in-force", "inForce"], ["try", "tryCommand"], ["write", "writeRule"], ["policy", "editor"]];

type Rule = InForce["rules"][number];
const origin = (from: string | null): string => (from === null ? t("fromSettings") : from.startsWith("pack:") ? t("fromPack").replace("{}", from.slice(5)) : from.endsWith("/rules.toml") ? t("fromConsole") : from);

function Row({ rule, of, revoke }: { rule: Rule; of: number; revoke: (id: string) => void }) {
  const name = rule.rule ?? rule.policy ?? "";
  const only = Object.entries(rule.only ?? {}).map(([kind, value]) => (kind === "project" ? projectName(String(value)) : String(value))).join(" · ");
  const notes = [only && t("onlyFor").replace("{}", only), rule.until && t("until").replace("{}", new Date(rule.until).toLocaleString()), rule.by && t("savedBy").replace("{}", rule.by)].filter(Boolean).join(" · ");
  return (
    <li class="rule">
      <Verdict verdict={rule.verdict} />
      <div>{rule.rule ? <code><Hostile text={rule.rule} line /></code> : <Hostile text={rule.reason ?? name} />}
        <div class="meta">{rule.severity && <span><Level level={rule.severity} /></span>}{rule.policy && <span class="codes"><Hostile text={rule.policy} line /></span>}{rule.rule && rule.reason && <span><Hostile text={rule.reason} /></span>}{notes && <span><Hostile text={notes} /></span>}{rule.trial && <span>{t("onTrial")}</span>}</div>
        {rule.saved && <button type="button" class="link" onClick={() => revoke(rule.saved ?? "")}>{t("revoke")}</button>}</div>
      <span class="week">{rule.n > 0 && rule.policy ? <a href={href("timeline", null, { rule: rule.policy })}><b>{rule.n}</b></a> : <b>{rule.n}</b>} {t("ofCalls").replace("{}", String(of))}</span>
    </li>
  );
}

function InForceList() {
  const [found, fault, again] = useAnswer<InForce>("/v1/rules/in-force", newest.value?.kind === "policy" || newest.value?.kind === "note" ? newest.value.index : 0);
  const [told, setTold] = useState("");
  const [text, setText] = useState("");
  const revoke = async (id: string) => { try { await call("POST", `/v1/rules/${encodeURIComponent(id)}/revoke`, {}); setTold(""); } catch (error) { setTold(said(error)); } again(); };
  const fits = (rule: Rule) => `${rule.rule ?? ""} ${rule.policy ?? ""} ${rule.reason ?? ""} ${rule.from ?? ""}`.toLowerCase().includes(text.toLowerCase());
  const groups = new Map<string, Rule[]>();
  for (const rule of (found?.rules ?? []).filter(fits)) { const name = origin(rule.from); groups.set(name, [...(groups.get(name) ?? []), rule]); }
  const own = (found?.rules ?? []).some((rule) => !rule.from?.startsWith("pack:"));
  return (
    <>
      <div class="filters"><input id="filter" type="search" aria-label={t("filterRules")} placeholder={t("filterRules")} value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
      <Fault text={fault || told} />
      {found?.problem && <p class="said"><Hostile text={found.problem} /></p>}
      {found && <p class="dim">{t(found.on_no_match === "deny" ? "elseDenied" : "elseMode")} {t("weekOf").replace("{}", String(found.of))}</p>}
      {found && !own && <section class="card"><h2>{t("noSaved")}</h2><p class="dim">{t("noSavedHelp")}</p></section>}
      {[...groups].map(([name, rules]) => (
        <section class="card" key={name} aria-label={name}><h2><Hostile text={name} line /></h2><ul class="plain">{rules.map((rule) => <Row key={`${rule.verdict}${rule.rule ?? rule.policy}${rule.saved ?? ""}`} rule={rule} of={found?.of ?? 0} revoke={(id) => void revoke(id)} />)}</ul></section>
      ))}
    </>
  );
}

const TOOLS: [string, Key, string][] = [["shell:execute", "toolShell", "command"], ["fs:read", "toolRead", "path"], ["fs:write", "toolWrite", "path"], ["net:fetch", "toolFetch", "url"]];
const request = (tool: string, args: Json, cwd: string) => spell({ principal: { id: "me" }, action: "tool:execute", resource: { type: "tool", name: tool, attributes: { args } }, context: { cwd } });

function Simulation({ answer }: { answer: Values }) {
  const nearest = (answer.nearest ?? []) as { policy: string; clause: string }[];
  const lines = Array.isArray(answer.effect_lines) ? answer.effect_lines : [];
  return (
    <section id="simulation" class="stack" aria-label={t("tryCommand")}>
      <div class={`result ${String(answer.decision)}`}><p class="row"><b class="verdict">{t(answer.decision === "ALLOW" ? "verdictAllow" : answer.decision === "DENY" ? "verdictDeny" : "verdictAsk")}</b></p><Why reason={String(answer.reason)} /></div>
      {lines.length > 0 && <section class="card"><h2>{t("whatItDoes")}</h2><ul class="plain">{lines.map((line) => <li><code><Hostile text={String(line)} /></code></li>)}</ul></section>}
      {nearest.length > 0 && <section class="card"><h2>{t("nearest")}</h2><ul class="plain">{nearest.map((one) => <li><code><Hostile text={one.policy} line /></code> <Hostile text={one.clause} /></li>)}</ul></section>}
      <details><summary>{t("raw")}</summary><div class="args"><Tree value={answer} /></div></details>
    </section>
  );
}

function Try() {
  const { more } = route.value;
  const [text, setText] = useState(more.get("command") ?? "");
  const [tool, setTool] = useState(TOOLS.find(([own]) => own === more.get("tool"))?.[0] ?? "shell:execute");
  const [cwd, setCwd] = useState(more.get("cwd") || "/workspace");
  const [answer, setAnswer] = useState<Values | null>(null);
  const [fault, setFault] = useState("");
  const run = async (event?: Event) => {
    event?.preventDefault();
    if (!text.trim()) return;
    const name = TOOLS.find(([own]) => own === tool)?.[2] ?? "command";
    go(href("rules", "try", { command: text.slice(0, 2000), tool, cwd }), true);
    try { setAnswer(await call<Values>("POST", "/v1/simulate", request(tool, { [name]: text, ...(tool === "fs:write" ? { content: "" } : {}) }, cwd))); setFault(""); } catch (error) { setAnswer(null); setFault(said(error)); }
  };
  useEffect(() => { if (more.get("command")) void run(); }, []);
  return (
    <>
      <form class="card stack" onSubmit={run}>
        <p class="dim">{t("tryHelp")}</p>
        <label class="field">{t("commandOrPath")}<textarea id="simulated" rows={3} spellcheck={false} placeholder="rm -rf build && git push --force" value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run(event); }} /></label>
        <div class="row end"><label class="field">{t("tool")}<select id="simulated-tool" value={tool} onChange={(event) => setTool(event.currentTarget.value)}>{TOOLS.map(([own, word]) => <option key={own} value={own}>{t(word)}</option>)}</select></label>
          <label class="field grow">{t("folder")}<input id="simulated-cwd" value={cwd} onInput={(event) => setCwd(event.currentTarget.value)} /></label>
          <button id="simulate" class="primary"><Icon name="try" small />{t("simulate")}</button></div>
      </form>
      <Fault text={fault} />
      {answer ? <Simulation answer={answer} /> : <Empty icon="try" title={t("tryEmpty")}><p>{t("tryEmptyHelp")}</p></Empty>}
    </>
  );
}

function Write() {
  const { more } = route.value;
  const [draft, setDraft] = useState({ verdict: more.get("verdict") ?? "allow", rule: more.get("rule") ?? "", project: "", reason: "" });
  const [tried, setTried] = useState<Tried | null>(null);
  const [told, setTold] = useState("");
  const [fine, setFine] = useState(false);
  const body = () => ({ verdict: draft.verdict, rule: draft.rule.trim(), ...(draft.project ? { project: draft.project } : {}), ...(draft.reason ? { reason: draft.reason } : {}) });
  useEffect(() => {
    setTried(null);
    if (!draft.rule.trim()) return;
    let alive = true;
    const later = setTimeout(() => { call<Tried>("POST", "/v1/rules/try", body()).then((one) => { if (alive) setTried(one); }).catch((error) => { if (alive) { setFine(false); setTold(said(error)); } }); }, 250);
    return () => { alive = false; clearTimeout(later); };
  }, [draft.verdict, draft.rule, draft.project]);
  const save = async (event: Event) => {
    event.preventDefault();
    try { await call("POST", "/v1/rules", body()); setFine(true); setTold(t("kept")); setDraft({ ...draft, rule: "", reason: "" }); } catch (error) { setFine(false); setTold(said(error)); }
  };
  const week = tried?.week;
  return (
    <form class="card stack" onSubmit={save} id="write-rule">
      <p class="dim">{t("writeHelp")}</p>
      <label class="field">{t("rule")}<input id="rule-draft" class="mono" spellcheck={false} placeholder="shell(git fetch *)" value={draft.rule} aria-describedby="rule-fit" onInput={(event) => setDraft({ ...draft, rule: event.currentTarget.value })} /></label>
      <div class="row end"><label class="field">{t("verdict")}<select id="rule-verdict" value={draft.verdict} onChange={(event) => setDraft({ ...draft, verdict: event.currentTarget.value })}><option value="allow">{t("verdictAllow")}</option><option value="deny">{t("verdictDeny")}</option></select></label>
        <label class="field grow">{t("onlyProject")}<input id="rule-project" placeholder={t("everyProject")} value={draft.project} onInput={(event) => setDraft({ ...draft, project: event.currentTarget.value })} /></label>
        <label class="field grow">{t("because")}<input id="rule-reason" value={draft.reason} onInput={(event) => setDraft({ ...draft, reason: event.currentTarget.value })} /></label></div>
      <div id="rule-fit" role="status">
        {tried && !tried.ok && <p class="said"><Hostile text={`${tried.message ?? ""}${tried.help ? ` (${tried.help})` : ""}`} /></p>}
        {tried?.ok && tried.too_wide && draft.verdict === "allow" && <p class="said">{t("tooWide")}</p>}
        {week && <p>{t(draft.verdict === "allow" ? "wouldAllow" : "wouldDeny").replace("{}", String(week.met)).replace("{}", String(week.of))} {week.asked > 0 && t("ofThemAsked").replace("{}", String(week.asked))} {week.denied > 0 && draft.verdict === "allow" && <strong class="note">{t("ofThemDenied").replace("{}", String(week.denied))}</strong>}</p>}
        {week && week.examples.length > 0 && <ul class="plain">{week.examples.map((one) => <li key={one.id}><Verdict verdict={one.verdict} /> <a href={href("timeline", one.id)}><code><Hostile text={brief(one.tool, one.args).slice(0, 120)} line whole /></code></a></li>)}</ul>}
      </div>
      <p class="row"><button id="rule-keep" class="primary" disabled={!tried?.ok || (tried.too_wide === true && draft.verdict === "allow")}><Icon name="save" small />{t("saveRule")}</button><span role="status" class={fine ? "ok" : "said"}>{told}</span></p>
    </form>
  );
}

interface Fitness { ok: boolean; line?: number; column?: number; message?: string; help?: string | null }
const POLICY = "@id(\"team.no_force_push.deny\")\n@reason(\"History of main stays.\")\nforbid(principal, action, resource)\nwhen { context.effects.executes.contains(\"git\") };\n";

function Editor() {
  const [text, setText] = useState(POLICY);
  const [form, setForm] = useState("cedar");
  const [fit, setFit] = useState<Fitness | null>(null);
  useEffect(() => {
    let alive = true;
    const later = setTimeout(() => { call<Fitness>("POST", "/v1/policies/validate", { text, form }).then((one) => { if (alive) setFit(one); }).catch(() => {}); }, 200);
    return () => { alive = false; clearTimeout(later); };
  }, [text, form]);
  const lines = text.split("\n");
  return (
    <section class="card stack"><p class="dim">{t("editorHelp")}</p>
      <label class="field">{t("form")}<select id="editor-form" value={form} onChange={(event) => setForm(event.currentTarget.value)}><option value="cedar">Cedar</option><option value="allow">{t("verdictAllow")}</option><option value="ask">{t("verdictAsk")}</option><option value="deny">{t("verdictDeny")}</option></select></label>
      <div class="editor"><pre class="gutter" aria-hidden="true">{lines.map((_, at) => <span class={fit && !fit.ok && fit.line === at + 1 ? "bad" : ""}>{`${at + 1}\n`}</span>)}</pre>
        <textarea id="editor" aria-label={t("editor")} aria-describedby="editor-fit" aria-invalid={fit?.ok === false} rows={Math.max(8, lines.length + 1)} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
      <p id="editor-fit" role="status" class={fit?.ok ? "ok" : "said"}>{fit && (fit.ok ? t("loads") : <>{`${t("line")} ${fit.line ?? 1}:${fit.column ?? 1}: `}<Hostile text={`${fit.message ?? ""}${fit.help ? ` (${fit.help})` : ""}`} /></>)}</p>
    </section>
  );
}

const SHOWN: Record<string, () => preact.JSX.Element> = { "in-force": InForceList, try: Try, write: Write, policy: Editor };

export function Rules() {
  const tab = TABS.find(([own]) => own === route.value.id)?.[0] ?? "in-force";
  const Shown = SHOWN[tab] ?? InForceList;
  return (
    <>
      <Unlock />
      <div class="page">
        <div class="head"><h1>{t("rules")}</h1><span class="gap" /><Unlocked /></div>
        <nav class="tablist" aria-label={t("rules")}>{TABS.map(([own, word]) => <a key={own} href={href("rules", own)} aria-current={own === tab ? "page" : undefined}>{t(word)}</a>)}</nav>
        <Shown key={tab} />
      </div>
    </>
  );
}
