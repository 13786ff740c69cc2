// Findings: what was noticed in calls, by kind, the worst first, each with the calls it was in.

import type { Call, Finding } from "./api";
import { Empty, Fault, Level, useAnswer } from "./parts";
import { href } from "./route";
import { beat, now } from "./state";
import { Hostile, Prose } from "./text";
import { ago, brief, sentence } from "./title";
import { type Key, t } from "./words";

const RANKS = ["LOW", "MEDIUM", "HIGH", "CRITICAL"];
const KINDS: [string, Key][] = [["secret.", "kindSecrets"], ["flow.", "kindFlows"], ["net.", "kindNetwork"], ["shell.", "kindCommands"], ["path.", "kindPaths"], ["", "kindOther"]];

interface Group { code: string; worst: Finding; calls: Call[] }

function grouped(calls: Call[]): Group[] {
  const all = new Map<string, Group>();
  for (const one of calls) {
    for (const finding of one.findings ?? []) {
      const group = all.get(finding.code) ?? { code: finding.code, worst: finding, calls: [] };
      if (RANKS.indexOf(finding.severity) > RANKS.indexOf(group.worst.severity)) group.worst = finding;
      if (group.calls.at(-1) !== one) group.calls.push(one);
      all.set(finding.code, group);
    }
  }
  return [...all.values()].sort((one, other) => RANKS.indexOf(other.worst.severity) - RANKS.indexOf(one.worst.severity) || other.calls.length - one.calls.length);
}

export function Findings() {
  const [found, fault] = useAnswer<{ calls: Call[] }>("/v1/calls?limit=500", beat.value);
  const groups = grouped(found?.calls ?? []);
  const kindOf = (code: string) => KINDS.find(([start]) => code.startsWith(start))?.[1] ?? "kindOther";
  return (
    <div class="page findings">
      <div class="head"><h1>{t("findings")}</h1><p>{t("findingsHelp")}</p></div>
      <Fault text={fault} />
      {found && groups.length === 0 && <Empty icon="findings" title={t("noFindings")}><p>{t("noFindingsHelp")}</p></Empty>}
      {KINDS.map(([, kind]) => {
        const own = groups.filter((group) => kindOf(group.code) === kind);
        return own.length > 0 && (
          <section class="card" key={kind}><h2>{t(kind)}</h2><ul class="plain">{own.map((group) => (
            <li class="rule" key={group.code}><Level level={group.worst.severity} />
              <div><Prose text={sentence(group.worst.message).text} /><div class="meta"><span class="codes"><Hostile text={group.code} line /></span><span>{ago(group.calls[0]?.time ?? "", now.value)}</span></div>
                <ul class="plain">{group.calls.slice(0, 3).map((one) => <li key={one.id}><a href={href("timeline", one.id)}><code><Hostile text={brief(one.resource.name, one.args ?? {}).slice(0, 120)} line whole /></code></a></li>)}</ul></div>
              <span class="week"><a href={href("timeline", null, { text: `"${group.code}"` })}><b>{group.calls.length}</b></a> {t("calls")}</span></li>
          ))}</ul></section>
        );
      })}
    </div>
  );
}
