// The other pages: overview, sessions, rules, guardian, findings, settings.

import { useEffect, useState } from "preact/hooks";
import { type Json, type Overview as Counted, type Record_, type SavedRule, type Session, type Tree as Values, call, said } from "./api";
import { Bars, Columns, Touches } from "./charts";
import { keysOn, me, newest, notifying, remember, theme } from "./state";
import { summary } from "./records";
import { spell } from "./exact";
import { Hostile, Tree } from "./text";
import { type Key, language, t } from "./words";

// What a path answers, looked at again when `on` changes; nothing where there is no path.
function useAnswer<T>(path: string | null, on: unknown = 0): [T | null, string, () => void] {
  const [value, setValue] = useState<T | null>(null);
  const [fault, setFault] = useState("");
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (path === null) { setValue(null); setFault(""); return; }
    let alive = true;
    call<T>("GET", path).then((one) => { if (alive) { setValue(one); setFault(""); } }).catch((error) => { if (alive) setFault(said(error)); });
    return () => { alive = false; };
  }, [path, on, again]);
  return [value, fault, () => setAgain((one) => one + 1)];
}

const Fault = ({ text }: { text: string }) => (text ? <p class="said" role="status">{text}</p> : null);

export function Overview() {
  const [hours, setHours] = useState(24);
  const [counted, fault] = useAnswer<Counted>(`/v1/overview?hours=${hours}`, Math.floor((newest.value?.index ?? 0) / 50));
  const ms = (value: number | null) => (value === null ? "–" : value < 1000 ? `${value} µs` : `${(value / 1000).toFixed(1)} ms`);
  const took = counted?.answers.took_s;
  return (
    <>
      <p><label>{t("hours")} <select value={hours} onChange={(event) => setHours(Number(event.currentTarget.value))}>{[1, 24, 168, 720].map((one) => <option key={one} value={one}>{one}</option>)}</select></label></p>
      <Fault text={fault} />
      {counted && (
        <div class="cards">
          <section class="card wide"><h2>{`${counted.decisions} ${t("calls")}`}</h2><Columns columns={counted.columns} /></section>
          <Bars title={t("topRules")} rows={counted.rules} />
          <Bars title={t("levels")} rows={counted.risks} />
          <section class="card"><h2>{t("latency")}</h2><dl class="figures">{(["p50", "p95", "p99"] as const).map((one) => <><dt>{one}</dt><dd>{ms(counted.latency_us[one])}</dd></>)}</dl></section>
          <section class="card"><h2>{t("answers")}</h2><dl class="figures">{Object.entries(counted.answers.ended).map(([word, n]) => <><dt>{word}</dt><dd>{n}</dd></>)}
            {took && took.n > 0 && <><dt>p50</dt><dd>{`${took.p50} ${t("seconds")}`}</dd><dt>p95</dt><dd>{`${took.p95} ${t("seconds")}`}</dd></>}</dl></section>
          <Touches rows={counted.touches} />
        </div>
      )}
    </>
  );
}

function Turns({ id }: { id: string }) {
  const [found] = useAnswer<{ records: Record_[] }>(`/v1/records?kind=decision&limit=200&session=${encodeURIComponent(id)}`, newest.value?.index);
  return (
    <ol class="turns">{(found?.records ?? []).slice().reverse().map((record) => (
      <li key={record.index} class={String(record.verdict)}><details><summary><b>{String(record.verdict)}</b> <Hostile text={summary(record).slice(String(record.verdict).length, 200)} /></summary><Tree value={record} /></details></li>
    ))}</ol>
  );
}

export function Sessions() {
  const [open, setOpen] = useState<string | null>(null);
  const [known, fault] = useAnswer<{ sessions: Session[] }>("/v1/sessions", newest.value?.index);
  // A session that only the ledger knows any more has its turns, and no state.
  const held = open !== null && (known?.sessions ?? []).some((session) => session.id === open);
  const [shown] = useAnswer<Json>(held ? `/v1/sessions/${encodeURIComponent(open)}` : null, newest.value?.index);
  return (
    <>
      <Fault text={fault} />
      {known?.sessions.length === 0 && <p class="empty">{t("nothingYet")}</p>}
      <ul class="list wide">{(known?.sessions ?? []).map((session) => (
        <li key={session.id}><button type="button" aria-expanded={open === session.id} onClick={() => setOpen(open === session.id ? null : session.id)}>
          <Hostile text={session.id} /> <small>{`${session.calls} ${t("calls")}, ${session.denials} ${t("denials")}, ${session.minutes} ${t("minutes")}`}</small> {session.taints.map((taint) => <mark key={taint}><Hostile text={taint} /></mark>)}
        </button></li>
      ))}</ul>
      {open !== null && <section class="dialog" aria-label={t("session")}><h2><Hostile text={open} /></h2><Turns id={open} />{shown !== null && <details><summary>{t("details")}</summary><Tree value={shown} /></details>}</section>}
    </>
  );
}

