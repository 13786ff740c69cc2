// How many keys, clicks and taps an answer takes, and what the console looks like: the pictures of docs/console come from
// here. SHOTS: the folder they go to; without it they are made and thrown away.
//
//   SHOTS=../docs/console node test/pictures.mjs

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day } from "./day.mjs";
import { built, critical, open, serve, tools, unlock, unlockAt, until } from "./harness.mjs";

const found = tools("the test of pictures");
if (!found) process.exit(0);
const shots = process.env.SHOTS ?? mkdtempSync(join(tmpdir(), "doorward-pictures-"));
mkdirSync(shots, { recursive: true });
const LARGEST = 150 * 1024;
const quantile = (all, q) => [...all].sort((one, other) => one - other)[Math.min(all.length - 1, Math.ceil(all.length * q) - 1)];

// Keys and clicks from the question on the screen to the answer at the caller, who waits for it.
async function timed(service, page) {
  const ways = {
    "allow by key": { hands: [["key", "a"]], command: (at) => `npm run allow-${at}`, ended: "allowed" },
    "deny by key": { hands: [["key", "d"]], command: (at) => `npm run deny-${at}`, ended: "denied" },
    "allow by click": { hands: [["click", "#dialog .yes"]], command: (at) => `npm run click-${at}`, ended: "allowed" },
    "allow what is critical, by keys": { hands: [["key", "i"], ...[..."I confirm"].map((key) => ["key", key === " " ? "Space" : key]), ["key", "Escape"], ["key", "a"]], command: (at) => `deployctl apply release-${at}`, ended: "allowed" },
    "deny with a reason, by keys": { hands: [["key", "r"], ...[..."no"].map((key) => ["key", key]), ["key", "Enter"]], command: (at) => `npm run reason-${at}`, ended: "denied" },
  };
  for (const [name, way] of Object.entries(ways)) {
    const took = [];
    for (let at = 0; at < 10; at += 1) {
      const command = way.command(at);
      const asked = await service.decide({ command });
      const id = asked.body.confirmation?.confirmationId;
      assert.ok(id, asked.text);
      const waits = service.post(`/v1/approvals/${id}/wait?seconds=30`);
      await page.locator("#dialog h2").getByText(command.slice(-12)).waitFor();
      assert.equal(await page.locator("#phrase").count(), way.hands.length > 10 ? 1 : 0, "the phrase is asked for where it is due");
      // Approving is dead for the first half second: a person reads for longer.
      await page.waitForTimeout(600);
      const began = performance.now();
      for (const [kind, what] of way.hands) await (kind === "key" ? page.keyboard.press(what) : page.locator(what).click());
      const ended = await waits;
      took.push(performance.now() - began);
      assert.equal(ended.body.outcome, way.ended, ended.text);
      await page.getByText("Nothing waits for you.").waitFor();
    }
    const count = (kind) => way.hands.filter(([own]) => own === kind).length;
    console.log(`${name}: ${count("key")} keys, ${count("click")} clicks, p50 ${quantile(took, 0.5).toFixed(0)} ms, max ${Math.max(...took).toFixed(0)} ms to the waiting caller`);
    assert.ok(way.hands.length <= 13);
  }
}

