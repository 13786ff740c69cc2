// The console in a real browser: a pending call appears, is answered by keyboard alone, hostile text stays text.
//
// DOORWARD: the binary to test. DOORWARD_TOOLS: where playwright-core may be installed beside this folder's own.
// CHROMIUM: the browser. Skips loudly where one is missing. SHOTS: where screenshots go.

import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import assert from "node:assert/strict";
import { request } from "node:http";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const doorward = resolve(process.env.DOORWARD ?? join(import.meta.dirname, "../../target/debug/doorward"));
if (!existsSync(chromium) || !existsSync(doorward)) {
  console.error(`SKIPPED: the browser test needs ${chromium} and ${doorward}`);
  process.exit(0);
}
let playwright;
try {
  const places = [import.meta.dirname, process.env.DOORWARD_TOOLS].filter(Boolean);
  playwright = createRequire(import.meta.url)(createRequire(import.meta.url).resolve("playwright-core", { paths: places }));
} catch {
  console.error("SKIPPED: the browser test needs playwright-core: npm ci in console/, or cargo xtask tools");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "doorward-console-"));
const [state, project] = [join(folder, "state"), join(folder, "project")];
const shots = process.env.SHOTS;
mkdirSync(state); mkdirSync(join(project, "src"), { recursive: true });
if (shots) mkdirSync(shots, { recursive: true });
const socket = join(state, "doorward.sock");

const cli = (...words) => execFileSync(doorward, [...words, "--state", state], { encoding: "utf8" });
const post = (path, body) => new Promise((done, failed) => {
  const sent = request({ socketPath: socket, path, method: body ? "POST" : "GET", headers: { host: "doorward", "content-type": "application/json" } }, (answer) => {
    let text = "";
    answer.on("data", (piece) => { text += piece; });
    answer.on("end", () => done({ status: answer.statusCode, body: text ? JSON.parse(text) : null }));
  });
  sent.on("error", failed);
  sent.end(body ? JSON.stringify(body) : undefined);
});
const decide = (args, name = "shell:execute") => post("/v1/decide", {
  principal: { id: "agent-a" }, action: "tool:execute", resource: { type: "tool", name, attributes: { args } },
  context: { cwd: project, session_id: "browser" },
});
const until = async (what, check, most = 5000) => {
  const end = Date.now() + most;
  for (;;) {
    const found = await check();
    if (found) return found;
    assert.ok(Date.now() < end, `never: ${what}`);
    await new Promise((next) => setTimeout(next, 10));
  }
};