const request = (tool: string, args: Json, cwd: string) => spell({ principal: { id: "me" }, action: "tool:execute", resource: { type: "tool", name: tool, attributes: { args } }, context: { cwd } }, 2);
const CALL = request("shell:execute", { command: "rm -rf ~" }, "/workspace");

function Simulator() {
  const [text, setText] = useState(CALL);
  const [answer, setAnswer] = useState<Values | null>(null);
  const [fault, setFault] = useState("");
  const [recent] = useAnswer<{ records: Record_[] }>("/v1/records?kind=decision&limit=50");
  const send = async () => {
    try { setAnswer(await call<Values>("POST", "/v1/simulate", text)); setFault(""); } catch (error) { setAnswer(null); setFault(said(error)); }
  };
  const nearest = (answer?.nearest ?? []) as { policy: string; clause: string }[];
  return (
    <section class="dialog"><h2>{t("simulate")}</h2>
      <p><label>{t("simulateHelp")} <select aria-label={t("pick")} value="" onChange={(event) => {
        const record = recent?.records[Number(event.currentTarget.value)];
        if (record) setText(request((record.resource as { name: string }).name, record.args ?? {}, "/workspace"));
      }}><option value="">{t("pick")}</option>{(recent?.records ?? []).map((record, at) => <option key={record.index} value={at}>{summary(record).slice(0, 80)}</option>)}</select></label></p>
      <textarea id="simulated" aria-label={t("simulate")} rows={9} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <div class="buttons"><button type="button" onClick={() => void send()}>{t("simulate")}</button></div>
      <Fault text={fault} />
      {answer && (
        <div id="simulation">
          <p class={`verdict ${String(answer.decision)}`}><b>{String(answer.decision)}</b> <code>{String(answer.code)}</code> <Hostile text={String(answer.reason)} /></p>
          {nearest.length > 0 && <><h3>{t("nearest")}</h3><ul>{nearest.map((one) => <li><code><Hostile text={one.policy} /></code>: <Hostile text={one.clause} /></li>)}</ul></>}
          {Array.isArray(answer.effect_lines) && answer.effect_lines.length > 0 && <><h3>{t("effects")}</h3><ul>{answer.effect_lines.map((line) => <li><Hostile text={String(line)} /></li>)}</ul></>}
          <details><summary>{t("details")}</summary><Tree value={answer} /></details>
        </div>
      )}
    </section>
  );
}

const POLICY = "@id(\"no-prod\")\nforbid (principal, action == Action::\"shell:execute\", resource)\nwhen { context.effects.hosts.contains(\"prod.example.com\") };\n";
interface Fitness { ok: boolean; message?: string; help?: string | null; line?: number; column?: number }

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
    <section class="dialog"><h2>{t("editor")}</h2>
      <p><label>{t("form")} <select id="editor-form" value={form} onChange={(event) => setForm(event.currentTarget.value)}>{["cedar", "allow", "ask", "deny"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label></p>
      <div class="editor"><pre class="gutter" aria-hidden="true">{lines.map((_, at) => <span class={fit && !fit.ok && fit.line === at + 1 ? "bad" : ""}>{`${at + 1}\n`}</span>)}</pre>
        <textarea id="editor" aria-label={t("editor")} aria-describedby="editor-fit" aria-invalid={fit?.ok === false} rows={Math.max(8, lines.length + 1)} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
      <p id="editor-fit" role="status" class={fit?.ok ? "ok" : "said"}>{fit && (fit.ok ? t("loads") : <>{`${t("line")} ${fit.line ?? 1}:${fit.column ?? 1}: `}<Hostile text={`${fit.message ?? ""}${fit.help ? ` (${fit.help})` : ""}`} /></>)}</p>
    </section>
  );
}

