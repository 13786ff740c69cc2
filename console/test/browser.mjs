// The console in a real browser: a pending call appears, is answered by keyboard alone, hostile text stays text.
//
// DOORWARD: the binary to test. DOORWARD_TOOLS: where playwright-core may be installed beside this folder's own.
// CHROMIUM: the browser. Skips loudly where one is missing. SHOTS: where screenshots go.

import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setPassphrase } from "./harness.mjs";
import assert from "node:assert/strict";
import { createServer, request } from "node:http";

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

// Every language has every key, and no text is empty.
const source = readFileSync(join(import.meta.dirname, "../src/words.ts"), "utf8");
const keys = (name) => {
  const body = source.slice(source.indexOf(`const ${name}`), source.indexOf("};", source.indexOf(`const ${name}`)));
  return [...body.matchAll(/(\w+): "((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => { assert.ok(text.length > 0, key); return key; }).sort();
};
assert.ok(keys("en").length > 100);
assert.deepEqual(keys("de"), keys("en"), "the catalogues have the same keys");

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
  sent.end(typeof body === "string" ? body : body ? JSON.stringify(body) : undefined);
});
const decide = (args, name = "shell:execute") => post("/v1/decide", {
  principal: { id: "agent-a" }, action: "tool:execute", resource: { type: "tool", name, attributes: { args } },
  context: { cwd: project, session_id: "browser" },
});
// A model that asks for one tool call, in the wire format of Anthropic's messages.
const fakeModel = (tool, input) => new Promise((ready) => {
  const server = createServer((asked, answer) => {
    let text = "";
    asked.on("data", (piece) => { text += piece; });
    asked.on("end", () => {
      if (asked.url.includes("count_tokens")) { answer.setHeader("content-type", "application/json"); answer.end('{"input_tokens": 10}'); return; }
      let wanted = {};
      try { wanted = JSON.parse(text); } catch { /* a HEAD has no body */ }
      const blocks = (wanted.messages ?? []).flatMap((message) => (Array.isArray(message.content) ? message.content : []));
      const done = blocks.some((block) => block.type === "tool_result") || !(wanted.tools ?? []).some((offer) => offer.name === tool);
      const usage = { input_tokens: 10, output_tokens: 5 };
      const content = done ? { type: "text", text: "done" } : { type: "tool_use", id: "toolu_1", name: tool, input };
      const message = { id: "msg_1", type: "message", role: "assistant", model: wanted.model, stop_sequence: null, usage };
      const stop = done ? "end_turn" : "tool_use";
      if (!wanted.stream) { answer.setHeader("content-type", "application/json"); answer.end(JSON.stringify({ ...message, content: [content], stop_reason: stop })); return; }
      const delta = done ? { type: "text_delta", text: "done" } : { type: "input_json_delta", partial_json: JSON.stringify(input) };
      const start = done ? { type: "text", text: "" } : { ...content, input: {} };
      answer.setHeader("content-type", "text/event-stream");
      for (const event of [
        { type: "message_start", message: { ...message, content: [], stop_reason: null } }, { type: "content_block_start", index: 0, content_block: start },
        { type: "content_block_delta", index: 0, delta }, { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } }, { type: "message_stop" },
      ]) answer.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      answer.end();
    });
  });
  server.listen(0, "127.0.0.1", () => ready({ port: server.address().port, close: () => server.closeAllConnections?.() ?? server.close() }));
});
const until = async (what, check, most = 60000) => {
  const end = Date.now() + most;
  for (;;) {
    const found = await check();
    if (found) return found;
    assert.ok(Date.now() < end, `never: ${what}`);
    await new Promise((next) => setTimeout(next, 10));
  }
};

