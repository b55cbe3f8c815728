// A robust loop around any OpenAI-compatible API with plain fetch. The model here is scripted: it is overloaded, then
// limits the rate, then gives a wrong answer, then a right one.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createRecovery } from "../src/index.ts";
import { fault, say, startModelServer } from "../src/testing/index.ts";

const turns = [fault("overloaded"), fault("rate_limited", 0), say("41"), say("42")] as const;
const server = await startModelServer({ flaky: { by: "request", turns } });
const url = `${server.at("flaky", "run")}/v1/chat/completions`;

async function complete(prompt: string): Promise<string> {
  const messages = [{ role: "user", content: prompt }];
  const body = JSON.stringify({ model: "small", messages });
  const response = await fetch(url, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text(), { cause: response });
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? "";
}

async function solve(task: string): Promise<string> {
  const recovery = createRecovery({ limits: { attempts: 5, waitMs: 60_000 } });
  let prompt = task;
  for (;;) {
    let next;
    try {
      const answer = await complete(prompt);
      if (answer === "42") return answer;
      next = recovery.failed(`${answer} is wrong`, { prompt, failing: ["the answer"] });
    } catch (error) {
      next = recovery.failed(error, { prompt });
    }
    console.log(next.kind, next.because);
    if (next.kind === "again") prompt = next.prompt;
    else if (next.kind === "wait")
      await sleep(Math.min(next.ms, 10)); // as long as the test has
    else throw new Error(next.because);
  }
}

assert.equal(await solve("What is six times seven?"), "42");
const asked = server.requests("run").map(({ user }) => user[0] ?? "");
assert.equal(asked.length, 4);
assert.equal(asked[2], "What is six times seven?", "after a wait the prompt is the same");
assert.match(asked[3] ?? "", /^What is six times seven\?[^]*41 is wrong/, "and then it says more");
await server.close();
