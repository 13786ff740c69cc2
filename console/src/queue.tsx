// The queue: the list, the dialog, and the answers. Approving is dead for half a second after the dialog changes;
// denying works at once.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Approval, Refusal, call } from "./api";
import { chosen, me, now, online, queue, refresh } from "./state";
import { Hostile, Tree } from "./text";
import { t } from "./words";

const GUARD = 500;
const SHAPES = { LOW: "○", MEDIUM: "◐", HIGH: "▲", CRITICAL: "◆" };
let since = 0;
export const typed = { value: "" };

export const Level = ({ level }: { level: Approval["security_warning"]["level"] }) => (
  <span class={`level ${level}`}>{`${SHAPES[level] ?? "◆"} ${level}`}</span>
);

function left(approval: Approval): string {
  const seconds = Math.max(0, Math.round((Date.parse(approval.expires) - now.value) / 1000));
  return seconds === 0 ? t("lapsed") : `${t("expires")} ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

let say: (text: string) => void = () => {};

export async function answer(yes: boolean, more: Record<string, unknown> = {}): Promise<void> {
  const approval = queue.value.find((one) => one.id === chosen.value);
  if (!approval || !online.value) return;
  if (yes && performance.now() - since < GUARD) { say(t("wait")); return; }
  if (yes && approval.phrase && typed.value.trim() !== approval.phrase) { say(`${t("typePhrase")} ${approval.phrase}`); return; }
  const body = { answer: yes ? "yes" : "no", shown: approval.shown, ...(yes && approval.phrase ? { typed: typed.value } : {}), ...more };
  try {
    await call("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/answer`, body);
    typed.value = "";
    say("");
    await refresh();
  } catch (error) {
    say(error instanceof Refusal ? `${error.message} (${error.code})` : String(error));
  }
}

function Unlock() {
  const [word, setWord] = useState("");
  const [said, setSaid] = useState("");
  const known = me.value?.has_passphrase;
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      if (!known) await call("POST", "/v1/passphrase", { passphrase: word });
      await call("POST", "/v1/unlock", { passphrase: word });
      me.value = await call("GET", "/v1/me");
    } catch (error) { setSaid((error as Error).message); }
    setWord("");
  };
  if (me.value?.presence === "passphrase") return <p class="unlock ok">{t("unlocked")}</p>;
  return (
    <form class="unlock" onSubmit={send}>
      <label>{t("locked")} <input id="passphrase" type="password" autocomplete="current-password" placeholder={t("passphrase")} value={word} onInput={(event) => setWord(event.currentTarget.value)} /></label>
      <button>{known ? t("unlock") : t("set")}</button> <span role="status">{said}</span>
    </form>
  );
}

function Dialog({ approval }: { approval: Approval }) {
  const [said, setSaid] = useState("");
  const [phrase, setPhrase] = useState("");
  const [raw, setRaw] = useState(false);
  const [why, setWhy] = useState<Approval | null>(null);
  const field = useRef<HTMLInputElement>(null);
  say = setSaid;
  useEffect(() => {
    since = performance.now();
    typed.value = "";
    setPhrase(""); setSaid(""); setRaw(false); setWhy(null);
  }, [approval.id, approval.shown]);
  useEffect(() => {
    let alive = true;
    call<Approval>("GET", `/v1/approvals/${encodeURIComponent(approval.id)}`).then((one) => { if (alive) setWhy(one); }).catch(() => {});
    return () => { alive = false; };
  }, [approval.id]);
  const critical = approval.security_warning.level === "CRITICAL";
  const record = why?.decision_record;
  return (
    <section class={`dialog ${critical ? "critical" : ""}`} role={critical ? "alertdialog" : "region"} aria-labelledby="asked">
      <h2 id="asked"><Level level={approval.security_warning.level} /> <Hostile text={approval.tool} /></h2>
      <p class="warning"><Hostile text={approval.security_warning.message} /></p>
      <div class="args">{raw ? <pre><Hostile text={JSON.stringify(approval.args)} /></pre> : <Tree value={approval.args} />}</div>
      <p class="meta"><Hostile text={`${approval.caller} · ${approval.cwd} · ${approval.session}`} /></p>
      <p class="meta"><meter min={0} max={Date.parse(approval.expires) - Date.parse(approval.asked_at)} value={Math.max(0, Date.parse(approval.expires) - now.value)} aria-label={t("expires")} /> {left(approval)}</p>
      {approval.phrase && (
        <label class="phrase">{t("typePhrase")} <code>{approval.phrase}</code>
          <input id="phrase" ref={field} autocomplete="off" value={phrase} onPaste={(event) => event.preventDefault()}
            onInput={(event) => { setPhrase(event.currentTarget.value); typed.value = event.currentTarget.value; }}
            onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }} />
        </label>
      )}
      <div class="buttons">
        <button type="button" class="no" onClick={() => void answer(false)}>{t("deny")} <kbd>d</kbd></button>
        <button type="button" class="no" onClick={() => void answer(false, { stop: true })}>{t("denyStop")} <kbd>D</kbd></button>
        <button type="button" class="yes" onClick={() => void answer(true)}>{t("allow")} <kbd>a</kbd></button>
        {!critical && <button type="button" onClick={() => void answer(true, { reach: "session" })}>{t("allowSession")} <kbd>s</kbd></button>}
        <button type="button" onClick={() => setRaw(!raw)}>{raw ? t("pretty") : t("raw")}</button>
      </div>
      <p role="status" class="said">{said}</p>
      <details open><summary>{t("why")}</summary>
        <p><Hostile text={approval.reason} /></p>
        {approval.policies.length > 0 && <p><Hostile text={approval.policies.join(", ")} /></p>}
        {record && <Tree value={{ code: record.code ?? null, mode: record.mode ?? null, risk: record.risk ?? null, guardian: record.guardian ?? null }} />}
      </details>
    </section>
  );
}

export function Queue() {
  const approval = queue.value.find((one) => one.id === chosen.value);
  return (
    <>
      <Unlock />
      {queue.value.length === 0 && <p class="empty">{t("nothing")}</p>}
      <div class="two">
        <ul class="list" aria-label={t("queue")}>
          {queue.value.map((one) => (
            <li key={one.id}>
              <button type="button" aria-current={one.id === chosen.value} onClick={() => { chosen.value = one.id; }}>
                <Level level={one.security_warning.level} /> <Hostile text={one.tool} />
                <span class="brief"><Hostile text={JSON.stringify(one.args).slice(0, 160)} /></span>
                <small>{left(one)}</small>
              </button>
            </li>
          ))}
        </ul>
        {approval && <Dialog approval={approval} />}
      </div>
    </>
  );
}
