// A list of any length of which only what is in view is in the page.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props { count: number; height: number; label: string; role: "list" | "rowgroup"; follow?: number; row: (at: number) => ComponentChildren; class?: string; point?: (inside: boolean) => void }

const OVER = 6;

export function Windowed({ count, height, label, role, follow, row, class: own = "", point }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [seen, setSeen] = useState(600);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => setSeen(box.current?.clientHeight ?? 600));
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  // What is chosen by key comes into view.
  useEffect(() => {
    const at = box.current;
    if (follow === undefined || follow < 0 || !at) return;
    if (follow * height < at.scrollTop) at.scrollTop = follow * height;
    else if ((follow + 1) * height > at.scrollTop + at.clientHeight) at.scrollTop = (follow + 1) * height - at.clientHeight;
  }, [follow, height]);
  const first = Math.max(0, Math.min(Math.floor(top / height), count - 1) - OVER);
  const last = Math.min(count, Math.ceil((top + seen) / height) + OVER);
  const rows = [];
  for (let at = first; at < last; at += 1) rows.push(row(at));
  return (
    <div ref={box} class={`window ${own}`} tabIndex={0} role={role} aria-label={label}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)} onPointerEnter={() => point?.(true)} onPointerLeave={() => point?.(false)}>
      <div class="runway" role="presentation" style={{ height: `${count * height}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * height}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
