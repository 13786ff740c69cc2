// Every page by its address, with Back and reload; the timeline's filters and exports; sessions as stories; rules that are
// in force, tried, written and taken back; the guardian's model set up and tested; the overlay of keys; empty states.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { day } from "./day.mjs";
import { PAGES, goTo, open, serve, tools, unlockAt, until } from "./harness.mjs";

const found = tools("the test of addresses");
if (!found) process.exit(0);

let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };

// An empty service: every page says what to do.
{
  const service = await serve(found);
  const { browser, page, seen } = await open(found, service);
  try {
    for (const [hash, text] of [
      ["queue", "Nothing waits for you."], ["timeline", "No calls yet"], ["timeline?verdict=DENY", "No call fits these filters"], ["sessions", "No sessions yet"], ["overview", "No calls yet"],
      ["rules", "Nobody saved a rule yet."], ["rules/try", "Nothing tried yet"], ["tools", "No MCP server yet"], ["guardian", "No model is set up"], ["findings", "Nothing was noticed"], ["timeline/01UNKNOWN", "There is no call of that name"],
    ]) {
      await page.evaluate((hash) => { location.hash = `#/${hash}`; }, hash);
      await page.getByText(text).first().waitFor();
    }
    assert.deepEqual(seen.complaints, []);
    check("an empty page says what to do");
  } finally { await browser.close(); await service.end(); }
}

// A model that is always ready, in the wire format of OpenAI's chat.
const model = await new Promise((ready) => {
  const server = createServer((asked, answer) => {
    asked.resume();
    asked.on("end", () => { answer.setHeader("content-type", "application/json"); answer.end(JSON.stringify({ id: "1", object: "chat.completion", model: "m", choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "ready" } }], usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } })); });
  });
  server.listen(0, "127.0.0.1", () => ready({ url: `http://127.0.0.1:${server.address().port}/v1`, close: () => { server.closeAllConnections(); server.close(); } }));
});

