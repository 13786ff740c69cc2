// What the pages show. Filled from the API; the event stream only says when to look again.

import { computed, signal } from "@preact/signals";
import { type Approval, type Me, type Record_, type Session, type Stop, call, listen, signIn } from "./api";

export const me = signal<Me | null>(null);
export const failure = signal("");
export const queue = signal<Approval[]>([]);
export const records = signal<Record_[]>([]);
export const sessions = signal<Session[]>([]);
export const stops = signal<Stop[]>([]);
export const online = signal(false);
export const asOf = signal(new Date());
export const page = signal("queue");
export const chosen = signal<string | null>(null);
export const now = signal(Date.now());
export const everythingStopped = computed(() => stops.value.some((stop) => stop.scope === "all"));

// The selection stays where it is: an arrival never takes it.
export async function refresh(): Promise<void> {
  const [asked, kept, known, halted] = await Promise.all([
    call<{ approvals: Approval[] }>("GET", "/v1/approvals"),
    call<{ records: Record_[] }>("GET", "/v1/records?limit=200"),
    call<{ sessions: Session[] }>("GET", "/v1/sessions"),
    call<{ stops: Stop[] }>("GET", "/v1/stops"),
  ]);
  queue.value = asked.approvals;
  records.value = kept.records;
  sessions.value = known.sessions;
  stops.value = halted.stops;
  asOf.value = new Date();
  if (!queue.value.some((approval) => approval.id === chosen.value)) chosen.value = queue.value[0]?.id ?? null;
  document.title = queue.value.length ? `(${queue.value.length}) Doorward` : "Doorward";
}

export async function start(): Promise<void> {
  try {
    me.value = await signIn();
  } catch (error) {
    failure.value = (error as Error).message;
    return;
  }
  let wanted = false;
  let busy = false;
  const look = async () => {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted) {
      wanted = false;
      await refresh().catch((error: Error) => { failure.value = error.message; });
    }
    busy = false;
  };
  listen(() => void look(), (up) => { online.value = up; });
  setInterval(() => { now.value = Date.now(); }, 500);
  await look();
}
