// Parts that several pages share: verdicts, levels, effects, what runs beside what was written, empty states.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Effects, type Finding, type Level as LevelName, type Tree as Values, call, said, unlock as unlockBy } from "./api";
import { Icon, type IconName } from "./icons";
import { me } from "./state";
import { Hostile, Places, Prose, Titled, Tree, type Where } from "./text";
import { agentName, projectName, sentence, title, toolName, within } from "./title";
import { type Key, t } from "./words";

// What a path answers, looked at again when `on` changes; nothing where there is no path.
export function useAnswer<T>(path: string | null, on: unknown = 0): [T | null, string, () => void] {
  const [value, setValue] = useState<T | null>(null);
  const [fault, setFault] = useState("");
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (path === null) { setValue(null); setFault(""); return; }
    let alive = true;
    call<T>("GET", path).then((one) => { if (alive) { setValue(one); setFault(""); } }).catch((error) => { if (alive) setFault(said(error)); });
    return () => { alive = false; };
  }, [path, on, again]);
  return [value, fault, () => setAgain((one) => one + 1)];
}

export const Fault = ({ text }: { text: string }) => (text ? <p class="said" role="status">{text}</p> : null);

// One vocabulary: Allow, Ask, Deny.
export const VERDICTS: Record<string, { word: Key; colour: string; icon: IconName }> = {
  ALLOW: { word: "verdictAllow", colour: "green", icon: "allow" }, DENY: { word: "verdictDeny", colour: "red", icon: "deny" }, REQUIRE_USER_CONFIRMATION: { word: "verdictAsk", colour: "amber", icon: "ask" },
  allow: { word: "verdictAllow", colour: "green", icon: "allow" }, deny: { word: "verdictDeny", colour: "red", icon: "deny" }, ask: { word: "verdictAsk", colour: "amber", icon: "ask" },
};
export function Verdict({ verdict }: { verdict: string }) {
  const known = VERDICTS[verdict];
  return <span class={`chip ${known?.colour ?? ""}`}>{known && <Icon name={known.icon} small />}{known ? t(known.word) : verdict}</span>;
}

const SHAPES: Record<string, string> = { LOW: "○", MEDIUM: "◐", HIGH: "▲", CRITICAL: "◆" };
const LEVELS: Record<string, Key> = { LOW: "riskLow", MEDIUM: "riskMedium", HIGH: "riskHigh", CRITICAL: "riskCritical" };
export const levelWord = (level: string): string => (LEVELS[level] ? t(LEVELS[level]) : level);
export const Level = ({ level, brief = false }: { level: LevelName; brief?: boolean }) => (
  <span class={`level ${level}`}><span aria-hidden="true">{SHAPES[level] ?? "◆"}</span>{brief ? <span class="sr">{levelWord(level)}</span> : ` ${levelWord(level)}`}</span>
);

// The title of a call: the command as it was written, dangerous tokens marked, and below it where its paths and hosts lead.
export function CallTitle({ tool, args, where, id }: { tool: string; args: Values; where: Where; id?: string }) {
  const own = title(tool, args);
  return (
    <>
      <h2 class={`title ${own.kind === "other" ? "plain" : ""}`} id={id}>{own.name ? <Titled text={own.text} name={own.name} /> : <Hostile text={own.text} line />}</h2>
      {own.name && <Places text={own.text} name={own.name} where={where} brief />}
    </>
  );
}

export const Who = ({ agent, project, branch, title: said, tool, args }: { agent: string; project: string; branch?: string | null | undefined; title?: string | null | undefined; tool?: string; args?: Values }) => (
  <>{said && <strong><Hostile text={said.slice(0, 100)} line /></strong>}{tool !== undefined && <span><Hostile text={toolName(tool, args).slice(0, 60)} line /></span>}<span><Hostile text={agentName(agent).slice(0, 60)} line /></span>{project && <span><Hostile text={`${projectName(project).slice(0, 60)}${branch ? ` (${branch.slice(0, 60)})` : ""}`} line /></span>}</>
);

const HOW: Record<string, Key> = { deletes: "doesDelete", writes: "doesWrite", reads: "doesRead", contacts: "doesContact", installs: "doesInstall", privilege: "doesPrivilege", loses: "doesLose" };
const PLACES: Record<string, [Key, string]> = {
  inside: ["placeInside", "green"], scratch: ["placeScratch", "green"], harmless: ["placeHarmless", "green"], outside: ["placeOutside", "red"], escape: ["placeEscape", "red"], forbidden: ["placeForbidden", "red"],
  elsewhere: ["placeElsewhere", "red"], unknown: ["placeUnknown", "amber"], allowed: ["placeAllowed", "green"], public: ["placePublic", "amber"], loopback: ["placeLoopback", "amber"], private: ["placePrivate", "red"],
  metadata: ["placeMetadata", "red"], refused: ["placeRefused", "red"],
};

