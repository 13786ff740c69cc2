// What the pages show. The event stream says what changed; a burst of events is one look.

import { computed, effect, signal } from "@preact/signals";
import { parse } from "./exact";
import { parse as at, route } from "./route";
import { type Approval, type Tree, type Me, type Pin, Refusal, type Record_, type Stop, call, listen, signIn } from "./api";

const kept = (name: string) => { try { return localStorage.getItem(name); } catch { return null; } };
const keep = (name: string, value: string) => { try { localStorage.setItem(name, value); } catch { /* a private window keeps nothing */ } };

export const me = signal<Me | null>(null);
export const failure = signal("");
export const queue = signal<Approval[]>([]);
export const size = signal(0);
export const newest = signal<Record_ | null>(null);
// The newest record's index as pages that count over many records follow it: at most once in a while.
export const beat = signal(0);
const BEAT = 1500;
let beating = false;
effect(() => {
  const index = newest.value?.index ?? 0;
  if (beating || index === 0) return;
  beating = true;
  setTimeout(() => { beating = false; beat.value = newest.peek()?.index ?? 0; }, BEAT);
});
export const stops = signal<Stop[]>([]);
export const online = signal(false);
export const asOf = signal(new Date());
const arrivals = signal<Set<string>>(new Set());
export const chosen = signal<string | null>(null);
export const marked = signal<Set<string>>(new Set());
export const recallable = signal<string | null>(null);
export const spoken = signal("");
export const urgent = signal("");
export const now = signal(Date.now());
export const theme = signal(kept("theme") ?? "auto");
export const keysOn = signal(kept("keys") !== "off");
export const notifying = signal(kept("notify") === "on");
// A question whose agent gave up a while ago is late: it folds away and counts in no badge. A yes still counts for it.
const LATE_AFTER = 120_000;
export const isLate = (one: Approval): boolean => one.waiting !== true && now.value - Date.parse(one.asked_at) > LATE_AFTER;
export const lateShown = signal(false);
export const lateCount = computed(() => queue.value.filter(isLate).length);
export const badge = computed(() => queue.value.length - lateCount.value);
// By session, the session with the riskiest question first. What came while somebody points at the list stays behind the
// rest, so that nothing moves under the pointer.
export const bunches = computed<Approval[][]>(() => {
  const held = arrivals.value;
  const groups = new Map<string, Approval[]>();
  for (const one of queue.value) {
    const late = isLate(one);
    if (late && !lateShown.value) continue;
    const key = `${late ? "late" : held.has(one.id) ? "later" : ""} ${one.caller} ${one.session}`;
    const group = groups.get(key);
    if (group) group.push(one); else groups.set(key, [one]);
  }
  const all = [...groups.values()];
  return [...all.filter(([first]) => first && !isLate(first)), ...all.filter(([first]) => first && isLate(first))];
});
export const inOrder = computed(() => bunches.value.flat());
export const everythingStopped = computed(() => stops.value.some((stop) => stop.scope === "all"));

effect(() => { document.documentElement.dataset.theme = theme.value; keep("theme", theme.value); });
effect(() => keep("keys", keysOn.value ? "on" : "off"));
effect(() => keep("notify", notifying.value ? "on" : "off"));
export const remember = keep;

// Whoever points at the list is about to press: what is there stays where it is, arrivals go to the end.
export const pointing = {
  inside: false,
  get list() { return this.inside; },
  set list(inside: boolean) {
    this.inside = inside;
    if (!inside && arrivals.value.size > 0) { arrivals.value = new Set(); queue.value = [...queue.value].sort((one, other) => rank(other) - rank(one)); }
  },
};

function ordered(fresh: Approval[]): Approval[] {
  if (!pointing.list) return fresh;
  const by = new Map(fresh.map((one) => [one.id, one]));
  const stay = queue.value.flatMap((one) => by.get(one.id) ?? []);
  const known = new Set(stay.map((one) => one.id));
  const late = fresh.filter((one) => !known.has(one.id));
  if (late.length > 0) arrivals.value = new Set([...arrivals.value, ...late.map((one) => one.id)]);
  return [...stay, ...late];
}

// Until a caller that asks begins to wait, or has gone.
const SETTLES = 1000;

let announced = 0;
function announce(fresh: Approval[], arrived: string, critical: string): void {
  const known = new Set(queue.value.map((one) => one.id));
  const added = fresh.filter((one) => !known.has(one.id));
  const worst = added.find((one) => one.security_warning.level === "CRITICAL");
  if (worst) urgent.value = `${critical} ${worst.tool}`;
  // One message in five seconds at most.
  if (added[0] && Date.now() - announced > 5000) {
    announced = Date.now();
    spoken.value = `${arrived} ${added[0].tool} (${fresh.length})`;
  }
  if (added[0] && notifying.value && document.hidden && "Notification" in window && Notification.permission === "granted") {
    new Notification("Doorward", { body: `${arrived} ${added[0].tool}`, tag: "doorward" });
  }
}

