// The guardian: who judges a call beside the rules, the model it asks, and what it knows of tools.

import { useEffect, useState } from "preact/hooks";
import { type Tree as Values, call, said } from "./api";
import { Icon } from "./icons";
import { Fault, Unlock, Unlocked, useAnswer } from "./parts";
import { me, newest } from "./state";
import { Hostile, Tree } from "./text";
import { type Key, t } from "./words";

const ANALYZERS: [string, string, Key][] = [
  ["effects", "Ensemble", "meansEffects"], ["toolshield", "ToolShield Analyzer", "meansToolshield"], ["llm", "LLM Analyzer", "meansLlm"], ["pattern", "Pattern Analyzer", "meansPattern"], ["rail", "Policy Rail", "meansRail"], ["noop", "None", "meansNone"],
];
const PROVIDERS: [string, string, string][] = [
  ["anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY"], ["openai", "https://api.openai.com/v1", "OPENAI_API_KEY"], ["openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY"], ["gemini", "https://generativelanguage.googleapis.com", "GEMINI_API_KEY"], ["ollama", "http://127.0.0.1:11434", ""], ["openai-compatible", "http://127.0.0.1:8000/v1", ""],
];
interface Known { tool: string; rules: string[]; source: string }
interface Setup { model?: string | null; base_url?: string | null; api_key_env?: string | null; review?: string; prompt_at?: number; deny_at?: number | null; on_unavailable?: string }

function Analyzer({ value, total, look }: { value: string; total: number; look: () => void }) {
  const [told, setTold] = useState("");
  const choose = async (analyzer: string) => {
    try { await call("POST", "/v1/settings/choose", { analyzer }); setTold(t("kept")); } catch (error) { setTold(said(error)); }
    look();
  };
  return (
    <section class="card stack"><h2>{t("analyzer")}</h2><p class="dim">{t("analyzerHelp")}</p>
      <p class="row"><label class="field">{t("analyzer")}<select id="security-analyzer" value={value} onChange={(event) => void choose(event.currentTarget.value)}>{ANALYZERS.map(([key, label]) => <option key={key} value={key}>{label}</option>)}</select></label></p>
      <ul class="plain choices">{ANALYZERS.map(([key, label, means]) => <li class={`choice ${key === value ? "on" : ""}`} key={key}><Icon name={key === value ? "allow" : "dot"} small /><b>{label}{key === value && <span class="sr">{` (${t("chosen")})`}</span>}</b><small>{t(means)}</small></li>)}</ul>
      {value === "toolshield" && <p id="toolshield-loaded" class="ok">{`${total} ${t("loaded")}`}</p>}
      <p role="status" id="analyzer-told" class="dim">{told}</p>
    </section>
  );
}

