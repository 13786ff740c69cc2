// The frame: navigation, the kill switch, the keyboard, and the page in it.

import { effect } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, said } from "./api";
import { Findings, Guardian, Overview, Rules, Sessions, Settings } from "./pages";
import { Queue, answer, dialog, mark, recall } from "./queue";
import { Timeline } from "./records";
import { asOf, chosen, everythingStopped, failure, keysOn, me, online, page, queue, refresh, spoken, start, urgent, words } from "./state";
import { language, t } from "./words";
import "./style.css";

const PAGES = { queue: Queue, timeline: Timeline, sessions: Sessions, overview: Overview, rules: Rules, guardian: Guardian, findings: Findings, settings: Settings };
type Page = keyof typeof PAGES;
const GO: Record<string, Page> = { q: "queue", t: "timeline", p: "sessions", o: "overview", r: "rules", e: "guardian", f: "findings", s: "settings" };

effect(() => { document.documentElement.lang = language.value; words.arrived = t("arrived"); words.critical = t("critical"); });

function KillSwitch() {
  const [armed, setArmed] = useState(false);
  const [word, setWord] = useState("");
  const [told, setTold] = useState("");
  // An armed switch that nobody presses again is disarmed.
  useEffect(() => {
    if (!armed) return;
    const later = setTimeout(() => setArmed(false), 5000);
    return () => clearTimeout(later);
  }, [armed]);
  const send = async (path: string, body: unknown) => {
    try { await call("POST", path, body); setTold(""); setWord(""); await refresh(); } catch (error) { setTold(said(error)); }
    setArmed(false);
  };
  if (everythingStopped.value) {
    return (
      <form class="kill on" onSubmit={(event) => { event.preventDefault(); void send("/v1/stops/lift", { scope: "all", typed: word }); }}>
        <strong>{t("stopped")}</strong> <input aria-label="I confirm" placeholder="I confirm" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
        <button>{t("lift")}</button> <span role="status">{told}</span>
      </form>
    );
  }
  return <div class="kill"><button id="kill" type="button" class="no" onClick={() => (armed ? void send("/v1/stops/new", { scope: "all", reason: "console" }) : setArmed(true))}>{armed ? t("sure") : t("stopAll")}</button> <span role="status">{told}</span></div>;
}

function move(by: number): void {
  const at = queue.value.findIndex((one) => one.id === chosen.value);
  const next = queue.value[Math.min(queue.value.length - 1, Math.max(0, at + by))];
  if (next) chosen.value = next.id;
}

const press = (place: number) => document.querySelectorAll<HTMLButtonElement>("#dialog > .buttons > button")[place]?.click();
const help = (open?: boolean) => { const keys = document.getElementById("keys"); if (keys) keys.hidden = open === undefined ? !keys.hidden : !open; };

// Single keys are off while a text field has the focus, and can be switched off. Enter never approves.
let before = "";
const KEYS: Record<string, () => void> = {
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => document.getElementById("dialog")?.focus(),
  a: () => void answer(true), s: () => void answer(true, { reach: "session" }), A: () => dialog.always(),
  e: () => dialog.edit(), d: () => void answer(false), D: () => void answer(false, { stop: true }), u: () => void recall(), x: () => mark(),
  v: () => dialog.raw(), w: () => dialog.why(), r: () => document.getElementById("reason")?.focus(), i: () => document.getElementById("phrase")?.focus(),
  1: () => press(0), 2: () => press(1), 3: () => press(2), 4: () => press(3),
};
const ANYWHERE: Record<string, () => void> = { "/": () => document.getElementById("filter")?.focus(), "?": () => help(), Escape: () => help(false) };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.key.toUpperCase() === "K") { event.preventDefault(); document.getElementById("kill")?.click(); return; }
  const target = event.target as HTMLElement;
  if (!keysOn.value || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) { before = ""; return; }
  // Enter on a button is that button's.
  if (event.key === "Enter" && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
  const to = before === "g" ? GO[event.key] : undefined;
  before = event.key;
  if (to) { page.value = to; event.preventDefault(); return; }
  const act = ANYWHERE[event.key] ?? (page.value === "queue" ? KEYS[event.key] : undefined);
  if (act) { event.preventDefault(); act(); }
});

const HELP: [string, string][] = [
  ["j k ↓ ↑", "list"], ["Enter", "details"], ["a", "allow"], ["s", "allowSession"], ["A", "always"], ["e", "edit"], ["d", "deny"], ["D", "denyStop"], ["r", "reason"], ["i", "typePhrase"],
  ["x", "mark"], ["u", "undo"], ["v", "raw"], ["w", "why"], ["/", "filter"], ["Ctrl+Shift+K", "stopAll"],
];

function App() {
  const Current = PAGES[page.value as Page] ?? Queue;
  if (!me.value) {
    return <main><h1>Doorward</h1>{failure.value && <p>{t("signIn")} <code>doorward console</code> <small>{`(${failure.value})`}</small></p>}</main>;
  }
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => { event.preventDefault(); document.getElementById("content")?.focus(); }}>{t("toQueue")}</a>
      <header>
        <h1>Doorward</h1>
        <nav aria-label={t("pages")}>{(Object.keys(PAGES) as Page[]).map((name) => (
          <button key={name} type="button" aria-current={page.value === name ? "page" : undefined} onClick={() => { page.value = name; }}>{t(name)}{name === "queue" && queue.value.length > 0 ? ` (${queue.value.length})` : ""}</button>
        ))}</nav>
        <KillSwitch />
      </header>
      {!online.value && <p class="banner" role="alert">{`${t("offline")} ${asOf.value.toLocaleTimeString()}`}</p>}
      <main id="content" tabIndex={-1} class={online.value ? "" : "stale"}><Current key={page.value} /></main>
      <p class="sr" aria-live="polite" id="polite">{spoken.value}</p>
      <p class="sr" aria-live="assertive" id="assertive">{urgent.value}</p>
      <aside id="keys" hidden aria-label={t("help")}><dl>{HELP.map(([keys, word]) => <><dt><kbd>{keys}</kbd></dt><dd>{t(word as "list")}</dd></>)}{Object.entries(GO).map(([key, name]) => <><dt><kbd>{`g ${key}`}</kbd></dt><dd>{t(name)}</dd></>)}</dl></aside>
      <footer>{`${me.value.name} · ${me.value.role} · ${me.value.posture} · ${me.value.version} · ? ${t("help")}`}</footer>
    </>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
void start();
