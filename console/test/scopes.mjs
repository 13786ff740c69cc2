// Scopes in a real browser: allowing for a task, a pause that every page shows, a needless question, late ones folded away.
//
// DOORWARD: the binary to test. CHROMIUM: the browser. Skips loudly where one is missing.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerAll, goTo, open, serve, tools, unlock, until } from "./harness.mjs";

const found = tools("the test of scopes");
if (!found) process.exit(0);

const service = await serve(found, (state) => writeFileSync(join(state, "doorward.toml"), '[confirm]\npolicy = { kind = "AlwaysConfirm" }\n'));
const { decide } = service;
const { browser, page, seen } = await open(found, service);
let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
const ASK = "REQUIRE_USER_CONFIRMATION";
const verdict = async (command) => (await decide({ command })).body.decision;
try {
  assert.equal(await verdict("cargo test -p a"), ASK);
  await page.locator("#dialog").waitFor();
  await unlock(page);
  await page.waitForTimeout(600);
  await page.keyboard.press("T");
  await page.locator("#task").getByText("runs cargo test with any arguments").waitFor();
  await page.locator("#task").getByText("deletes files, or loses history").waitFor();
  await page.locator("#task-save").click();
  // The queue may be empty a moment before the grant is in force: the page offers to take the answer back once it is.
  await page.locator(".toast").waitFor();
  await page.getByText("Nothing waits for you.").waitFor();
  assert.equal(await verdict("cargo test -p b"), "ALLOW");
  assert.equal(await verdict("cargo publish"), ASK);
  check("a task is allowed after its scope is read, and nothing beyond");

  await page.locator("#dialog").waitFor();
  await page.keyboard.press("n");
  await page.locator("#always-title").waitFor();
  await page.keyboard.press("Escape");
  await answerAll(page, service, "d");
  await goTo(page, "o", "overview");
  await page.getByText("Found needless").waitFor();
  check("one key marks a question as needless and proposes the rule; the overview counts it");

  await goTo(page, "s", "settings");
  await page.locator("#pause").click();
  await page.locator("#paused").waitFor();
  await goTo(page, "t", "timeline");
  assert.match(await page.locator("#paused").innerText(), /^Paused until \d/);
  assert.equal(await verdict("cargo publish"), "ALLOW");
  assert.match(service.cli("status"), /only floors stop calls until/);
  await page.locator("#paused button").click();
  await page.locator("#paused").waitFor({ state: "detached" });
  await until("the pause is over", async () => (await verdict("cargo publish")) === ASK);
  check("a pause is on every page until it is ended there");

  await goTo(page, "q", "queue");
  await page.locator("#dialog").waitFor();
  assert.match(await page.title(), /^\(\d+\)/);
  // Three minutes later nobody waits for the answer any more.
  await page.evaluate(() => { const real = Date.now; Date.now = () => real() + 180_000; });
  await page.locator("#late").waitFor();
  assert.equal(await page.title(), "Doorward", "late ones leave the badge");
  assert.equal(await page.locator(".queue .entry").count(), 0);
  await page.locator("#late button").first().click();
  await page.locator(".queue .entry").first().waitFor();
  await page.locator("#late button").last().click();
  await page.getByText("Nothing waits for you.").waitFor();
  assert.equal((await service.pending()).length, 0);
  check("late questions fold away, leave the badge, and are denied together");

  assert.deepEqual(seen.foreign, []);
  assert.deepEqual(seen.complaints.filter((line) => !/401|403|409/.test(line)), []);
  console.log(`${passed} checks passed`);
} finally { await browser.close(); await service.end(); }
