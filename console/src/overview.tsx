// The overview: how much was decided, by what, how fast, and how people answered.

import type { ComponentChildren } from "preact";
import type { Ends, Overview as Counted } from "./api";
import { Bars, Columns, Touches } from "./charts";
import { Empty, Fault, levelWord, useAnswer } from "./parts";
import { go, href, route } from "./route";
import { beat } from "./state";
import { type Key, t } from "./words";

const SPANS: [string, Key][] = [["1", "lastHour"], ["24", "lastDay"], ["168", "lastWeek"], ["720", "lastMonth"]];
const ENDED: Record<string, Key> = { allowed: "wasAllowed", denied: "wasDenied", timed_out: "lapsed", no_approver: "nobodyThere", error: "failed" };

const DECIDED: Record<string, Key> = { "mode.allow": "decidedModeAllow", "mode.confirm": "decidedModeAsk", "mode.deny": "decidedModeDeny", "confirm.policy": "decidedConfirm" };

const Figure = ({ label, children }: { label: string; children: ComponentChildren }) => <div class="card third kpi"><small>{label}</small><b>{children}</b></div>;

const ENDS = [["allowed", "wasAllowed"], ["refused", "wasDenied"], ["late", "lapsed"], ["unclear", "unobserved"], ["open", "waiting"]] as const;

// How questions ended, or what the client did with those that were left to it.
const Ended = ({ title, ends, more }: { title: string; ends: Ends; more: [string, number][] }) => (
  <section class="card"><h2>{title}</h2><dl class="pairs">{ENDS.filter(([word]) => ends[word] > 0).map(([word, key]) => <><dt>{t(key)}</dt><dd>{ends[word]}</dd></>)}{more.map(([word, n]) => <><dt>{word}</dt><dd>{n}</dd></>)}</dl></section>
);

export function Overview() {
  const hours = SPANS.some(([own]) => own === route.value.more.get("hours")) ? route.value.more.get("hours") ?? "24" : "24";
  const [counted, fault] = useAnswer<Counted>(`/v1/overview?hours=${hours}`, beat.value);
  const ms = (value: number | null | undefined) => (value === null || value === undefined ? "–" : value < 1000 ? `${value} µs` : `${(value / 1000).toFixed(1)} ms`);
  const of = counted?.tally;
  const took = counted?.answers.took_s;
  return (
    <div class="page">
      <div class="head"><h1>{t("overview")}</h1><span class="gap" />
        <select id="span" aria-label={t("span")} value={hours} onChange={(event) => go(href("overview", null, { hours: event.currentTarget.value }))}>{SPANS.map(([own, word]) => <option key={own} value={own}>{t(word)}</option>)}</select></div>
      <Fault text={fault} />
      {counted?.decisions === 0 && <Empty icon="overview" title={t("noCalls")}><p>{t("noCallsHelp")}</p></Empty>}
      {counted && counted.decisions > 0 && (
        <div class="cards">
          <Figure label={t("callsDecided")}>{of?.calls}</Figure>
          <Figure label={t("passedUnasked")}>{of?.passed}</Figure>
          <Figure label={t("personAsked")}>{of?.asked.all}</Figure>
          <Figure label={t("leftToClient")}>{of?.left.all}</Figure>
          <Figure label={t("denied")}>{of?.denied}</Figure>
          <Figure label={t("medianAnswer")}>{took && took.n > 0 ? `${took.p50} s` : "–"}</Figure>
          <section class="card wide"><h2>{t("decisions")}</h2><Columns columns={counted.columns} /></section>
          <Bars title={t("topRules")} rows={counted.rules.map((one) => ({ ...one, name: DECIDED[one.name] ? t(DECIDED[one.name] as Key) : one.name }))} />
          <Bars title={t("levels")} rows={counted.risks.map((one) => ({ ...one, name: levelWord(one.name) }))} />
          {of && <Ended title={t("personAsked")} ends={of.asked} more={[[t("foundNeedless"), of.needless]]} />}
          {of && <Ended title={t("leftToClient")} ends={of.left} more={[]} />}
          <section class="card"><h2>{t("latency")}</h2><dl class="pairs">{(["p50", "p95", "p99"] as const).map((one) => <><dt>{one}</dt><dd>{ms(counted.latency_us[one])}</dd></>)}</dl></section>
          <section class="card"><h2>{t("answers")}</h2>{Object.keys(counted.answers.ended).length === 0 ? <p class="dim">{t("noAnswers")}</p> : <dl class="pairs">{Object.entries(counted.answers.ended).map(([word, n]) => <><dt>{ENDED[word] ? t(ENDED[word]) : word}</dt><dd>{n}</dd></>)}
            {took && took.n > 0 && <><dt>{`${t("time")} p50`}</dt><dd>{`${took.p50} s`}</dd><dt>{`${t("time")} p95`}</dt><dd>{`${took.p95} s`}</dd></>}</dl>}</section>
          <Touches rows={counted.touches} />
        </div>
      )}
    </div>
  );
}
