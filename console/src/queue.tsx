// The queue: the list, the dialog, and the answers. Approving is dead for half a second after the dialog changes or the
// window gets the focus back; denying works at once.

import { useEffect, useState } from "preact/hooks";
import { Always } from "./always";
import { type Approval, Refusal, call, said, unlock as unlockBy } from "./api";
import { Diff } from "./diff";
import { chosen, marked, me, now, online, pointing, queue, recallable, refresh, spoken } from "./state";
import { spell } from "./exact";
import { Hostile, Tree } from "./text";
import { Windowed } from "./window";
import { t } from "./words";

const GUARD = 500;
const ROW = 84;
const SHAPES = { LOW: "○", MEDIUM: "◐", HIGH: "▲", CRITICAL: "◆" };
let since = 0;
export const typed = { value: "", reason: "" };
export const guarded = (): boolean => performance.now() - since < GUARD;
const guard = () => { since = performance.now(); };
window.addEventListener("focus", guard);

export const Level = ({ level }: { level: Approval["security_warning"]["level"] }) => (
  <span class={`level ${level}`}><span aria-hidden="true">{SHAPES[level] ?? "◆"}</span>{` ${level}`}</span>
);

function left(approval: Approval): string {
  const seconds = Math.max(0, Math.round((Date.parse(approval.expires) - now.value) / 1000));
  return seconds === 0 ? t("lapsed") : `${t("expires")} ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const dialog: { say: (text: string) => void; raw: () => void; why: () => void; always: () => void; edit: () => void } = {
  say: () => {}, raw: () => {}, why: () => {}, always: () => {}, edit: () => {},
};

// The question that an edited one came from: a yes to it answers that one with no.
const editedFrom = new Map<string, string>();

const send = (approval: Approval, yes: boolean, more: Record<string, unknown>) => {
  const reason = !yes && typed.reason.trim() ? { reason: typed.reason.trim() } : {};
  const phrase = yes && approval.phrase ? { typed: typed.value } : {};
  const first = editedFrom.get(approval.id);
  const instead = yes && first ? { instead_of: first } : {};
  const body = { answer: yes ? "yes" : "no", shown: approval.shown, ...phrase, ...reason, ...instead, ...more };
  return call<{ state?: string; have?: number; need?: number }>("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/answer`, body);
};

export async function answer(yes: boolean, more: Record<string, unknown> = {}): Promise<boolean> {
  const approval = queue.value.find((one) => one.id === chosen.value);
  if (!approval || !online.value) return false;
  if (yes && guarded()) { dialog.say(t("wait")); return false; }
  if (yes && approval.phrase && typed.value.trim() !== approval.phrase) { dialog.say(`${t("typePhrase")} ${approval.phrase}`); return false; }
  try {
    const answered = await send(approval, yes, more);
    if (answered.state === "pending") { dialog.say(`${answered.have} / ${answered.need}`); return true; }
    recallable.value = yes ? approval.id : null;
    typed.value = ""; typed.reason = "";
    await refresh();
    return true;
  } catch (error) {
    // Someone else, or the clock, was first: what is recorded is shown.
    const late = error instanceof Refusal && error.status === 409 && typeof error.body.state === "string";
    dialog.say(late ? `${t("old")} ${String(error.body.state)} ${String(error.body.answered_by ?? "")}` : said(error));
    if (late) setTimeout(() => void refresh(), 1500);
    return false;
  }
}

export async function recall(): Promise<void> {
  const id = recallable.value;
  if (!id) return;
  recallable.value = null;
  await call("POST", `/v1/approvals/${encodeURIComponent(id)}/recall`, {}).catch((error) => dialog.say(said(error)));
}

// Only what is below HIGH, needs no phrase, and was asked by the same rule at the same level is answered together.
const batchable = (one: Approval, first: Approval | undefined): boolean =>
  !["HIGH", "CRITICAL"].includes(one.security_warning.level) && !one.phrase && one.level <= 1
  && (!first || (one.security_warning.level === first.security_warning.level && one.policies.join() === first.policies.join()));

