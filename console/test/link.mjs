// The sign-in link in a real browser: pasted into the page that isn't signed in, into the address of an open tab, used
// twice, and the link of one question.
//
// DOORWARD: the binary to test. CHROMIUM: the browser. Skips loudly where one is missing.

import assert from "node:assert/strict";
import { built, open, serve, tools } from "./harness.mjs";

const found = tools("the test of the sign-in link");
if (!found) process.exit(0);

const service = await serve(found);
const { browser, origin, page: first } = await open(found, service);
let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };

// A page of nobody, at this address; what is pasted there is pasted into its field.
const signedOut = async (path) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await built(context);
  await page.goto(`${origin}/${path}`);
  await page.locator("#link").waitFor();
  return page;
};
const paste = async (page, text) => { await page.locator("#link").fill(text); await page.keyboard.press("Enter"); };

try {
  await service.decide({ command: "rm -rf src" });
  const [question] = await service.pending();
  await service.decide({ command: "rm -rf src/other" });
  await first.close();

  const page = await signedOut(`#/queue/${question.id}`);
  assert.ok(await page.locator("#link").evaluate((field) => field === document.activeElement), "the field has the focus");
  assert.equal(await page.locator("#dialog").count(), 0, "nothing is shown to nobody");
  const link = service.cli("console", "--print");
  await paste(page, link);
  await page.locator("#dialog").waitFor();
  assert.equal(new URL(page.url()).hash, `#/queue/${question.id}`, "it stays at the question that its address named");
  assert.match(await page.locator("#dialog h2").first().innerText(), /rm -rf src$/);
  assert.ok(!page.url().includes("login"), "and the code is in no address");
  check("a link pasted into the signed-out page signs in, and its question stays");

  const second = await signedOut("");
  await paste(second, link);
  await second.getByText("this link was used or has lapsed").waitFor();
  assert.ok(await second.locator("#link").isVisible(), "another link can be pasted");
  assert.equal(await second.locator("#dialog").count(), 0);
  check("a link works once; a second use is told so");

  await paste(second, "nonsense");
  await second.waitForTimeout(500);
  assert.equal(await second.locator("#dialog").count(), 0);
  await second.getByText("this link was used or has lapsed").waitFor();
  const [, code] = /#login=([^&]+)/.exec(service.cli("console", "--print"));
  await paste(second, code);
  await second.locator("#dialog").waitFor();
  check("nonsense is refused, and the bare code of a new link is enough");

  const third = await signedOut(`#/queue/${question.id}`);
  const fresh = service.cli("console", "--print");
  await third.evaluate((hash) => { location.hash = hash; }, new URL(fresh).hash);
  await third.locator("#dialog").waitFor();
  assert.ok(!third.url().includes("login"));
  check("a link that is pasted into the address of an open tab signs it in");

  await third.reload();
  await third.locator("#dialog").waitFor();
  check("whoever is signed in stays so over a reload");
  console.log(`${passed} checks passed`);
} finally { await browser.close(); await service.end(); }
