// The API against its own document: schemathesis throws what the schemas allow, and what they don't, at every endpoint
// of a running service. DOORWARD names the binary; DOORWARD_TOOLS holds schemathesis/bin/st.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { lacking } from "./lacking.mjs";

const doorward = resolve(process.env.DOORWARD ?? join(import.meta.dirname, "../../target/debug/doorward"));
const tool = process.env.SCHEMATHESIS ?? join(process.env.DOORWARD_TOOLS ?? "", "schemathesis/bin/st");
if (!existsSync(doorward) || !existsSync(tool)) {
  lacking(`the schema test needs ${doorward} and schemathesis at ${tool}: cargo xtask tools`);
  process.exit(0);
}
const state = join(mkdtempSync(join(tmpdir(), "doorward-schema-")), "state");
mkdirSync(state);
const service = spawn(doorward, ["serve", "--state", state, "--port", "0"], { stdio: "ignore" });
try {
  for (let tries = 0; !existsSync(join(state, "doorward.sock")); tries += 1) { assert.ok(tries < 6000, "never up"); await new Promise((next) => setTimeout(next, 10)); }
  const link = new URL(execFileSync(doorward, ["console", "--state", state], { encoding: "utf8" }).trim());
  const entered = await fetch(`${link.origin}/v1/login`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: link.hash.slice("#login=".length) }) });
  const { token } = await entered.json();
  // Streams have no end, and signing out ends the run.
  const left = ["/v1/events", "/v1/ws", "/v1/logout", "/v1/login"].flatMap((path) => ["--exclude-path", path]);
  const run = spawnSync(tool, [
    "run", `${link.origin}/v1/openapi.json`, "--header", `Authorization: Bearer ${token}`,
    "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance,unsupported_method",
    "--phases", "examples,coverage,fuzzing", "--max-examples", "5", "--seed", "1", "--request-timeout", "60", "--suppress-health-check", "all", "--no-color", "--generation-database", "none", ...left,
  ], { encoding: "utf8", cwd: state, maxBuffer: 1 << 28 });
  const out = `${run.stdout}${run.stderr}`;
  console.log(out.split("\n").slice(-40).join("\n"));
  assert.equal(run.status, 0, "schemathesis found something");
  console.log("ok schemathesis finds nothing");
} finally {
  service.kill("SIGTERM");
}
