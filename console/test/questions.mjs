// Questions in a real browser, answered by keyboard alone: allow once, deny, always, edit, undo, together, in two tabs,
// over a restart of the service; the kill switch.
//
// DOORWARD: the binary to test. DOORWARD_TOOLS: where playwright-core may be installed beside this folder's own.
// CHROMIUM: the browser. Skips loudly where one is missing.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answerAll, built, critical, goTo, open, pressUntil, serve, tools, unlock, unlockAt, until } from "./harness.mjs";

const found = tools("the test of questions");
if (!found) process.exit(0);

// Every language has every word, and none is empty.
const words = (name) => [...readFileSync(join(import.meta.dirname, `../src/words/${name}.ts`), "utf8").matchAll(/^ {2}(\w+): "((?:[^"\\]|\\.)*)",$/gm)].map(([, key, text]) => { assert.ok(text.length > 0, key); return key; });
assert.ok(words("en").length > 150);
assert.deepEqual(words("de"), words("en"), "the languages have the same words");

const service = await serve(found, critical);
const { decide, post } = service;
const link = service.cli("console");
const { browser, context, page, seen, origin } = await open(found, service, {}, link);
let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
const ASK = "REQUIRE_USER_CONFIRMATION";
const title = (text) => page.locator("#dialog h2").getByText(text).first();
const shown = async (text) => { await title(text).waitFor(); await page.waitForTimeout(600); };
const phrase = page.locator("#phrase");
const typePhrase = async () => { if (await phrase.count()) { await page.keyboard.press("i"); await page.keyboard.type("I confirm"); await page.keyboard.press("Escape"); } };
try {
  assert.ok(!page.url().includes("login"), "the code is gone from the address bar");
  const second = await (await browser.newContext()).newPage();
  await built(second.context());
  await second.goto(link);
  await second.getByText("doorward console", { exact: true }).waitFor();
  await second.close();
  check("the login link opens the console, leaves the address bar, and works once");

  const asked = await decide({ command: "rm -rf src" });
  assert.equal(asked.body.decision, ASK, asked.text);
  await title("rm").waitFor();
  assert.equal(await page.title(), "(1) Doorward");
  await unlock(page);
  check("a pending call appears without a reload; the passphrase unlocks approving in place");

  await page.keyboard.press("w");
  await page.locator("#trace").waitFor();
  await page.keyboard.press("w");
  await decide({ command: "rm -rf src/one" });
  await page.locator(".queue .entry").nth(1).click();
  await page.keyboard.press("a");
  assert.equal((await service.pending()).length, 2, "the focus guard or the phrase held it");
  await answerAll(page, service, "d");
  check("approving is dead for half a second after another question is shown; denying isn't");

  await decide({ command: "rm -rf src" });
  await shown("rm");
  await typePhrase();
  await answerAll(page, service, "a");
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, "ALLOW", "the identical call passes");
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, ASK, "once");
  await shown("rm");
  await page.keyboard.press("r");
  await page.keyboard.type("Keep the sources.");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing waits for you.").waitFor();
  const last = (await post("/v1/approvals?all=true")).body.approvals.find((one) => one.answer_reason !== "");
  assert.equal(last.answer_reason, "Keep the sources.");
  check("keyboard alone: allowed once; denied with a reason for the agent");

  // What is critical takes the phrase, typed: nothing else approves it, and there is no rule for it.
  await decide({ command: "deployctl apply" });
  await shown("deployctl");
  await page.keyboard.press("a");
  await page.keyboard.press("s");
  assert.equal((await service.pending()).length, 1, "not without the phrase");
  assert.equal(await page.getByRole("button", { name: /Always/ }).count(), 0);
  await typePhrase();
  assert.equal(await phrase.inputValue(), "I confirm");
  await answerAll(page, service, "a");
  assert.equal((await decide({ command: "deployctl apply" })).body.decision, "ALLOW");
  check("a critical question takes the typed phrase");

  for (const [text, wanted] of [
    ["<script>alert(1)</script>", "<script>alert(1)</script>"], ["<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"], ["/w/invoice\u202efdp.exe", "U+202E"], ["rm\u200b -rf /w/x", "U+200B"],
    ["ok\u{e0072}\u{e0075}\u{e006e}", "3 invisible characters"], ["[click](javascript:alert(1)) https://evil.example.net/", "[click](javascript:alert(1))"],
  ]) {
    const answer = await decide({ command: `rm -rf src; echo ${JSON.stringify(text)}`, description: text });
    assert.ok(answer.body.confirmation, answer.text);
    await page.locator("#dialog .args").getByText(wanted, { exact: false }).first().waitFor();
    assert.equal(await page.locator("#app script, #app img, #dialog a:not([href^='#/']), #app iframe").count(), 0);
    assert.ok(!/[\u202a-\u202e\u200b\u{e0000}-\u{e007f}]/u.test(await page.locator("#app").innerText()), "raw control in the page");
    await answerAll(page, service, "d");
  }
  check("hostile text is shown and does nothing");

  // What was encoded is read beside what was written.
  await decide({ command: `echo ${Buffer.from("rm -rf ./src").toString("base64")} | base64 -d | sh` });
  await page.locator("#reads-as .plainly").getByText("rm -rf ./src").waitFor();
  await page.locator("#effects").getByText("Deletes").waitFor();
  assert.equal(await page.locator("#dialog .tree, #dialog pre:not(#reads-as pre)").count(), 0, "no JSON before one asks for it");
  await page.keyboard.press("v");
  await page.locator("#dialog .args").getByText('"command"').waitFor();
  await answerAll(page, service, "d");
  check("an encoded command is decoded beside the raw text; JSON only behind raw");

  // An edit is a diff first.
  const edit = await decide({ path: "src/hosts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" }, "fs:write");
  assert.equal(edit.body.decision, ASK, edit.text);
  await page.locator(".diff .del").getByText("two").waitFor();
  await page.locator(".diff .ins").getByText("2").waitFor();
  const order = await page.evaluate(() => document.querySelector(".diff").compareDocumentPosition(document.querySelector(".why")) & Node.DOCUMENT_POSITION_FOLLOWING);
  assert.ok(order, "the diff comes before the reason");
  await answerAll(page, service, "d");
  check("an edit is a diff first");

  // Always: shown by keyboard, saved as shown, and the next call passes.
  const build = { command: "npm run build --workspace web" };
  assert.equal((await decide(build)).body.decision, ASK);
  await shown("npm run build");
  await pressUntil(page, "A", page.locator("#rule-past"));
  assert.match(await page.locator("#rule-text").inputValue(), /shell\(npm run build --workspace web\)/);
  await page.locator("#rule-save").focus();
  await page.keyboard.press("Enter");
  await page.locator("#rule-save").waitFor({ state: "detached" });
  const file = join(service.state, "rules.toml");
  await until("the rule that was shown is in the file", () => existsSync(file) && readFileSync(file, "utf8").includes("shell(npm run build --workspace web)"));
  assert.equal((await decide(build)).body.decision, "ALLOW");
  await goTo(page, "r", "rules");
  await page.locator(".rule").getByText("npm run build").waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.locator(".rule").getByText("npm run build").waitFor({ state: "detached" });
  // The yes that saved the rule wasn't used yet: it counts once, and no more.
  await decide(build);
  assert.equal((await decide(build)).body.decision, ASK, "taken back");
  await goTo(page, "q", "queue");
  await answerAll(page, service, "d");
  check("always: shown, saved as shown, in force, listed, taken back");

  // Other arguments are judged anew and asked as a question of their own; a yes to it refuses the first.
  await decide({ command: "npm run wide" });
  await shown("wide");
  await page.keyboard.press("e");
  await page.locator("#edit-text").fill(JSON.stringify({ command: "npm run narrow" }));
  await page.keyboard.press("Tab"); await page.keyboard.press("Tab"); await page.keyboard.press("Enter");
  await page.locator("#edited-from").waitFor();
  await shown("narrow");
  await page.evaluate(() => document.activeElement?.blur());
  await answerAll(page, service, "a");
  assert.equal((await decide({ command: "npm run narrow" })).body.decision, "ALLOW", "the edited call passes");
  assert.equal((await decide({ command: "npm run wide" })).body.decision, ASK, "the first doesn't");
  await title("wide").waitFor();
  await answerAll(page, service, "d");
  check("e edits: judged anew, approved, the first one refused");

  await decide({ command: "rm -rf src" });
  await shown("rm");
  await typePhrase();
  await pressUntil(page, "a", page.getByText("It can be taken back"));
  // The service answers late: until then the page doesn't say that the yes is gone.
  await page.route("**/recall", async (route) => { await new Promise((next) => setTimeout(next, 400)); await route.continue(); });
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await page.getByText("It can be taken back").waitFor({ state: "detached" });
  await page.unroute("**/recall");
  assert.equal((await decide({ command: "rm -rf src" })).body.decision, ASK, "taken back");
  await title("rm").waitFor();
  await answerAll(page, service, "d");
  check("u takes an unused yes back");

  // Questions by session; those that are alike are answered together, the riskier one stays.
  mkdirSync(join(service.project, "src"), { recursive: true });
  writeFileSync(join(service.project, "src/only.js"), "1\n");
  for (const [command, session] of [["npm run one", "left"], ["npm run two", "left"], ["rm -rf src", "left"], ["npm run three", "right"]]) await decide({ command }, "shell:execute", { session_id: session });
  await page.locator(".queue .bunch").nth(1).waitFor();
  assert.equal(await page.locator(".queue .bunch").count(), 2, "two sessions");
  await page.getByRole("button", { name: "Select 2" }).click();
  await page.locator(".batch").getByText("2 selected").waitFor();
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Allow marked" }).click();
  await until("two are left", async () => (await service.pending()).length === 2);
  assert.ok((await service.pending()).every((one) => /rm -rf src|three/.test(one.args.command)), "the risky one and the other session's stay");
  // While the pointer is over the list, what arrives stays behind the rest.
  await page.mouse.move(400, 400);
  await page.mouse.move(400, 410);
  await decide({ command: "npm run held" }, "shell:execute", { session_id: "left" });
  await page.locator(".queue .bunch").nth(2).waitFor();
  await page.mouse.move(1200, 300);
  await page.locator(".queue .bunch").nth(2).waitFor({ state: "detached" });
  await decide({ command: "npm run four" }, "shell:execute", { session_id: "left" });
  await page.getByRole("button", { name: "Deny all 3" }).click();
  await until("one is left", async () => (await service.pending()).length === 1);
  await answerAll(page, service, "d");
  check("a queue by session: alike ones allowed together, a session denied as a whole");

  // A second tab: both show it; the one that comes late is told what was answered.
  await decide({ command: "npm run late" });
  const tab = await context.newPage();
  await tab.goto(`${origin}/`);
  await tab.locator("#dialog").waitFor();
  await tab.route("**/v1/approvals", (route) => route.abort());
  await title("late").waitFor();
  await answerAll(page, service, "d");
  await tab.waitForTimeout(800);
  await tab.keyboard.press("a");
  await tab.locator(".said").getByText(/denied/).first().waitFor();
  await tab.close();
  check("a second tab is told that it was answered elsewhere");

  // Who waits: a caller that waits right now, and one that was told to come again.
  const waited = await decide({ command: "npm run waits" });
  const id = waited.body.confirmation.confirmationId;
  await page.locator("#dialog .late").getByText("Late").waitFor();
  const answer = post(`/v1/approvals/${id}/wait?seconds=30`);
  await until("its caller waits", async () => (await service.pending()).find((one) => one.id === id)?.waiting === true);
  await page.reload();
  await page.locator("#dialog .waits").getByText("Waits").waitFor();
  await page.waitForTimeout(600);
  await answerAll(page, service, "d");
  assert.equal((await answer).body.outcome, "denied");
  check("the page says whether the agent waits or was told to come again");

  // The service goes and comes back: nothing is approvable meanwhile, and the question is still there.
  await decide({ command: "rm -rf src" });
  await title("rm").waitFor();
  await service.stop();
  await page.locator(".banner").getByText("Not connected").waitFor();
  await page.waitForTimeout(600);
  await page.keyboard.press("a");
  await service.again(new URL(origin).port);
  assert.equal((await service.pending()).length, 1, "still open");
  await page.locator(".banner").waitFor({ state: "detached", timeout: 60000 });
  await answerAll(page, service, "d");
  check("a restart: the banner, nothing approvable, the question is still there");

  // Lifting a stop takes a person who has shown who they are; the restart locked approving again.
  await unlockAt(page);
  await page.keyboard.press("Control+Shift+K"); await page.keyboard.press("Control+Shift+K");
  await page.getByText("Everything is stopped").waitFor();
  assert.equal((await decide({ command: "ls" })).body.code, "kill_switch");
  await page.locator(".kill input").fill("I confirm");
  await page.locator(".kill input").press("Enter");
  await page.locator(".kill").waitFor({ state: "detached" });
  assert.notEqual((await decide({ command: "ls" })).body.code, "kill_switch");
  check("the kill switch denies everything, and is lifted by the phrase");

  assert.deepEqual(seen.foreign, []);
  assert.equal(seen.dialogs, 0);
  const real = seen.complaints.filter((line) => !/401|403|409|ERR_CONNECTION|ERR_INCOMPLETE|ERR_FAILED|NetworkError/.test(line));
  assert.deepEqual(real, [], "no CSP violation, no error");
  check("no request left the origin, no CSP violation");
  console.log(`${passed} checks passed`);
} finally { await browser.close(); await service.end(); }