export function mark(): void {
  const one = queue.value.find((own) => own.id === chosen.value);
  if (!one) return;
  const all = new Set(marked.value);
  if (all.delete(one.id)) { marked.value = all; return; }
  const first = queue.value.find((own) => all.has(own.id));
  if (!batchable(one, first)) { dialog.say(t("noMark")); return; }
  marked.value = all.add(one.id);
}

async function answerMarked(yes: boolean): Promise<void> {
  if (!online.value || (yes && guarded())) { dialog.say(t("wait")); return; }
  const all = queue.value.filter((one) => marked.value.has(one.id) && batchable(one, undefined));
  const failures: string[] = [];
  for (const one of all) await send(one, yes, {}).catch((error) => { failures.push(said(error)); });
  marked.value = new Set();
  await refresh();
  if (failures[0]) dialog.say(failures[0]);
}

function Unlock() {
  const [word, setWord] = useState("");
  const [told, setTold] = useState("");
  const known = me.value?.has_passphrase;
  const unlock = async (event: Event) => {
    event.preventDefault();
    try {
      if (!known) await call("POST", "/v1/passphrase", { passphrase: word });
      await unlockBy(word);
      me.value = await call("GET", "/v1/me");
    } catch (error) { setTold(said(error)); }
    setWord("");
  };
  if (me.value?.presence === "passphrase") return <p class="unlock ok">{t("unlocked")}</p>;
  if (!known && !me.value?.may_set_passphrase) return <p class="unlock">{t("setAtTerminal")} <code>doorward approvals passphrase</code></p>;
  return (
    <form class="unlock" onSubmit={unlock}>
      <label>{t("locked")} <input id="passphrase" type="password" autocomplete="current-password" placeholder={t("passphrase")} value={word} onInput={(event) => setWord(event.currentTarget.value)} /></label>
      <button>{known ? t("unlock") : t("set")}</button> <span role="status">{told}</span>
    </form>
  );
}

// Other arguments for the call: judged anew, asked as a question of its own.
function Edit({ approval, close }: { approval: Approval; close: () => void }) {
  const [text, setText] = useState(spell(approval.args, 2));
  const [told, setTold] = useState("");
  const send = async () => {
    try {
      const judged = await call<Approval & { passes?: boolean }>("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/edit`, { args: text, shown: approval.shown });
      if (!judged.passes) editedFrom.set(judged.id, approval.id);
      await refresh();
      if (judged.passes) spoken.value = t("passes"); else chosen.value = judged.id;
      close();
      // Said in the dialog that is there by then.
      if (judged.passes) setTimeout(() => dialog.say(t("passes")), 0);
    } catch (error) { setTold(said(error)); }
  };
  return (
    <section class="always" aria-labelledby="edit-title" onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } }}>
      <h3 id="edit-title">{t("editTitle")}</h3><p class="meta" id="edit-help">{t("editHelp")}</p>
      <textarea id="edit-text" ref={(at) => { if (at && document.activeElement !== at && !at.dataset.seen) { at.dataset.seen = "yes"; at.focus(); } }} aria-labelledby="edit-title" aria-describedby="edit-help" rows={Math.min(20, text.split("\n").length + 1)} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <p role="status" class="said">{told}</p>
      <div class="buttons"><button type="button" onClick={close}>{t("close")} <kbd>Esc</kbd></button> <button id="edit-send" type="button" class="yes" onClick={() => void send()}>{t("judge")}</button></div>
    </section>
  );
}

const OUTSIDE = new Set(["outside", "escape", "forbidden", "elsewhere", "private", "metadata", "loopback", "refused"]);

