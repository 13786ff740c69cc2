// Accessibility of every page with real data: axe at three widths, light and dark, with everything unfolded; no sideways
// scrolling; targets of 44 px on a phone. axe needs eval, so it runs in a context without the CSP; places.mjs proves the CSP.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { day } from "./day.mjs";
import { built, critical, open, serve, tools, until } from "./harness.mjs";
import { lacking } from "./lacking.mjs";

const found = tools("the accessibility test");
if (!found) process.exit(0);
let axe;
try { axe = createRequire(import.meta.url).resolve("axe-core", { paths: found.places }); } catch {
  lacking("the accessibility test needs axe-core: npm ci in console/");
  process.exit(0);
}

const service = await serve(found, critical);
await day(service);
const { browser, page: first, origin } = await open(found, service);
const token = await first.evaluate(() => localStorage.getItem("doorward.token"));
const context = await browser.newContext({ bypassCSP: true, locale: "en-US", reducedMotion: "reduce" });
await built(context);
await context.addInitScript((token) => { localStorage.setItem("doorward.token", token); }, token);
const page = await context.newPage();
const calls = (await service.post("/v1/calls?limit=100")).body.calls;
const encoded = calls.find((one) => /base64/.test(one.args.command ?? ""));
const question = (await service.pending()).find((one) => /left-pad/.test(one.args.command ?? ""));
const answered = (await service.post("/v1/approvals?all=true")).body.approvals.find((one) => one.state === "denied");
// A question that takes the phrase.
const gone = (await service.decide({ command: "deployctl apply" })).body.confirmation?.confirmationId;
const press = (key) => async () => { await page.evaluate(() => document.activeElement?.blur()); await page.keyboard.press(key); };
const views = [
  ["queue", "#dialog .why"], [`queue/${question.id}`, "#dialog .effects", async () => { await press("w")(); await press("e")(); await page.locator("#edit-text").waitFor(); await press("A")(); await page.locator(".always dl").waitFor(); }],
  [`queue/${gone}`, "#phrase"], ["queue?list=1", "#dialog, .side"], [`queue/${answered.id}`, "#settled"], ["timeline", ".calls .line"], [`timeline/${encoded.id}`, "#call .steps", () => page.getByRole("button", { name: "Raw" }).click()],
  ["sessions", ".list a"], [`sessions/${encoded.session}`, "#session .flow", () => page.getByText("As a table").click()], ["overview", ".chart rect"], ["rules", ".rule"], ["rules/try?command=git+push+--force", "#simulation"], ["rules/write", "#rule-draft", () => page.locator("#rule-draft").fill("shell(npm install left-pad)")],
  ["rules/policy", "#editor-fit"], ["guardian", "#guardian-model", () => page.locator("#guardian-provider").selectOption("ollama")], ["findings", ".rule"], ["settings", "#asking"], ["settings", "#asking", () => press("?")()],
];
const serious = new Set();
let looks = 0;
try {
  await page.goto(`${origin}/`);
  await page.locator("#dialog").waitFor();
  for (const scheme of ["light", "dark"]) {
    for (const width of [1440, 768, 390]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      for (const [hash, there, unfold] of views) {
        // Each view is come to from a page of its own, so that nothing is left unfolded from the one before.
        await page.keyboard.press("Escape");
        await page.evaluate(() => { location.hash = "#/rules/policy"; });
        await page.locator("#editor").waitFor();
        await page.evaluate((hash) => { location.hash = `#/${hash}`; }, hash);
        await page.locator(there).first().waitFor({ state: "attached" });
        if (unfold) await unfold();
        await page.waitForTimeout(150);
        if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: axe });
        const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] }));
        looks += 1;
        for (const one of violations) for (const node of one.nodes.slice(0, 3)) serious.add(`${hash.replace(/01[0-9A-Z]{24}/, "ID")} ${scheme} ${width}: ${one.impact} ${one.id}: ${node.html.slice(0, 160)}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (wide > 0) serious.add(`${hash} ${width}: ${wide} px wider than the window`);
        const small = width > 390 ? [] : await page.evaluate(() => [...document.querySelectorAll("button, .button, .tabs a, input:not([type=checkbox]), select")]
          .filter((one) => one.checkVisibility() && !one.matches(".link, .fold") && one.getBoundingClientRect().height < 44 && !one.closest("dialog:not([open])")).map((one) => one.outerHTML.slice(0, 100)));
        for (const one of small) serious.add(`${hash} ${width}: lower than 44 px: ${one}`);
      }
    }
  }
  for (const one of serious) console.error(one);
  assert.equal(serious.size, 0);
  await until("all were looked at", async () => looks === views.length * 6);
  console.log(`ok axe finds nothing on ${looks} views; none is wider than its window`);
} finally { await browser.close(); await service.end(); }
