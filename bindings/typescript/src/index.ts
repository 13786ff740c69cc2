// A typed client of Doorward's HTTP API, over the service's Unix socket or its port. No dependencies.
//
// `api.ts` is made from the service's own document (`npm run generate`): paths, queries and bodies are typed by it.

import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { paths } from "./api.js";

export type { paths } from "./api.js";

type Method = "get" | "post" | "delete";
/** Paths that have an operation of this method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never;
/** The JSON body that an operation takes. */
export type BodyOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody: { content: { "application/json": infer B } } } ? B : undefined;
/** What an operation takes in its query. */
export type QueryOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { parameters: { query?: infer Q } } ? Q : undefined;

/** An obligation of an allowed call: whoever runs it owes it. */
export interface Obligation {
  type: "log_output" | "redact_output" | "sandbox" | "notify" | "rewrite_args" | "expires";
  [member: string]: unknown;
}

/** The answer of `POST /v1/decide`. */
export interface Answer {
  decision: "ALLOW" | "DENY" | "REQUIRE_USER_CONFIRMATION";
  reason: string;
  code: string;
  obligations: Obligation[];
  policies: string[];
  record_id?: string;
  confirmation?: {
    confirmationId: string;
    level: number;
    phrase: string | null;
    expires: string;
    security_warning: { level: string; message: string };
  };
}

/**
 * The sandbox that this program says it runs a tool in. Policies read it as `context.sandbox.declares`; nobody checks it, so
 * `context.sandbox.verified` stays false. What is left out isn't limited.
 */
export interface Sandbox {
  tier?: "full" | "restricted" | "limited" | "none";
  /** Longest run, in seconds. */
  wall_s?: number;
  /** Most memory, in MiB. */
  memory_mb?: number;
  /** Hosts that it can reach; none if empty. */
  hosts?: string[];
  /** Folders whose files it can read. */
  reads?: string[];
  /** Folders whose files it can change. */
  writes?: string[];
}

/** A tool call. `cwd`, `roots` and `mode` are taken from a caller on the socket only. */
export interface Call {
  tool: string;
  args?: Record<string, unknown>;
  session?: string;
  principal?: string;
  cwd?: string;
  roots?: string[];
  mode?: "default" | "plan" | "acceptEdits" | "dontAsk" | "bypassPermissions";
  callId?: string;
  context?: Record<string, unknown>;
  /** The sandbox that the tool runs in; `true` for one whose bounds aren't told. */
  sandbox?: Sandbox | boolean;
}

/** Base of all errors: a stable code, a sentence, and what would settle it. */
export class DoorwardError extends Error {
  constructor(
    readonly code: string,
    readonly reason: string,
    readonly settle = "",
  ) {
    super(`${code}: ${reason}`);
    this.name = new.target.name;
  }
}

/** The call must not run. */
export class Denied extends DoorwardError {
  recordId: string | undefined;
}

/** A person has to decide first: answer the question `id`, then make the identical call again. */
export class ConfirmationRequired extends Denied {
  constructor(
    readonly question: NonNullable<Answer["confirmation"]>,
    code: string,
    reason: string,
  ) {
    super(code, reason, `answer ${question.confirmationId} in the console or with \`doorward approvals\``);
  }
}

/** Nobody answered in time. That isn't a no: the question may still be open. */
export class ConfirmationTimedOut extends ConfirmationRequired {}

/** The service can't be reached, or refuses the request itself. Treat it as a denial. */
export class Unavailable extends DoorwardError {}

/** How a call ended. */
export type Outcome = "ran" | "failed" | "killed" | "refused" | "abandoned";

/** What a client can meet of a call's obligations by itself. It knows no secrets, so it can't redact. */
const MET = new Set(["log_output", "notify", "expires"]);

/** One allowed call, and the duty to say what became of it. */
export class Permit {
  readonly id: string;
  #reported = false;
  #digest: string | undefined;
  #bytes = 0;

  constructor(
    private readonly client: Client,
    readonly answer: Answer,
  ) {
    this.id = answer.record_id ?? "";
  }

  get obligations(): Obligation[] {
    return this.answer.obligations;
  }

  /** Takes the call's result for the record, which keeps its digest and length, and gives it back. */
  output<T>(value: T): T {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    this.#digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    this.#bytes = Buffer.byteLength(text);
    return value;
  }

