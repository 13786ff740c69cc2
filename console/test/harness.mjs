// A service of its own in a folder of its own, a person signed in at a real Chromium, and calls that ask them something.
//
// DOORWARD: the binary to test. DOORWARD_TOOLS: where playwright-core may be installed beside this folder's own.
// CHROMIUM: the browser.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { lacking } from "./lacking.mjs";

export const PASSPHRASE = "correct horse";

// A program about which a question is CRITICAL and takes the phrase, by a policy file of the tests' own.
export const critical = (state) => {
  const file = join(state, "critical.cedar");
  writeFileSync(file, '@id("test.critical.confirm")\n@confirm("type:I confirm")\n@severity("CRITICAL")\n@reason("Replaces what runs in production.")\nforbid(principal, action, resource)\nwhen { context.effects.executes.contains("deployctl") }\nunless { context has approval && context.approval.level >= 2 };\n');
  writeFileSync(join(state, "doorward.toml"), `[policy]\npacks = ["coding-agent"]\nfiles = [${JSON.stringify(file)}]\n`);
};

export const until = async (what, check, most = 120000) => {
  const end = Date.now() + most;
  for (;;) {
    const found = await check();
    if (found) return found;
    assert.ok(Date.now() < end, `never: ${what}`);
    await new Promise((next) => setTimeout(next, 10));
  }
};

// What the tests need, or `null` after saying loudly what is missing.
export function tools(what) {
  const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const doorward = resolve(process.env.DOORWARD ?? join(import.meta.dirname, "../../target/debug/doorward"));
  if (!existsSync(chromium) || !existsSync(doorward)) {
    lacking(`${what} needs ${chromium} and ${doorward}`);
    return null;
  }
  const own = createRequire(import.meta.url);
  const places = [import.meta.dirname, process.env.DOORWARD_TOOLS].filter(Boolean);
  try {
    return { chromium, doorward, places, playwright: own(own.resolve("playwright-core", { paths: places })), require: own };
  } catch {
    lacking(`${what} needs playwright-core: npm ci in console/, or cargo xtask tools`);
    return null;
  }
}

// A service; `settings` before it starts.
export async function serve({ doorward }, prepare = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "doorward-console-"));
  const state = join(folder, "state");
  mkdirSync(state);
  prepare(state);
  const socket = join(state, "doorward.sock");
  const begin = (port) => spawn(doorward, ["serve", "--state", state, "--port", port], { stdio: "ignore" });
  let child = begin("0");
  const post = (path, body) => new Promise((done, failed) => {
    const sent = request({ socketPath: socket, path, method: body === undefined ? "GET" : "POST", headers: { host: "doorward", "content-type": "application/json" } }, (answer) => {
      let text = "";
      answer.on("data", (piece) => { text += piece; });
      answer.on("end", () => { let json = null; try { json = JSON.parse(text); } catch { /* not JSON */ } done({ status: answer.statusCode, body: json, text }); });
    });
    sent.on("error", failed);
    sent.end(typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body));
  });
  const cli = (...words) => execFileSync(doorward, [...words, "--state", state], { encoding: "utf8" }).trim();
  await until("the service", () => existsSync(socket));
  await until("its answer", () => post("/healthz").then(() => true).catch(() => false));
  setPassphrase(doorward, state, PASSPHRASE);
  const stop = async () => {
    const over = new Promise((done) => child.on("exit", done));
    child.kill("SIGTERM");
    await over;
  };
  const again = async (port) => {
    child = begin(port);
    await until("the service again", () => post("/healthz").then(() => true).catch(() => false));
  };
  const end = async () => { await stop(); rmSync(folder, { recursive: true, force: true }); };
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  // A call of an agent in a project of its own.
  const decide = (args, name = "shell:execute", more = {}) => post("/v1/decide", {
    principal: { id: "agent-a" }, action: "tool:execute", resource: { type: "tool", name, attributes: { args } }, context: { cwd: project, session_id: "browser", ...more },
  });
  const pending = async () => (await post("/v1/approvals")).body.approvals;
  return { folder, state, project, post, cli, end, stop, again, decide, pending, pid: child.pid };
}

// The committed build instead of the one in the binary, which may be older, with the binary's own headers: what is tested
// is what these sources give. EMBEDDED=1 takes the binary's own.
export async function built(context) {
  if (process.env.EMBEDDED) return;
  const folder = process.env.CONSOLE ?? join(import.meta.dirname, "../../crates/server/console");
  for (const [path, name] of [["/", "index.html"], ["/app.js", "app.js"], ["/app.css", "app.css"]]) {
    await context.route((url) => url.pathname === path, async (route) => {
      const answer = await route.fetch().catch(() => null);
      if (answer) await route.fulfill({ response: answer, path: join(folder, name) }); else await route.abort();
    });
  }
}

// A signed-in page, with what it complained of, whom it asked, and whether a dialog opened.
export async function open({ playwright, chromium }, service, options = {}, link = service.cli("console")) {
  const browser = await playwright.chromium.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US", ...options });
  const page = await context.newPage();
  const seen = { foreign: [], complaints: [], dialogs: 0 };
  const { origin } = new URL(link);
  page.on("request", (asked) => { if (!asked.url().startsWith(origin) && !asked.url().startsWith("data:")) seen.foreign.push(asked.url()); });
  page.on("console", (line) => { if (line.type() === "error") seen.complaints.push(`${line.text()} ${line.location().url}`); });
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  page.on("dialog", (dialog) => { seen.dialogs += 1; void dialog.dismiss(); });
  await built(context);
  await page.goto(link);
  await page.getByText("Nothing waits for you.").or(page.locator("#dialog")).first().waitFor();
  return { browser, context, page, seen, origin };
}

// A first passphrase is set at a terminal: script(1) gives one.
export const setPassphrase = (doorward, state, passphrase) => {
  const words = [doorward, "approvals", "passphrase", "--passphrase-stdin", "--state", state].map((word) => `'${word}'`).join(" ");
  execFileSync("script", ["-qefc", `stty -echo; ${words}`, "/dev/null"], { input: `${passphrase}\n` });
};

export const unlock = async (page) => {
  await page.locator("#passphrase").fill(PASSPHRASE);
  await page.keyboard.press("Enter");
  await page.locator("#passphrase").waitFor({ state: "detached" });
  await page.evaluate(() => document.activeElement?.blur());
};

// The passphrase is asked for where something has to be answered or changed; the rules are such a page.
export async function unlockAt(page) {
  await page.evaluate(() => { location.hash = "#/rules"; });
  await unlock(page);
  await page.evaluate(() => { location.hash = "#/queue"; });
}

// Presses a key until nothing is open: a question that has just come isn't answered by a key meant for another.
export async function answerAll(page, service, key) {
  while ((await service.pending()).length) { await page.keyboard.press(key); await page.waitForTimeout(200); }
  await page.getByText("Nothing waits for you.").waitFor();
}
export async function pressUntil(page, key, there) {
  while (!(await there.count())) { await page.keyboard.press(key); await page.waitForTimeout(200); }
}

// A page by its key, from wherever one is.
export async function goTo(page, key, name) {
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("g"); await page.keyboard.press(key);
  await page.waitForFunction((name) => location.hash.startsWith(`#/${name}`), name);
}
export const PAGES = [["q", "queue"], ["t", "timeline"], ["p", "sessions"], ["o", "overview"], ["r", "rules"], ["m", "tools"], ["e", "guardian"], ["f", "findings"], ["s", "settings"]];