let service = spawn(doorward, ["serve", "--state", state, "--port", "0"], { stdio: "ignore" });
let browser;
let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
try {
  await until("service", () => existsSync(socket));
  await until("answer", () => post("/healthz").then(() => true).catch(() => false));
  setPassphrase(doorward, state, "correct horse");
  const link = cli("console").trim();
  const origin = new URL(link).origin;

  browser = await playwright.chromium.launch({ executablePath: chromium, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
  const page = await context.newPage();
  const foreign = [], complaints = [];
  let dialogs = 0;
  page.on("request", (asked) => { if (!asked.url().startsWith(origin) && !asked.url().startsWith("data:")) foreign.push(asked.url()); });
  page.on("console", (line) => { if (line.type() === "error") complaints.push(`${line.text()} ${line.location().url}`); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => { dialogs += 1; void dialog.dismiss(); });

  // Presses a key until nothing is open: a question that has just come isn't answered by a key meant for another.
  const answerAll = async (key) => {
    while ((await post("/v1/approvals")).body.approvals.length) { await page.keyboard.press(key); await page.waitForTimeout(200); }
    await page.getByText("Nothing waits for you.").waitFor();
  };
  const pressUntil = async (key, there) => {
    while (!(await there.count())) { await page.keyboard.press(key); await page.waitForTimeout(200); }
  };

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

  const asked = await decide({ command: "rm -rf src" });
  assert.equal(asked.body.decision, "REQUIRE_USER_CONFIRMATION", JSON.stringify(asked.body));
  await page.locator(".dialog").getByText("rm").first().waitFor();
  check("a pending call appears");
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
  await answerAll("a");
  const again = await decide({ command: "rm -rf src" });
  assert.equal(again.body.decision, "ALLOW", JSON.stringify(again.body));
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, "REQUIRE_USER_CONFIRMATION", "one use");
  check("keyboard alone: approved, the identical call passes once, the next is asked again");
  await page.locator(".dialog").waitFor();
  await answerAll("d");
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
    await answerAll("d");
  }
  assert.equal(dialogs, 0);
  check("hostile text is shown and does nothing");

  const go = async (key, name) => {
    await page.keyboard.press("g"); await page.keyboard.press(key);
    await page.locator(`nav button[aria-current=page]`).getByText(name).waitFor();
  };
  const pages = [["q", "Queue"], ["t", "Timeline"], ["p", "Sessions"], ["o", "Overview"], ["r", "Rules"], ["e", "Guardian"], ["f", "Findings"], ["s", "Settings"]];
  for (const [key, name] of pages) {
    await go(key, name);
    if (name === "Timeline") await page.locator(".row .what").first().waitFor();
    if (name === "Overview") await page.locator(".chart rect").first().waitFor();
    if (name === "Guardian") {
      assert.ok((await page.locator("#security-analyzer option").allTextContents()).includes("ToolShield Analyzer"));
      await page.locator("#security-analyzer").selectOption("toolshield");
      await page.locator("#toolshield-loaded").getByText(/^[1-9]\d* experiences are loaded/).waitFor();
      assert.deepEqual((await post("/v1/settings")).body.analyzers.list, ["toolshield"], "chosen is in force");
      assert.match(readFileSync(join(state, "doorward.toml"), "utf8"), /list = \["toolshield"\]/);
      await page.locator("#security-analyzer").selectOption("effects");
      await until("the choice is taken back", async () => (await post("/v1/settings")).body.analyzers.list.length === 0);
      assert.ok((await post("/v1/records?kind=note")).body.records.some((note) => note.code === "approvals.setting"), "and on record");
      await page.evaluate(() => document.activeElement?.blur());
    }
    if (shots && name !== "Queue") { await page.waitForTimeout(300); await page.screenshot({ path: join(shots, `console-${name.toLowerCase()}.png`) }); }
  }
  check("every page opens by keyboard; pictures are drawn; the analyzer list has ToolShield");

  // The editor shows the line of a fault; the simulator says what decides.
  await go("r", "Rules");
  await page.locator("#editor").fill("@id(\"a\")\npermit(principal, action, resource);\n@id(\"b\")\nforbid(principal, action, resource) when { nonsense };\n");
  await page.locator("#editor-fit").getByText(/^line 4:/).waitFor();
  await page.locator("#editor-form").selectOption("allow");
  await page.locator("#editor").fill("shell(git status)\nshell(ls*)");
  await page.locator("#editor-fit").getByText(/^line 2:/).waitFor();
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("#simulation .verdict").waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  check("the editor points at the line, the simulator decides");

  // Always: shown by keyboard, saved as shown, and the next call passes.
  await go("q", "Queue");
  await decide({ command: "touch notes-20261122T0448.txt && touch b.txt" });
  const readable = await decide({ command: "npm run build --workspace web" });
  if (readable.body.decision === "REQUIRE_USER_CONFIRMATION") {
    await page.locator(".queue .entry").getByText("npm run build").first().click();
    await page.locator("#dialog .args").getByText("npm").first().waitFor();
    await page.waitForTimeout(600);
    await pressUntil("A", page.locator("#rule-past"));
    assert.match(await page.locator("#rule-text").inputValue(), /shell\(npm run build --workspace web\)/);
    if (shots) await page.screenshot({ path: join(shots, "console-always.png") });
    await page.locator("#rule-save").focus();
    await page.keyboard.press("Enter");
    await page.locator("#rule-save").waitFor({ state: "detached" });
    const saved = join(state, "rules.toml");
    await until("the rule that was shown is in the file", () => existsSync(saved) && readFileSync(saved, "utf8").includes("shell(npm run build --workspace web)"));
    assert.equal((await decide({ command: "npm run build --workspace web" })).body.decision, "ALLOW");
    await go("r", "Rules");
    await page.locator("#saved-rules").getByText("npm run build").waitFor();
    await page.locator("#saved-rules").getByRole("button", { name: "Take back" }).click();
    await page.locator("#saved-rules").getByText("Nobody saved a rule yet.").waitFor();
    check("always: shown, saved as shown, in force, listed, taken back");
  } else console.log(`  (always not tried: ${readable.body.code})`);
  await go("q", "Queue");
  await answerAll("d");

  // Editing: other arguments are judged anew and asked as a question of their own; a yes to it refuses the first.
  const first = await decide({ command: "npm run wide" });
  assert.equal(first.body.decision, "REQUIRE_USER_CONFIRMATION", JSON.stringify(first.body));
  await page.locator("#dialog .args").getByText("wide").waitFor();
  await page.keyboard.press("e");
  await page.locator("#edit-text").fill(JSON.stringify({ command: "npm run narrow" }));
  if (shots) await page.screenshot({ path: join(shots, "console-edit.png") });
  await page.keyboard.press("Tab"); await page.keyboard.press("Tab"); await page.keyboard.press("Enter");
  await page.locator("#edited-from").waitFor();
  await page.locator("#dialog .args").getByText("narrow").waitFor();
  await page.waitForTimeout(600);
  await page.evaluate(() => document.activeElement?.blur());
  await answerAll("a");
  assert.equal((await decide({ command: "npm run narrow" })).body.decision, "ALLOW", "the edited call passes");
  assert.equal((await decide({ command: "npm run wide" })).body.decision, "REQUIRE_USER_CONFIRMATION", "the first doesn't");
  await page.locator("#dialog").waitFor();
  await answerAll("d");
  check("e edits: judged anew, approved, the first one refused");

  // Undo: a yes that wasn't used is taken back.
  await decide({ command: "rm -rf src" });
  await page.locator("#dialog").waitFor();
  await page.waitForTimeout(600);
  if (await phrase.count()) { await page.keyboard.press("i"); await page.keyboard.type("I confirm"); await page.keyboard.press("Escape"); }
  await pressUntil("a", page.getByText("It can be taken back"));
  await page.keyboard.press("u");
  await page.getByText("It can be taken back").waitFor({ state: "detached" });
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, "REQUIRE_USER_CONFIRMATION", "taken back");
  check("u takes an unused yes back");

  // A second tab: both show it; the one that comes late is told what was answered.
  await answerAll("d");
  await decide({ command: "npm run late" });
  const tab = await context.newPage();
  await tab.goto(`${origin}/`);
  await tab.locator("#dialog").waitFor();
  // It doesn't hear of the other's answer. A page behind another may get its keys late.
  await tab.route("**/v1/approvals", (route) => route.abort());
  await page.locator("#dialog").waitFor();
  await answerAll("d");
  await tab.waitForTimeout(800);
  await tab.keyboard.press("a");
  await tab.locator(".said").getByText(/denied/).first().waitFor();
  await tab.close();
  check("a second tab is told that it was answered elsewhere");

  // An edit is shown as a change.
  const edit = await decide({ path: "/etc/hosts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" }, "fs:write");
  if (edit.body.decision === "REQUIRE_USER_CONFIRMATION") {
    await page.locator(".diff .del").getByText("two").waitFor();
    await page.locator(".diff .ins").getByText("2").waitFor();
    await answerAll("d");
    check("an edit is a diff");
  }

  // A real Claude Code, its model on loopback: the call waits here and is answered by keyboard alone.
  const claude = process.env.DOORWARD_TOOLS && join(process.env.DOORWARD_TOOLS, "node_modules/.bin/claude");
  if (claude && existsSync(claude)) {
    for (const yes of [true, false]) {
      const model = await fakeModel("Bash", { command: "touch ran.txt", description: "x" });
      const settings = join(folder, "claude.json");
      cli("install", "claude-code", "--file", settings);
      writeFileSync(join(state, "doorward.toml"), "[hooks]\nask = \"queue\"\n[rules]\nask = [\"shell(touch *)\"]\n");
      rmSync(join(project, "ran.txt"), { force: true });
      const home = join(folder, "home");
      mkdirSync(home, { recursive: true });
      const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude"), ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`, ANTHROPIC_API_KEY: "sk-fake", IS_SANDBOX: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", DISABLE_ERROR_REPORTING: "1" };
      const agent = spawn(claude, ["-p", "please run it", "--output-format", "json", "--permission-mode", "default", "--settings", settings], { cwd: project, env, stdio: ["ignore", "ignore", "ignore"] });
      const ended = new Promise((done) => agent.on("exit", done));
      await page.locator("#dialog .args").getByText("touch").first().waitFor({ timeout: 120000 });
      if (shots && yes) await page.screenshot({ path: join(shots, "console-claude-code.png") });
      await page.waitForTimeout(600);
      await answerAll(yes ? "a" : "d");
      await ended;
      model.close();
      assert.equal(existsSync(join(project, "ran.txt")), yes, yes ? "allowed, so it ran" : "denied, so it didn't run");
    }
    writeFileSync(join(state, "doorward.toml"), "");
    check("a real Claude Code waits in the queue and is answered by keyboard alone: it runs, it is refused");
  } else console.error("SKIPPED: the Claude Code test needs @anthropic-ai/claude-code below DOORWARD_TOOLS: cargo xtask tools");

  // axe on every page, both schemes, wide and narrow. It needs eval, so it runs in a context of its own without the CSP.
  let axe;
  try { axe = createRequire(import.meta.url).resolve("axe-core", { paths: [import.meta.dirname, process.env.DOORWARD_TOOLS].filter(Boolean) }); } catch { console.error("SKIPPED: the accessibility test needs axe-core: npm ci in console/"); }
  if (axe) {
    await decide({ command: "rm -rf src" });
    const plain = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 860 } });
    const own = await page.evaluate(() => localStorage.getItem("doorward.token"));
    await plain.addInitScript((token) => { localStorage.setItem("doorward.token", token); }, own);
    const looked = await plain.newPage();
    await looked.goto(`${origin}/`);
    await looked.locator("#dialog").waitFor();
    const serious = [];
    let looks = 0;
    for (const scheme of ["light", "dark"]) {
      for (const width of [1280, 360]) {
        await looked.emulateMedia({ colorScheme: scheme });
        await looked.setViewportSize({ width, height: 860 });
        for (const [key, name] of pages) {
          await looked.evaluate(() => document.activeElement?.blur());
          await looked.keyboard.press("g"); await looked.keyboard.press(key);
          await looked.locator("nav button[aria-current=page]").getByText(name).waitFor();
          await looked.waitForTimeout(250);
          // With what the page unfolds: the editor and the rule of a question, a record, a session.
          const unfold = { Queue: ["#dialog"], Timeline: [".row .what button"], Sessions: [".list button"] }[name];
          if (unfold) await looked.locator(unfold[0]).first().waitFor();
          if (name === "Queue") { await looked.keyboard.press("e"); await looked.locator("#edit-text").waitFor(); await looked.evaluate(() => document.activeElement?.blur()); await looked.keyboard.press("A"); await looked.locator(".always textarea").first().waitFor(); }
          else if (unfold) await looked.locator(unfold[0]).first().click();
          await looked.waitForTimeout(150);
          if (!(await looked.evaluate(() => "axe" in window))) await looked.addScriptTag({ path: axe });
          const { violations } = await looked.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag22aa", "best-practice"] }));
          looks += 1;
          for (const one of violations) serious.push(`${name} ${scheme} ${width}: ${one.impact} ${one.id}: ${one.nodes[0].html.slice(0, 140)}`);
          const wide = await looked.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
          if (wide > 0) serious.push(`${name} ${width}: ${wide} px wider than the window`);
        }
      }
    }
    assert.deepEqual([...new Set(serious)], []);
    await plain.close();
    await answerAll("d");
    check(`axe finds nothing on ${looks} views`);
  }

  // The service goes and comes back: nothing is approvable meanwhile, and the question is still there.
  await decide({ command: "rm -rf src" });
  await page.locator("#dialog").waitFor();
  const over = new Promise((done) => service.on("exit", done));
  service.kill("SIGTERM");
  await over;
  await page.locator(".banner").waitFor();
  await page.waitForTimeout(600);
  await page.keyboard.press("a");
  service = spawn(doorward, ["serve", "--state", state, "--port", new URL(origin).port], { stdio: "ignore" });
  await until("the service again", () => post("/healthz").then(() => true).catch(() => false), 60000);
  assert.equal((await post("/v1/approvals")).body.approvals.length, 1, "still open");
  await page.locator(".banner").waitFor({ state: "detached", timeout: 60000 });
  await answerAll("d");
  check("a restart: the banner, nothing approvable, the question is still there");

  await decide({ command: "rm -rf src" });
  await page.locator(".dialog").waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 360, height: 780 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360), "no sideways scrolling at 360 px");
  if (shots) await page.screenshot({ path: join(shots, "console-phone-dark.png") });
  check("dark, 360 px wide");

  // Lifting a stop takes a person who has shown who they are; the restart locked approving again.
  await page.locator("#passphrase").fill("correct horse");
  await page.keyboard.press("Enter");
  await page.getByText("Unlocked").waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Control+Shift+K"); await page.keyboard.press("Control+Shift+K");
  await page.getByText("Everything is stopped").waitFor();
  const stopped = await decide({ command: "ls" });
  assert.equal(stopped.body.code, "kill_switch", JSON.stringify(stopped.body));
  await page.locator(".kill input").fill("I confirm");
  await page.waitForTimeout(200);
  await page.locator(".kill input").press("Enter");
  await page.locator("#kill").waitFor();
  assert.notEqual((await decide({ command: "ls" })).body.code, "kill_switch");
  check("the kill switch denies everything and its open questions, and is lifted by the phrase");

  assert.deepEqual(foreign, []);
  const real = complaints.filter((line) => !/401|403|409|ERR_CONNECTION|ERR_INCOMPLETE|ERR_FAILED|NetworkError/.test(line));
  assert.deepEqual(real, [], "no CSP violation, no error");
  check("no request left the origin, no CSP violation");
  console.log(`${passed} checks passed`);
} finally {
  await browser?.close();
  service.kill("SIGTERM");
}
