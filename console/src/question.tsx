// One question: what would be done, why it is asked, and the answers. The command is the title; JSON is behind "raw".

import { useEffect, useState } from "preact/hooks";
import { Always, Task } from "./always";
import { type Approval, call, said } from "./api";
import { answer, dialog, editedFrom, guard, needless, typed } from "./answers";
import { Diff, change } from "./diff";
import { spell } from "./exact";
import { Icon } from "./icons";
import { Arguments, CallTitle, EffectList, FindingList, Level, ReadsAs, Unlock, Why, Who } from "./parts";
import { go, href } from "./route";
import { chosen, me, now, queue, refresh, spoken } from "./state";
import { Hostile, Tree } from "./text";
import { ago, left } from "./title";
import { t } from "./words";

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
      // Said in the question that is there by then.
      if (judged.passes) setTimeout(() => dialog.say(t("passes")), 0);
    } catch (error) { setTold(said(error)); }
  };
  return (
    <section class="sheet" aria-labelledby="edit-title" onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } }}>
      <h3 id="edit-title">{t("editTitle")}</h3><p class="dim" id="edit-help">{t("editHelp")}</p>
      <textarea id="edit-text" ref={(at) => { if (at && document.activeElement !== at && !at.dataset.seen) { at.dataset.seen = "yes"; at.focus(); } }} aria-labelledby="edit-title" aria-describedby="edit-help" rows={Math.min(20, text.split("\n").length + 1)} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <p role="status" class="said">{told}</p>
      <div class="row"><button type="button" onClick={close}>{t("close")} <kbd>Esc</kbd></button> <button id="edit-send" type="button" class="primary" onClick={() => void send()}>{t("judge")}</button></div>
    </section>
  );
}

// Whether the agent waits for the answer, or was told to come again.
function Waits({ approval }: { approval: Approval }) {
  const over = Date.parse(approval.expires) <= now.value;
  if (over) return <span class="late">{t("lapsed")}</span>;
  return <span class={approval.waiting ? "waits" : "late"} title={t(approval.waiting ? "waitsHelp" : "lateHelp")}>{`${t(approval.waiting ? "waits" : "late")} · ${t("timeLeft").replace("{}", left(approval.expires, now.value))}`}</span>;
}

function Answers({ approval, critical, told, set }: { approval: Approval; critical: boolean; told: string; set: { always: () => void; task: () => void; edit: () => void } }) {
  const [phrase, setPhrase] = useState("");
  const [reason, setReason] = useState("");
  const total = Date.parse(approval.expires) - Date.parse(approval.asked_at);
  const rest = Math.min(total, Math.max(0, Date.parse(approval.expires) - now.value));
  useEffect(() => { setPhrase(""); setReason(""); }, [approval.id, approval.shown]);
  return (
    <div class="answers">
      <div class={`time ${rest < 60000 ? "late" : ""}`} role="presentation"><i style={{ width: `${(rest / Math.max(1, total)) * 100}%` }} /></div>
      {me.value?.presence !== "passphrase" && <Unlock />}
      <div class="inner">
        {approval.phrase && (
          <label class="phrase">{t("typePhrase")} <code>{approval.phrase}</code>
            <input id="phrase" autocomplete="off" autocapitalize="off" value={phrase} onPaste={(event) => event.preventDefault()}
              onInput={(event) => { setPhrase(event.currentTarget.value); typed.value = event.currentTarget.value; }}
              onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
          </label>
        )}
        <div class="buttons">
          <button type="button" class="no main" onClick={() => void answer(false)}>{t("deny")} <kbd>d</kbd></button>
          <button type="button" class="yes" onClick={() => void answer(true)}>{t("allow")} <kbd>a</kbd></button>
          <span class="more row">
            {!critical && <button type="button" class="quiet" onClick={() => void answer(true, { reach: "session" })}>{t("allowSession")} <kbd>s</kbd></button>}
            {!critical && <button type="button" class="quiet" onClick={set.always}>{t("always")} <kbd>A</kbd></button>}
            {!critical && !approval.phrase && <button type="button" class="quiet" onClick={set.task}>{t("forTask")} <kbd>T</kbd></button>}
            <button type="button" class="quiet" onClick={set.edit}>{t("edit")} <kbd>e</kbd></button>
            <button type="button" class="quiet" onClick={() => void answer(false, { stop: true })}>{t("denyStop")} <kbd>D</kbd></button>
          </span>
        </div>
        <label class={`phrase reason ${reason ? "" : "idle"}`}><span class="sr">{t("reason")}</span><input id="reason" autocomplete="off" placeholder={t("reason")} value={reason} onInput={(event) => { setReason(event.currentTarget.value); typed.reason = event.currentTarget.value; }}
          onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); if (event.key === "Enter") { event.preventDefault(); void answer(false); } }} /></label>
        <p role="status" class="said">{told}</p>
      </div>
    </div>
  );
}

