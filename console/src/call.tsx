// One call with its life: what was decided, who was asked, what was answered, what became of it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Call, Life } from "./api";
import { Diff, change } from "./diff";
import { spell } from "./exact";
import { Icon, type IconName } from "./icons";
import { Arguments, CallTitle, EffectList, FindingList, Level, ReadsAs, VERDICTS, Verdict, Why, Who } from "./parts";
import { href } from "./route";
import { now } from "./state";
import { Hostile } from "./text";
import { ago, title } from "./title";
import { type Key, t } from "./words";

export const agentOf = (one: Call): string => one.agent ?? one.principal.id;
// As people know it: the coding agent whose hook it came through.
export const knownAs = (one: Call): string => one.client ?? agentOf(one);

export interface Step { icon: IconName; colour: string; word: Key; time: string; by: string }

const ENDED: Record<string, Key> = { allowed: "wasAllowed", denied: "wasDenied", timed_out: "lapsed", no_approver: "nobodyThere", error: "failed" };
const OUTCOMES: Record<string, Key> = {
  ran: "itRan", failed: "itFailed", killed: "itWasKilled", refused: "itWasRefused", abandoned: "itWasAbandoned", released: "itWasReleased", unobserved: "unobserved",
};

// The life of a call in order, the decision first.
export function steps(one: Call): Step[] {
  const own = VERDICTS[one.verdict];
  const out: Step[] = [{ icon: own?.icon ?? "dot", colour: own?.colour ?? "", word: own?.word ?? "verdictAsk", time: one.time, by: "" }];
  for (const step of one.life) out.push(...stepOf(step));
  return out;
}

function stepOf(step: Life): Step[] {
  const by = [step.by, step.via, step.presence].filter(Boolean).join(" · ");
  if (step.kind === "outcome") {
    const word = OUTCOMES[step.outcome ?? ""] ?? "unobserved";
    return [{ icon: word === "itRan" ? "ran" : "dot", colour: word === "itRan" || word === "itWasReleased" ? "green" : word === "unobserved" || word === "itWasAbandoned" ? "" : "red", word, time: step.time, by }];
  }
  if (step.event === "asked") return [{ icon: "wait", colour: "amber", word: "wasAsked", time: step.time, by }];
  const word = step.event === "cancelled" ? "wasCancelled" : step.event === "expired" ? "lapsed" : step.event === "passed" ? "clientPassed" : step.event === "unclear" ? "isUnclear" : ENDED[step.decision ?? ""] ?? "lapsed";
  if (word === "isUnclear") return [{ icon: "dot", colour: "amber", word, time: step.time, by }];
  return [{ icon: word === "wasAllowed" || word === "clientPassed" ? "allow" : "deny", colour: word === "wasAllowed" || word === "clientPassed" ? "green" : "red", word, time: step.time, by }];
}

// Whether the call went ahead, was stopped, or is open.
export function fate(one: Call): "ran" | "stopped" | "open" {
  // A call of which it isn't known whether it was refused or interrupted stays open.
  if (one.life.some((step) => step.event === "unclear")) return "open";
  if (one.verdict === "ALLOW") return "ran";
  if (one.verdict === "DENY") return "stopped";
  const ended = one.life.filter((step) => step.kind === "approval" && step.event !== "asked").at(-1);
  return !ended ? "open" : ended.event === "passed" ? "ran" : ended.decision === "allowed" && ended.event !== "cancelled" ? "ran" : "stopped";
}

export const LifeLine = ({ one }: { one: Call }) => {
  const all = steps(one).slice(1);
  if (all.length === 0) return <span />;
  return <span class="life" aria-hidden="true">{all.map((step, at) => <>{at > 0 && <i />}<span class={step.colour} title={t(step.word)}><Icon name={step.icon} small /></span></>)}</span>;
};

export function CallView({ one, back }: { one: Call; back?: ComponentChildren }) {
  const [raw, setRaw] = useState(false);
  const args = one.args ?? {};
  const where = { cwd: one.cwd ?? "", root: one.project };
  const changed = change(args) !== null;
  const own = title(one.resource.name, args);
  return (
    <section class="call inner" aria-label={t("details")} id="call">
      <div class="head">{back}<Verdict verdict={one.verdict} /><Level level={one.risk.level} /><span class="gap" /><small>{new Date(one.time).toLocaleString()}</small></div>
      <CallTitle tool={one.resource.name} args={args} where={where} />
      <div class="meta"><Who agent={knownAs(one)} project={one.project} title={one.title} tool={one.resource.name} args={args} /><span>{ago(one.time, now.value)}</span></div>
      {changed && !raw && <Diff args={args} />}
      <Why reason={one.reason} />
      {one.effects && <EffectList effects={one.effects} project={one.project} />}
      <ReadsAs tool={one.resource.name} args={args} effects={one.effects} raw={raw} />
      <Arguments tool={one.resource.name} args={args} where={where} raw={null} diff={changed} />
      <h3>{t("life")}</h3>
      <ol class="steps">{steps(one).map((step) => (
        <li><Icon name={step.icon} class={step.colour} /><div><strong>{t(step.word)}</strong> <small>{new Date(step.time).toLocaleTimeString()}{step.by && <> · <Hostile text={step.by} line /></>}</small></div></li>
      ))}</ol>
      {(one.findings ?? []).length > 0 && <><h3>{t("findingsOf")}</h3><FindingList findings={one.findings ?? []} /></>}
      <h3>{t("details")}</h3>
      <dl class="pairs"><dt>{t("session")}</dt><dd><a href={href("sessions", one.session)}><Hostile text={one.session} line /></a></dd><dt>{t("folder")}</dt><dd><Hostile text={one.cwd ?? ""} line /></dd>
        <dt>{t("permissionMode")}</dt><dd>{one.mode}</dd>{one.policy.ids.length > 0 && <><dt>{t("rule")}</dt><dd><Hostile text={one.policy.ids.join(", ")} /></dd></>}
        <dt>{t("code")}</dt><dd><code>{one.code}</code></dd><dt>{t("record")}</dt><dd>{one.index} <code class="dim">{one.id}</code></dd><dt>{t("latency")}</dt><dd>{`${(one.took_us / 1000).toFixed(1)} ms`}</dd></dl>
      <p class="row">{own.kind === "command" && <a href={href("rules", "try", { command: own.text.slice(0, 2000), tool: one.resource.name, cwd: one.cwd ?? "" })}>{t("tryAgain")}</a>}
        <button type="button" class="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>{raw ? t("pretty") : t("raw")}</button></p>
      {raw && <div class="args"><pre tabIndex={0} id="raw"><Hostile text={spell(one as never, 2)} whole /></pre></div>}
    </section>
  );
}
