// The committed build is what these sources give, and it is small. The build is reproducible: fixed names, no times.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { execFileSync } from "node:child_process";
import { lacking } from "./lacking.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  lacking(`rebuilding the console needs Node 20.19 or newer, this is ${process.versions.node}`);
  process.exit(0);
}
const here = resolve(import.meta.dirname, "..");
try { createRequire(import.meta.url).resolve("vite", { paths: [here] }); } catch {
  lacking("rebuilding the console needs vite: npm ci in console/");
  process.exit(0);
}
const fresh = mkdtempSync(join(tmpdir(), "doorward-build-"));
execFileSync("npx", ["tsc", "--noEmit"], { cwd: here, stdio: "inherit" });
execFileSync("npx", ["vite", "build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "error"], { cwd: here, stdio: "inherit" });
const committed = resolve(here, "../crates/server/console");
assert.deepEqual(readdirSync(fresh).sort(), readdirSync(committed).sort());
for (const name of readdirSync(fresh)) {
  assert.ok(readFileSync(join(fresh, name)).equals(readFileSync(join(committed, name))), `${name} isn't what the sources give: npm run build`);
}
const size = (name) => gzipSync(readFileSync(join(committed, name))).length;
const all = size("app.js") + size("app.css");
assert.ok(all <= 200 * 1024, `script and style are ${all} bytes with gzip`);
console.log(`ok the committed build is these sources'; ${size("app.js")} bytes of script and ${size("app.css")} of style with gzip`);