export function Question({ approval }: { approval: Approval }) {
  const [told, setTold] = useState("");
  const [raw, setRaw] = useState(false);
  const [open, setOpen] = useState(false);
  const [always, setAlways] = useState(false);
  const [task, setTask] = useState(false);
  const [edit, setEdit] = useState(false);
  const [more, setMore] = useState<Approval | null>(null);
  dialog.say = setTold;
  dialog.raw = () => setRaw(!raw);
  dialog.why = () => setOpen(!open);
  dialog.always = () => setAlways(true);
  dialog.task = () => setTask(true);
  dialog.edit = () => setEdit(true);
  useEffect(() => {
    guard();
    typed.value = ""; typed.reason = "";
    setTold(""); setRaw(false); setMore(null); setAlways(false); setTask(false); setEdit(false);
  }, [approval.id, approval.shown]);
  useEffect(() => {
    let alive = true;
    call<Approval>("GET", `/v1/approvals/${encodeURIComponent(approval.id)}`).then((one) => { if (alive) setMore(one); }).catch(() => {});
    return () => { alive = false; };
  }, [approval.id]);
  const level = approval.security_warning.level;
  const critical = level === "CRITICAL";
  const record = more?.decision_record;
  const where = { cwd: approval.cwd, root: approval.project };
  const changed = change(approval.args) !== null;
  return (
    <section class={`question ${critical ? "critical" : ""}`} role={critical ? "alertdialog" : "region"} aria-labelledby="asked" id="dialog" tabIndex={-1} onFocus={(event) => { if (event.target === event.currentTarget) guard(); }}>
      <div class="inner">
        <div class="head"><Level level={level} /><span class="gap" /><Phones /></div>
        <CallTitle tool={approval.tool} args={approval.args} where={where} id="asked" />
        <div class="meta"><Who agent={approval.agent ?? approval.caller} project={approval.project} branch={approval.branch} title={approval.title} tool={approval.tool} args={approval.args} /><span>{ago(approval.asked_at, now.value)}</span><Waits approval={approval} />{approval.votes.length > 0 && <span><Hostile text={approval.votes.map((vote) => vote.by).join(", ")} /></span>}</div>
        {changed && !raw && <><h3 class="sr">{t("diff")}</h3><Diff args={approval.args} /></>}
        <Why reason={approval.reason} />
        {approval.security_warning.message !== approval.reason && <p class="dim"><Hostile text={approval.security_warning.message} /></p>}
        {editedFrom.has(approval.id) && <p class="note" id="edited-from">{t("editedFrom")}</p>}
        {edit && <Edit approval={approval} close={() => { setEdit(false); document.getElementById("dialog")?.focus(); }} />}
        {always && <Always approval={approval} close={() => setAlways(false)} />}
        {task && <Task approval={approval} close={() => setTask(false)} />}
        {more?.effects && <EffectList effects={more.effects} project={approval.project} />}
        <ReadsAs tool={approval.tool} args={approval.args} effects={more?.effects} raw={raw} />
        <Arguments tool={approval.tool} args={approval.args} where={where} raw={raw ? spell(approval.args, 2) : null} diff={changed} />
        <h3 class="sr">{t("details")}</h3>
        <p class="row"><button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>{raw ? t("pretty") : t("raw")} <kbd>v</kbd></button>
          <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>{t("why")} <kbd>w</kbd></button>
          <button type="button" class="quiet" onClick={() => void needless()}>{t("needless")} <kbd>n</kbd></button></p>
        {open && (
          <div class="stack" id="trace">
            <dl class="pairs"><dt>{t("account")}</dt><dd><Hostile text={approval.caller} line /></dd><dt>{t("session")}</dt><dd><a href={href("sessions", approval.session)}><Hostile text={approval.session} line /></a></dd><dt>{t("agent")}</dt><dd>{t(approval.waiting ? "waitsHelp" : "lateHelp")}</dd><dt>{t("folder")}</dt><dd><Hostile text={approval.cwd} line /></dd>
              {approval.policies.length > 0 && <><dt>{t("rule")}</dt><dd><Hostile text={approval.policies.join(", ")} /></dd></>}<dt>{t("record")}</dt><dd><a href={href("timeline", approval.decision)}>{approval.decision}</a></dd></dl>
            <FindingList findings={more?.findings ?? []} />
            {record && <details><summary>{t("raw")}</summary><div class="args"><Tree value={{ code: record.code ?? null, mode: record.mode ?? null, risk: record.risk ?? null, guardian: record.guardian ?? null }} /></div></details>}
          </div>
        )}
      </div>
      <Answers approval={approval} critical={critical} told={told} set={{ always: () => setAlways(true), task: () => setTask(true), edit: () => setEdit(true) }} />
    </section>
  );
}