const service = spawn(doorward, ["serve", "--state", state, "--port", "0"], { stdio: "ignore" });
let browser;
let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
try {
  await until("service", () => existsSync(socket));
  await until("answer", () => post("/healthz").then(() => true).catch(() => false));
  execFileSync(doorward, ["approvals", "passphrase", "--passphrase-stdin", "--state", state], { input: "correct horse\n" });
  const link = cli("console").trim();
  const origin = new URL(link).origin;

  browser = await playwright.chromium.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
  const page = await context.newPage();
  const foreign = [], complaints = [];
  let dialogs = 0;
  page.on("request", (asked) => { if (!asked.url().startsWith(origin) && !asked.url().startsWith("data:")) foreign.push(asked.url()); });
  page.on("console", (line) => { if (line.type() === "error") complaints.push(line.text()); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { dialogs += 1; void dialog.dismiss(); });

  await page.goto(link);
  await page.getByText("Nothing waits for you.").waitFor();
  assert.equal(new URL(page.url()).hash, "", "the code is gone from the address bar");
  check("the login link opens the console and leaves the address bar");

  const second = await (await browser.newContext()).newPage();
  await second.goto(link);
  await second.getByText("doorward console", { exact: true }).waitFor();
  await second.close();
  check("the login link works once");

  await page.locator("#passphrase").fill("correct horse");
  await page.keyboard.press("Enter");
  await page.getByText("Unlocked").waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  check("the passphrase unlocks approving");

  const times = [];
  const asked = await decide({ command: "rm -rf src" });
  const began = Date.now();
  assert.equal(asked.body.decision, "REQUIRE_USER_CONFIRMATION", JSON.stringify(asked.body));
  await page.locator(".dialog").getByText("rm").first().waitFor();
  times.push(Date.now() - began);
  check(`a pending call appears after ${times[0]} ms`);
  if (shots) await page.screenshot({ path: join(shots, "console-queue.png") });

  const phrase = page.locator("#phrase");
  await page.keyboard.press("a");
  assert.equal((await post("/v1/approvals")).body.approvals.length, 1, "the focus guard or the phrase held it");
  await page.waitForTimeout(600);
  if (await phrase.count()) {
    await page.keyboard.press("i");
    await page.keyboard.type("I confirm");
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("a");
  await page.getByText("Nothing waits for you.").waitFor();
  const again = await decide({ command: "rm -rf src" });
  assert.equal(again.body.decision, "ALLOW", JSON.stringify(again.body));
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, "REQUIRE_USER_CONFIRMATION", "one use");
  check("keyboard alone: approved, the identical call passes once, the next is asked again");
  await page.locator(".dialog").waitFor();
  await page.keyboard.press("d");
  await page.getByText("Nothing waits for you.").waitFor();
  check("d denies at once");

  const hostile = [
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["/w/invoice\u202efdp.exe", "U+202E"],
    ["rm\u200b -rf /w/x", "U+200B"],
    ["ok\u{e0072}\u{e0075}\u{e006e}", "3 invisible characters"],
    ["[click](javascript:alert(1)) https://evil.example.net/", "[click](javascript:alert(1))"],
  ];
  for (const [text, shown] of hostile) {
    const answer = await decide({ command: `rm -rf src; echo ${JSON.stringify(text)}`, note: text });
    const id = answer.body.confirmation?.confirmationId;
    if (!id) { console.log(`  (not asked: ${answer.body.code})`); continue; }
    await page.locator(".dialog").getByText(shown, { exact: false }).first().waitFor();
    assert.equal(await page.locator("#app script, #app img, #app main a, #app iframe").count(), 0);
    assert.ok(!/[\u202a-\u202e\u200b\u{e0000}-\u{e007f}]/u.test(await page.locator("#app").innerText()), "raw control in the page");
    if (shots && text.includes("\u202e")) await page.screenshot({ path: join(shots, "console-hostile.png") });
    await page.keyboard.press("d");
    await page.getByText("Nothing waits for you.").waitFor();
  }
  assert.equal(dialogs, 0);
  check("hostile text is shown and does nothing");

  for (const [key, name] of [["t", "timeline"], ["r", "rules"], ["e", "guardian"], ["s", "settings"], ["p", "sessions"]]) {
    await page.keyboard.press("g"); await page.keyboard.press(key);
    await page.waitForTimeout(150);
    if (name === "timeline") await page.locator("table tbody tr").first().waitFor();
    if (name === "guardian") assert.ok((await page.locator("#security-analyzer option").allTextContents()).includes("ToolShield Analyzer"));
    if (shots && (name === "timeline" || name === "guardian")) await page.screenshot({ path: join(shots, `console-${name}.png`) });
  }
  check("every page opens by keyboard; the analyzer list has ToolShield");

  await page.keyboard.press("g"); await page.keyboard.press("q");
  await decide({ command: "rm -rf src" });
  await page.locator(".dialog").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 780 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360), "no sideways scrolling at 360 px");
  if (shots) await page.screenshot({ path: join(shots, "console-phone-dark.png") });
  check("dark, 360 px wide");

  await page.keyboard.press("Control+Shift+K"); await page.keyboard.press("Control+Shift+K");
  await page.getByText("Everything is stopped").waitFor();
  const stopped = await decide({ command: "ls" });
  assert.equal(stopped.body.code, "kill_switch", JSON.stringify(stopped.body));
  await page.getByLabel("I confirm").fill("I confirm");
  await page.keyboard.press("Enter");
  await page.locator("#kill").waitFor();
  assert.notEqual((await decide({ command: "ls" })).body.code, "kill_switch");
  check("the kill switch denies everything and its open questions, and is lifted by the phrase");

  assert.deepEqual(foreign, []);
  const real = complaints.filter((line) => !/401|403|409/.test(line));
  assert.deepEqual(real, [], "no CSP violation, no error");
  check("no request left the origin, no CSP violation");
  console.log(`${passed} checks passed; request to visible ${times.join(", ")} ms`);
} finally {
  await browser?.close();
  service.kill("SIGTERM");
}
