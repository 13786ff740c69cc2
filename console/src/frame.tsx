// The frame around every page: the rail, the phone's tabs, the kill switch and the overlay of keys.

import { useEffect, useRef, useState } from "preact/hooks";
import { call, said } from "./api";
import { Icon, type IconName, Shield } from "./icons";
import { type Page, href, route } from "./route";
import { awaited, badge, everythingStopped, lookAtMe, me, online, pausedUntil, pins, refresh } from "./state";
import { Hostile } from "./text";
import { type Key, t } from "./words";

const MAIN: Page[] = ["queue", "timeline", "sessions", "overview"];
const CONTROL: Page[] = ["rules", "tools", "guardian", "findings"];

function Item({ name }: { name: Page }) {
  const here = route.value.page === name;
  const count = name === "queue" ? badge.value : name === "tools" ? (pins.value ?? []).filter(awaited).length : 0;
  return (
    <a href={href(name)} aria-current={here ? "page" : undefined} title={t(name)}><Icon name={name} /><span class="label">{t(name)}</span>{count > 0 && <span class="count">{count > 99 ? "99+" : count}<span class="sr">{` ${t("waiting")}`}</span></span>}</a>
  );
}

// Stopping takes two presses; an armed switch that nobody presses again is disarmed.
export function KillSwitch({ word }: { word?: boolean }) {
  const [armed, setArmed] = useState(false);
  const [told, setTold] = useState("");
  useEffect(() => {
    if (!armed) return;
    const later = setTimeout(() => setArmed(false), 5000);
    return () => clearTimeout(later);
  }, [armed]);
  const press = async () => {
    if (!armed) { setArmed(true); return; }
    setArmed(false);
    try { await call("POST", "/v1/stops/new", { scope: "all", reason: "console" }); setTold(""); await refresh(); } catch (error) { setTold(said(error)); }
  };
  if (everythingStopped.value) return null;
  return <><button id={word ? "kill" : "kill-phone"} type="button" class={`item ${armed ? "no" : ""}`} title={t("stopAll")} onClick={() => void press()}><Icon name="stop" /><span class={word ? "label" : ""}>{armed ? t("sure") : t(word ? "stopAll" : "stop")}</span></button>{told && <span role="status" class="note">{told}</span>}</>;
}

export function Stopped() {
  const [word, setWord] = useState("");
  const [told, setTold] = useState("");
  if (!everythingStopped.value) return null;
  const lift = async (event: Event) => {
    event.preventDefault();
    try { await call("POST", "/v1/stops/lift", { scope: "all", typed: word }); setWord(""); setTold(""); await refresh(); } catch (error) { setTold(said(error)); }
  };
  return (
    <form class="banner kill on" onSubmit={lift}>
      <Icon name="stop" /><strong>{t("stopped")}</strong><span>{t("stoppedHelp")}</span> <input aria-label="I confirm" placeholder="I confirm" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
      <button>{t("lift")}</button> <span role="status">{told}</span>
    </form>
  );
}

// While a person has Doorward paused, every page says so and until when.
export function Paused() {
  const [told, setTold] = useState("");
  const until = pausedUntil.value;
  if (!until) return null;
  const end = async () => { try { await call("POST", "/v1/pause", { seconds: 0 }); await lookAtMe(); setTold(""); } catch (error) { setTold(said(error)); } };
  return <p class="banner" id="paused" role="status"><Icon name="stop" /><strong>{t("paused").replace("{}", new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))}</strong><span>{t("pausedHelp")}</span> <button type="button" onClick={() => void end()}>{t("endPause")}</button> <span>{told}</span></p>;
}

export function Rail({ keys }: { keys: () => void }) {
  const own = me.value;
  return (
    <header class="rail">
      <div class="brand"><Shield /><span class="label">Doorward</span></div>
      <nav aria-label={t("pages")}>
        {MAIN.map((name) => <Item key={name} name={name} />)}
        <div class="group">{t("control")}</div>
        {CONTROL.map((name) => <Item key={name} name={name} />)}
        <Item name="settings" />
      </nav>
      <div class="end">
        <button type="button" class="item" title={t("help")} onClick={keys}><Icon name="keys" /><span class="label">{t("help")}</span></button>
        <KillSwitch word />
        {own && <p class="me"><span class={`dot ${online.value ? "" : "off"}`} aria-hidden="true" />{t(online.value ? "connected" : "notConnected")}<br /><Hostile text={own.name} line />{` · ${own.role} · ${own.posture} · ${own.version}`}</p>}
      </div>
    </header>
  );
}