function Saved() {
  const [found, fault, again] = useAnswer<{ rules: SavedRule[] }>("/v1/rules", newest.value?.index);
  const [told, setTold] = useState("");
  const revoke = async (id: string) => { try { await call("POST", `/v1/rules/${encodeURIComponent(id)}/revoke`, {}); setTold(""); } catch (error) { setTold(said(error)); } again(); };
  return (
    <section class="dialog" id="saved-rules"><h2>{t("savedRules")}</h2><Fault text={fault || told} />
      {found?.rules.length === 0 && <p class="empty">{t("noSaved")}</p>}
      <ul class="plain">{(found?.rules ?? []).map((rule) => (
        <li key={rule.id}><b class={rule.list}>{rule.list}</b> <code><Hostile text={rule.rule} /></code> <small><Hostile text={[rule.by ?? "", ...Object.values(rule.only ?? {}), rule.until ?? ""].filter(Boolean).join(" · ")} /></small> {rule.id && <button type="button" onClick={() => void revoke(rule.id ?? "")}>{t("revoke")}</button>}</li>
      ))}</ul>
    </section>
  );
}

export function Rules() {
  const [inForce] = useAnswer<Values>("/v1/policies");
  return <><Saved /><Simulator /><Editor />{inForce && <section class="dialog"><h2>{t("inForce")}</h2><Tree value={inForce} /></section>}</>;
}

const ANALYZERS: [string, string][] = [["effects", "Ensemble"], ["llm", "LLM Analyzer"], ["toolshield", "ToolShield Analyzer"], ["pattern", "Pattern Analyzer"], ["rail", "Policy Rail"], ["noop", "None"]];
interface Known { tool: string; rules: string[]; source: string }

function Experience({ known, again }: { known: Known; again: () => void }) {
  const [text, setText] = useState(known.rules.join("\n"));
  const [told, setTold] = useState("");
  const keep = async () => {
    try { await call("POST", `/v1/experiences/${encodeURIComponent(known.tool)}`, { rules: text.split("\n").filter((line) => line.trim()) }); setTold(t("kept")); again(); } catch (error) { setTold(said(error)); }
  };
  return (
    <details><summary><Hostile text={known.tool} /> <small>{`${known.rules.length} · ${t(known.source === "own" ? "own" : "shipped")}`}</small></summary>
      <label>{t("ruleOfTool")}<textarea rows={Math.min(16, known.rules.length + 2)} value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      <div class="buttons"><button type="button" onClick={() => void keep()}>{t("keep")}</button> <span role="status">{told}</span></div>
    </details>
  );
}

export function Guardian() {
  const [settings, , look] = useAnswer<Values>("/v1/settings", newest.value?.kind === "policy" ? newest.value.index : 0);
  const [known, fault, again] = useAnswer<{ tools: Known[] }>("/v1/experiences");
  const [told, setTold] = useState("");
  const analyzers = settings?.analyzers as { list?: string[]; profile?: string } | undefined;
  const value = analyzers?.list?.at(-1) || (analyzers?.profile === "openhands-compat" ? "llm" : "effects");
  const total = (known?.tools ?? []).reduce((all, one) => all + one.rules.length, 0);
  const choose = async (analyzer: string) => {
    try { await call("POST", "/v1/settings/choose", { analyzer }); setTold(t("kept")); } catch (error) { setTold(said(error)); }
    look();
  };
  return (
    <>
      <section class="dialog"><h2>{t("analyzer")}</h2>
        <label>{t("analyzer")} <select id="security-analyzer" value={value} onChange={(event) => void choose(event.currentTarget.value)}>{ANALYZERS.map(([key, label]) => <option key={key} value={key}>{label}</option>)}</select></label>
        <span role="status" id="analyzer-told">{told}</span>
        {value === "toolshield" && <p id="toolshield-loaded">{`${total} ${t("loaded")}`}</p>}
        <p class="meta">{t("configure")} <code>{value === "effects" ? "[analyzers] list = []" : `[analyzers] list = ["${value}"]`}</code></p>
      </section>
      <section class="dialog"><h2>{t("experiences")}</h2><Fault text={fault} />{(known?.tools ?? []).map((one) => <Experience key={`${one.tool}${one.source}`} known={one} again={again} />)}</section>
      {settings && <section class="dialog"><h2>{t("guardianSettings")}</h2><Tree value={{ analyzers: settings.analyzers ?? null, guardian: settings.guardian ?? null }} /></section>}
    </>
  );
}

const found = (record: Record_, kind: string): string[] => {
  const risk = record.risk as { by?: { findings?: string[] }[] } | undefined;
  return [...new Set((risk?.by ?? []).flatMap((one) => one.findings ?? []).filter((code) => code.startsWith(kind)))];
};

