// A robust loop around `generateText` of the AI SDK. To keep this repository small, `generateText` below stands in for
// the one of the package `ai`: it is called alike and throws an error of the shape of `APICallError`. In your code:
//   import { generateText } from "ai";
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createRecovery } from "../src/index.ts";
import { fault, say, startModelServer } from "../src/testing/index.ts";

async function robustText(task: string, models: readonly string[]): Promise<string> {
  const recovery = createRecovery({ models, limits: { attempts: 6 } });
  let [prompt, model] = [task, models[0] ?? ""];
  for (;;) {
    try {
      // The policy decides about every attempt, so the SDK's own retries are off.
      const { text } = await generateText({ model, prompt, maxRetries: 0 });
      return text;
    } catch (error) {
      const next = recovery.failed(error, { prompt });
      console.log(next.kind, next.because);
      if (next.kind === "give-up") throw error;
      if (next.kind === "ask") prompt = recovery.answered(await askPerson(next.question)).prompt;
      if (next.kind === "wait") await sleep(Math.min(next.ms, 10)); // as long as the test has
      if (next.kind === "again") ({ prompt, model = model } = next);
    }
  }
}

const questions: string[] = [];
async function askPerson(question: string): Promise<string> {
  questions.push(question);
  return "I have put in a new key. Answer in English.";
}

const turns = [fault("server_error"), fault("bad_key"), say("Hello.")] as const;
const server = await startModelServer({ unlucky: { by: "request", turns } });

async function generateText(call: { model: string; prompt: string; maxRetries: number }) {
  const url = `${server.at("unlucky", "run")}/v1/chat/completions`;
  const messages = [{ role: "user", content: call.prompt }];
  const body = JSON.stringify({ model: call.model, messages });
  const response = await fetch(url, { method: "POST", body });
  const responseBody = await response.text();
  if (!response.ok)
    throw Object.assign(new Error(`${response.status}`), {
      name: "AI_APICallError",
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    });
  const { choices } = JSON.parse(responseBody) as { choices: { message: { content: string } }[] };
  return { text: choices[0]?.message.content ?? "" };
}

assert.equal(await robustText("Greet me.", ["small", "large"]), "Hello.");
assert.deepEqual(questions, ["Can you log in or give the agent a key for the service it needs?"]);
assert.match(server.requests("run").at(-1)?.user[0] ?? "", /^Greet me\.[^]*Answer in English\./);
await server.close();
