// A list of any length of which only what is in view is in the page. Rows may differ in height.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  heights: number[] | { count: number; each: number }; label: string; role: "list" | "rowgroup"; follow?: number; row: (at: number) => ComponentChildren;
  class?: string; point?: (inside: boolean) => void; end?: () => void;
}

const OVER = 6;

export function Windowed({ heights, label, role, follow, row, class: own = "", point, end }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  const even = Array.isArray(heights) ? null : heights;
  // Where each row begins; one more than there are rows.
  const starts: number[] = [];
  if (Array.isArray(heights)) { let sum = 0; starts.push(0); for (const height of heights) { sum += height; starts.push(sum); } }
  const count = even ? even.count : starts.length - 1;
  const start = (at: number): number => (even ? at * even.each : starts[Math.min(at, count)] ?? 0);
  const find = (y: number): number => {
    if (even) return Math.floor(y / even.each);
    let [low, high] = [0, count];
    while (low < high) { const middle = (low + high) >> 1; if ((starts[middle + 1] ?? 0) <= y) low = middle + 1; else high = middle; }
    return low;
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setSeen(box.current?.clientHeight ?? 600));
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  // What is chosen by key comes into view.
  const [from, to] = follow !== undefined && follow >= 0 ? [start(follow), start(follow + 1)] : [-1, -1];
  useEffect(() => {
    const at = box.current;
    if (from < 0 || !at) return;
    if (from < at.scrollTop) at.scrollTop = from;
    else if (to > at.scrollTop + at.clientHeight) at.scrollTop = to - at.clientHeight;
  }, [from, to]);
  const first = Math.max(0, Math.min(find(top), count - 1) - OVER);
  const last = Math.min(count, find(top + seen) + 1 + OVER);
  useEffect(() => { if (last >= count) end?.(); }, [last, count]);
  const rows = [];
  for (let at = first; at < last; at += 1) rows.push(row(at));
  return (
    <div ref={box} class={`window ${own}`} tabIndex={0} role={role} aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)} onPointerEnter={(event) => { if (event.pointerType === "mouse") point?.(true); }} onPointerLeave={() => point?.(false)}>
      <div class="runway" role="presentation" style={{ height: `${start(count)}px` }}>
        <div role="presentation" style={{ transform: `translateY(${start(first)}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
