// A real Claude Code whose call waits in the queue: answered by keyboard alone, it runs; denied, it doesn't. Its model is on
// loopback. Needs @anthropic-ai/claude-code below DOORWARD_TOOLS.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { answerAll, open, serve, tools, unlockAt } from "./harness.mjs";
import { lacking } from "./lacking.mjs";

const found = tools("the test with Claude Code");
if (!found) process.exit(0);
const claude = process.env.DOORWARD_TOOLS && join(process.env.DOORWARD_TOOLS, "node_modules/.bin/claude");
if (!claude || !existsSync(claude)) {
  lacking("the test with Claude Code needs @anthropic-ai/claude-code below DOORWARD_TOOLS: cargo xtask tools");
  process.exit(0);
}

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

const service = await serve(found);
const { browser, page } = await open(found, service);
try {
  await unlockAt(page);
  for (const yes of [true, false]) {
    const model = await fakeModel("Bash", { command: "touch ran.txt", description: "x" });
    const settings = join(service.folder, "claude.json");
    service.cli("install", "claude-code", "--file", settings);
    writeFileSync(join(service.state, "doorward.toml"), "[hooks]\nask = \"queue\"\n[rules]\nask = [\"shell(touch *)\"]\n");
    const ran = join(service.project, "ran.txt");
    rmSync(ran, { force: true });
    const home = join(service.folder, "home");
    mkdirSync(home, { recursive: true });
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, ".claude"), ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`, ANTHROPIC_API_KEY: "sk-fake", IS_SANDBOX: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", DISABLE_ERROR_REPORTING: "1" };
    const agent = spawn(claude, ["-p", "please run it", "--output-format", "json", "--permission-mode", "default", "--settings", settings], { cwd: service.project, env, stdio: ["ignore", "ignore", "ignore"] });
    const ended = new Promise((done) => agent.on("exit", done));
    await page.locator("#dialog h2").getByText("touch ran.txt").waitFor({ timeout: 120000 });
    await page.locator("#dialog .waits").getByText("Waits").waitFor({ timeout: 30000 });
    await page.waitForTimeout(600);
    await answerAll(page, service, yes ? "a" : "d");
    await ended;
    model.close();
    assert.equal(existsSync(ran), yes, yes ? "allowed, so it ran" : "denied, so it didn't run");
  }
  console.log("ok a real Claude Code waits in the queue and is answered by keyboard alone: it runs, it is refused");
} finally { await browser.close(); await service.end(); }
