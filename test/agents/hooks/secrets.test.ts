// proves: U12
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { refusal } from "../../../src/agents/hooks/diagnosis.ts";
import { stepOf } from "../../../src/agents/hooks/hook-step.ts";
import type { Step } from "../../../src/core/stuck/step.ts";
import { inFolder, unstuck } from "../../cli/command.ts";

/** Put together, so that no scanner takes this file for a leak. */
const BODY = "qX7vR2mK9pL4tW8zB3nD6yF1hJ5sG0cA";
const KEY = `sk-${"ant"}-api03-${BODY}`;
const OTHER_KEY = `sk-${"ant"}-api03-${[...BODY].reverse().join("")}`;
const OWN = "zebra-crossing-99";
const PASSWORD = "corr3ct-horse-battery";

/** Every byte below a folder, names of files too. */
function everyByte(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((one) => join(one.parentPath, one.name) + (one.isFile() ? contents(one) : ""))
    .join("\n");
}
const contents = ({ parentPath, name }: { parentPath: string; name: string }): string =>
  readFileSync(join(parentPath, name), "latin1");

test("nothing that the hook keeps holds a secret of a command, its output or the environment", () => {
  inFolder((folder) => {
    const home = join(folder, "state");
    const env = { UNSTUCK_HOME: home, UNSTUCK_RUN: "", MY_TOKEN: OWN };
    const hook = (input: string): string => {
      const { code, out } = unstuck(["hook", "claude"], { input, env, cwd: folder });
      assert.equal(code, 0);
      return out;
    };
    const say = (name: string, more: object): string =>
      hook(JSON.stringify({ session_id: "s", cwd: "/w", hook_event_name: name, ...more }));
    const command = `curl -H "x-api-key: ${KEY}" https://bob:${PASSWORD}@host.example/${OWN}`;
    const shell = { tool_name: "Bash", tool_input: { command } };
    const write = { tool_name: "mcp__vault__put", tool_input: { name: "a", password: PASSWORD } };
    const long = `${"made a part\n".repeat(400)}${KEY}${"\nmade a part".repeat(80)} ${KEY}`;
    say("PreToolUse", shell);
    say("PostToolUse", { ...shell, tool_response: { stdout: `${OWN}\n${long}`, stderr: KEY } });
    say("PreToolUse", write);
    say("PostToolUseFailure", { ...write, error: `API_KEY=${PASSWORD} refused for ${KEY}` });
    say("PreToolUse", { tool_name: "Write", tool_input: { path: "a", content: long } });
    say("StopFailure", { error: "authentication_failed", error_details: `bad key ${KEY}` });
    hook(`{"session_id": ${KEY}`);
    const kept = everyByte(home);
    for (const there of ["curl -H", "made a part", "refused for", "authentication", "JSON"])
      assert.ok(kept.includes(there), `${there} is not kept`);
    for (const secret of [KEY, BODY.slice(0, 12), BODY.slice(-12), PASSWORD, OWN])
      assert.ok(!kept.includes(secret), `${secret} is kept`);
  });
});

const call = (command: string): Step => {
  const place = { name: "PreToolUse", session: "s", cwd: "/w" };
  const step = stepOf({ kind: "before-tool", ...place, tool: "Bash", args: { command } }, false);
  assert.ok(step !== undefined);
  return step;
};
const output = (text: string): Step => {
  const event = { name: "PostToolUse", session: "s", cwd: "/w", tool: "Bash", args: {} };
  const step = stepOf({ kind: "after-tool", ...event, output: text, outcome: "ok" }, false);
  assert.ok(step !== undefined);
  return step;
};

test("a secret is equal to itself and to no other", () => {
  const command = (key: string): Step => call(`curl -H "authorization: Bearer ${key}" x`);
  assert.deepEqual(command(KEY), command(KEY));
  assert.notDeepEqual(command(KEY), command(OTHER_KEY));
  assert.notDeepEqual(output(KEY), output(OTHER_KEY));
  const args = { command: "make part-7" };
  assert.deepEqual(call("make part-7"), { kind: "tool_call", tool: "Bash", args });
});

test("a call with a secret is refused in a loop like any other, and with another secret it is not", () => {
  const round = (key: string): Step[] => [call(`deploy --token=${key}`), output("not deployed")];
  const past = [...round(KEY), ...round(KEY), ...round(KEY), ...round(KEY)];
  assert.match(refusal(past, call(`deploy --token=${KEY}`)) ?? "", /^This call was not run/);
  assert.equal(refusal(past, call(`deploy --token=${OTHER_KEY}`)), undefined);
});

test("a key is not cut in two and half kept, wherever it stands in a long text", () => {
  const size = fc.oneof(...[400, 1200, 60_000].map((max) => fc.integer({ min: 0, max })));
  const filler = size.map((units) => "ab \n".repeat(units / 4));
  fc.assert(
    fc.property(filler, filler, (before, after) => {
      for (const step of [output(before + KEY + after), call(before + KEY + after)]) {
        const kept = JSON.stringify(step);
        for (let at = 0; at + 8 <= BODY.length; at += 1)
          assert.ok(!kept.includes(BODY.slice(at, at + 8)), kept);
      }
    }),
    { numRuns: 200 },
  );
});
