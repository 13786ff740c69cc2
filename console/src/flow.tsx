// What flowed where in a session: what was read, the tools that read it, and what was written, deleted or contacted. The
// layout is d3-sankey's; the table beside it says the same in words.

import { sankey, sankeyCenter, sankeyLinkHorizontal } from "d3-sankey";
import type { Call } from "./api";
import { fate } from "./call";
import { Hostile } from "./text";
import { toolName, within } from "./title";
import { type Key, t } from "./words";

type Fate = "ran" | "open" | "stopped";
interface Node { id: string; label: string; kind: "from" | "tool" | "to"; far: boolean }
interface Link { source: string; target: string; value: number; fate: Fate; how: string }

const MOST = 14;
const FAR = new Set(["outside", "escape", "forbidden", "elsewhere", "private", "metadata", "refused"]);

// A file by its folder once there are many; a host by its name.
function place(what: string, project: string, many: boolean): string {
  const own = within(what, project);
  return many && own.includes("/") ? `${own.slice(0, own.lastIndexOf("/"))}/` : own;
}

export function graph(calls: Call[]): { nodes: Node[]; links: Link[] } {
  const nodes = new Map<string, Node>();
  const links = new Map<string, Link>();
  const touches = calls.flatMap((one) => (one.effects?.touches ?? []).map((touch) => ({ one, touch })));
  const many = new Set(touches.map(({ touch }) => touch.what)).size > MOST;
  const node = (kind: Node["kind"], label: string, far: boolean): string => {
    const id = `${kind} ${label}`;
    const known = nodes.get(id);
    if (known) known.far ||= far; else nodes.set(id, { id, label, kind, far });
    return id;
  };
  for (const { one, touch } of touches) {
    if (!["reads", "writes", "deletes", "contacts", "installs"].includes(touch.how)) continue;
    const far = typeof touch.where === "string" && FAR.has(touch.where);
    const tool = node("tool", toolName(one.resource.name), false);
    const label = place(touch.what, one.project, many);
    const [source, target] = touch.how === "reads" ? [node("from", label, far), tool] : [tool, node("to", label, far)];
    const key = `${source} ${target} ${fate(one)} ${touch.how}`;
    const link = links.get(key);
    if (link) link.value += 1; else links.set(key, { source, target, value: 1, fate: fate(one), how: touch.how });
  }
  // The widest first, and what was stopped or is open in any case.
  const kept = [...links.values()].sort((a, b) => Number(a.fate === "ran") - Number(b.fate === "ran") || b.value - a.value).slice(0, 40);
  const used = new Set(kept.flatMap((link) => [link.source, link.target]));
  return { nodes: [...nodes.values()].filter((one) => used.has(one.id)), links: kept };
}

const HOW: Record<string, Key> = { reads: "doesRead", writes: "doesWrite", deletes: "doesDelete", contacts: "doesContact", installs: "doesInstall" };
const FATES: Record<Fate, Key> = { ran: "wentThrough", open: "stillOpen", stopped: "wasStopped" };
const WIDTH = 720;

export function Flow({ calls }: { calls: Call[] }) {
  const { nodes, links } = graph(calls);
  if (links.length === 0) return <p class="dim">{t("noFlow")}</p>;
  const columns = { from: 0, tool: 1, to: 2 } as const;
  const rows = Math.max(...(["from", "tool", "to"] as const).map((kind) => nodes.filter((one) => one.kind === kind).length));
  const height = Math.max(140, rows * 30 + 48);
  const layout = sankey<Node, Link>().nodeId((one) => one.id).nodeAlign(sankeyCenter).nodeWidth(8).nodePadding(14).extent([[150, 44], [WIDTH - 190, height - 6]]);
  layout.nodeAlign((one) => columns[one.kind]);
  // The layout counts its columns by the longest way through them: a thread that is too thin to see gives it all three.
  const thread = (["from", "tool", "to"] as const).map((kind): Node => ({ id: `thread ${kind}`, label: "", kind, far: false }));
  const ways = [["thread from", "thread tool"], ["thread tool", "thread to"]].map(([source = "", target = ""]): Link => ({ source, target, value: 1e-6, fate: "ran", how: "" }));
  const drawn = layout({ nodes: [...nodes.map((one) => ({ ...one })), ...thread], links: [...links.map((one) => ({ ...one })), ...ways] });
  const path = sankeyLinkHorizontal<Node, Link>();
  const sum = (wanted: Fate) => links.filter((link) => link.fate === wanted).reduce((all, link) => all + link.value, 0);
  const told = (["ran", "open", "stopped"] as const).map((one) => `${t(FATES[one])}: ${sum(one)}`).join(", ");
  const short = (label: string) => (label.length > 24 ? `…${label.slice(-23)}` : label).replace(/[^\x20-\x7e\u00a1-\u024f…]/g, "·");
  return (
    <figure>
      <div class="scroll" tabIndex={0} role="group" aria-label={t("flow")}>
      <svg class="flow" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`${t("flow")}. ${told}`}>
        <text class="head" x={142} y={14} text-anchor="end">{t("cameFrom")}</text><text class="head" x={(WIDTH - 40) / 2} y={14} text-anchor="middle">{t("through")}</text><text class="head" x={WIDTH - 182} y={14}>{t("wentTo")}</text>
        {drawn.links.filter((link) => link.how !== "").map((link) => <path class={link.fate} d={path(link) ?? ""} stroke-width={Math.min(26, Math.max(2, link.width ?? 2))} />)}
        {drawn.nodes.filter((one) => one.label !== "").map((one) => {
          const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [one.x0, one.x1, one.y0, one.y1];
          const at = one.kind === "from" ? { x: x0 - 8, "text-anchor": "end" as const } : one.kind === "to" ? { x: x1 + 8, "text-anchor": "start" as const } : { x: (x0 + x1) / 2, "text-anchor": "middle" as const };
          return <g><rect class={one.kind === "tool" ? "tool" : one.far ? "far" : ""} x={x0} y={y0} width={x1 - x0} height={Math.max(2, y1 - y0)} rx={2} /><text {...at} y={one.kind === "tool" ? y0 - 4 : (y0 + y1) / 2 + 4}>{short(one.label)}</text></g>;
        })}
      </svg>
      </div>
      <p class="legend"><span><i class="net" />{t("wentThrough")}</span><span><i class="ask" />{t("stillOpen")}</span><span><i class="del" />{t("wasStopped")}</span></p>
      <details><summary>{t("asTable")}</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label={t("asTable")}><table><thead><tr><th>{t("tool")}</th><th>{t("how")}</th><th>{t("what")}</th><th>{t("end")}</th><th class="n">{t("count")}</th></tr></thead>
          <tbody>{links.map((link) => { const [tool, other] = link.how === "reads" ? [link.target, link.source] : [link.source, link.target]; return (
            <tr><td><Hostile text={tool.slice(5)} line /></td><td>{t(HOW[link.how] ?? "how")}</td><td><code><Hostile text={other.slice(other.indexOf(" ") + 1)} line /></code></td><td>{t(FATES[link.fate])}</td><td class="n">{link.value}</td></tr>
          ); })}</tbody></table></div>
      </details>
    </figure>
  );
}
