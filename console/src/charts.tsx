// Pictures without a library: SVG with a table beside it, so that nothing is told by colour or shape alone.

import type { Overview } from "./api";
import { Hostile } from "./text";
import { t } from "./words";

const KINDS = [["allowed", "ins"], ["asked", "ask"], ["denied", "del"]] as const;

export function Columns({ columns }: { columns: Overview["columns"] }) {
  const most = Math.max(1, ...columns.map((one) => one.allowed + one.denied + one.asked));
  const sum = (kind: "allowed" | "asked" | "denied") => columns.reduce((all, one) => all + one[kind], 0);
  const label = KINDS.map(([kind]) => `${t(kind)}: ${sum(kind)}`).join(", ");
  return (
    <figure>
      <figcaption>{t("decisions")}</figcaption>
      <svg class="chart" viewBox={`0 0 ${columns.length * 10} 100`} preserveAspectRatio="none" role="img" aria-label={`${t("decisions")}: ${label}`}>
        {columns.map((one, at) => {
          let y = 100;
          return KINDS.map(([kind, look]) => {
            const height = (one[kind] / most) * 96;
            y -= height;
            return height > 0 && <rect class={look} x={at * 10 + 1} y={y} width={8} height={height}><title>{`${new Date(one.at).toLocaleString()}: ${t(kind)} ${one[kind]}`}</title></rect>;
          });
        })}
      </svg>
      <p class="legend">{KINDS.map(([kind, look]) => <span><i class={look} aria-hidden="true" />{` ${t(kind)} ${sum(kind)}  `}</span>)}</p>
    </figure>
  );
}

export function Bars({ title, rows }: { title: string; rows: { name: string; n: number }[] }) {
  const most = Math.max(1, ...rows.map((row) => row.n));
  return (
    <section class="card"><h2>{title}</h2>
      {rows.length === 0 ? <p class="empty">{t("nothingYet")}</p> : (
        <table class="bars"><thead class="sr"><tr><th>{t("what")}</th><th>{t("count")}</th></tr></thead><tbody>{rows.map((row) => (
          <tr><td><Hostile text={row.name} /><svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width={(row.n / most) * 100} height={4} /></svg></td><td class="n">{row.n}</td></tr>
        ))}</tbody></table>
      )}
    </section>
  );
}

// Tools on the left, what they touch on the right, a line as wide as how often.
export function Touches({ rows }: { rows: Overview["touches"] }) {
  const tools = [...new Set(rows.map((row) => row.tool))];
  const whats = [...new Set(rows.map((row) => row.what))];
  const height = Math.max(tools.length, whats.length, 1) * 24 + 8;
  const place = (all: string[], one: string) => (all.indexOf(one) + 0.5) * (height / Math.max(all.length, 1));
  const most = Math.max(1, ...rows.map((row) => row.n));
  return (
    <section class="card wide"><h2>{t("touched")}</h2>
      {rows.length === 0 ? <p class="empty">{t("nothingYet")}</p> : (
        <>
          <svg class="touches" viewBox={`0 0 300 ${height}`} preserveAspectRatio="none" role="img" aria-label={t("touched")}>
            {rows.map((row) => {
              const [from, to] = [place(tools, row.tool), place(whats, row.what)];
              return <path class={row.how === "deletes" ? "del" : row.how === "writes" ? "ask" : row.how === "contacts" ? "net" : "ins"} d={`M0 ${from} C150 ${from} 150 ${to} 300 ${to}`} stroke-width={1 + (row.n / most) * 8} />;
            })}
          </svg>
          <table><thead><tr><th>{t("tool")}</th><th>{t("how")}</th><th>{t("what")}</th><th>{t("count")}</th></tr></thead>
            <tbody>{rows.map((row) => <tr><td><Hostile text={row.tool} /></td><td>{row.how}</td><td><Hostile text={row.what} /></td><td class="n">{row.n}</td></tr>)}</tbody></table>
        </>
      )}
    </section>
  );
}
