// Talking to the service: one fetch wrapper, one event stream. Every changing request carries the CSRF word.

export type Level = "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Approval {
  id: string; state: string; tool: string; caller: string; session: string; cwd: string; args: { [key: string]: Json };
  reason: string; security_warning: { level: Level; message: string }; level: number; phrase: string | null;
  policies: string[]; shown: string; asked_at: string; expires: string; answered_by: string; answer_reason: string;
  decision_record?: { [key: string]: Json };
}
export interface Me { name: string; role: string; presence: string; has_passphrase: boolean; csrf: string; posture: string; version: string }
export interface Stop { scope: string; by: string; reason: string; at: string }
export interface Record_ { index: number; kind: string; time: string; [key: string]: Json }
export interface Session { id: string; turn: number; calls: number; denials: number; minutes: number; taints: string[] }

export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, message: string) { super(message); }
}

let csrf = "";

export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (csrf) headers["x-doorward-csrf"] = csrf;
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "same-origin" };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(path, init);
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer.code ?? answer.state ?? "error", answer.message ?? response.statusText);
  return answer as T;
}

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

export function listen(on: (kind: string) => void, state: (up: boolean) => void): void {
  const source = new EventSource("/v1/events");
  for (const kind of ["hello", "decision", "approval", "outcome", "note", "policy"]) {
    source.addEventListener(kind, () => on(kind));
  }
  source.onopen = () => state(true);
  source.onerror = () => state(false);
}
