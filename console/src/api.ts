// Talking to the service: one fetch wrapper, one event stream.
//
// The session is a token that belongs to this page's origin, port included: it lies in localStorage, where all tabs of
// the origin find it, and goes into a header. A cookie would go to every port of this host. What takes a person also carries the word that unlocking gave; only this page's memory holds it.

import { type Json, parse } from "./exact";

export type { Json } from "./exact";
export type Level = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
export type Tree = { [key: string]: Json };

export interface Approval {
  id: string; state: string; tool: string; caller: string; session: string; cwd: string; args: Tree; decision: string;
  reason: string; security_warning: { level: Level; message: string }; level: number; phrase: string | null;
  policies: string[]; shown: string; asked_at: string; expires: string; answered_by: string; answer_reason: string;
  votes: { by: string }[]; project: string; args_text?: string; decision_record?: Tree; effects?: Effects; findings?: Finding[];
  waiting?: boolean; answered_at?: string | null; agent?: string | null; branch?: string | null; title?: string | null;
}
// Where something was found to be: as the service resolved it, links and all.
export interface Touched { how: string; what: string; where: Json; secret?: boolean }
// `runs`: the commands with everything decoded and put together.
export interface Effects { touches: Touched[]; unknown: string[]; runs: string[] }
export interface Finding { code: string; severity: Level; message: string; suggestion?: string | null }
export interface Me { name: string; role: string; presence: string; has_passphrase: boolean; may_set_passphrase: boolean; only?: string | null; posture: string; version: string; paused_until?: string | null }
export interface Stop { scope: string; by: string; reason: string; at: string }
export interface Record_ { index: number; kind: string; time: string; [key: string]: Json }
// A decision with what its call would do, and what became of it.
export interface Call {
  index: number; id: string; time: string; verdict: string; code: string; reason: string; basis: string; mode: string; agent: string | null; session: string;
  principal: { id: string }; resource: { name: string }; args: Tree | null; risk: { level: Level; score: number | null; by: { findings: string[] }[] }; policy: { ids: string[] };
  guardian: Json; took_us: number; surface: string; custody: string; project: string; cwd?: string; effects?: Effects; findings?: Finding[]; life: Life[]; title?: string | null; client?: string | null;
}
export interface Life { kind: string; time: string; event?: string; decision?: string; by?: string; via?: string; outcome?: string; exit?: number; presence?: string }
export interface InForce {
  rules: {
    verdict: string; rule?: string; policy?: string; n: number; from: string | null; reason?: string | null; severity?: Level | null; saved?: string | null; by?: string | null;
    until?: string | null; only?: Only | null; trial?: boolean;
  }[];
  packs: string[]; of: number; on_no_match: string | null; problem: string | null;
}
export interface Tried {
  ok: boolean; message?: string; help?: string | null; reach?: string[]; too_wide?: boolean;
  week?: { of: number; met: number; asked: number; denied: number; examples: { id: string; tool: string; args: Tree; verdict: string }[] };
}
export interface SessionFlow { rule: string; then: string; turn: number; says: string; path: [number, string][] }
export interface Session { id: string; turn: number; calls: number; denials: number; minutes: number; taints: string[]; flows?: SessionFlow[] }
export interface Only { caller?: string; project?: string; session?: string }
export interface SavedRule { list: string; rule: string; id?: string; by?: string; until?: string; only?: Only; ended: boolean }
export interface Preview {
  rules: string[]; list: string; offered: boolean; why_not: string | null; message: string | null; reach: string[]; example: string[];
  near_miss: string[]; past: { of: number; covered: number; denied: number; asked: number }; text: string; digest: string; until: string | null; covers: string[]; leaves: string[];
}
export interface Wish { rules: string[]; scope: string; lasts: string; deny: boolean; task: boolean }
type Quantiles = { n: number; p50: number | null; p95: number | null; p99: number | null };
// How questions ended, and calls by what became of them: asked by Doorward, or left to the client's own prompt.
export interface Ends { all: number; allowed: number; refused: number; late: number; unclear: number; open: number }
export interface Tally { calls: number; passed: number; denied: number; asked: Ends; left: Ends; needless: number }
export interface Overview {
  hours: number; decisions: number; tally: Tally; columns: { at: string; allowed: number; denied: number; asked: number; left: number }[];
  rules: { name: string; n: number }[]; risks: { name: string; n: number }[]; latency_us: Quantiles;
  answers: { ended: { [word: string]: number }; took_s: Quantiles }; touches: { tool: string; how: string; what: string; n: number }[];
}

