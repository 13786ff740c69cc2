// The frame: navigation, the kill switch, the keyboard, and the page in it.

import { render } from "preact";
import { useState } from "preact/hooks";
import { call } from "./api";
import { Guardian, Rules, Sessions, Settings, Timeline } from "./pages";
import { Queue, answer } from "./queue";
import { asOf, chosen, everythingStopped, failure, me, online, page, queue, refresh, start } from "./state";
import { t } from "./words";
import "./style.css";

const PAGES = { queue: Queue, timeline: Timeline, sessions: Sessions, rules: Rules, guardian: Guardian, settings: Settings };
type Page = keyof typeof PAGES;
const GO: Record<string, Page> = { q: "queue", t: "timeline", p: "sessions", r: "rules", e: "guardian", s: "settings" };

function KillSwitch() {
  const [armed, setArmed] = useState(false);
  const [word, setWord] = useState("");
  const [said, setSaid] = useState("");
  const send = async (path: string, body: unknown) => {
    try { await call("POST", path, body); setSaid(""); setWord(""); await refresh(); } catch (error) { setSaid((error as Error).message); }
    setArmed(false);
  };
  if (everythingStopped.value) {
    return (
      <form class="kill on" onSubmit={(event) => { event.preventDefault(); void send("/v1/stops/lift", { scope: "all", typed: word }); }}>
        <strong>{t("stopped")}</strong> <input aria-label="I confirm" placeholder="I confirm" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
        <button>{t("lift")}</button> <span role="status">{said}</span>
      </form>
    );
  }
  return <div class="kill"><button id="kill" type="button" class="no" onClick={() => (armed ? void send("/v1/stops/new", { scope: "all", reason: "console" }) : setArmed(true))}>{armed ? t("sure") : t("stopAll")}</button> <span role="status">{said}</span></div>;
}

function move(by: number): void {
  const at = queue.value.findIndex((one) => one.id === chosen.value);
  const next = queue.value[Math.min(queue.value.length - 1, Math.max(0, at + by))];
  if (next) chosen.value = next.id;
}

// Single keys are off while a text field has the focus. Enter never approves.
let before = "";
const KEYS: Record<string, () => void> = {
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
  a: () => void answer(true), s: () => void answer(true, { reach: "session" }),
  d: () => void answer(false), D: () => void answer(false, { stop: true }),
  i: () => document.getElementById("phrase")?.focus(), "/": () => document.getElementById("filter")?.focus(),
  "?": () => document.getElementById("keys")?.toggleAttribute("hidden"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.key.toUpperCase() === "K") { event.preventDefault(); document.getElementById("kill")?.click(); return; }
  const target = event.target as HTMLElement;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) { before = ""; return; }
  const to = before === "g" ? GO[event.key] : undefined;
  before = event.key;
  if (to) { page.value = to; event.preventDefault(); return; }
  const act = page.value === "queue" || event.key === "/" || event.key === "?" ? KEYS[event.key] : undefined;
  if (act) { event.preventDefault(); act(); }
});

function App() {
  const Current = PAGES[page.value as Page] ?? Queue;
  if (!me.value) {
    return <main><h1>Doorward</h1>{failure.value && <p>{t("signIn")} <code>doorward console</code> <small>{`(${failure.value})`}</small></p>}</main>;
  }
  return (
    <>
      <header>
        <h1>Doorward</h1>
        <nav aria-label="pages">{(Object.keys(PAGES) as Page[]).map((name) => (
          <button key={name} type="button" aria-current={page.value === name ? "page" : undefined} onClick={() => { page.value = name; }}>{t(name)}{name === "queue" && queue.value.length > 0 ? ` (${queue.value.length})` : ""}</button>
        ))}</nav>
        <KillSwitch />
      </header>
      {!online.value && <p class="banner" role="alert">{`${t("offline")} ${asOf.value.toLocaleTimeString()}`}</p>}
      <main><Current /></main>
      <p class="sr" aria-live="polite">{`${queue.value.length} ${t("queue")}`}</p>
      <aside id="keys" hidden>{t("help")}: j k · a · s · d · D · i · / · ? · g q t p r e s · Ctrl+Shift+K</aside>
      <footer>{`${me.value.name} · ${me.value.role} · ${me.value.posture} · ${me.value.version} · ? ${t("help")}`}</footer>
    </>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
void start();