function Found({ approval }: { approval: Approval }) {
  const touches = approval.effects?.touches ?? [];
  const findings = approval.findings ?? [];
  return (
    <>
      {touches.length > 0 && <><h3>{t("found")}</h3><ul class="plain" id="effects">{touches.map((one) => <li>{one.how} <code><Hostile text={one.what} /></code> <em class={OUTSIDE.has(one.where) ? "badge out" : "badge in"}>{one.where}</em></li>)}</ul></>}
      {(approval.effects?.unknown ?? []).length > 0 && <p class="note">{t("notUnderstood")}: <Hostile text={(approval.effects?.unknown ?? []).join("; ")} /></p>}
      {findings.length > 0 && <><h3>{t("findingsOf")}</h3><ul class="plain" id="call-findings">{findings.map((one) => <li><Level level={one.severity} /> <code><Hostile text={one.code} /></code> <Hostile text={one.message} />{one.suggestion && <> <small><Hostile text={one.suggestion} /></small></>}</li>)}</ul></>}
    </>
  );
}

function Dialog({ approval }: { approval: Approval }) {
  const [told, setTold] = useState("");
  const [phrase, setPhrase] = useState("");
  const [reason, setReason] = useState("");
  const [raw, setRaw] = useState(false);
  const [open, setOpen] = useState(true);
  const [always, setAlways] = useState(false);
  const [edit, setEdit] = useState(false);
  const [why, setWhy] = useState<Approval | null>(null);
  dialog.say = setTold;
  dialog.raw = () => setRaw(!raw);
  dialog.why = () => setOpen(!open);
  dialog.always = () => setAlways(true);
  dialog.edit = () => setEdit(true);
  useEffect(() => {
    guard();
    typed.value = ""; typed.reason = "";
    setPhrase(""); setReason(""); setTold(""); setRaw(false); setWhy(null); setAlways(false); setEdit(false);
  }, [approval.id, approval.shown]);
  useEffect(() => {
    let alive = true;
    call<Approval>("GET", `/v1/approvals/${encodeURIComponent(approval.id)}`).then((one) => { if (alive) setWhy(one); }).catch(() => {});
    return () => { alive = false; };
  }, [approval.id]);
  const critical = approval.security_warning.level === "CRITICAL";
  const record = why?.decision_record;
  const total = Date.parse(approval.expires) - Date.parse(approval.asked_at);
  return (
    <section class={`dialog ${critical ? "critical" : ""}`} role={critical ? "alertdialog" : "region"} aria-labelledby="asked" id="dialog" tabIndex={-1} onFocus={(event) => { if (event.target === event.currentTarget) guard(); }}>
      <h2 id="asked"><Level level={approval.security_warning.level} /> <Hostile text={approval.tool} /></h2>
      <p class="warning"><Hostile text={approval.security_warning.message} /></p>
      <div class="args">{raw ? <pre tabIndex={0}><Hostile text={spell(approval.args, 2)} whole /></pre> : <Tree value={approval.args} where={{ cwd: approval.cwd, root: approval.project }} />}</div>
      {!raw && <Diff args={approval.args} />}
      <p class="meta">{t("from")} <Hostile text={approval.caller} /> {t("folder")} <Hostile text={approval.cwd} /> · {t("session")} <Hostile text={approval.session} /></p>
      <p class="meta"><meter min={0} max={Math.max(1, total)} value={Math.min(total, Math.max(0, Date.parse(approval.expires) - now.value))} aria-label={t("expires")} /> {left(approval)}{approval.votes.length > 0 && ` · ${approval.votes.map((vote) => vote.by).join(", ")}`}</p>
      {approval.phrase && (
        <label class="phrase">{t("typePhrase")} <code>{approval.phrase}</code>
          <input id="phrase" autocomplete="off" value={phrase} onPaste={(event) => event.preventDefault()}
            onInput={(event) => { setPhrase(event.currentTarget.value); typed.value = event.currentTarget.value; }}
            onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
        </label>
      )}
      <div class="buttons">
        <button type="button" class="no" onClick={() => void answer(false)}>{t("deny")} <kbd>d</kbd></button>
        <button type="button" class="no" onClick={() => void answer(false, { stop: true })}>{t("denyStop")} <kbd>D</kbd></button>
        <span class="gap" />
        <button type="button" class="yes" onClick={() => void answer(true)}>{t("allow")} <kbd>a</kbd></button>
        {!critical && <button type="button" onClick={() => void answer(true, { reach: "session" })}>{t("allowSession")} <kbd>s</kbd></button>}
        {!critical && <button type="button" aria-expanded={always} onClick={() => setAlways(true)}>{t("always")} <kbd>A</kbd></button>}
        <button type="button" aria-expanded={edit} onClick={() => setEdit(true)}>{t("edit")} <kbd>e</kbd></button>
        <button type="button" onClick={() => setRaw(!raw)}>{raw ? t("pretty") : t("raw")} <kbd>v</kbd></button>
      </div>
      <label class="reason">{t("reason")} <input id="reason" autocomplete="off" value={reason} onInput={(event) => { setReason(event.currentTarget.value); typed.reason = event.currentTarget.value; }}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); if (event.key === "Enter") { event.preventDefault(); void answer(false); } }} /></label>
      <p role="status" class="said">{told}</p>
      {editedFrom.has(approval.id) && <p class="note" id="edited-from">{t("editedFrom")}</p>}
      {edit && <Edit approval={approval} close={() => { setEdit(false); document.getElementById("dialog")?.focus(); }} />}
      {always && <Always approval={approval} close={() => setAlways(false)} />}
      <details open={open}><summary onClick={(event) => { event.preventDefault(); setOpen(!open); }}>{t("why")} <kbd>w</kbd></summary>
        <p><Hostile text={approval.reason} /></p>
        {approval.policies.length > 0 && <p><Hostile text={approval.policies.join(", ")} /></p>}
        {why && <Found approval={why} />}
        {record && <Tree value={{ code: record.code ?? null, mode: record.mode ?? null, risk: record.risk ?? null, guardian: record.guardian ?? null }} />}
      </details>
    </section>
  );
}

