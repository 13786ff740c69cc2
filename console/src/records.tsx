// The timeline: every record of the ledger in a list of any length, fetched where one looks.

import { useEffect, useRef, useState } from "preact/hooks";
import { type Record_, call, said } from "./api";
import { newest, size } from "./state";
import { spell } from "./exact";
import { Hostile, Tree } from "./text";
import { Windowed } from "./window";
import { t } from "./words";

const ROW = 36;
const CHUNK = 200;

export function summary(record: Record_): string {
  const resource = record.resource as { name?: string } | undefined;
  if (record.kind === "decision") return `${String(record.verdict)} ${resource?.name ?? ""} ${spell(record.args ?? {})}`;
  if (record.kind === "access") return `${String(record.verdict)} ${String(record.event)} ${String(record.method ?? "")} ${String(record.scheme)}://${String(record.host)}:${String(record.port)}`;
  return String(record.outcome ?? record.event ?? record.message ?? record.posture ?? "");
}

// Records by index, in chunks, the youngest first; what is asked for comes when it is there.
function useRecords(): [(index: number) => Record_ | undefined, number] {
  const chunks = useRef(new Map<number, Map<number, Record_> | null>());
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const record = newest.value;
    if (!record) return;
    const chunk = chunks.current.get(Math.floor(record.index / CHUNK));
    if (chunk) chunk.set(record.index, record);
    setVersion((one) => one + 1);
  }, [newest.value]);
  const at = (index: number) => {
    const number = Math.floor(index / CHUNK);
    const chunk = chunks.current.get(number);
    if (chunk === undefined) {
      chunks.current.set(number, null);
      call<{ records: Record_[] }>("GET", `/v1/records?before=${(number + 1) * CHUNK}&limit=${CHUNK}`)
        .then(({ records }) => { chunks.current.set(number, new Map(records.map((one) => [one.index, one]))); setVersion((one) => one + 1); })
        .catch(() => { chunks.current.delete(number); });
    }
    return chunk?.get(index);
  };
  return [at, version];
}

function Row({ record, index, at, open }: { record: Record_ | undefined; index: number; at: number; open: (record: Record_) => void }) {
  const cells = record && (
    <>
      <span role="cell">{String(record.time).slice(11, 19)}</span><span role="cell">{record.kind}</span>
      <span role="cell" class="what"><button type="button" class="plain" onClick={() => open(record)}><Hostile text={summary(record).slice(0, 140)} /></button></span>
      <span role="cell" class="code"><Hostile text={String(record.code ?? record.by ?? "").slice(0, 40)} /></span>
    </>
  );
  return <div role="row" aria-rowindex={at + 2} key={index} class={`row ${String(record?.verdict ?? "")}`}><span role="cell">{index}</span>{cells}</div>;
}

export function Timeline() {
  const [told, setTold] = useState("");
  const [text, setText] = useState("");
  const [found, setFound] = useState<Record_[] | null>(null);
  const [open, setOpen] = useState<Record_ | null>(null);
  const [record] = useRecords();
  const verify = async () => {
    try {
      const report = await call<{ intact: boolean; entries: number; faults: { code: string; message: string }[] }>("GET", "/v1/ledger/verify");
      setTold(report.intact ? `${t("intact")} ${report.entries}` : report.faults.map((fault) => `${fault.code}: ${fault.message}`).join("; "));
    } catch (error) { setTold(said(error)); }
  };
  useEffect(() => {
    if (!text) { setFound(null); return; }
    let alive = true;
    const later = setTimeout(() => {
      call<{ records: Record_[] }>("GET", `/v1/records?limit=500&text=${encodeURIComponent(text)}`).then(({ records }) => { if (alive) setFound(records); }).catch((error) => setTold(said(error)));
    }, 150);
    return () => { alive = false; clearTimeout(later); };
  }, [text]);
  const count = found ? found.length : size.value;
  return (
    <>
      <p class="buttons"><input id="filter" type="search" placeholder={t("filter")} aria-label={t("filter")} value={text} onInput={(event) => setText(event.currentTarget.value)} /> <button type="button" onClick={() => void verify()}>{t("verify")}</button> <span role="status" id="verified">{told}</span></p>
      <div role="table" aria-label={t("timeline")} aria-rowcount={count + 1} class="table">
        <div role="rowgroup"><div role="row" aria-rowindex={1} class="row head"><span role="columnheader">#</span><span role="columnheader">{t("time")}</span><span role="columnheader">{t("kind")}</span><span role="columnheader">{t("what")}</span><span role="columnheader">{t("code")}</span></div></div>
        <Windowed class="records" role="rowgroup" label={t("timeline")} count={count} height={ROW} row={(at) => {
          const index = found ? (found[at]?.index ?? 0) : size.value - 1 - at;
          return <Row key={index} at={at} index={index} record={found ? found[at] : record(index)} open={setOpen} />;
        }} />
      </div>
      {open && <section class="dialog" aria-label={t("details")}><button type="button" onClick={() => setOpen(null)}>{t("close")}</button><Tree value={open} /></section>}
    </>
  );
}