const service = await serve(found);
const { projects } = await day(service);
const { browser, page, seen, origin } = await open(found, service, { acceptDownloads: true });
const fresh = async (hash) => { await page.goto("about:blank"); await page.goto(`${origin}/${hash}`); };
const rows = () => page.locator(".calls .line");
const calls = async (query) => (await service.post(`/v1/calls?limit=500${query}`)).body.calls;
const heading = (name) => page.locator("h1").getByText(new RegExp(`^${name}$`, "i"));
try {
  for (const [, name] of PAGES) {
    await fresh(`#/${name}`);
    await heading(name).waitFor();
    await page.reload();
    await heading(name).waitFor();
    assert.equal(new URL(page.url()).hash, `#/${name}`);
    assert.equal(await page.locator(".rail a[aria-current=page]").getAttribute("href"), `#/${name}`);
  }
  for (const [key, name] of PAGES) { await goTo(page, key, name); await heading(name).waitFor(); }
  check(`${PAGES.length} pages by address, by reload and by key`);

  const open_ = await service.pending();
  const one = open_.find((own) => own.args.command === "npm install left-pad");
  for (const hash of [`#/queue/${one.id}`, `#approval=${one.id}`]) {
    await fresh(hash);
    await page.locator("#dialog h2").getByText("npm install left-pad").waitFor();
    await page.reload();
    await page.locator("#dialog h2").getByText("npm install left-pad").waitFor();
  }
  const all = await calls("");
  const refused = all.find((own) => own.args.command === "cat .env");
  const settled = (await service.post("/v1/approvals?all=true")).body.approvals.find((own) => own.decision === refused.id);
  await fresh(`#/queue/${settled.id}`);
  await page.locator("#settled").getByText("Denied").first().waitFor();
  await page.locator("#settled").getByText("Not needed for this task.").waitFor();
  check("a question by its address, open or answered, and by the link of a chat channel");

  await fresh(`#/timeline/${refused.id}`);
  await page.locator("#call h2").getByText("cat .env").waitFor();
  for (const step of ["A person was asked", "Denied"]) await page.locator("#call .steps").getByText(step).first().waitFor();
  await page.reload();
  await page.locator("#call h2").getByText("cat .env").waitFor();
  await fresh(`#/sessions/${refused.session}`);
  await page.locator("#session .steps").getByText("cat .env").waitFor();
  assert.ok(await page.locator(".flow path").count() >= 4, "what flowed where is drawn");
  assert.ok(await page.locator(".flow path.stopped").count() >= 1, "what was refused is drawn as stopped");
  await page.getByText("As a table").click();
  assert.equal(await page.locator("#session table tbody tr").count(), await page.locator(".flow path").count(), "and told in words");
  check("a record and a session by their addresses");

  await fresh("#/queue");
  await page.locator("#dialog").waitFor();
  await goTo(page, "t", "timeline");
  await until("a row a call", async () => (await rows().count()) > 10);
  await page.locator("#filter-verdict").selectOption("DENY");
  const denied = await calls("&verdict=DENY");
  await until("the denied", async () => (await rows().count()) === denied.length);
  await rows().first().locator("a").click();
  await page.locator("#call").waitFor();
  const where = () => new URL(page.url()).hash;
  assert.match(where(), /^#\/timeline\/\w+\?verdict=DENY$/);
  await page.keyboard.press("j");
  await until("the next one", async () => where().includes(denied[1].id));
  await page.goBack();
  await until("back at the list", async () => where() === "#/timeline?verdict=DENY");
  await page.locator("#call").waitFor({ state: "detached" });
  await page.goBack();
  await until("without the filter", async () => where() === "#/timeline" && (await rows().count()) > denied.length);
  await page.goBack();
  await page.locator("#dialog").waitFor();
  await page.goForward();
  await until("forward again", async () => where() === "#/timeline");
  check("Back takes back a call, a filter and a page, one at a time");

  for (const [name, value, query] of [
    ["agent", "codex", "&agent=codex"], ["tool", "net:fetch", "&tool=net:fetch"], ["risk", "HIGH", "&risk=HIGH"], ["project", projects[1], `&project=${encodeURIComponent(projects[1])}`], ["rule", "agent.data-loss.confirm", "&rule=agent.data-loss.confirm"],
  ]) {
    await page.locator(`#filter-${name}`).selectOption(value);
    const wanted = await calls(query);
    assert.ok(wanted.length > 0 && wanted.length < all.length, `${name}: ${wanted.length} of ${all.length}`);
    await until(name, async () => (await rows().count()) === wanted.length);
    await page.locator(`#filter-${name}`).selectOption("");
    await until("all again", async () => (await rows().count()) > wanted.length);
  }
  await page.locator("#filter").fill("base64");
  await until("by text", async () => (await rows().count()) === 1);
  await page.reload();
  await until("by text after a reload", async () => (await rows().count()) === 1);
  await page.locator("#filter").fill("");
  await until("all again", async () => (await rows().count()) > 10);
  const saved = async (name) => { const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]); return readFileSync(await file.path(), "utf8"); };
  const lines = (await saved("JSONL")).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map((line) => line.id), all.map((line) => line.id));
  assert.ok(lines.find((line) => line.id === refused.id).life.some((step) => step.decision === "denied"), "with its life");
  assert.equal((await saved("CSV")).trim().split("\r\n").length, all.length + 1);
  await page.getByRole("button", { name: "Verify" }).click();
  await page.locator("#verified").getByText(/^Intact: \d+ records/).waitFor();
  check("the timeline: filters by agent, tool, risk, project, rule and text; exports; the ledger verified");

  // Rules in force, packs included, with this week's matches.
  await goTo(page, "r", "rules");
  const rule = page.locator(".rule", { hasText: "Destroys data in a database or store." });
  await rule.getByText("agent.data-loss.confirm").waitFor();
  assert.match(await rule.locator(".week").innerText(), new RegExp(`^1 of ${all.length} calls$`));
  assert.match(await page.locator(".rule", { hasText: "shell(npm publish *)" }).locator(".week").innerText(), /^1 of/);
  await page.locator("#filter").fill("database");
  await until("one rule", async () => (await page.locator(".rule").count()) === 1);
  await page.locator("#filter").fill("");
  await page.getByRole("link", { name: "Try a command" }).click();
  await page.locator("#simulated").fill("psql -c 'DROP TABLE users'");
  await page.locator("#simulate").click();
  await page.locator("#simulation .verdict").getByText("Ask").waitFor();
  await page.reload();
  await page.locator("#simulation .verdict").getByText("Ask").waitFor();
  await page.locator("#simulated").fill("ls");
  await page.locator("#simulate").click();
  await page.locator("#simulation .verdict").getByText("Allow").waitFor();
  check("rules in force with their matches; a plain command is tried, and the address keeps it");

  await unlockAt(page);
  await fresh("#/rules/write");
  await page.locator("#rule-draft").fill("shell(npm *)");
  await page.getByText("name what you mean").waitFor();
  assert.ok(await page.locator("#rule-keep").isDisabled(), "what is too wide can't be saved");
  await page.locator("#rule-draft").fill("shell(npm install left-pad)");
  await page.getByText(/It would have allowed 1 of the last/).waitFor();
  assert.equal((await service.post("/v1/rules", { verdict: "allow", rule: "shell(npm install left-pad)" })).status, 403, "saving takes a person, not a credential");
  await page.locator("#rule-keep").click();
  await page.locator("#write-rule .said, #write-rule .ok").getByText(/./).first().waitFor();
  const refusedHere = await page.locator("#write-rule").innerText();
  assert.match(refusedHere, /passphrase/, "a page that was loaded anew is locked");
  await unlockAt(page);
  await page.evaluate(() => { location.hash = "#/rules/write"; });
  await page.locator("#rule-draft").fill("shell(npm install left-pad)");
  await page.getByText(/It would have allowed 1 of the last/).waitFor();
  await page.locator("#rule-keep").click();
  await page.locator("#write-rule .ok").getByText("Kept.").waitFor();
  const left = () => service.decide({ command: "npm install left-pad" });
  assert.equal((await left()).body.decision, "ALLOW", "in force");
  await page.getByRole("link", { name: "In force" }).click();
  await page.locator("section", { hasText: "Saved by people" }).getByText("shell(npm install left-pad)").waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByText("Nobody saved a rule yet.").waitFor();
  assert.notEqual((await left()).body.decision, "ALLOW", "taken back");
  const notes = (await service.post("/v1/records?kind=note")).body.records.map((note) => note.code);
  assert.ok(notes.includes("approvals.rule_saved") && notes.includes("approvals.rule_revoked"), notes.join());
  await page.getByRole("link", { name: "Policy editor" }).click();
  await page.locator("#editor").fill("@id(\"a\")\npermit(principal, action, resource);\n@id(\"b\")\nforbid(principal, action, resource) when { nonsense };\n");
  await page.locator("#editor-fit").getByText(/^line 4:/).waitFor();
  await page.locator("#editor-form").selectOption("allow");
  await page.locator("#editor").fill("shell(git status)\nshell(ls*)");
  await page.locator("#editor-fit").getByText(/^line 2:/).waitFor();
  check("a rule is tried on the week, saved by a person, in force, on record, taken back; the editor names the line");

  await goTo(page, "e", "guardian");
  await page.locator("#security-analyzer").waitFor();
  assert.ok((await page.locator("#security-analyzer option").allTextContents()).includes("ToolShield Analyzer"));
  await page.locator("#security-analyzer").selectOption("toolshield");
  await page.locator("#toolshield-loaded").getByText(/^[1-9]\d* experiences are loaded/).waitFor();
  assert.match(readFileSync(join(service.state, "doorward.toml"), "utf8"), /list = \["toolshield"\]/);
  await page.locator("#security-analyzer").selectOption("effects");
  await until("the choice is taken back", async () => (await service.post("/v1/settings")).body.analyzers.list.length === 0);
  await page.locator("#guardian-provider").selectOption("openai-compatible");
  await page.locator("#guardian-name").fill("m");
  await page.locator("#guardian-url").fill(model.url);
  await page.locator("#guardian-save").click();
  await page.locator("#guardian-told").getByText("Kept.").waitFor();
  assert.equal((await service.post("/v1/settings")).body.guardian.model, "openai-compatible/m", "in force");
  await page.locator("#guardian-test").click();
  await page.locator("#guardian-told.ok").getByText(/^openai-compatible\/m answered in \d+ ms/).waitFor();
  model.close();
  await page.locator("#guardian-test").click();
  await page.locator("#guardian-told.said").getByText(/could not be reached|no answer/).waitFor({ timeout: 60000 });
  await page.locator("#guardian-provider").selectOption("");
  await page.locator("#guardian-save").click();
  await until("no model", async () => (await service.post("/v1/settings")).body.guardian.model === null);
  check("the guardian: an analyzer chosen, a model set up, tested, gone, taken out");

  await goTo(page, "f", "findings");
  await page.locator(".rule", { hasText: "flow.secret_to_egress" }).locator(".week a").click();
  await until("its calls", async () => where().startsWith("#/timeline?text=") && (await rows().count()) === 1);
  await goTo(page, "s", "settings");
  await page.locator("#language").selectOption("de");
  await heading("Einstellungen").waitFor();
  await page.reload();
  await heading("Einstellungen").waitFor();
  await page.locator("#language").selectOption("en");
  await page.locator("#theme").selectOption("dark");
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
  await page.locator("#theme").selectOption("auto");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("?");
  await page.locator("#keys[open]").getByText("Allow once").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#keys[open]").waitFor({ state: "detached" });
  await page.locator("#keys-on").selectOption("off");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("?");
  assert.equal(await page.locator("#keys[open]").count(), 0, "single keys are off");
  await page.locator("#keys-on").selectOption("on");
  check("findings lead to their calls; language, colours and keys are kept; the keys are an overlay");

  assert.deepEqual(seen.foreign, []);
  const real = seen.complaints.filter((line) => !/ 40[39]| 404/.test(line));
  assert.deepEqual(real, [], "no CSP violation, no error");
  console.log(`${passed} checks passed`);
} finally { await browser.close(); await service.end(); }