// A question on a phone: on the first screen, answered by one tap.
async function phone(service, browser, token, origin) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "en-US", deviceScaleFactor: 1 });
  await built(context);
  await context.addInitScript((token) => { localStorage.setItem("doorward.token", token); }, token);
  const page = await context.newPage();
  let taps = 0;
  const tap = async (what) => { taps += 1; await page.locator(what).tap(); };
  const frames = [];
  const frame = async (text) => frames.push([text, (await page.screenshot()).toString("base64")]);
  await page.goto(`${origin}/#/rules`);
  await unlock(page);
  await page.goto(`${origin}/#/queue`);
  await page.getByText("Nothing waits for you.").waitFor();
  await frame("Nothing to do");
  const asked = await service.decide({ command: "npm install left-pad" }, "shell:execute", { session_id: "phone", cwd: join(service.folder, "work/shop-web") });
  const id = asked.body.confirmation.confirmationId;
  const waits = service.post(`/v1/approvals/${id}/wait?seconds=30`);
  await page.locator("#dialog h2").getByText("npm install left-pad").waitFor();
  await page.locator("#effects").waitFor();
  await page.locator("#dialog .waits").waitFor();
  await page.waitForTimeout(600);
  const place = await page.locator("#dialog .yes").boundingBox();
  assert.ok(place.y > 844 / 2 && place.y + place.height <= 844 && place.height >= 48, "the button is in the first screen, where the thumb is");
  assert.ok((await page.locator("#effects").boundingBox()).y < 700, "and so is what the call would do");
  await frame("A question arrives");
  await tap("#dialog .yes");
  assert.equal((await waits).body.outcome, "allowed");
  await page.getByText("It can be taken back").waitFor();
  await frame("One tap: allowed");
  assert.ok(taps <= 2, `${taps} taps`);
  console.log(`ok a level-1 question on a phone: ${taps} tap`);
  await context.close();
  // The frames side by side.
  const strip = await (await browser.newContext({ viewport: { width: 1000, height: 730 }, deviceScaleFactor: 1 })).newPage();
  await strip.setContent(`<body style="margin:0;padding:20px;display:flex;gap:20px;background:#eceff4;font:600 15px Inter,system-ui,sans-serif;color:#14181f">${frames.map(([text, png], at) => `<figure style="margin:0;flex:1"><figcaption style="padding:0 0 8px">${at + 1}. ${text}</figcaption><img src="data:image/png;base64,${png}" style="width:100%;border-radius:18px;border:1px solid #d3d8e0"></figure>`).join("")}</body>`);
  await strip.screenshot({ path: join(shots, "phone-answer.png") });
}

async function pictures(page, origin, views) {
  for (const [name, hash, scheme, width, height, then] of views) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await page.evaluate((hash) => { location.hash = `#/${hash}`; }, hash);
    await page.waitForTimeout(700);
    if (then) await then();
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(shots, `${name}.png`) });
  }
}

const quick = await serve(found, critical);
{
  const { browser, page } = await open(found, quick);
  try { await unlockAt(page); await timed(quick, page); } finally { await browser.close(); await quick.end(); }
}

const service = await serve(found);
const { browser, page, origin } = await open(found, service, { viewport: { width: 1280, height: 800 } });
try {
  const token = await page.evaluate(() => localStorage.getItem("doorward.token"));
  await phone(service, browser, token, origin);
  await unlockAt(page);
  const { projects } = await day(service);
  const open_ = await service.pending();
  const question = (text) => `queue/${open_.find((one) => JSON.stringify(one.args).includes(text)).id}`;
  const calls = (await service.post("/v1/calls?limit=100")).body.calls;
  const denied = calls.find((one) => /paste.example/.test(one.args.command ?? ""));
  await until("the questions are there", async () => (await page.title()) === `(${open_.length}) Doorward`);
  await pictures(page, origin, [
    ["queue", question("base64"), "light", 1280, 800], ["queue-dark", question("base64"), "dark", 1280, 800], ["edit", question("trust_proxy"), "light", 1280, 800], ["timeline", `timeline/${denied.id}`, "light", 1000, 620],
    ["session", `sessions/${denied.session}`, "light", 1120, 700], ["session-dark", `sessions/${denied.session}`, "dark", 1120, 700], ["overview", "overview", "light", 1280, 800], ["rules", "rules", "light", 1280, 800],
    ["try", `rules/try?command=${encodeURIComponent("rm -rf build && git push --force")}&cwd=${encodeURIComponent(projects[0])}`, "light", 1280, 800], ["guardian", "guardian", "light", 1280, 800], ["tablet", question("DROP TABLE"), "light", 768, 1024],
    ["phone-dark", question("trust_proxy"), "dark", 390, 844], ["keys", question("left-pad"), "light", 1280, 800, () => page.keyboard.press("?")],
  ]);
  for (const name of readdirSync(shots).filter((one) => one.endsWith(".png"))) {
    const size = statSync(join(shots, name)).size;
    assert.ok(size > 5000 && size < LARGEST, `${name}: ${size} bytes`);
    assert.equal(readFileSync(join(shots, name)).subarray(1, 4).toString(), "PNG");
  }
  console.log(`ok ${readdirSync(shots).length} pictures`);
} finally { await browser.close(); await service.end(); }