function Model({ setup, look }: { setup: Setup; look: () => void }) {
  const [form, setForm] = useState({ model: setup.model ?? "", base_url: setup.base_url ?? "", api_key_env: setup.api_key_env ?? "" });
  const [told, setTold] = useState("");
  const [fine, setFine] = useState(true);
  const [busy, setBusy] = useState(false);
  useEffect(() => setForm({ model: setup.model ?? "", base_url: setup.base_url ?? "", api_key_env: setup.api_key_env ?? "" }), [setup.model, setup.base_url, setup.api_key_env]);
  const [provider = "", name = ""] = form.model.split(/\/(.*)/s);
  const row = PROVIDERS.find(([own]) => own === provider);
  const act = async (work: () => Promise<void>) => { setBusy(true); try { await work(); } catch (error) { setFine(false); setTold(said(error)); } setBusy(false); };
  const save = () => act(async () => { await call("POST", "/v1/guardian", form); setFine(true); setTold(t("kept")); look(); });
  const test = () => act(async () => {
    const answer = await call<{ ok: boolean; model: string; took_ms: number; answer?: string; message?: string }>("POST", "/v1/guardian/test", {});
    setFine(answer.ok);
    setTold(answer.ok ? t("testFine").replace("{}", answer.model).replace("{}", String(answer.took_ms)) : answer.message ?? t("failed"));
  });
  return (
    <form class="card stack" id="guardian-model" onSubmit={(event) => { event.preventDefault(); void save(); }}>
      <h2>{t("model")}</h2><p class="dim">{t(setup.model ? "modelHelp" : "noModelHelp")}</p>
      <div class="form">
        <label class="field">{t("provider")}<select id="guardian-provider" value={row ? provider : provider ? "other" : ""} onChange={(event) => {
          const chosen = PROVIDERS.find(([own]) => own === event.currentTarget.value);
          setForm(chosen ? { model: `${chosen[0]}/${name}`, base_url: chosen[0] === "openai-compatible" ? chosen[1] : "", api_key_env: chosen[2] } : { model: "", base_url: "", api_key_env: "" });
        }}><option value="">{t("noModel")}</option>{PROVIDERS.map(([own]) => <option key={own} value={own}>{own}</option>)}{provider && !row && <option value="other">{provider}</option>}</select></label>
        {provider && <>
          <label class="field">{t("modelName")}<input id="guardian-name" required value={name} placeholder="model-name" onInput={(event) => setForm({ ...form, model: `${provider}/${event.currentTarget.value}` })} /></label>
          <label class="field">{t("baseUrl")}<input id="guardian-url" value={form.base_url} placeholder={row?.[1] || "https://"} onInput={(event) => setForm({ ...form, base_url: event.currentTarget.value })} /></label>
          <label class="field">{t("keyEnv")}<input id="guardian-key" value={form.api_key_env} placeholder={row?.[2] || "NAME"} onInput={(event) => setForm({ ...form, api_key_env: event.currentTarget.value })} /></label>
        </>}
      </div>
      <p class="row"><button class="primary" id="guardian-save" disabled={busy}><Icon name="save" small />{t("keep")}</button><button type="button" id="guardian-test" disabled={busy || !setup.model} onClick={() => void test()}><Icon name="test" small />{t("testModel")}</button><span role="status" id="guardian-told" class={fine ? "ok" : "said"}><Hostile text={told} /></span></p>
      <dl class="pairs"><dt>{t("sees")}</dt><dd>{t(setup.review === "all" ? "seesAll" : "seesDelegated")}</dd><dt>{t("asksFrom")}</dt><dd>{setup.prompt_at ?? "–"}</dd><dt>{t("deniesFrom")}</dt><dd>{setup.deny_at ?? t("neverByScore")}</dd><dt>{t("whenUnreachable")}</dt><dd>{t(setup.on_unavailable === "prompt" ? "thenAsk" : "thenDeny")}</dd></dl>
    </form>
  );
}

function Experience({ known, again }: { known: Known; again: () => void }) {
  const [text, setText] = useState(known.rules.join("\n"));
  const [told, setTold] = useState("");
  const keep = async () => {
    try { await call("POST", `/v1/experiences/${encodeURIComponent(known.tool)}`, { rules: text.split("\n").filter((line) => line.trim()) }); setTold(t("kept")); again(); } catch (error) { setTold(said(error)); }
  };
  return (
    <details><summary><Hostile text={known.tool} line /> <small>{`${known.rules.length} · ${t(known.source === "own" ? "own" : "shipped")}`}</small></summary>
      <div class="stack"><label class="field">{t("ruleOfTool")}<textarea rows={Math.min(16, known.rules.length + 2)} value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
        <p class="row"><button type="button" onClick={() => void keep()}>{t("keep")}</button> <span role="status">{told}</span></p></div>
    </details>
  );
}

export function Guardian() {
  const [settings, fault, look] = useAnswer<Values>("/v1/settings", newest.value?.kind === "policy" ? newest.value.index : 0);
  const [known, missing, again] = useAnswer<{ tools: Known[] }>("/v1/experiences");
  const analyzers = settings?.analyzers as { list?: string[]; profile?: string } | undefined;
  const value = analyzers?.list?.at(-1) || (analyzers?.profile === "openhands-compat" ? "llm" : "effects");
  const total = (known?.tools ?? []).reduce((all, one) => all + one.rules.length, 0);
  return (
    <>
      <Unlock />
      <div class="page">
        <div class="head"><h1>{t("guardian")}</h1><span class="gap" /><Unlocked /><p>{t("guardianHelp")}</p></div>
        <Fault text={fault} />
        {settings && <Analyzer value={value} total={total} look={look} />}
        {settings && me.value?.role === "admin" && <Model setup={settings.guardian as Setup} look={look} />}
        <section class="card stack"><h2>{t("experiences")}</h2><p class="dim">{t("experiencesHelp")}</p><Fault text={missing} />{(known?.tools ?? []).map((one) => <Experience key={`${one.tool}${one.source}`} known={one} again={again} />)}</section>
        {settings && <details><summary>{t("raw")}</summary><div class="args"><Tree value={{ analyzers: settings.analyzers ?? null, guardian: settings.guardian ?? null }} /></div></details>}
      </div>
    </>
  );
}
