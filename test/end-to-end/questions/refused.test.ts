// proves: J10, U21
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { configFile, inRepository, type Repository } from "../run/repository.ts";
import { failuresOf, inputsOf, planFile } from "../run/runs.ts";
import {
  claudeLines,
  says,
  typedAgent,
  type PlayedAttempt,
  type TypedAgent,
} from "./typed-agent.ts";

const SUBTASK = "id: goal, prompt: make it 2, checks: [sh check.sh]";
const DONE: PlayedAttempt = { lines: claudeLines([says("done")]), write: { "value.txt": "2\n" } };

/** What Claude Code prints when its gate refuses a command, and it goes on to its end. */
function refused(command: string): PlayedAttempt["lines"] {
  const input = { command };
  const call = { type: "tool_use", id: "t1", name: "Bash", input };
  const content = "This command requires approval";
  const denial = { tool_name: "Bash", tool_use_id: "t1", tool_input: input };
  return claudeLines(
    [
      call,
      { type: "tool_result", tool_use_id: "t1", is_error: true, content },
      says("I tried, see above."),
    ],
    { result: { permission_denials: [denial] } },
  );
}

const STUCK: PlayedAttempt = { lines: refused("npm install left-pad") };

function withRun(
  attempts: readonly PlayedAttempt[],
  body: (here: Repository, agent: TypedAgent, code: number | null) => void,
): Promise<void> {
  return inRepository((here) => {
    const agent = typedAgent(here, attempts);
    const agents = ["agents:", `  mine: { adapter: claude, command: '${agent.command}' }`];
    const plan = planFile(here, "mine", [SUBTASK], ["grounding: false", ...agents]);
    body(here, agent, here.unstuck("run", plan, "--trust").code);
  });
}

/** Of each start, whether its command line allows the command. */
const allowedIn = (agent: TypedAgent): readonly boolean[] =>
  agent.starts().map(({ args }) => args.includes("Bash(npm install left-pad)"));

test("a refused command is asked about at once; allowed once, it reaches the next attempt", () =>
  withRun([STUCK, DONE], (here, agent, code) => {
    assert.equal(code, 3);
    assert.equal(agent.starts().length, 1, "asked before any other recovery");
    assert.deepEqual(failuresOf(here.events()), ["goal permission_denied"]);
    const shown = here.unstuck("inbox").out;
    assert.match(
      shown,
      /The agent of subtask goal was not allowed to use `npm install left-pad`\. Allow it\?/,
    );
    assert.match(shown, /Allow it once \(recommended\)\n.*--allow once\n/);
    assert.match(shown, /--allow run\n.*\n.*--allow always\n.*Go on without it\n.*--without\n/);
    here.unstuck("resolve", "goal/c1", "--allow", "once");
    assert.equal(here.unstuck("resume").code, 0);
    assert.deepEqual(allowedIn(agent), [false, true]);
    assert.match(agent.starts()[1]?.told ?? "", /A person allowed .*`npm install left-pad`/);
    assert.match(here.unstuck("explain").out, /allow it once/);
  }));

test("once is for one attempt, for this run is for all of them", inLargeForm("questions"), () => {
  const red: PlayedAttempt = { lines: claudeLines([says("so")]), write: { "value.txt": "3\n" } };
  return withRun([STUCK, red, DONE], (here, agent, code) => {
    assert.equal(code, 3);
    here.unstuck("resolve", "goal/c1", "--allow", "run");
    assert.equal(here.unstuck("resume").code, 0);
    assert.deepEqual(allowedIn(agent), [false, true, true]);
  });
});

test("always is a rule in the user's own settings, and the next run has it", () =>
  withRun([STUCK, DONE, STUCK], (here, agent, code) => {
    assert.equal(code, 3);
    const file = configFile(here.home);
    writeFileSync(file, `# mine\n${readFileSync(file, "utf8")}`);
    here.unstuck("resolve", "goal/c1", "--allow", "always");
    assert.equal(here.unstuck("resume").code, 0);
    assert.match(
      readFileSync(file, "utf8"),
      /^# mine\nanswers: unattended\nkeepAwake: false\npolicy: standard\nallow:\n +- npm install left-pad\n$/,
    );
    here.unstuck("run", join(here.path, "..", "plan.yaml"), "--trust");
    assert.equal(allowedIn(agent)[2], true);
  }));

test(
  "go on without: the agent is told so, and nobody is asked again",
  inLargeForm("questions"),
  () =>
    withRun([STUCK, { ...STUCK, ...DONE, lines: STUCK.lines }], (here, agent, code) => {
      assert.equal(code, 3);
      here.unstuck("resolve", "goal/c1", "--without");
      assert.equal(here.unstuck("resume").code, 0);
      assert.deepEqual(allowedIn(agent), [false, false]);
      assert.match(agent.starts()[1]?.told ?? "", /go on without `npm install left-pad`/);
    }),
);

test("what destroys cannot be allowed for good", inLargeForm("questions"), () =>
  withRun([{ lines: refused("git push --force") }], (here, _, code) => {
    assert.equal(code, 3);
    assert.match(here.unstuck("inbox").out, /Go on without it \(recommended\)/);
    const { code: refusedCode, err } = here.unstuck("resolve", "goal/c1", "--allow", "always");
    assert.deepEqual([refusedCode, /offers without, allow-once/.test(err)], [2, true], err);
    assert.ok(!readFileSync(configFile(here.home), "utf8").includes("allow"));
  }),
);

test("an attempt that passes anyway is not asked about", inLargeForm("questions"), () =>
  withRun([{ lines: STUCK.lines, write: { "value.txt": "2\n" } }], (here, _, code) => {
    assert.equal(code, 0);
    const [ended] = inputsOf(here.events(), "attempt-ended");
    const { refused: seen } = ended?.["remains"] as { refused: unknown };
    assert.deepEqual(seen, [{ tool: "Bash", command: "npm install left-pad" }]);
  }),
);