function Found({ title, kind }: { title: string; kind: string }) {
  const [answer, fault] = useAnswer<{ records: Record_[] }>(`/v1/records?kind=decision&limit=200&text=${encodeURIComponent(`"${kind}`)}`, newest.value?.index);
  const rows = (answer?.records ?? []).map((record) => ({ record, codes: found(record, kind) })).filter((row) => row.codes.length > 0);
  return (
    <section class="dialog"><h2>{title}</h2><Fault text={fault} />
      {rows.length === 0 ? <p class="empty">{t("nothingYet")}</p> : (
        <div class="scroll" tabIndex={0} role="group" aria-label={title}><table><thead><tr><th>{t("time")}</th><th>{t("code")}</th><th>{t("what")}</th></tr></thead>
          <tbody>{rows.slice(0, 100).map(({ record, codes }) => <tr key={record.index} class={String(record.verdict)}><td>{String(record.time).slice(0, 19)}</td><td><Hostile text={codes.join(", ")} /></td><td><Hostile text={summary(record).slice(0, 200)} /></td></tr>)}</tbody></table></div>
      )}
    </section>
  );
}

export const Findings = () => <><Found title={t("secrets")} kind="secret." /><Found title={t("network")} kind="net." /></>;

interface Account { name: string; role: string; groups: string[]; disabled: boolean; has_passphrase: boolean }
interface Token { id: string; account: string; label: string; expires: string }

function Accounts() {
  const [known, fault, again] = useAnswer<{ accounts: Account[] }>("/v1/accounts");
  const [tokens, , lookAgain] = useAnswer<{ tokens: Token[] }>("/v1/tokens");
  const [form, setForm] = useState({ name: "", role: "approver", groups: "", disabled: false });
  const [told, setTold] = useState("");
  const [secret, setSecret] = useState("");
  const act = async (work: () => Promise<unknown>) => { try { await work(); setTold(""); } catch (error) { setTold(said(error)); } again(); lookAgain(); };
  const put = () => act(() => call("POST", "/v1/accounts", { ...form, groups: form.groups.split(",").map((one) => one.trim()).filter(Boolean) }));
  const make = (account: string) => act(async () => setSecret((await call<{ token: string }>("POST", "/v1/tokens", { account, label: "console" })).token));
  return (
    <section class="dialog"><h2>{t("accounts")}</h2><Fault text={fault || told} />
      <div class="scroll" tabIndex={0} role="group" aria-label={t("accounts")}><table><thead><tr><th>{t("name")}</th><th>{t("role")}</th><th>{t("groups")}</th><th>{t("change")}</th></tr></thead><tbody>{(known?.accounts ?? []).map((one) => (
        <tr key={one.name}><td><Hostile text={one.name} />{one.disabled && <em>{` ${t("disabled")}`}</em>}</td><td>{one.role}</td><td><Hostile text={one.groups.join(", ")} /></td>
          <td><button type="button" onClick={() => setForm({ name: one.name, role: one.role, groups: one.groups.join(", "), disabled: one.disabled })}>{t("change")}</button> <button type="button" onClick={() => void make(one.name)}>{t("makeToken")}</button></td></tr>
      ))}</tbody></table></div>
      {secret && <p role="status">{t("tokenOnce")} <code>{secret}</code> <button type="button" onClick={() => setSecret("")}>{t("close")}</button></p>}
      <form class="buttons" onSubmit={(event) => { event.preventDefault(); void put(); }}>
        <label>{t("name")} <input required value={form.name} onInput={(event) => setForm({ ...form, name: event.currentTarget.value })} /></label>
        <label>{t("role")} <select value={form.role} onChange={(event) => setForm({ ...form, role: event.currentTarget.value })}>{["agent", "viewer", "approver", "admin"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
        <label>{t("groups")} <input value={form.groups} onInput={(event) => setForm({ ...form, groups: event.currentTarget.value })} /></label>
        <label class="check"><input type="checkbox" checked={form.disabled} onChange={(event) => setForm({ ...form, disabled: event.currentTarget.checked })} /> {t("disabled")}</label>
        <button>{t("change")}</button>
      </form>
      <h3>{t("tokens")}</h3>
      <ul class="plain">{(tokens?.tokens ?? []).map((one) => <li key={one.id}><Hostile text={`${one.account} · ${one.label} · ${one.expires.slice(0, 10)}`} /> <button type="button" onClick={() => void act(() => call("POST", `/v1/tokens/${encodeURIComponent(one.id)}/revoke`, {}))}>{t("revoke")}</button></li>)}</ul>
    </section>
  );
}

const MODES = ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions"];
const WHEN = ["AlwaysConfirm", "NeverConfirm", "ConfirmRisky"];

// When to ask. What switches asking off takes the phrase.
function Asking({ settings, look }: { settings: Values; look: () => void }) {
  const [phrase, setPhrase] = useState("");
  const [wanted, setWanted] = useState<Values | null>(null);
  const [told, setTold] = useState("");
  const modes = settings.modes as { default?: string; disable_bypass?: boolean };
  const policy = ((settings.confirm as { policy?: Values })?.policy ?? { kind: "ConfirmRisky" }) as { kind?: string; threshold?: string; confirm_unknown?: boolean };
  const send = async (body: Values) => {
    try { await call("POST", "/v1/settings/choose", { ...body, typed: phrase }); setTold(t("kept")); setWanted(null); setPhrase(""); } catch (error) { setTold(said(error)); }
    look();
  };
  const change = (body: Values) => (body.mode === "bypassPermissions" || body.confirm === "NeverConfirm" ? setWanted(body) : void send(body));
  const risky = (more: Values) => ({ confirm: "ConfirmRisky", threshold: policy.threshold ?? "HIGH", confirm_unknown: policy.confirm_unknown ?? true, ...more });
  return (
    <section class="dialog" id="asking"><h2>{t("asking")}</h2>
      <div class="buttons">
        <label>{t("mode")} <select id="mode" value={modes.default ?? "default"} onChange={(event) => change({ mode: event.currentTarget.value })}>{MODES.map((one) => <option key={one} value={one} disabled={one === "bypassPermissions" && modes.disable_bypass === true}>{one}</option>)}</select></label>
        <label>{t("confirmWhen")} <select id="confirm-policy" value={policy.kind ?? "ConfirmRisky"} onChange={(event) => change(event.currentTarget.value === "ConfirmRisky" ? risky({}) : { confirm: event.currentTarget.value })}>{WHEN.map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
        {policy.kind !== "AlwaysConfirm" && policy.kind !== "NeverConfirm" && <>
          <label>{t("threshold")} <select id="threshold" value={policy.threshold ?? "HIGH"} onChange={(event) => change(risky({ threshold: event.currentTarget.value }))}>{["LOW", "MEDIUM", "HIGH"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
          <label class="check"><input id="confirm-unknown" type="checkbox" checked={policy.confirm_unknown ?? true} onChange={(event) => change(risky({ confirm_unknown: event.currentTarget.checked }))} /> {t("confirmUnknown")}</label>
        </>}
      </div>
      {wanted && <form class="buttons" onSubmit={(event) => { event.preventDefault(); void send(wanted); }}><label>{t("typePhrase")} <code>I confirm</code> <input id="setting-phrase" autocomplete="off" value={phrase} onPaste={(event) => event.preventDefault()} onInput={(event) => setPhrase(event.currentTarget.value)} /></label><button class="no">{t("change")}</button> <button type="button" onClick={() => setWanted(null)}>{t("close")}</button></form>}
      <p role="status" class="said">{told}</p>
    </section>
  );
}

export function Settings() {
  const [settings, , look] = useAnswer<Values>("/v1/settings", newest.value?.kind === "policy" ? newest.value.index : 0);
  const pick = (label: Key, id: string, value: string, options: [string, string][], set: (value: string) => void) => (
    <label>{t(label)} <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>{options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}</select></label>
  );
  const onOff: [string, string][] = [["on", t("on")], ["off", t("off")]];
  const ask = (value: string) => {
    notifying.value = value === "on";
    if (notifying.value && "Notification" in window) void Notification.requestPermission();
  };
  return (
    <>
      <section class="dialog buttons"><h2 class="sr">{t("settings")}</h2>
        {pick("language", "language", language.value, [["en", "English"], ["de", "Deutsch"]], (value) => { language.value = value; remember("language", value); })}
        {pick("theme", "theme", theme.value, [["auto", t("auto")], ["light", t("light")], ["dark", t("dark")]], (value) => { theme.value = value; })}
        {pick("keysOn", "keys-on", keysOn.value ? "on" : "off", onOff, (value) => { keysOn.value = value === "on"; })}
        {pick("notify", "notify", notifying.value ? "on" : "off", onOff, ask)}
      </section>
      {me.value?.role === "admin" && settings && <Asking settings={settings} look={look} />}
      {me.value?.role === "admin" && <Accounts />}
      {settings && <section class="dialog"><h2>{t("values")}</h2><Tree value={settings} /></section>}
    </>
  );
}
