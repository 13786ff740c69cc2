// The service's own rules, from outside: no endpoint without its role, an agent's token answers nothing, other hosts and
// origins are turned away, the console's token counts in its header only, the headers are there. DOORWARD names the binary.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setPassphrase } from "./harness.mjs";
import { lacking } from "./lacking.mjs";

const doorward = resolve(process.env.DOORWARD ?? join(import.meta.dirname, "../../target/debug/doorward"));
if (!existsSync(doorward)) {
  lacking(`the service test needs ${doorward}`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "doorward-service-"));
const state = join(folder, "state");
mkdirSync(state);
const socket = join(state, "doorward.sock");
const cli = (...words) => execFileSync(doorward, [...words, "--state", state], { encoding: "utf8" }).trim();
const send = (to, method, path, headers = {}, body) => new Promise((done, failed) => {
  const sent = request({ ...to, path, method, headers: { "content-type": "application/json", ...headers } }, (answer) => {
    if (answer.headers["content-type"]?.startsWith("text/event-stream")) { answer.destroy(); done({ status: answer.statusCode, headers: answer.headers, body: null }); return; }
    let text = "";
    answer.on("data", (piece) => { text += piece; });
    answer.on("end", () => { let json = null; try { json = JSON.parse(text); } catch { /* not JSON */ } done({ status: answer.statusCode, headers: answer.headers, body: json, text }); });
  });
  sent.on("error", failed);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
});

const service = spawn(doorward, ["serve", "--state", state, "--port", "0"], { stdio: "ignore" });
let passed = 0;
const ok = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
try {
  for (let tries = 0; !existsSync(socket); tries += 1) { assert.ok(tries < 500); await new Promise((next) => setTimeout(next, 10)); }
  const local = { socketPath: socket };
  const link = new URL(cli("console"));
  const port = { host: "127.0.0.1", port: Number(link.port) };
  const agent = { authorization: `Bearer ${cli("status", "--token")}` };
  const { paths } = (await send(port, "GET", "/v1/openapi.json")).body;
  let endpoints = 0;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { "x-role": role }] of Object.entries(operations)) {
      const at = path.replace(/\{\w+\}/g, "0");
      const body = method === "post" ? {} : undefined;
      const nobody = await send(port, method.toUpperCase(), at, {}, body);
      assert.notEqual(nobody.status, 405, `${method} ${path} exists`);
      if (role === "public") continue;
      endpoints += 1;
      assert.equal(nobody.status, 401, `${method} ${path} without a credential`);
      const forged = await send(port, method.toUpperCase(), at, { authorization: "Bearer dw_forged" }, body);
      assert.equal(forged.status, 401, `${method} ${path} with a forged token`);
      if (role === "agent") continue;
      const asAgent = await send(port, method.toUpperCase(), at, agent, body);
      assert.equal(asAgent.status, 403, `${method} ${path} with an agent's token`);
    }
  }
  ok(`${endpoints} endpoints refuse nobody, forged tokens and, above their role, agents`);

  const call = (command) => send(local, "POST", "/v1/decide", { host: "x" }, { principal: { id: "agent-a" }, action: "tool:execute", resource: { type: "tool", name: "shell:execute", attributes: { args: { command } } }, context: { cwd: folder, session_id: "s" } });
  const asked = (await call("psql -c 'DROP TABLE users'")).body;
  const id = asked.confirmation.confirmationId;
  assert.deepEqual(Object.keys(asked.confirmation).slice(0, 4), ["toolName", "args", "confirmationId", "security_warning"]);
  assert.equal((await send(port, "POST", `/v1/approvals/${id}/answer`, agent, { answer: "yes" })).status, 403);
  const peer = await send(local, "POST", `/v1/approvals/${id}/answer`, { host: "x" }, { answer: "yes" });
  assert.deepEqual([peer.status, peer.body.code], [403, "grant.presence"]);
  ok("an agent's token and peer credentials alone don't approve HIGH");

  for (const headers of [{ host: "evil.example" }, { host: `127.0.0.1:${port.port}`, origin: "http://evil.example" }, { host: `127.0.0.1.nip.io:${port.port}` }, { host: `127.0.0.1:${port.port}`, origin: "null" }]) {
    assert.equal((await send(port, "GET", "/healthz", headers)).status, 421, JSON.stringify(headers));
  }
  ok("foreign hosts and origins are turned away");

  const code = link.hash.slice("#login=".length);
  const login = await send(port, "POST", "/v1/login", {}, { code });
  assert.equal(login.status, 200);
  assert.equal(login.headers["set-cookie"], undefined, "no cookie, which every port of this host would get");
  assert.equal((await send(port, "POST", "/v1/login", {}, { code })).status, 401);
  ok("a login code works once, and sets no cookie");

  const token = { authorization: `Bearer ${login.body.token}` };
  assert.equal((await send(port, "GET", "/v1/me", token)).status, 200);
  assert.equal((await send(port, "GET", "/v1/me", { cookie: `doorward=${login.body.token}` })).status, 401);
  assert.equal((await send(port, "POST", "/v1/login-link", token, {})).status, 403);
  ok("the token counts in its header only");

  const first = { passphrase: "an agent's own" };
  assert.equal((await send(local, "POST", "/v1/passphrase", { host: "x" }, first)).body.code, "passphrase.terminal");
  assert.equal((await send(port, "POST", "/v1/passphrase", token, first)).body.code, "passphrase.terminal");
  ok("peer credentials and a console that no terminal opened set no first passphrase");

  setPassphrase(doorward, state, "correct horse");
  const answer = (body) => send(port, "POST", `/v1/approvals/${id}/answer`, token, body);
  assert.equal((await answer({ answer: "yes", passphrase: "wrong horse" })).body.code, "passphrase.wrong");
  assert.equal((await answer({ answer: "yes", passphrase: "correct horse", shown: "sha256:other" })).body.code, "grant.preview");
  assert.equal((await answer({ answer: "yes", passphrase: "correct horse", reach: "always" })).body.code, "always.rule");
  assert.notEqual((await answer({ answer: "yes", passphrase: "correct horse" })).body.state, "allowed", "a lost table takes the phrase");
  const typed = { answer: "yes", passphrase: "correct horse", typed: "I confirm" };
  assert.equal((await answer(typed)).body.state, "allowed");
  assert.equal((await answer(typed)).status, 200, "the same answer again is harmless");
  assert.equal((await answer({ answer: "no" })).status, 409, "the first answer wins");
  ok("answers: wrong passphrase, other preview, always, no phrase, yes, yes again, late no");

  assert.equal((await call("rm -rf lib")).body.decision, "REQUIRE_USER_CONFIRMATION", "other arguments");
  const again = (await send(local, "GET", "/v1/approvals", { host: "x" })).body.approvals;
  assert.ok(again.some((one) => one.reason.includes("grant.args")), "asked again, naming what differs");
  assert.equal((await call("psql -c 'DROP TABLE users'")).body.decision, "ALLOW");
  assert.equal((await call("psql -c 'DROP TABLE users'")).body.decision, "REQUIRE_USER_CONFIRMATION");
  ok("a grant fits the identical call, once; a difference is named");

  const page = await send(port, "GET", "/");
  assert.ok(page.headers["content-security-policy"].includes("require-trusted-types-for 'script'"));
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  assert.equal(page.headers["referrer-policy"], "no-referrer");
  assert.equal(page.headers["cross-origin-opener-policy"], "same-origin");
  ok("headers");
  assert.equal((await send(local, "GET", "/v1/ledger/verify", { host: "x" })).body.intact, true);
  ok("the ledger is intact");
} finally {
  service.kill("SIGTERM");
}
