// MCP servers and their tools: what was approved, what waits, and what differs from what was approved, word by word.

import { useEffect, useState } from "preact/hooks";
import { type Part, type Pin, call, said } from "./api";
import { Icon } from "./icons";
import { Empty, Fault, Heading, Unlock, Unlocked } from "./parts";
import { href, route } from "./route";
import { awaited, pins, refreshPins } from "./state";
import { Hostile } from "./text";
import { type Key, t } from "./words";

// How long approving is dead after a definition is shown, so that a click meant for another doesn't count for this one.
const SETTLES = 500;

const STATES: Record<Pin["state"], [Key, string]> = { approved: ["toolApproved", "green"], pending: ["toolPending", "amber"], changed: ["toolChanged", "red"] };

function State({ pin }: { pin: Pin }) {
  const [word, colour] = pin.refused === null ? STATES[pin.state] : (["toolRefused", "red"] as const);
  return <span class={`chip ${colour}`}>{t(word)}</span>;
}

const Words = ({ parts }: { parts: Part[] }) => (
  <pre tabIndex={0} class="words">{parts.map((part) => {
    if (part.gone !== undefined) return <del><Hostile text={part.gone} /></del>;
    if (part.new !== undefined) return <ins><Hostile text={part.new} /></ins>;
    return <Hostile text={part.same ?? ""} />;
  })}</pre>
);

function Buttons({ pin, told }: { pin: Pin; told: (text: string) => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => { const later = setTimeout(() => setReady(true), SETTLES); return () => clearTimeout(later); }, []);
  const answer = async (path: string) => {
    try { await call("POST", path, { server: pin.server, tool: pin.tool, shown: pin.shown }); told(""); } catch (error) { told(said(error)); }
    await refreshPins();
  };
  return (
    <div class="row">
      <button type="button" class="yes" disabled={!ready} onClick={() => void answer("/v1/mcp/pins")}>{t(pin.tool ? "approveTool" : "approveServer")}</button>
      {pin.refused === null && <button type="button" class="no" onClick={() => void answer("/v1/mcp/refusals")}>{t("refuseTool")}</button>}
    </div>
  );
}

// The key holds the digest: a definition that changes while it is shown is another one, with buttons of its own.
function Tool({ pin, told }: { pin: Pin; told: (text: string) => void }) {
  const waits = pin.state !== "approved";
  return (
    <section class="card stack tool" aria-label={pin.tool || t("serverItself")}>
      <div class="head"><h3>{pin.tool ? <Hostile text={pin.tool} line /> : t("serverItself")}</h3><span class="gap" /><State pin={pin} /></div>
      {pin.refused !== null && <p class="dim">{t("refusedBy")} <Hostile text={pin.refused} line /></p>}
      {waits && <p class="dim">{t(pin.tool === "" ? "serverChangedHelp" : pin.state === "changed" ? "toolChangedHelp" : "toolPendingHelp")}</p>}
      {waits && pin.told && <p class="said"><Hostile text={pin.told} /></p>}
      {waits && pin.differences.map(([member, parts]) => <figure class="diff" key={member}><figcaption><Hostile text={member} line /></figcaption><Words parts={parts} /></figure>)}
      {pin.findings.length > 0 && <div class="meta"><span class="codes"><Hostile text={pin.findings.join(", ")} /></span></div>}
      {waits && pin.shown && <Buttons pin={pin} told={told} />}
    </section>
  );
}

function Server({ name, all }: { name: string; all: Pin[] }) {
  const [told, setTold] = useState("");
  const waiting = all.filter((pin) => pin.state !== "approved");
  const approved = all.filter((pin) => pin.state === "approved" && pin.tool);
  return (
    <section class="inner" aria-label={name} id="server">
      <div class="head"><a class="button quiet back" href={href("tools")} aria-label={t("close")}><Icon name="back" /></a><h2><Hostile text={name} line /></h2><span class="gap" /><Unlocked /></div>
      <Unlock />
      <Fault text={told} />
      {waiting.length === 0 && <p class="dim">{t("nothingDiffers")}</p>}
      {waiting.map((pin) => <Tool key={`${pin.tool} ${pin.shown} ${pin.state}`} pin={pin} told={setTold} />)}
      {approved.length > 0 && <><h3>{t("toolApproved")}</h3><ul class="plain">{approved.map((pin) => (
        <li class="rule" key={pin.tool}><State pin={pin} /><div><code><Hostile text={pin.tool} line /></code>{pin.findings.length > 0 && <div class="meta"><span class="codes"><Hostile text={pin.findings.join(", ")} /></span></div>}</div><span class="week"><Hostile text={pin.by} line /></span></li>
      ))}</ul></>}
    </section>
  );
}

export function Tools() {
  const { id } = route.value;
  const [fault, setFault] = useState("");
  useEffect(() => {
    const look = () => void refreshPins().then(() => setFault(""), (error) => setFault(said(error)));
    look();
    const timer = setInterval(() => { if (!document.hidden) look(); }, 5000);
    return () => clearInterval(timer);
  }, []);
  const all = pins.value;
  const servers = [...new Set((all ?? []).map((pin) => pin.server))];
  const own = (all ?? []).filter((pin) => pin.server === id);
  return (
    <div class={`two ${id ? "open" : ""}`}>
      <h1 class="sr">{t("tools")}</h1>
      <div class="side">
        <div class="head"><Heading text={t("tools")} /></div>
        <Fault text={fault} />
        <ul class="list">{servers.map((name) => {
          const tools = (all ?? []).filter((pin) => pin.server === name);
          const waits = tools.filter(awaited).length;
          return (
            <li key={name}><a href={href("tools", name)} aria-current={name === id ? "true" : undefined}>
              <strong><Hostile text={name} line /></strong>
              <small>{t("toolsOf").replace("{}", String(tools.filter((pin) => pin.tool).length))}{waits > 0 && <> <span class="chip amber">{t("toolsWait").replace("{}", String(waits))}</span></>}</small>
            </a></li>
          );
        })}</ul>
      </div>
      <div class="detail" tabIndex={-1}>{id && own.length > 0 ? <Server key={id} name={id} all={own} /> : all && (servers.length === 0
        ? <Empty icon="tools" title={t("noServers")}><p>{t("noServersHelp")} <code>doorward install mcp</code></p></Empty>
        : <Empty icon="tools" title={t(id ? "noSuchServer" : "pickServer")}><p>{t("pickServerHelp")}</p></Empty>)}</div>
    </div>
  );
}