export function EffectList({ effects, project }: { effects: Effects; project: string }) {
  const [all, setAll] = useState(false);
  const most = 8;
  const shown = all ? effects.touches : effects.touches.slice(0, most);
  if (effects.touches.length === 0 && effects.unknown.length === 0) return null;
  return (
    <>
      <h3>{t("whatItDoes")}</h3>
      <ul class="effects" id="effects">
        {shown.map((one) => {
          const place = typeof one.where === "string" ? PLACES[one.where] : undefined;
          const hot = one.how === "deletes" || one.how === "privilege" || one.how === "loses" || place?.[1] === "red" || one.secret === true;
          return (
            <li class={hot ? "hot" : ""}><Icon name={(one.how in HOW ? one.how : "dot") as IconName} />
              <span>{HOW[one.how] ? t(HOW[one.how] as Key) : one.how} <code><Hostile text={within(one.what, project)} line /></code></span>
              {one.secret ? <span class="chip red">{t("placeSecret")}</span> : place ? <span class={`chip ${place[1]}`}>{t(place[0])}</span> : <span />}</li>
          );
        })}
        {effects.unknown.map((one) => <li class="hot"><Icon name="unknown" /><span>{t("notSeen")}: <Hostile text={one} /></span><span /></li>)}
      </ul>
      {effects.touches.length > shown.length && <button type="button" class="link" onClick={() => setAll(true)}>{t("showAll").replace("{}", String(effects.touches.length))}</button>}
    </>
  );
}

const squeezed = (text: string): string => text.replace(/["'\\\s]+/g, " ").trim();

// The commands that would run, where they aren't what was written: decoded, put together, looked up.
export function hiddenRuns(written: string, runs: string[]): string[] {
  const plain = squeezed(written);
  return runs.filter((run) => run !== "…" && !plain.includes(squeezed(run)));
}

export function ReadsAs({ tool, args, effects, raw }: { tool: string; args: Values; effects: Effects | undefined; raw: boolean }) {
  const own = title(tool, args);
  const runs = own.kind === "command" ? hiddenRuns(own.text, effects?.runs ?? []) : [];
  if (runs.length === 0 || raw) return null;
  return (
    <>
      <h3>{t("readsAs")}</h3>
      <div class="raws" id="reads-as">
        <div><span class="cap">{t("asWritten")}</span><pre tabIndex={0}><Hostile text={own.text} /></pre></div>
        <div class="plainly"><span class="cap">{t("asRun")}</span><pre tabIndex={0}><Hostile text={runs.join("\n")} /></pre></div>
      </div>
    </>
  );
}

export function Why({ reason }: { reason: string }) {
  const { text, codes } = sentence(reason);
  return <><p class="why"><Prose text={text} /></p>{codes.length > 0 && <p class="codes"><Hostile text={codes.join(" · ")} /></p>}</>;
}

export function FindingList({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain" id="call-findings">{findings.map((one) => (
      <li><Level level={one.severity} brief /> <Prose text={sentence(one.message).text} /> <span class="codes"><Hostile text={one.code} /></span>{one.suggestion && <> <small><Hostile text={one.suggestion} /></small></>}</li>
    ))}</ul>
  );
}

const IN_DIFF = new Set(["old_string", "new_string", "old_str", "new_str", "old_text", "new_text", "search", "replace", "edits", "patch", "diff", "content", "file_text"]);

// The arguments beside the title and the diff. Every one of them is somewhere, and all of them are behind "raw".
export function Arguments({ tool, args, where, raw, diff }: { tool: string; args: Values; where: Where; raw: string | null; diff: boolean }) {
  if (raw !== null) return <><h3>{t("raw")}</h3><div class="args"><pre tabIndex={0}><Hostile text={raw} whole /></pre></div></>;
  const own = title(tool, args);
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== own.name && !(diff && IN_DIFF.has(name))));
  if (Object.keys(rest).length === 0) return null;
  return <><h3>{t("arguments")}</h3><div class="args"><Tree value={rest} where={where} /></div></>;
}

// The heading of a page whose visible one a phone may hide.
export const Heading = ({ text }: { text: string }) => <div class="h1" aria-hidden="true">{text}</div>;

export function Empty({ icon, title: head, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return <div class="empty"><Icon name={icon} /><strong>{head}</strong>{children}</div>;
}

// Shows that a person is at this page. Without it nothing is allowed and no rule or setting changes.
export function Unlock() {
  const [word, setWord] = useState("");
  const [told, setTold] = useState("");
  const known = me.value?.has_passphrase;
  const unlock = async (event: Event) => {
    event.preventDefault();
    try {
      if (!known) await call("POST", "/v1/passphrase", { passphrase: word });
      await unlockBy(word);
      me.value = await call("GET", "/v1/me");
      setTold("");
    } catch (error) { setTold(said(error)); }
    setWord("");
  };
  if (me.value?.presence === "passphrase") return null;
  if (!known && !me.value?.may_set_passphrase) return <p class="unlock">{t("setAtTerminal")} <code>doorward approvals passphrase</code></p>;
  return (
    <form class="unlock" onSubmit={unlock}>
      <label><span>{t(known ? "locked" : "lockedNew")}</span> <input id="passphrase" type="password" autocomplete="current-password" placeholder={t("passphrase")} value={word} onInput={(event) => setWord(event.currentTarget.value)} /></label>
      <button>{known ? t("unlock") : t("set")}</button> <span role="status">{told}</span>
    </form>
  );
}

export const Unlocked = () => (me.value?.presence === "passphrase" ? <span class="chip green" id="unlocked"><Icon name="unlocked" small />{t("unlocked")}</span> : null);
