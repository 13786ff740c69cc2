// The console: what the address names, in its frame, and the keyboard.

import { effect } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { answer, dialog, mark, needless, recall } from "./answers";
import { Findings } from "./findings";
import { GO, KeyMap, Paused, Rail, Stopped, Tabs } from "./frame";
import { Guardian } from "./guardian";
import { Overview } from "./overview";
import { Queue } from "./queue";
import { go, href, route } from "./route";
import { Rules } from "./rules";
import { Sessions } from "./sessions";
import { Settings } from "./settings";
import { asOf, chosen, failure, inOrder, keysOn, me, online, spoken, start, urgent, words } from "./state";
import { Timeline } from "./timeline";
import { Tools } from "./tools";
import { language, t } from "./words";
import { Shield } from "./icons";
import "./style/tokens.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/parts.css";

const PAGES = { queue: Queue, timeline: Timeline, sessions: Sessions, overview: Overview, rules: Rules, tools: Tools, guardian: Guardian, findings: Findings, settings: Settings };

effect(() => { document.documentElement.lang = language.value; words.arrived = t("arrived"); words.critical = t("critical"); });

// What moves along a list moves in the address too, without a step for each in the history.
function move(by: number): void {
  const all = inOrder.value;
  const at = all.findIndex((one) => one.id === chosen.value);
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))];
  if (next) go(href("queue", next.id), true);
}

const press = (place: number) => document.querySelectorAll<HTMLButtonElement>("#dialog .answers .buttons button")[place]?.click();
let help: (open?: boolean) => void = () => {};

// Along the calls or sessions beside the one that is open.
function along(by: number): void {
  const all = [...document.querySelectorAll<HTMLAnchorElement>(".calls .line a, .list a")];
  const at = all.findIndex((one) => one.getAttribute("aria-current") === "true");
  const to = all[Math.min(all.length - 1, Math.max(0, at + by))]?.getAttribute("href");
  if (to) go(to, true);
}

// Single keys are off while a text field has the focus, and can be switched off. Enter never approves.
let before = "";
const KEYS: Record<string, () => void> = {
  j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => document.getElementById("dialog")?.focus(),
  a: () => void answer(true), s: () => void answer(true, { reach: "session" }), A: () => dialog.always(), T: () => dialog.task(),
  e: () => dialog.edit(), d: () => void answer(false), D: () => void answer(false, { stop: true }), u: () => void recall(), x: () => mark(),
  n: () => void needless(), v: () => dialog.raw(), w: () => dialog.why(), r: () => document.getElementById("reason")?.focus(), i: () => document.getElementById("phrase")?.focus(),
  1: () => press(0), 2: () => press(1), 3: () => press(2), 4: () => press(3),
};
const LISTS: Record<string, () => void> = { j: () => along(1), k: () => along(-1), ArrowDown: () => along(1), ArrowUp: () => along(-1), Escape: () => { if (route.value.id) go(href(route.value.page, null, route.value.more)); } };
const ANYWHERE: Record<string, () => void> = { "/": () => document.getElementById("filter")?.focus(), "?": () => help() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey && event.shiftKey && event.key.toUpperCase() === "K") { event.preventDefault(); document.getElementById("kill")?.click(); return; }
  const target = event.target as HTMLElement;
  if (!keysOn.value || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) { before = ""; return; }
  // An open overlay takes the keys; Esc is the browser's own there.
  if (document.querySelector("dialog[open]")) { if (event.key === "?") help(false); return; }
  // Enter on a button or a link is its own.
  if (event.key === "Enter" && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
  const to = before === "g" ? GO[event.key] : undefined;
  before = event.key;
  if (to) { go(href(to)); event.preventDefault(); return; }
  const { page } = route.value;
  const act = ANYWHERE[event.key] ?? (page === "queue" ? KEYS[event.key] : page === "timeline" || page === "sessions" ? LISTS[event.key] : undefined);
  if (act) { event.preventDefault(); act(); }
});

// A page that isn't signed in says how to, and nothing else.
function SignIn() {
  const [link, setLink] = useState("");
  const paste = (event: Event) => { event.preventDefault(); void start(link.includes("#login=") ? link : `#login=${link.trim()}`); };
  const form = <form onSubmit={paste}><label>{t("pasteLink")} <input id="link" autocomplete="off" autofocus value={link} onInput={(event) => setLink(event.currentTarget.value)} /></label> <button disabled={!link.trim()}>{t("enter")}</button></form>;
  return <main class="sign-in"><div class="empty"><Shield /><h1>Doorward</h1>{failure.value && <><p>{t("signIn")}</p><p><code>doorward console</code></p>{form}<small role="status">{failure.value}</small></>}</div></main>;
}

// A link that is pasted into the address of an open tab changes its fragment only.
window.addEventListener("hashchange", () => { if (location.hash.startsWith("#login=")) void start(); });

function App() {
  const [keys, setKeys] = useState(false);
  help = (open) => setKeys((old) => open ?? !old);
  const { page } = route.value;
  const Current = PAGES[page];
  // Another page begins at its top.
  useEffect(() => { document.getElementById("content")?.scrollTo(0, 0); }, [page]);
  if (!me.value) return <SignIn />;
  return (
    <div class="frame">
      <a class="skip" href="#content" onClick={(event) => { event.preventDefault(); document.getElementById("content")?.focus(); }}>{t("toContent")}</a>
      <Rail keys={() => setKeys(true)} />
      <div class="tops">
        {!online.value && <p class="banner" role="alert">{`${t("offline")} ${asOf.value.toLocaleTimeString()}`}</p>}
        <Stopped />
        <Paused />
      </div>
      <main id="content" tabIndex={-1} class={online.value ? "" : "stale"}><Current key={page} /></main>
      <Tabs />
      <KeyMap open={keys} close={() => setKeys(false)} />
      <p class="sr" aria-live="polite" id="polite">{spoken.value}</p>
      <p class="sr" aria-live="assertive" id="assertive">{urgent.value}</p>
    </div>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
void start();
