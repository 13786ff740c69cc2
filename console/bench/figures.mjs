// Figures of the console in a real Chromium, outside of the tests: they depend on what else the machine does, so the load
// is told with them.
//
//   node bench/figures.mjs visible   request to visible, 200 questions open
//   node bench/figures.mjs many      500 questions open and 100,000 records: what an interaction takes
//   node bench/figures.mjs streams   1,000 listeners: when the last one hears, and the service's memory
//
// DOORWARD, DOORWARD_TOOLS, CHROMIUM as for the tests.

import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { open, serve, tools, until } from "../test/harness.mjs";

const found = tools("a figure");
if (!found) process.exit(1);
const quantile = (all, q) => [...all].sort((one, other) => one - other)[Math.min(all.length - 1, Math.ceil(all.length * q) - 1)];
const told = (name, all, unit = "ms") => console.log(`${name}: n ${all.length}, p50 ${quantile(all, 0.5).toFixed(0)}, p95 ${quantile(all, 0.95).toFixed(0)}, max ${Math.max(...all).toFixed(0)} ${unit}`);
const load = () => loadavg().map((one) => one.toFixed(1)).join(" ");
const body = (command) => ({ principal: { id: "agent-a" }, action: "tool:execute", resource: { type: "tool", name: "shell:execute", attributes: { args: { command } } }, context: { cwd: "/w", session_id: "figures" } });

// Many calls at a time over kept connections.
async function decideAll(service, commands, width = 48) {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const socketPath = join(service.state, "doorward.sock");
  const one = (command) => new Promise((done, failed) => {
    const sent = request({ socketPath, agent, path: "/v1/decide", method: "POST", headers: { host: "doorward", "content-type": "application/json" } }, (answer) => { answer.resume(); answer.on("end", done); });
    sent.on("error", failed);
    sent.end(JSON.stringify(body(command)));
  });
  const left = commands[Symbol.iterator]();
  await Promise.all(Array.from({ length: width }, async () => { for (const command of left) await one(command); }));
  agent.destroy();
}
const asks = (state) => writeFileSync(join(state, "doorward.toml"), "[approvals]\ntimeout_s = 7200\n[rules]\nask = [\"shell(ls *)\"]\n");
function* names(count, command) { for (let at = 0; at < count; at += 1) yield command(at); }

async function visible() {
  const service = await serve(found, asks);
  await decideAll(service, names(200, (at) => `ls open-${at}`), 8);
  const { browser, page } = await open(found, service);
  try {
    await until("all are there", async () => (await page.title()).startsWith("(200)"));
    await page.evaluate(() => {
      window.seen = {};
      new MutationObserver(() => {
        const text = document.querySelector(".queue")?.textContent ?? "";
        for (const [, word] of text.matchAll(/(fresh-\d+)/g)) if (!(word in window.seen)) { window.seen[word] = 0; requestAnimationFrame(() => { window.seen[word] = Date.now(); }); }
      }).observe(document.getElementById("app"), { subtree: true, childList: true, characterData: true });
    });
    const took = [];
    const before = load();
    for (let at = 0; at < 130; at += 1) {
      const word = `fresh-${at}`;
      const sent = Date.now();
      const asked = await service.post("/v1/decide", body(`rm -rf ${word}`));
      const shown = await until(word, () => page.evaluate((own) => window.seen[own], word));
      // The first ones warm up.
      if (at >= 10) took.push(shown - sent);
      await service.post(`/v1/approvals/${asked.body.confirmation.confirmationId}/answer`, { answer: "no" });
      await until("answered", async () => (await page.title()).startsWith("(200)"));
    }
    told("request to visible, 200 open", took);
    console.log(`load before ${before}, after ${load()}`);
  } finally { await browser.close(); await service.end(); }
}

