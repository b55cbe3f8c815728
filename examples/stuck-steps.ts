// Stuck detection over a stream of steps, with recovery: the agent is nudged first, and when that does not help, its
// conversation ends and a new one begins with another prompt. The agent runs the same failing command until it is told
// to go another way.
import assert from "node:assert/strict";
import { createRecovery, createStuckDetector, type Step } from "../src/index.ts";

async function* agent(prompt: string): AsyncGenerator<Step> {
  const command = prompt.includes("first time") ? "node other-way.js" : "npm test";
  for (let turn = 1; turn <= 10; turn += 1) {
    yield { kind: "tool_call", tool: "Bash", args: { command } };
    const isError = command === "npm test";
    const output = isError ? "Error: Cannot find module './missing.js' (took 1.2s)" : "all passed";
    yield { kind: "tool_result", tool: "Bash", output, isError };
    if (!isError) return;
  }
}

const nudges: string[] = [];
const prompts = ["Make the tests pass."];
const recovery = createRecovery({ limits: { attempts: 4 } });

for (let done = false; !done;) {
  const detector = createStuckDetector(); // one for each conversation
  const prompt = prompts.at(-1) ?? "";
  done = true;
  for await (const step of agent(prompt)) {
    const verdict = detector.step(step);
    if (verdict.level === "nudge" && step.kind === "tool_result") nudges.push(verdict.nudge ?? ""); // to be put into the conversation
    if (verdict.level !== "stuck") continue;
    const next = recovery.failed(verdict, { prompt });
    console.log(next.kind, next.because);
    if (next.kind !== "again") throw new Error(next.because);
    prompts.push(next.prompt);
    done = false;
    break;
  }
}

assert.equal(nudges.length, 1);
assert.equal(prompts.length, 2);
assert.match(prompts[1] ?? "", /read it as if for the first time[^]*Make the tests pass\./);
