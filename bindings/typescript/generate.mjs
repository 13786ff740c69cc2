// Writes src/api.ts from the document of the service that DOORWARD names: `DOORWARD=… npm run generate`.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import openapi, { astToString } from "openapi-typescript";

const state = mkdtempSync(join(tmpdir(), "doorward-api-"));
const service = spawn(process.env.DOORWARD ?? "doorward", ["serve", "--state", state, "--port", "0"], { stdio: "ignore" });
const document = () =>
  new Promise((resolve, reject) => {
    const asked = http.get({ socketPath: join(state, "doorward.sock"), path: "/v1/openapi.json" }, (response) => {
      let text = "";
      response.on("data", (part) => { text += part; });
      response.on("end", () => resolve(JSON.parse(text)));
    });
    asked.on("error", reject);
  });
let told;
for (let tries = 0; tries < 600 && !told; tries++) {
  told = await document().catch(() => sleep(50));
}
const ended = new Promise((resolve) => service.once("exit", resolve));
service.kill();
await ended;
rmSync(state, { recursive: true, force: true });
const head = "// Made from the service's own document by `npm run generate`; don't edit.\n\n";
writeFileSync(new URL("src/api.ts", import.meta.url), head + astToString(await openapi(told, { emptyObjectsUnknown: true })));