// A favicon of our own: the count on a shield, without a request to anywhere.
function favicon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]") ?? document.head.appendChild(Object.assign(document.createElement("link"), { rel: "icon" }));
  const mark = count ? `<text x="16" y="22" font-size="16" text-anchor="middle" fill="white">${count > 99 ? "99" : count}</text>` : "";
  link.href = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 1 29 6v10c0 8-6 13-13 15C9 29 3 24 3 16V6z" fill="${count ? "#b00020" : "#146c2e"}"/>${mark}</svg>`)}`;
}

effect(() => { document.title = badge.value ? `(${badge.value}) Doorward` : "Doorward"; favicon(badge.value); });

export const words = { arrived: "", critical: "" };

// The selection stays where it is: an arrival never takes it.
export async function refresh(): Promise<void> {
  const started = performance.now();
  const [asked, halted] = await Promise.all([
    call<{ approvals: Approval[] }>("GET", "/v1/approvals"),
    call<{ stops: Stop[] }>("GET", "/v1/stops"),
  ]);
  stops.value = halted.stops;
  // What came while the list was on its way may not be in it.
  const known = new Set(asked.approvals.map((one) => one.id));
  for (const [id, at] of came) if (at.when < started) came.delete(id);
  const since = [...came.values()].filter((one) => !known.has(one.approval.id)).map((one) => one.approval);
  show(since.reduce(inserted, asked.approvals.map(exactly)));
}

// Pins of MCP servers; nothing before they were read once.
export const pins = signal<Pin[] | null>(null);
export const awaited = (pin: Pin): boolean => pin.state !== "approved" && pin.refused === null;
export async function refreshPins(): Promise<void> {
  pins.value = (await call<{ pins: Pin[] }>("GET", "/v1/mcp/pins")).pins;
}

// Questions that came by themselves lately.
const came = new Map<string, { approval: Approval; when: number }>();
const RANKS: Record<string, number> = { LOW: 0, MEDIUM: 1, HIGH: 2, CRITICAL: 3 };
const rank = (one: Approval) => RANKS[one.security_warning.level] ?? 3;

// Arguments with numbers that JSON readers round come as text beside.
function exactly(one: Approval): Approval {
  if (one.args_text) one.args = parse(one.args_text) as Tree;
  return one;
}

// The riskiest first, the oldest first inside a level.
function inserted(all: Approval[], one: Approval): Approval[] {
  const at = all.findIndex((other) => rank(other) < rank(one));
  return at < 0 ? [...all, one] : [...all.slice(0, at), one, ...all.slice(at)];
}

function arrive(one: Approval): void {
  came.set(one.id, { approval: exactly(one), when: performance.now() });
  if (!queue.value.some((other) => other.id === one.id)) show(inserted(queue.value, one));
}

function show(all: Approval[]): void {
  const fresh = ordered(all);
  announce(fresh, words.arrived, words.critical);
  const place = inOrder.value.findIndex((one) => one.id === chosen.value);
  queue.value = fresh;
  asOf.value = new Date();
  const ids = new Set(fresh.map((one) => one.id));
  if (!ids.has(chosen.value ?? "")) chosen.value = inOrder.value[Math.min(Math.max(place, 0), fresh.length - 1)]?.id ?? null;
  if ([...marked.value].some((id) => !ids.has(id))) marked.value = new Set([...marked.value].filter((id) => ids.has(id)));
}

export const lookAtMe = () => call<Me>("GET", "/v1/me").then((own) => { me.value = own; }, () => undefined);
// Until when only floors stop a call; nothing while Doorward asks.
export const pausedUntil = computed(() => { const until = me.value?.paused_until; return until && Date.parse(until) > now.value ? until : null; });

let started = false;
// Signs in by the address or by a link that was pasted, and follows what happens from then on.
export async function start(link?: string): Promise<void> {
  try {
    me.value = await signIn(link);
    route.value = at(location.hash);
  } catch (error) {
    failure.value = (error as Error).message;
    return;
  }
  if (started) return;
  started = true;
  let wanted = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  const look = async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      await refresh().catch((error: Error) => {
        failure.value = error.message;
        if (error instanceof Refusal && error.status === 401) me.value = null;
      });
    }
    busy = false;
  };
  listen((kind, record) => {
    if (record) { size.value = Math.max(size.value, record.index + 1); newest.value = record; }
    if (kind === "note") void refreshPins().catch(() => undefined);
    // Settings that came into force may have begun or ended a pause.
    if (kind === "policy") void lookAtMe();
    // A question comes by itself; what else changes the queue is looked for.
    if (!["decision", "outcome", "access", "start", "key"].includes(kind) && record?.event !== "asked") void look();
  }, (one) => {
    arrive(one);
    settling ??= setTimeout(() => { settling = undefined; void look(); }, SETTLES);
  }, (up) => {
    online.value = up;
    if (!up) return;
    void look();
    // A service that was started again has forgotten who was unlocked.
    void lookAtMe();
  });
  setInterval(() => { now.value = Date.now(); }, 1000);
  // Whether an agent still waits changes without a record.
  setInterval(() => { if (queue.value.length > 0 && !document.hidden) void look(); }, 10000);
  const last = await call<{ records: Record_[] }>("GET", "/v1/records?limit=1").catch(() => ({ records: [] }));
  size.value = Math.max(size.value, (last.records[0]?.index ?? -1) + 1);
  await look();
  await refreshPins().catch(() => undefined);
}
