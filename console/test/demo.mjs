// The demo's live question is answered in the console, by a key and by a tap on a phone, and the waiting call goes on.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { open, tools, until } from "./harness.mjs";

const found = tools("the demo's test");
if (!found) process.exit(0);

// A running demo, with what it said so far.
const start = () => {
  const child = spawn(found.doorward, ["serve", "--demo", "--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (piece) => { said += piece; });
  const end = async () => {
    const over = new Promise((done) => child.on("exit", done));
    child.kill("SIGTERM");
    await over;
  };
  return { said: () => said, end };
};

let passed = 0;
const check = (name) => { passed += 1; console.log(`ok ${passed} ${name}`); };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ways = [
  ["a key", {}, (page) => page.keyboard.press("a"), "You said yes"],
  ["a tap on a phone", PHONE, (page) => page.locator("#dialog").getByRole("button", { name: /^Allow/ }).first().tap(), "You said yes"],
  ["a no by a key", {}, (page) => page.keyboard.press("d"), "You said no"],
];
for (const [name, options, answer, then] of ways) {
  const demo = start();
  let browser = null;
  try {
    const link = await until("the link", () => demo.said().match(/http:\/\/127\.0\.0\.1:\d+\/\S*#login=\S+/)?.[0]);
    const opened = await open(found, null, options, link);
    ({ browser } = opened);
    const { page } = opened;
    await page.locator("#dialog").getByText("npm install left-pad").first().waitFor();
    // A question that has just come isn't answered by a key meant for another.
    await page.waitForTimeout(1200);
    await answer(page);
    await until(then, () => demo.said().includes(then));
    if (then === "You said yes") {
      await until("the waiting call goes on", () => /Allow\s+npm install left-pad/.test(demo.said().split(then)[1] ?? ""));
    }
    await page.getByText("Nothing waits for you.").first().waitFor();
    assert.equal(opened.seen.dialogs, 0);
    check(`the demo's live question: ${name}`);
  } finally {
    await browser?.close();
    await demo.end();
  }
}
console.log(`demo: ${passed} checks passed`);