// The beginning of the arguments: a long one isn't written out for its first ninety characters.
const briefs = new WeakMap<Approval, string>();
function brief(one: Approval): string {
  let text = briefs.get(one);
  if (text === undefined) { text = spell(one.args).slice(0, 90); briefs.set(one, text); }
  return text;
}

function Entry({ one }: { one: Approval }) {
  const on = marked.value.has(one.id);
  return (
    <div role="listitem" key={one.id} class="entry">
      <button type="button" aria-current={one.id === chosen.value} class={on ? "marked" : ""} onClick={() => { chosen.value = one.id; }}>
        <Level level={one.security_warning.level} /> <Hostile text={one.tool.slice(0, 80)} />{on && <em>{` ✓ ${t("marked")}`}</em>}
        <span class="brief"><Hostile text={brief(one)} /></span>
        <small>{left(one)}</small>
      </button>
    </div>
  );
}

export function Queue() {
  const place = queue.value.findIndex((one) => one.id === chosen.value);
  const approval = queue.value[place];
  return (
    <>
      <Unlock />
      {recallable.value && <p class="undo" role="status">{t("given")} <button type="button" onClick={() => void recall()}>{t("undo")} <kbd>u</kbd></button></p>}
      {marked.value.size > 0 && (
        <p class="batch">{`${marked.value.size} ${t("marked")}`} <button type="button" class="no" onClick={() => void answerMarked(false)}>{t("denyMarked")}</button> <button type="button" class="yes" onClick={() => void answerMarked(true)}>{t("allowMarked")}</button></p>
      )}
      {queue.value.length === 0 && <p class="empty">{t("nothing")}</p>}
      {approval && (
        <div class="two">
          <Windowed class="queue" role="list" label={t("queue")} count={queue.value.length} height={ROW} follow={place} point={(inside) => { pointing.list = inside; }}
            row={(at) => { const one = queue.value[at]; return one && <Entry key={one.id} one={one} />; }} />
          <Dialog approval={approval} />
        </div>
      )}
    </>
  );
}
