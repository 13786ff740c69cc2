// Talking to the service: one fetch wrapper, one event stream. Every changing request carries the CSRF word.

import { type Json, parse } from "./exact";

export type { Json } from "./exact";
export type Level = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
export type Tree = { [key: string]: Json };

export interface Approval {
  id: string; state: string; tool: string; caller: string; session: string; cwd: string; args: Tree; decision: string;
  reason: string; security_warning: { level: Level; message: string }; level: number; phrase: string | null;
  policies: string[]; shown: string; asked_at: string; expires: string; answered_by: string; answer_reason: string;
  votes: { by: string }[]; project: string; args_text?: string; decision_record?: Tree; effects?: Effects; findings?: Finding[];
}
// Where something was found to be: as the service resolved it, links and all.
export interface Touched { how: string; what: string; where: string }
export interface Effects { touches: Touched[]; unknown: string[] }
export interface Finding { code: string; severity: Level; message: string; suggestion?: string | null }
export interface Me { name: string; role: string; presence: string; has_passphrase: boolean; csrf: string; posture: string; version: string }
export interface Stop { scope: string; by: string; reason: string; at: string }
export interface Record_ { index: number; kind: string; time: string; [key: string]: Json }
export interface Session { id: string; turn: number; calls: number; denials: number; minutes: number; taints: string[] }
export interface Only { caller?: string; project?: string; session?: string }
export interface SavedRule { list: string; rule: string; id?: string; by?: string; until?: string; only?: Only; ended: boolean }
export interface Preview {
  rules: string[]; list: string; offered: boolean; why_not: string | null; message: string | null; reach: string[]; example: string[];
  near_miss: string[]; past: { of: number; covered: number; denied: number; asked: number }; text: string; digest: string;
}
export interface Wish { rules: string[]; scope: string; lasts: string; deny: boolean }
type Quantiles = { n: number; p50: number | null; p95: number | null; p99: number | null };
export interface Overview {
  hours: number; decisions: number; columns: { at: string; allowed: number; denied: number; asked: number }[];
  rules: { name: string; n: number }[]; risks: { name: string; n: number }[]; latency_us: Quantiles;
  answers: { ended: { [word: string]: number }; took_s: Quantiles }; touches: { tool: string; how: string; what: string; n: number }[];
}

export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly body: Tree) { super(message); }
}

let csrf = "";

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (csrf) headers["x-doorward-csrf"] = csrf;
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "same-origin" };
  // A text is JSON already, every number as it was written.
  if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(path, init);
  let answer: Tree = {};
  try { answer = parse(await response.text()) as Tree; } catch { /* an answer without a body */ }
  if (!response.ok) throw new Refusal(response.status, String(answer.code ?? answer.state ?? "error"), String(answer.message ?? response.statusText), answer);
  return answer as T;
}

export const said = (error: unknown): string => (error instanceof Refusal ? `${error.message} (${error.code})` : String((error as Error).message ?? error));

// The code of a one-time link is in the fragment; it is used and removed from the address bar before anything else.
export async function signIn(): Promise<Me> {
  const code = /^#login=(.+)$/.exec(location.hash)?.[1];
  if (code) {
    history.replaceState(null, "", "/");
    await call("POST", "/v1/login", { code });
  }
  const me = await call<Me>("GET", "/v1/me");
  csrf = me.csrf ?? "";
  return me;
}

// A stream that breaks is opened again by the browser; one that is refused for good isn't, so that is done here.
export function listen(on: (kind: string, record: Record_ | null) => void, asked: (approval: Approval) => void, state: (up: boolean) => void): void {
  const source = new EventSource("/v1/events");
  source.addEventListener("question", (event) => asked(parse((event as MessageEvent<string>).data) as unknown as Approval));
  for (const kind of ["hello", "decision", "approval", "outcome", "access", "note", "policy", "start", "stop", "key"]) {
    source.addEventListener(kind, (event) => on(kind, kind === "hello" ? null : (parse((event as MessageEvent<string>).data) as unknown as Record_)));
  }
  source.onopen = () => state(true);
  source.onerror = () => {
    state(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(on, asked, state), 2000);
  };
}