// On a phone the first question is the first screen; these lead to the others.
function Phones() {
  const all = queue.value;
  const at = all.findIndex((one) => one.id === chosen.value);
  const step = (by: number) => { const next = all[(at + by + all.length) % all.length]; if (next) go(href("queue", next.id), true); };
  return (
    <span class="back">
      <button type="button" class="quiet" aria-label={t("previous")} onClick={() => step(-1)}><Icon name="back" /></button>
      <a class="button" href={href("queue", null, { list: "1" })}>{`${at + 1} / ${all.length}`}</a>
      <button type="button" class="quiet" aria-label={t("next")} onClick={() => step(1)}><Icon name="next" /></button>
    </span>
  );
}

// A question that isn't open any more, by its address.
export function Settled({ id }: { id: string }) {
  const [one, setOne] = useState<Approval | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => { call<Approval>("GET", `/v1/approvals/${encodeURIComponent(id)}`).then(setOne).catch((error) => setFault(said(error))); }, [id]);
  if (!one) return fault ? <p class="said" role="status">{fault}</p> : null;
  const where = { cwd: one.cwd, root: one.project };
  return (
    <section class="question" aria-labelledby="asked" id="settled">
      <div class="inner">
        <p><span class={`chip ${one.state === "allowed" ? "green" : "red"}`}>{t(one.state === "allowed" ? "wasAllowed" : one.state === "denied" ? "wasDenied" : "lapsed")}</span> <small>{one.answered_by && <Hostile text={one.answered_by} line />}{one.answered_at && ` · ${ago(one.answered_at, now.value)}`}</small></p>
        <CallTitle tool={one.tool} args={one.args} where={where} id="asked" />
        <div class="meta"><Who agent={one.agent ?? one.caller} project={one.project} branch={one.branch} title={one.title} tool={one.tool} args={one.args} /><span>{ago(one.asked_at, now.value)}</span></div>
        <Diff args={one.args} />
        <Why reason={one.reason} />
        {one.answer_reason && <p>{t("reason")}: <Hostile text={one.answer_reason} /></p>}
        {one.effects && <EffectList effects={one.effects} project={one.project} />}
        <ReadsAs tool={one.tool} args={one.args} effects={one.effects} raw={false} />
        <p class="row"><a href={href("timeline", one.decision)}>{t("seeRecord")}</a> <a href={href("queue")}>{t("queue")}</a></p>
      </div>
    </section>
  );
}