async function many() {
  const service = await serve(found, asks);
  const rows = Number(process.env.ROWS ?? 100_000);
  let started = Date.now();
  await decideAll(service, names(rows, (at) => `cat file-${at % 500}`));
  await decideAll(service, names(500, (at) => `ls open-${at}`), 8);
  const { records } = (await service.post("/v1/records?limit=1")).body;
  console.log(`${records[0].index + 1} records and 500 questions made in ${((Date.now() - started) / 1000).toFixed(0)} s`);
  started = Date.now();
  const { browser, page } = await open(found, service);
  try {
    await until("all are there", async () => (await page.title()).startsWith("(500)"));
    console.log(`the page is there after ${Date.now() - started} ms`);
    // From the event to the frame in which what it does is drawn.
    const frames = (act) => page.evaluate(async (act) => {
      const from = performance.now();
      if (act.key) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: act.key, bubbles: true }));
      if (act.scroll) document.querySelector(act.scroll).scrollTop = act.to;
      if (act.type) { const field = document.querySelector(act.type); field.value = act.text; field.dispatchEvent(new Event("input", { bubbles: true })); }
      await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
      return performance.now() - from;
    }, act);
    const before = load();
    const measure = async (name, acts) => { const took = []; for (const act of acts) { took.push(await frames(act)); await page.waitForTimeout(30); } told(name, took); };
    await measure("j, 500 open", Array.from({ length: 60 }, () => ({ key: "j" })));
    await measure("scrolling the queue", Array.from({ length: 60 }, (_, at) => ({ scroll: ".window.queue", to: at * 600 })));
    await page.keyboard.press("g"); await page.keyboard.press("t");
    await page.locator(".calls .line a").first().waitFor();
    await measure("scrolling the timeline", Array.from({ length: 60 }, (_, at) => ({ scroll: ".window.calls", to: (at % 15) * 600 })));
    const filled = [];
    for (let at = 1; at <= 10; at += 1) {
      const from = Date.now();
      const size = await page.evaluate(() => { const box = document.querySelector(".window.calls"); box.scrollTop = box.scrollHeight; return box.scrollHeight; });
      await page.waitForFunction((size) => document.querySelector(".window.calls").scrollHeight > size, size, { polling: 10 });
      filled.push(Date.now() - from);
    }
    told("200 further calls of the timeline", filled);
    await measure("g q g t: a page from another", Array.from({ length: 20 }, (_, at) => ({ key: at % 2 ? "t" : "g" })));
    for (const [name, path] of [["overview of a day", "/v1/overview?hours=24"], ["200 calls", "/v1/calls?limit=200"], ["a filter over all calls", "/v1/calls?limit=200&text=file-499"], ["calls of a project that has none", "/v1/calls?limit=200&project=/none"], ["rules in force with their week", "/v1/rules/in-force"], ["500 questions", "/v1/approvals"]]) {
      const took = [];
      for (let at = 0; at < 10; at += 1) { const from = Date.now(); await service.post(path); took.push(Date.now() - from); }
      told(name, took);
    }
    console.log(`load before ${before}, after ${load()}`);
  } finally { await browser.close(); await service.end(); }
}

async function streams() {
  const service = await serve(found, asks);
  const count = Number(process.env.LISTENERS ?? 1_000);
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))[1]) / 1024;
  const link = new URL(service.cli("console"));
  const login = await fetch(`${link.origin}/v1/login`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code: link.hash.slice("#login=".length) }) });
  const authorization = `Bearer ${(await login.json()).token}`;
  const [quiet, before] = [memory(), load()];
  const heard = new Map();
  const open_ = [];
  let up = 0;
  await Promise.all(Array.from({ length: count }, (_, at) => new Promise((done, failed) => {
    const sent = request({ host: link.hostname, port: link.port, path: "/v1/events", headers: { authorization }, agent: false }, (answer) => {
      answer.on("data", (piece) => {
        const text = piece.toString();
        if (text.includes("event: hello")) { up += 1; done(); }
        for (const [, word] of text.matchAll(/(tell-\d+)/g)) { const own = heard.get(word); if (own && !own.has(at)) own.set(at, Date.now()); }
      });
      answer.on("error", () => {});
    });
    sent.on("error", failed);
    sent.end();
    open_.push(sent);
  })));
  const listening = memory();
  const last = [];
  for (let at = 0; at < 20; at += 1) {
    const word = `tell-${at}`;
    heard.set(word, new Map());
    const from = Date.now();
    await service.post("/v1/decide", body(`ls ${word}`));
    await until("everyone heard", () => heard.get(word).size === count);
    last.push(Math.max(...heard.get(word).values()) - from);
  }
  console.log(`${up} listeners; memory ${quiet.toFixed(0)} MB before, ${listening.toFixed(0)} MB with them, ${memory().toFixed(0)} MB after`);
  told("until the last of them heard", last);
  console.log(`load before ${before}, after ${load()}`);
  for (const one of open_) one.destroy();
  await service.end();
}

const all = { visible, many, streams };
for (const name of process.argv.slice(2).length ? process.argv.slice(2) : Object.keys(all)) await all[name]();