// A part of a difference: in both, only in what was approved, or only in what is listed now.
export interface Part { same?: string; gone?: string; new?: string }
export interface Pin {
  server: string; tool: string; state: "approved" | "pending" | "changed"; by: string; findings: string[]; told: string; refused: string | null; differences: [string, Part[]][]; shown: string | null;
}

export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly body: Tree) { super(message); }
}

const KEY = "doorward.token";
let token = stored();
let unlocked = "";

function stored(): string {
  try { return localStorage.getItem(KEY) ?? ""; } catch { return ""; }
}

function store(fresh: string): void {
  token = fresh;
  try { if (fresh) localStorage.setItem(KEY, fresh); else localStorage.removeItem(KEY); } catch { /* a private window: until the next reload */ }
}

function credentials(): Record<string, string> {
  const headers: Record<string, string> = {};
  if (token) headers.authorization = `Bearer ${token}`;
  if (unlocked) headers["x-doorward-unlocked"] = unlocked;
  return headers;
}

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = { "content-type": "application/json", ...credentials() };
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "omit" };
  // A text is JSON already, every number as it was written.
  if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(path, init);
  let answer: Tree = {};
  try { answer = parse(await response.text()) as Tree; } catch { /* an answer without a body */ }
  if (!response.ok) throw new Refusal(response.status, String(answer.code ?? answer.state ?? "error"), String(answer.message ?? response.statusText), answer);
  return answer as T;
}

export const said = (error: unknown): string => (error instanceof Refusal ? `${error.message} (${error.code})` : String((error as Error).message ?? error));

// The code of a one-time link is in the fragment; it is used and removed from the address bar before anything else. Its
// question, or the one that the address named, stays. Whoever is signed in to more than one question stays so.
export async function signIn(link = location.hash): Promise<Me> {
  const [, code, question] = /#login=([^&]+)(?:&approval=([\w-]+))?$/.exec(link.trim()) ?? [];
  if (!code) return call<Me>("GET", "/v1/me");
  if (question) history.replaceState(null, "", `#/queue/${question}`);
  else if (location.hash.startsWith("#login=")) history.replaceState(null, "", "/");
  const own = question && token ? await call<Me>("GET", "/v1/me").catch(() => null) : null;
  if (!own || own.only) store((await call<{ token: string }>("POST", "/v1/login", { code })).token);
  return call<Me>("GET", "/v1/me");
}

// Shows that a person is at this page, for a while.
export async function unlock(passphrase: string): Promise<void> {
  unlocked = (await call<{ unlocked: string }>("POST", "/v1/unlock", { passphrase })).unlocked;
}

const KINDS = new Set(["hello", "question", "decision", "approval", "outcome", "access", "note", "policy", "start", "stop", "key"]);

// Events over fetch, because an EventSource can't send a header. A stream that breaks is opened again from where it was.
export function listen(on: (kind: string, record: Record_ | null) => void, asked: (approval: Approval) => void, state: (up: boolean) => void): void {
  let last = "";
  const told = (event: { kind: string; id: string; data: string }) => {
    if (event.id) last = event.id;
    if (!KINDS.has(event.kind)) return;
    if (event.kind === "question") asked(parse(event.data) as unknown as Approval);
    else on(event.kind, event.kind === "hello" ? null : (parse(event.data) as unknown as Record_));
  };
  const follow = async () => {
    const headers = { accept: "text/event-stream", ...credentials(), ...(last ? { "last-event-id": last } : {}) };
    const response = await fetch("/v1/events", { headers, cache: "no-store", credentials: "omit" });
    if (!response.ok || !response.body) throw new Error(response.statusText);
    state(true);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const pieces = new Pieces();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const event of pieces.take(value)) told(event);
    }
  };
  const forever = async () => {
    for (;;) {
      try { await follow(); } catch { /* told by the state */ }
      state(false);
      await new Promise((wake) => setTimeout(wake, 1000));
    }
  };
  void forever();
}

// A stream of events (HTML Living Standard, server-sent events), cut anywhere.
class Pieces {
  private rest = "";

  take(piece: string): { kind: string; id: string; data: string }[] {
    this.rest += piece;
    const found: { kind: string; id: string; data: string }[] = [];
    for (let end = this.rest.indexOf("\n\n"); end >= 0; end = this.rest.indexOf("\n\n")) {
      const event = { kind: "message", id: "", data: "" };
      for (const line of this.rest.slice(0, end).split("\n")) {
        const [name, ...words] = line.split(":");
        const value = words.join(":").replace(/^ /, "");
        if (name === "event") event.kind = value;
        if (name === "id") event.id = value;
        if (name === "data") event.data += (event.data ? "\n" : "") + value;
      }
      if (event.data) found.push(event);
      this.rest = this.rest.slice(end + 2);
    }
    return found;
  }
}
