// An agent of the Vercel AI SDK whose tool runs only what Doorward allows. A person has 20 seconds for each question; what
// isn't allowed is told to the model.
//
//     doorward serve &
//     npm run build && node dist/examples/vercel-ai.js http://127.0.0.1:8080/v1 MODEL "List the files here."

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { pathToFileURL } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, type LanguageModel, stepCountIs, tool } from "ai";
import { z } from "zod";
import { Client, guarded } from "../src/index.js";

const shell = async (command: string) => (await promisify(execFile)("sh", ["-c", command])).stdout;

/** Runs the agent to its end. `run` is what carries a command out. */
export async function agent(client: Client, model: LanguageModel, prompt: string, run = shell): Promise<string> {
  const command = tool({
    description: "Runs a shell command.",
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => run(command),
  });
  const tools = { run: guarded(client, command, { tool: "shell:execute", cwd: process.cwd() }, 20) };
  return (await generateText({ model, prompt, tools, stopWhen: stepCountIs(8) })).text;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [baseURL = "", model = "", prompt = ""] = process.argv.slice(2);
  const provider = createOpenAICompatible({ name: "own", baseURL, apiKey: process.env.API_KEY ?? "none" });
  console.log(await agent(new Client(), provider(model), prompt));
}
