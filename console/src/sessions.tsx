// Sessions as stories: who did what in which project, what flowed where, and how each call ended.

import { type Call, type Session, call } from "./api";
import { fate, knownAs, steps } from "./call";
import { Flow } from "./flow";
import { Icon } from "./icons";
import { Empty, Fault, Heading, useAnswer } from "./parts";
import { href, route } from "./route";
import { beat, now } from "./state";
import { Hostile, Prose } from "./text";
import { agentName, ago, brief, projectName, sentence } from "./title";
import { t } from "./words";

interface Story { id: string; title: string; agent: string; project: string; calls: Call[]; ran: number; open: number; stopped: number }

function stories(calls: Call[]): Story[] {
  const all = new Map<string, Story>();
  for (const one of calls) {
    const known = all.get(one.session) ?? { id: one.session, title: one.title ?? "", agent: knownAs(one), project: one.project, calls: [], ran: 0, open: 0, stopped: 0 };
    known.calls.push(one);
    known[fate(one)] += 1;
    all.set(one.session, known);
  }
  return [...all.values()];
}

const Share = ({ story }: { story: Story }) => (
  <span class="share" aria-hidden="true"><i class="ins" style={{ flexGrow: story.ran }} /><i class="ask" style={{ flexGrow: story.open }} /><i class="del" style={{ flexGrow: story.stopped }} /></span>
);

function told(story: Story): string {
  const parts = [t("storyRan").replace("{}", String(story.ran))];
  if (story.stopped > 0) parts.push(t("storyStopped").replace("{}", String(story.stopped)));
  if (story.open > 0) parts.push(t("storyOpen").replace("{}", String(story.open)));
  return parts.join(", ");
}

/** Flows that calls of the session completed: where data came from, which turn sent or ran it. */
function Flows({ id }: { id: string }) {
  const [session] = useAnswer<Session>(`/v1/sessions/${encodeURIComponent(id)}`, beat.value);
  const flows = session?.flows ?? [];
  return flows.length === 0 ? null : (
    <ol class="steps">{flows.map((flow) => (
      <li key={`${flow.rule}-${flow.turn}`}><Icon name={flow.then === "deny" ? "deny" : "wait"} class={flow.then === "deny" ? "red" : "amber"} />
        <div><Hostile text={flow.says} line /><div class="meta">{flow.path.map(([turn, what]) => <span key={`${turn}-${what}`}><Hostile text={`${turn}: ${what}`} line /></span>)}</div></div></li>
    ))}</ol>
  );
}

function Told({ story, taints, stop }: { story: Story; taints: string[]; stop: () => void }) {
  const calls = story.calls.slice().reverse();
  const [first, last] = [calls[0], calls.at(-1)];
  const minutes = first && last ? Math.round((Date.parse(last.time) - Date.parse(first.time)) / 60000) : 0;
  return (
    <section class="inner" aria-label={t("session")} id="session">
      <div class="head"><a class="button quiet back" href={href("sessions")} aria-label={t("close")}><Icon name="back" /></a><h2><Hostile text={story.title || agentName(story.agent)} line /> <span class="dim"><Hostile text={projectName(story.project)} line /></span></h2><span class="gap" /><button type="button" class="no" onClick={stop}><Icon name="halt" small />{t("stopSession")}</button></div>
      <div class="meta"><span><Hostile text={story.id} line /></span>{first && <span>{ago(first.time, now.value)}</span>}<span>{t("lasted").replace("{}", String(minutes))}</span></div>
      <p class="why">{`${told(story)}.`}</p>
      {taints.length > 0 && <p class="row">{t("carries")} {taints.map((taint) => <span class="chip red" key={taint}><Hostile text={taint} line /></span>)}</p>}
      <h3>{t("flow")}</h3>
      <Flow calls={story.calls} />
      <Flows id={story.id} />
      <h3>{t("whatHappened")}</h3>
      <ol class="steps">{calls.map((one) => {
        const last = steps(one).at(-1);
        const own = fate(one);
        return (
          <li key={one.id}><Icon name={own === "ran" ? "allow" : own === "open" ? "wait" : "deny"} class={own === "ran" ? "green" : own === "open" ? "amber" : "red"} />
            <div><a href={href("timeline", one.id)}><Hostile text={brief(one.resource.name, one.args ?? {}).slice(0, 200)} line whole /></a>
              <div class="meta"><span>{new Date(one.time).toLocaleTimeString([], { hour12: false })}</span>{last && <span>{t(last.word)}</span>}{own !== "ran" && <span><Prose text={sentence(one.reason).text} /></span>}</div></div></li>
        );
      })}</ol>
    </section>
  );
}

export function Sessions() {
  const { id } = route.value;
  const [recent, fault] = useAnswer<{ calls: Call[] }>("/v1/calls?limit=500", beat.value);
  const [own] = useAnswer<{ calls: Call[] }>(id ? `/v1/calls?limit=500&session=${encodeURIComponent(id)}` : null, beat.value);
  const [live] = useAnswer<{ sessions: Session[] }>("/v1/sessions", beat.value);
  const all = stories(recent?.calls ?? []);
  const one = id ? stories(own?.calls ?? []).find((story) => story.id === id) : undefined;
  const taints = live?.sessions.find((session) => session.id === id)?.taints ?? [];
  const stop = () => void call("POST", "/v1/stops/new", { scope: `session:${id}`, reason: "console" });
  return (
    <div class={`two ${id ? "open" : ""}`}>
      <h1 class="sr">{t("sessions")}</h1>
      <div class="side">
        <div class="head"><Heading text={t("sessions")} /></div>
        <Fault text={fault} />
        <ul class="list">{all.map((story) => (
          <li key={story.id}><a href={href("sessions", story.id)} aria-current={story.id === id ? "true" : undefined}>
            <strong><Hostile text={story.title || agentName(story.agent)} line /> <span class="dim"><Hostile text={story.title ? `${agentName(story.agent)} · ${projectName(story.project)}` : projectName(story.project)} line /></span></strong>
            <span class="meta"><span><Hostile text={story.id.slice(0, 60)} line /></span><span>{ago(story.calls[0]?.time ?? "", now.value)}</span></span>
            <small>{told(story)}</small><Share story={story} />
          </a></li>
        ))}</ul>
      </div>
      <div class="detail" tabIndex={-1}>{one ? <Told key={one.id} story={one} taints={taints} stop={stop} /> : recent && (all.length === 0
        ? <Empty icon="sessions" title={t("noSessions")}><p>{t("noCallsHelp")}</p></Empty>
        : !id && <Empty icon="sessions" title={t("pickSession")}><p>{t("pickSessionHelp")}</p></Empty>)}</div>
    </div>
  );
}