  /** Says what became of the call, once. */
  async report(outcome: Outcome = "ran"): Promise<void> {
    if (this.#reported) return;
    const owed = this.obligations.filter(({ type }) => type === "log_output" || type === "redact_output");
    const obligations = owed.map(({ type }) => ({
      type,
      done: type === "log_output" && this.#digest !== undefined,
    }));
    await this.client.request("post", "/v1/decisions/{id}/outcome", {
      path: { id: this.id },
      body: { outcome, bytes: this.#bytes, obligations, ...(this.#digest ? { output_digest: this.#digest } : {}) },
    });
    this.#reported = true;
  }
}

/** Where the service is. */
export interface Options {
  /** `http://127.0.0.1:PORT` or `https://…`; without one the socket is used. */
  url?: string;
  /** The service's state folder, for its socket and its token. */
  state?: string;
  /** Path of the socket, where it isn't in the state folder. */
  socket?: string;
  /** The token for `url`; by default the one in the state folder. */
  token?: string;
  /** PEM text of the certificate authority, for `https`. */
  ca?: string;
  principal?: string;
  session?: string;
  /** The longest that a request takes, in milliseconds; waiting for people adds to it. */
  timeout?: number;
}

/** The longest that one question to the service waits, in seconds. */
const STEP = 30;

/** A client of the service. */
export class Client {
  readonly #options: Options;
  readonly #state: string;
  readonly session: string;
  readonly principal: string;

  constructor(options: Options = {}) {
    this.#options = options;
    this.#state = options.state ?? join(homedir(), ".local/state/doorward");
    this.session = options.session ?? `node-${randomUUID()}`;
    this.principal = options.principal ?? userInfo().username;
  }

  /** One request of the API; its answer as JSON. Throws `Unavailable` for no answer and for refusals. */
  async request<M extends Method, P extends PathsOf<M>>(
    method: M,
    path: P,
    given: { path?: Record<string, string>; query?: QueryOf<P, M>; body?: BodyOf<P, M>; seconds?: number } = {},
  ): Promise<unknown> {
    let target = String(path);
    for (const [name, value] of Object.entries(given.path ?? {})) {
      target = target.replace(`{${name}}`, encodeURIComponent(value));
    }
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries((given.query as object | undefined) ?? {})) query.set(name, String(value));
    if (query.size > 0) target += `?${query}`;
    const text = given.body === undefined ? undefined : JSON.stringify(given.body);
    const timeout = (this.#options.timeout ?? 10_000) + (given.seconds ?? 0) * 1000;
    const { status, body } = await this.#send(method.toUpperCase(), target, text, timeout);
    let answer: unknown;
    try {
      answer = body ? JSON.parse(body) : undefined;
    } catch {
      throw new Unavailable("service.answer", `${method} ${target}: the answer isn't JSON`);
    }
    if (status >= 400) {
      const problem = (answer ?? {}) as { code?: string; message?: string };
      throw new Unavailable(problem.code ?? `http.${status}`, problem.message ?? `${target} answered ${status}`);
    }
    return answer;
  }

  /** Asks for a call. Run it only with the permit, meet its obligations, then report. `wait`: seconds for a person. */
  async admit(call: Call, wait = 0): Promise<Permit> {
    try {
      return await this.#admit(call);
    } catch (error) {
      if (!(error instanceof ConfirmationRequired) || wait <= 0) throw error;
      await this.wait(error, wait);
      // The yes is bound to the identical call: asked again, it is redeemed.
      return this.#admit(call);
    }
  }

  /** Runs a function if its call is allowed, reports how it ended, and gives back what it returned. */
  async guard<T>(call: Call, run: () => T | Promise<T>, wait = 0): Promise<T> {
    const permit = await this.admit(call, wait);
    const unmet = permit.obligations.filter(({ type }) => !MET.has(type)).map(({ type }) => type);
    if (unmet.length > 0) {
      await permit.report("refused");
      throw new Denied("obligation.unmet", `a rule asks for ${unmet.join(", ")}, which this client can't give`);
    }
    let result: T;
    try {
      result = permit.output(await run());
    } catch (error) {
      await permit.report("failed");
      throw error;
    }
    await permit.report("ran");
    return result;
  }

  /** Waits for a person's yes; throws `Denied` for a no and `ConfirmationTimedOut` where nobody answers in time. */
  async wait(asked: ConfirmationRequired, seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1000;
    for (;;) {
      const left = (until - performance.now()) / 1000;
      const step = Math.max(0, Math.min(STEP, Math.ceil(left)));
      const told = (await this.request("get", "/v1/approvals/{id}/wait", {
        path: { id: asked.question.confirmationId },
        query: { seconds: step },
        seconds: step,
      })) as { outcome: string; reason?: string | null };
      if (told.outcome === "allowed") return;
      if (told.outcome !== "pending") {
        throw new Denied(`approval.${told.outcome}`, told.reason ?? "the question ended without a yes");
      }
      if (left <= step) throw new ConfirmationTimedOut(asked.question, asked.code, "nobody answered in time");
    }
  }

  /** Answers a question as the account that this client is known by. */
  async answer(id: string, yes: boolean, more: { reason?: string; typed?: string; passphrase?: string } = {}): Promise<void> {
    await this.request("post", "/v1/approvals/{id}/answer", { path: { id }, body: { answer: yes ? "yes" : "no", ...more } });
  }

  /** Open questions. */
  async approvals(): Promise<{ id: string; tool: string; args: Record<string, unknown>; reason: string }[]> {
    const told = (await this.request("get", "/v1/approvals")) as { approvals: [] };
    return told.approvals;
  }

  /** How the service is doing. */
  async health(): Promise<{ ok: boolean; version: string; problems: string[] }> {
    return (await this.request("get", "/healthz")) as { ok: boolean; version: string; problems: string[] };
  }

  async #admit(call: Call): Promise<Permit> {
    const told = { cwd: call.cwd ?? process.cwd(), roots: call.roots, mode: call.mode, call_id: call.callId };
    const answer = (await this.request("post", "/v1/decide", {
      body: {
        principal: { id: call.principal ?? this.principal },
        action: "tool:execute",
        resource: { type: "tool", name: call.tool, attributes: { args: call.args ?? {}, sandbox: call.sandbox } },
        context: { ...call.context, session_id: call.session ?? this.session, ...told },
      } as BodyOf<"/v1/decide", "post">,
    })) as Answer;
    if (answer.decision === "ALLOW" && answer.record_id) return new Permit(this, answer);
    if (answer.decision === "REQUIRE_USER_CONFIRMATION" && answer.confirmation) {
      throw new ConfirmationRequired(answer.confirmation, answer.code, answer.reason);
    }
    const denied = new Denied(answer.code, answer.reason);
    denied.recordId = answer.record_id;
    throw denied;
  }

  #send(method: string, target: string, text: string | undefined, timeout: number): Promise<{ status: number; body: string }> {
    const { url, ca } = this.#options;
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (text !== undefined) headers["Content-Length"] = String(Buffer.byteLength(text));
    if (url) headers["Authorization"] = `Bearer ${this.#token()}`;
    const options = { method, headers, timeout, ...(ca ? { ca } : {}) };
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(new Unavailable("service.unreachable", `no answer from the service: ${error.message}`));
      const answered = (response: http.IncomingMessage) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", failed);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }));
      };
      const request = url
        ? (url.startsWith("https:") ? https : http).request(new URL(target, url), options, answered)
        : http.request({ ...options, socketPath: this.#options.socket ?? join(this.#state, "doorward.sock"), path: target }, answered);
      request.on("timeout", () => request.destroy(new Error(`nothing within ${timeout} ms`)));
      request.on("error", failed);
      request.end(text);
    });
  }

  #token(): string {
    if (this.#options.token) return this.#options.token;
    try {
      return readFileSync(join(this.#state, "token"), "utf8").trim();
    } catch (error) {
      throw new Unavailable("service.unauthorized", `no token: ${(error as Error).message}`);
    }
  }
}

/** A tool of the Vercel AI SDK, as far as it matters here. */
interface Executable {
  execute?: ((args: never, options: never) => unknown) | undefined;
}

/**
 * The same tool of the Vercel AI SDK, asked for before each call. A denial is its result, so that the model hears why. Of a tool
 * that streams, the last part is the result. A tool without `execute` is refused: who runs it doesn't come through here.
 */
export function guarded<T extends Executable>(client: Client, tool: T, call: Omit<Call, "args">, wait = 0): T {
  const { execute } = tool;
  if (!execute) throw new TypeError("a tool without `execute` can't be guarded: call client.guard where it is run");
  const asked = async (args: Record<string, unknown>, options: never): Promise<unknown> => {
    try {
      return await client.guard({ ...call, args }, () => settled(execute(args as never, options)), wait);
    } catch (error) {
      if (!(error instanceof DoorwardError)) throw error;
      return `Doorward did not let this call run: ${error.reason} Do not retry it unchanged.`;
    }
  };
  return { ...tool, execute: asked };
}

/** What a tool brought in the end: the last part of what streams. */
async function settled(brought: unknown): Promise<unknown> {
  const result = await brought;
  if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const part of result as AsyncIterable<unknown>) last = part;
  return last;
}