const TABS: [Page, IconName][] = [["queue", "queue"], ["timeline", "timeline"], ["sessions", "sessions"], ["rules", "rules"]];

// On a phone the pages that one needs on the way are one tap away, the rest behind "More".
export function Tabs() {
  const [open, setOpen] = useState(false);
  const sheet = useRef<HTMLDialogElement>(null);
  const more = !TABS.some(([name]) => name === route.value.page);
  useEffect(() => { if (open) sheet.current?.showModal(); else sheet.current?.close(); }, [open]);
  useEffect(() => setOpen(false), [route.value]);
  return (
    <>
      <nav class="tabs" aria-label={t("pages")}>
        {TABS.map(([name, icon]) => <a key={name} href={href(name)} aria-current={route.value.page === name ? "page" : undefined}><Icon name={icon} />{t(name)}{name === "queue" && badge.value > 0 && <span class="count">{badge.value}</span>}</a>)}
        <button type="button" aria-current={more ? "page" : undefined} aria-expanded={open} onClick={() => setOpen(true)}><Icon name="more" />{t("more_")}</button>
      </nav>
      <dialog class="overlay" ref={sheet} aria-label={t("more_")} onClose={() => setOpen(false)}>
        {open && <div class="stack">{(["overview", "tools", "guardian", "findings", "settings"] as const).map((name) => <a key={name} class="button" href={href(name)} onClick={() => setOpen(false)}><Icon name={name} />{t(name)}</a>)}<KillSwitch /><button type="button" onClick={() => setOpen(false)}>{t("close")}</button></div>}
      </dialog>
    </>
  );
}

const KEYS: [Key, [string, Key][]][] = [
  ["keysAnswer", [["a", "allow"], ["s", "allowSession"], ["A", "always"], ["T", "forTask"], ["e", "edit"], ["d", "deny"], ["D", "denyStop"], ["r", "reason"], ["i", "thePhrase"], ["u", "undo"], ["1 2 3 4", "theButtons"]]],
  ["keysLook", [["j k ↓ ↑", "list"], ["Enter", "toQuestion"], ["x", "mark"], ["v", "raw"], ["w", "why"], ["n", "needless"], ["/", "filter"], ["?", "help"], ["Esc", "close"], ["Ctrl Shift K", "stopAll"]]],
];

export const GO: Record<string, Page> = { q: "queue", t: "timeline", p: "sessions", o: "overview", r: "rules", m: "tools", e: "guardian", f: "findings", s: "settings" };

export function KeyMap({ open, close }: { open: boolean; close: () => void }) {
  const at = useRef<HTMLDialogElement>(null);
  useEffect(() => { if (open && !at.current?.open) at.current?.showModal(); else if (!open) at.current?.close(); }, [open]);
  const map = (rows: [string, string][]) => <dl>{rows.map(([keys, word]) => <><dt>{keys.split(" ").map((key) => <><kbd>{key}</kbd> </>)}</dt><dd>{word}</dd></>)}</dl>;
  return (
    <dialog class="overlay" id="keys" ref={at} aria-labelledby="keys-title" onClose={close}>
      {open && <><div class="top"><h2 id="keys-title">{t("help")}</h2><button type="button" class="quiet" aria-label={t("close")} onClick={close}><Icon name="close" /></button></div>
        <div class="keys">{KEYS.map(([head, rows]) => <section key={head}><h3>{t(head)}</h3>{map(rows.map(([keys, word]) => [keys, t(word)]))}</section>)}<section><h3>{t("keysGo")}</h3>{map(Object.entries(GO).map(([key, name]) => [`g ${key}`, t(name)]))}</section></div>
        <p class="dim">{t("keysNote")}</p></>}
    </dialog>
  );
}
