// "Always": the rule that would be saved, what it matches and what it doesn't, before anything is saved. "For this task": the
// scope that would be granted for the session, in sentences.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Approval, type Preview, type Wish, call, said } from "./api";
import { answer } from "./answers";
import { Hostile } from "./text";
import { t } from "./words";

export function Always({ approval, close }: { approval: Approval; close: () => void }) {
  const [wish, setWish] = useState<Wish>({ rules: [], scope: "agent", lasts: "30d", deny: false, task: false });
  const [text, setText] = useState<string | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [told, setTold] = useState("");
  const [sure, setSure] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    let alive = true;
    setSure(false);
    // A rule that is being typed is looked at when it rests.
    const later = setTimeout(() => {
      call<Preview>("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/rule`, wish)
        .then((one) => { if (alive) { setPreview(one); setTold(""); if (text === null) setText(one.rules.join("\n")); } })
        .catch((error) => { if (alive) { setPreview(null); setTold(said(error)); } });
    }, text === null ? 0 : 250);
    return () => { alive = false; clearTimeout(later); };
  }, [approval.id, wish]);
  const edit = (more: Partial<Wish>) => { setPreview(null); setWish({ ...wish, ...more }); };
  const save = async () => {
    if (!preview?.offered) return;
    if (preview.reach.length > 0 && !sure) { setSure(true); return; }
    const rule = { rules: preview.rules, scope: wish.scope, lasts: wish.lasts, deny: wish.deny, task: false };
    if (await answer(!wish.deny, { reach: "always", rule, preview: preview.digest })) close();
  };
  const list = (label: string, items: string[]) => items.length > 0 && <><dt>{label}</dt>{items.map((item) => <dd><code><Hostile text={item} /></code></dd>)}</>;
  return (
    <section class="sheet always" aria-labelledby="always-title" onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } }}>
      <h3 id="always-title" ref={heading} tabIndex={-1}>{t("ruleTitle")}</h3>
      <label class="field">{t("ruleText")}<textarea id="rule-text" rows={3} spellcheck={false} value={text ?? ""} onInput={(event) => { setText(event.currentTarget.value); edit({ rules: event.currentTarget.value.split("\n").filter((line) => line.trim()) }); }} /></label>
      <div class="row end">
        <label class="field">{t("scope")} <select id="rule-scope" value={wish.scope} onChange={(event) => edit({ scope: event.currentTarget.value })}>
          <option value="session">{t("forSession")}</option><option value="agent">{t("forAgent")}</option><option value="project">{t("forProject")}</option><option value="user">{t("forUser")}</option>
        </select></label>
        <label class="field">{t("lasts")} <select id="rule-lasts" value={wish.lasts} onChange={(event) => edit({ lasts: event.currentTarget.value })}>
          <option value="1h">{t("hour")}</option><option value="today">{t("today")}</option><option value="30d">{t("month")}</option><option value="none">{t("ever")}</option>
        </select></label>
        <label class="check"><input id="rule-deny" type="checkbox" checked={wish.deny} onChange={(event) => { setText(null); edit({ deny: event.currentTarget.checked, rules: [] }); }} /> {t("never")}</label>
      </div>
      {preview && (
        <dl>
          {list(t("matches"), preview.example)}
          {list(t("nearMiss"), preview.near_miss)}
          <dt>{t("past")}</dt><dd id="rule-past">{`${preview.past.covered} ${t("pastOf")} ${preview.past.of} (${preview.past.denied} ${t("pastDenied")}, ${preview.past.asked} ${t("pastAsked")})`}</dd>
          {preview.reach.length > 0 && <><dt>{t("reaches")}</dt><dd>{preview.reach.join(", ")}</dd></>}
          {preview.offered && <><dt>{t("inFile")}</dt><dd><pre tabIndex={0}><Hostile text={preview.text.trim()} /></pre></dd></>}
        </dl>
      )}
      {preview && !preview.offered && <p class="said" id="rule-why-not">{t("noRule")} <Hostile text={`${preview.message ?? ""} (${preview.why_not ?? ""})`} /></p>}
      <p role="status" class="said">{told}</p>
      <div class="row">
        <button type="button" onClick={close}>{t("close")} <kbd>Esc</kbd></button>
        <button id="rule-save" type="button" class={wish.deny ? "no" : "primary"} disabled={!preview?.offered} onClick={() => void save()}>{sure ? t("saveSure") : t("save")}</button>
      </div>
    </section>
  );
}

export function Task({ approval, close }: { approval: Approval; close: () => void }) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [told, setTold] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const wish: Wish = { rules: [], scope: "session", lasts: "1h", deny: false, task: true };
  useEffect(() => {
    heading.current?.focus();
    let alive = true;
    call<Preview>("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/rule`, wish).then((one) => { if (alive) setPreview(one); }, (error) => { if (alive) setTold(said(error)); });
    return () => { alive = false; };
  }, [approval.id]);
  const save = async () => {
    if (preview?.offered && await answer(true, { reach: "always", rule: { ...wish, rules: preview.rules }, preview: preview.digest })) close();
  };
  const time = preview?.until ? new Date(preview.until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : "";
  return (
    <section class="sheet" id="task" aria-labelledby="task-title" onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } }}>
      <h3 id="task-title" ref={heading} tabIndex={-1}>{t("taskTitle").replace("{}", time)}</h3>
      {preview?.offered && <>
        <p>{t("taskCovers")}</p><ul>{preview.covers.map((line) => <li><Hostile text={line} /></li>)}</ul>
        <p>{t("taskLeaves")}</p><ul>{preview.leaves.map((line) => <li><Hostile text={line} /></li>)}</ul>
        <p class="dim">{`${t("past")}: ${preview.past.covered} ${t("pastOf")} ${preview.past.of}`}</p>
      </>}
      {preview && !preview.offered && <p class="said">{t("noTask")} <Hostile text={preview.message ?? ""} /></p>}
      <p role="status" class="said">{told}</p>
      <div class="row"><button type="button" onClick={close}>{t("close")} <kbd>Esc</kbd></button> <button id="task-save" type="button" class="primary" disabled={!preview?.offered} onClick={() => void save()}>{t("taskSave")}</button></div>
    </section>
  );
}
