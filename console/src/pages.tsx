// The other pages: timeline, sessions, rules, guardian, settings.

import { useEffect, useState } from "preact/hooks";
import { type Json, call } from "./api";
import { records, sessions } from "./state";
import { Hostile, Tree } from "./text";
import { language, t } from "./words";

export function Timeline() {
  const [said, setSaid] = useState("");
  const [filter, setFilter] = useState("");
  const verify = async () => {
    const report = await call<{ intact: boolean; entries: number; faults: { code: string; message: string }[] }>("GET", "/v1/ledger/verify");
    setSaid(report.intact ? `${t("loaded")}: ${report.entries}` : report.faults.map((fault) => `${fault.code}: ${fault.message}`).join("; "));
  };
  const shown = records.value.filter((record) => !filter || JSON.stringify(record).includes(filter));
  return (
    <>
      <p><input id="filter" type="search" placeholder="/" aria-label="filter" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} /> <button type="button" onClick={() => void verify()}>{t("verify")}</button> <span role="status">{said}</span></p>
      <div class="scroll"><table>
        <thead><tr><th>#</th><th>time</th><th>kind</th><th>what</th><th>code</th></tr></thead>
        <tbody>{shown.map((record) => {
          const resource = record.resource as { name?: string } | undefined;
          const what = record.kind === "decision" ? `${record.verdict} ${resource?.name ?? ""} ${JSON.stringify(record.args ?? {})}` : String(record.outcome ?? record.event ?? record.message ?? "");
          return <tr key={record.index} class={String(record.verdict ?? "")}><td>{record.index}</td><td>{String(record.time).slice(11, 19)}</td><td>{record.kind}</td><td><Hostile text={what.slice(0, 300)} /></td><td><Hostile text={String(record.code ?? record.by ?? "")} /></td></tr>;
        })}</tbody>
      </table></div>
    </>
  );
}

export function Sessions() {
  const [open, setOpen] = useState<Json>(null);
  return (
    <>
      <ul class="list wide">{sessions.value.map((session) => (
        <li key={session.id}><button type="button" onClick={async () => setOpen(await call<Json>("GET", `/v1/sessions/${encodeURIComponent(session.id)}`))}>
          <Hostile text={session.id} /> <small>{`${session.calls} calls, ${session.denials} denials, ${session.minutes} min`}</small> {session.taints.map((taint) => <mark key={taint}>{taint}</mark>)}
        </button></li>
      ))}</ul>
      {open !== null && <section class="dialog"><Tree value={open} /></section>}
    </>
  );
}

const CALL = JSON.stringify({ principal: { id: "me" }, action: "tool:execute", resource: { type: "tool", name: "shell:execute", attributes: { args: { command: "rm -rf ~" } } }, context: { cwd: "/workspace" } }, null, 2);
const POLICY = `@id("no-prod")\nforbid (principal, action == Action::"shell:execute", resource)\nwhen { context.effects.hosts.contains("prod.example.com") };\n`;

function Try({ label, start, path, wrap }: { label: string; start: string; path: string; wrap: (text: string) => unknown }) {
  const [text, setText] = useState(start);
  const [answer, setAnswer] = useState<Json>(null);
  const send = async () => {
    try { setAnswer(await call<Json>("POST", path, wrap(text))); } catch (error) { setAnswer({ error: (error as Error).message }); }
  };
  return (
    <section class="dialog"><h2>{label}</h2>
      <textarea aria-label={label} rows={9} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <div class="buttons"><button type="button" onClick={() => void send()}>{label}</button></div>
      {answer !== null && <Tree value={answer} />}
    </section>
  );
}

export const Rules = () => (
  <>
    <Try label={t("simulate")} start={CALL} path="/v1/simulate" wrap={(text) => JSON.parse(text)} />
    <Try label={t("validate")} start={POLICY} path="/v1/policies/validate" wrap={(text) => ({ text })} />
  </>
);

function useSettings(): { [key: string]: Json } | null {
  const [settings, setSettings] = useState<{ [key: string]: Json } | null>(null);
  useEffect(() => { void call<{ [key: string]: Json }>("GET", "/v1/settings").then(setSettings).catch(() => {}); }, []);
  return settings;
}

const ANALYZERS: [string, string][] = [["effects", "Ensemble"], ["llm", "LLM Analyzer"], ["toolshield", "ToolShield Analyzer"], ["pattern", "Pattern Analyzer"], ["policy_rail", "Policy Rail"], ["noop", "None"]];

export function Guardian() {
  const settings = useSettings();
  const analyzers = settings?.analyzers as { list?: string[] } | undefined;
  const [chosen, setChosen] = useState("");
  const value = chosen || analyzers?.list?.at(-1) || "effects";
  return settings && (
    <section class="dialog">
      <label>{t("analyzer")} <select id="security-analyzer" value={value} onChange={(event) => setChosen(event.currentTarget.value)}>{ANALYZERS.map(([key, label]) => <option key={key} value={key}>{label}</option>)}</select></label>
      <p class="meta">doorward.toml: <code>{`[analyzers] list = ["${value}"]`}</code></p>
      <Tree value={{ analyzers: settings.analyzers ?? null, guardian: settings.guardian ?? null }} />
    </section>
  );
}

export function Settings() {
  const settings = useSettings();
  return (
    <>
      <section class="dialog"><label>Language <select id="language" value={language.value} onChange={(event) => { language.value = event.currentTarget.value; document.documentElement.lang = language.value; }}><option value="en">English</option><option value="de">Deutsch</option></select></label></section>
      {settings && <section class="dialog"><Tree value={settings} /></section>}
    </>
  );
}
