// What the page shows for hostile text, in a real browser: every row of render_cases.jsonl in the queue, in the details and
// in the raw view. DOORWARD_RENDER_CASES: another file of such rows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, serve, tools, until } from "./harness.mjs";

const found = tools("the render test");
if (!found) process.exit(0);
const rows = readFileSync(process.env.DOORWARD_RENDER_CASES ?? join(import.meta.dirname, "render_cases.jsonl"), "utf8").split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
// A number that no reader may round is written as it is.
const spelled = (value) => JSON.stringify(value).replace(/"raw:([^"]+)"/g, "$1");
const RAW = { "dom:raw-bidi": /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/, "raw-escape": /[\u001b\u009b]/ };

const service = await serve(found);
const { browser, page, seen } = await open(found, service);
try {
  const faults = [];
  for (const row of rows) {
    const call = `{"principal": {"id": "agent-a"}, "action": "tool:execute", "resource": {"type": "tool", "name": "own:show", "attributes": {"args": ${spelled(row.arguments)}}}, "context": {"cwd": "/w", "session_id": "render"}}`;
    const asked = await service.post("/v1/decide", call);
    const id = asked.body.confirmation?.confirmationId;
    assert.ok(id, `${row.id}: ${asked.text}`);
    await page.locator("#dialog .why").waitFor();
    await until(row.id, async () => (await page.locator("#dialog h2").count()) && (await page.title()).startsWith("(1)"));
    await page.locator("#dialog button[aria-expanded]").first().waitFor();
    for (const view of ["pretty", "raw"]) {
      const text = await page.locator("#app").innerText();
      const nodes = await page.evaluate(() => { const walk = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT); const all = []; while (walk.nextNode()) all.push(walk.currentNode.data); return all.join("\n"); });
      const marks = await page.locator("mark").allTextContents();
      const fault = (what) => faults.push(`${row.id} ${row.title} (${view}): ${what}`);
      for (const wanted of view === "pretty" ? row.must_show : []) {
        if (wanted.startsWith("mark:") ? !marks.includes(wanted.slice(5)) : !text.includes(wanted)) fault(`doesn't show ${wanted}`);
      }
      for (const never of row.must_not) {
        if (RAW[never]) { if (RAW[never].test(nodes)) fault(never); }
        else if (never === "link") { if (await page.locator("#app a[href]:not(.skip):not([href^='#/'])").count()) fault("a link"); }
        else if (never.startsWith("dom:")) { if (await page.locator(`#app ${never.slice(4)}`).count()) fault(never); }
        else if (never === "event:dialog") { if (seen.dialogs) fault(never); }
        else if (never.startsWith("request:")) { if (seen.foreign.some((url) => new URL(url).hostname === never.slice(8))) fault(never); }
        else if (never.startsWith("mark:")) { if (marks.includes(never.slice(5))) fault(never); }
        else if (text.includes(never)) fault(`shows ${never}`);
      }
      if (process.env.SHOTS && view === "pretty") await page.locator("#dialog").screenshot({ path: join(process.env.SHOTS, `${row.id}.png`) });
      await page.keyboard.press("v");
      await page.waitForTimeout(50);
    }
    while ((await service.pending()).length) { await page.keyboard.press("d"); await page.waitForTimeout(100); }
    await page.getByText("Nothing waits for you.").waitFor();
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(seen.foreign, []);
  assert.deepEqual(seen.complaints, [], "no CSP violation, no error");
  console.log(`ok ${rows.length} hostile texts are shown for what they are`);
} finally { await browser.close(); await service.end(); }
