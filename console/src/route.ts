// Where one is, as the address says it: `#/page/id?filters`. Every page, question, call and session has one, so that
// Back, reload and a link to a colleague do what they do everywhere.

import { signal } from "@preact/signals";

export const PAGES = ["queue", "timeline", "sessions", "overview", "rules", "tools", "guardian", "findings", "settings"] as const;
export type Page = (typeof PAGES)[number];
export interface Route { page: Page; id: string | null; more: URLSearchParams }

const decoded = (text: string): string => { try { return decodeURIComponent(text); } catch { return text; } };

export function parse(hash: string): Route {
  // Links in messages of chat channels name a question so.
  const asked = /^#approval=([\w-]+)$/.exec(hash)?.[1];
  if (asked) return { page: "queue", id: asked, more: new URLSearchParams() };
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [page = "", ...rest] = path.split("/");
  const id = rest.join("/");
  return { page: PAGES.find((one) => one === page) ?? "queue", id: id ? decoded(id) : null, more: new URLSearchParams(query) };
}

export const route = signal<Route>(parse(location.hash));
window.addEventListener("hashchange", () => { route.value = parse(location.hash); });

export function href(page: Page, id?: string | null, more?: URLSearchParams | Record<string, string>): string {
  const query = new URLSearchParams(more).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${query ? `?${query}` : ""}`;
}

// A step that Back takes back; with `replace`, one that it doesn't.
export function go(to: string, replace = false): void {
  if (to === location.hash) return;
  if (!replace) { location.hash = to; return; }
  history.replaceState(null, "", to);
  route.value = parse(to);
}
