// A loop guard in your own agent: nudge the model first, stop it when that does not help.
import assert from "node:assert/strict";
import { createStuckDetector } from "../src/index.ts";

// An agent that asks the same thing again and again, as agents do.
const model = { nextCall: () => ({ tool: "Bash", args: { command: "npm test" } }) };
const tools = { run: () => "Error: Cannot find module './missing.js' (took 1.2s)" };

const detector = createStuckDetector();
const nudges: string[] = [];
let stopped = "";

for (let turn = 1; turn <= 10 && stopped === ""; turn += 1) {
  const { tool, args } = model.nextCall();
  detector.step({ kind: "tool_call", tool, args });
  const verdict = detector.step({ kind: "tool_result", tool, output: tools.run(), isError: true });
  if (verdict.level === "nudge") nudges.push(verdict.nudge ?? "");
  if (verdict.level === "stuck") stopped = `${verdict.reason}, since step ${verdict.loopStart}`;
}

console.log(nudges[0]);
console.log(`stopped: ${stopped}`);
assert.equal(nudges.length, 1);
assert.match(stopped, /Bash called 4 times/);
