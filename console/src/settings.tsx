// Settings: how it looks, when people are asked, who may sign in, and every value in force.

import { useState } from "preact/hooks";
import { type Tree as Values, call, said } from "./api";
import { Fault, Unlock, Unlocked, useAnswer } from "./parts";
import { keysOn, lookAtMe, me, newest, notifying, pausedUntil, remember, theme } from "./state";
import { Hostile, Tree } from "./text";
import { type Key, language, t } from "./words";

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
    <section class="card stack"><h2>{t("accounts")}</h2><Fault text={fault || told} />
      <div class="scroll" tabIndex={0} role="group" aria-label={t("accounts")}><table><thead><tr><th>{t("name")}</th><th>{t("role")}</th><th>{t("groups")}</th><th>{t("change")}</th></tr></thead><tbody>{(known?.accounts ?? []).map((one) => (
        <tr key={one.name}><td><Hostile text={one.name} />{one.disabled && <em>{` ${t("disabled")}`}</em>}</td><td>{one.role}</td><td><Hostile text={one.groups.join(", ")} /></td>
          <td><button type="button" onClick={() => setForm({ name: one.name, role: one.role, groups: one.groups.join(", "), disabled: one.disabled })}>{t("change")}</button> <button type="button" onClick={() => void make(one.name)}>{t("makeToken")}</button></td></tr>
      ))}</tbody></table></div>
      {secret && <p role="status">{t("tokenOnce")} <code>{secret}</code> <button type="button" onClick={() => setSecret("")}>{t("close")}</button></p>}
      <form class="row end" onSubmit={(event) => { event.preventDefault(); void put(); }}>
        <label class="field">{t("name")} <input required value={form.name} onInput={(event) => setForm({ ...form, name: event.currentTarget.value })} /></label>
        <label class="field">{t("role")} <select value={form.role} onChange={(event) => setForm({ ...form, role: event.currentTarget.value })}>{["agent", "viewer", "approver", "admin"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
        <label class="field">{t("groups")} <input value={form.groups} onInput={(event) => setForm({ ...form, groups: event.currentTarget.value })} /></label>
        <label class="check"><input type="checkbox" checked={form.disabled} onChange={(event) => setForm({ ...form, disabled: event.currentTarget.checked })} /> {t("disabled")}</label>
        <button>{t("change")}</button>
      </form>
      <h3>{t("tokens")}</h3>
      <ul class="plain">{(tokens?.tokens ?? []).map((one) => <li key={one.id}><Hostile text={`${one.account} · ${one.label} · ${one.expires.slice(0, 10)}`} /> <button type="button" onClick={() => void act(() => call("POST", `/v1/tokens/${encodeURIComponent(one.id)}/revoke`, {}))}>{t("revoke")}</button></li>)}</ul>
    </section>
  );
}

const MODES = ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions"];
const WHEN: [string, Key][] = [["AlwaysConfirm", "confirmAlways"], ["NeverConfirm", "confirmNever"], ["ConfirmRisky", "confirmRisky"]];

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
  const pause = async () => { try { await call("POST", "/v1/pause", { seconds: 600, reason: "console" }); await lookAtMe(); setTold(""); } catch (error) { setTold(said(error)); } };
  const change = (body: Values) => (body.mode === "bypassPermissions" || body.confirm === "NeverConfirm" ? setWanted(body) : void send(body));
  const risky = (more: Values) => ({ confirm: "ConfirmRisky", threshold: policy.threshold ?? "HIGH", confirm_unknown: policy.confirm_unknown ?? true, ...more });
  return (
    <section class="card stack" id="asking"><h2>{t("asking")}</h2>
      <div class="row end">
        <label class="field">{t("mode")} <select id="mode" value={modes.default ?? "default"} onChange={(event) => change({ mode: event.currentTarget.value })}>{MODES.map((one) => <option key={one} value={one} disabled={one === "bypassPermissions" && modes.disable_bypass === true}>{one}</option>)}</select></label>
        <label class="field">{t("confirmWhen")} <select id="confirm-policy" value={policy.kind ?? "ConfirmRisky"} onChange={(event) => change(event.currentTarget.value === "ConfirmRisky" ? risky({}) : { confirm: event.currentTarget.value })}>{WHEN.map(([one, word]) => <option key={one} value={one}>{t(word)}</option>)}</select></label>
        {policy.kind !== "AlwaysConfirm" && policy.kind !== "NeverConfirm" && <>
          <label class="field">{t("threshold")} <select id="threshold" value={policy.threshold ?? "HIGH"} onChange={(event) => change(risky({ threshold: event.currentTarget.value }))}>{["LOW", "MEDIUM", "HIGH"].map((one) => <option key={one} value={one}>{one}</option>)}</select></label>
          <label class="check"><input id="confirm-unknown" type="checkbox" checked={policy.confirm_unknown ?? true} onChange={(event) => change(risky({ confirm_unknown: event.currentTarget.checked }))} /> {t("confirmUnknown")}</label>
        </>}
      </div>
      {wanted && <form class="row end" onSubmit={(event) => { event.preventDefault(); void send(wanted); }}><label class="phrase">{t("typePhrase")} <code>I confirm</code> <input id="setting-phrase" autocomplete="off" value={phrase} onPaste={(event) => event.preventDefault()} onInput={(event) => setPhrase(event.currentTarget.value)} /></label><button class="no">{t("change")}</button> <button type="button" onClick={() => setWanted(null)}>{t("close")}</button></form>}
      <p class="row"><button id="pause" type="button" disabled={pausedUntil.value !== null} onClick={() => void pause()}>{t("pause")}</button> <span class="dim">{t("pauseHelp")}</span></p>
      {((settings.notes ?? []) as string[]).map((note) => <p key={note} class="note"><Hostile text={note} /></p>)}
      <p role="status" class="dim">{told}</p>
    </section>
  );
}

export function Settings() {
  const [settings, , look] = useAnswer<Values>("/v1/settings", newest.value?.kind === "policy" ? newest.value.index : 0);
  const pick = (label: Key, id: string, value: string, options: [string, string][], set: (value: string) => void) => (
    <label class="field">{t(label)} <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>{options.map(([key, text]) => <option key={key} value={key}>{text}</option>)}</select></label>
  );
  const onOff: [string, string][] = [["on", t("on")], ["off", t("off")]];
  const ask = (value: string) => {
    notifying.value = value === "on";
    if (notifying.value && "Notification" in window) void Notification.requestPermission();
  };
  return (
    <>
      <Unlock />
      <div class="page">
      <div class="head"><h1>{t("settings")}</h1><span class="gap" /><Unlocked /></div>
      <section class="card stack"><h2>{t("appearance")}</h2><div class="form">
        {pick("language", "language", language.value, [["en", "English"], ["de", "Deutsch"]], (value) => { language.value = value; remember("language", value); })}
        {pick("theme", "theme", theme.value, [["auto", t("auto")], ["light", t("light")], ["dark", t("dark")]], (value) => { theme.value = value; })}
        {pick("keysOn", "keys-on", keysOn.value ? "on" : "off", onOff, (value) => { keysOn.value = value === "on"; })}
        {pick("notify", "notify", notifying.value ? "on" : "off", onOff, ask)}
      </div></section>
      {me.value?.role === "admin" && settings && <Asking settings={settings} look={look} />}
      {me.value?.role === "admin" && <Accounts />}
      {settings && <section class="card stack"><details><summary>{t("values")}</summary><div class="args"><Tree value={settings} /></div></details></section>}
      </div>
    </>
  );
}
