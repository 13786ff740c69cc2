// Pictures without a library: SVG with a table beside it, so that nothing is told by colour or shape alone.

import type { Overview } from "./api";
import { Hostile } from "./text";
import { toolName } from "./title";
import { type Key, t } from "./words";

const KINDS = [["allowed", "ins"], ["left", "rest"], ["asked", "ask"], ["denied", "del"]] as const;
const WORDS = { allowed: "passed", left: "leftToClient", asked: "asked", denied: "denied" } as const;

const NICE = [1, 2, 4, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10000];

export function Columns({ columns }: { columns: Overview["columns"] }) {
  const most = Math.max(1, ...columns.map((one) => one.allowed + one.denied + one.asked + one.left));
  const top = NICE.find((one) => one >= most) ?? most;
  const sum = (kind: "allowed" | "left" | "asked" | "denied") => columns.reduce((all, one) => all + one[kind], 0);
  const label = KINDS.map(([kind]) => `${t(WORDS[kind])}: ${sum(kind)}`).join(", ");
  const [first, last] = [columns[0], columns.at(-1)];
  const day = first && last && Date.parse(last.at) - Date.parse(first.at) > 2 * 86_400_000;
  const marks = columns.filter((_, at) => at % Math.ceil(columns.length / 6) === 0);
  return (
    <figure>
      <div class="plot"><small aria-hidden="true">{top}</small><svg class="chart" viewBox={`0 0 ${columns.length * 10} 100`} preserveAspectRatio="none" role="img" aria-label={`${t("decisions")}: ${label}`}>
        {[0, 50, 100].map((y) => <line class="grid" x1="0" x2={columns.length * 10} y1={y} y2={y} />)}
        {columns.map((one, at) => {
          let y = 100;
          return KINDS.map(([kind, look]) => {
            const height = (one[kind] / top) * 100;
            y -= height;
            return height > 0 && <rect class={look} x={at * 10 + 1.5} y={y} width={7} height={height}><title>{`${new Date(one.at).toLocaleString()}: ${t(WORDS[kind])} ${one[kind]}`}</title></rect>;
          });
        })}
      </svg></div>
      <p class="axis" aria-hidden="true">{marks.map((one) => <span>{day ? new Date(one.at).toLocaleDateString([], { day: "numeric", month: "short" }) : new Date(one.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false })}</span>)}<span>{t("now")}</span></p>
      <p class="legend">{KINDS.map(([kind, look]) => <span><i class={look} aria-hidden="true" />{`${t(WORDS[kind])} ${sum(kind)}`}</span>)}</p>
    </figure>
  );
}

export function Bars({ title, rows }: { title: string; rows: { name: string; n: number }[] }) {
  const most = Math.max(1, ...rows.map((row) => row.n));
  return (
    <section class="card"><h2>{title}</h2>
      {rows.length === 0 ? <p class="dim">{t("nothingYet")}</p> : (
        <table class="bars"><thead class="sr"><tr><th>{t("what")}</th><th>{t("count")}</th></tr></thead><tbody>{rows.map((row) => (
          <tr><td><Hostile text={row.name} /><svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width={(row.n / most) * 100} height={4} /></svg></td><td class="n">{row.n}</td></tr>
        ))}</tbody></table>
      )}
    </section>
  );
}

const HOW: Record<string, Key> = { reads: "doesRead", writes: "doesWrite", deletes: "doesDelete", contacts: "doesContact" };

export function Touches({ rows }: { rows: Overview["touches"] }) {
  return (
    <section class="card wide"><h2>{t("touched")}</h2>
      {rows.length === 0 ? <p class="dim">{t("nothingYet")}</p> : (
        <div class="scroll" tabIndex={0} role="group" aria-label={t("touched")}><table><thead><tr><th>{t("tool")}</th><th>{t("how")}</th><th>{t("what")}</th><th class="n">{t("count")}</th></tr></thead>
          <tbody>{rows.map((row) => <tr><td><Hostile text={toolName(row.tool)} line /></td><td>{HOW[row.how] ? t(HOW[row.how] as Key) : row.how}</td><td><code><Hostile text={row.what} line /></code></td><td class="n">{row.n}</td></tr>)}</tbody></table></div>
      )}
    </section>
  );
}
