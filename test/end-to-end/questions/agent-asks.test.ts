// proves: J13, J25, U22
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { recordingAgent } from "../run/recording-agent.ts";
import { inRepository } from "../run/repository.ts";
import { eventsOf, failuresOf, phasesOf, planFile, recoveriesOf } from "../run/runs.ts";
import { claudeLines, says, typedAgent } from "./typed-agent.ts";

const SUBTASK = "id: goal, prompt: make it right, checks: [sh check.sh]";
const ASKS = "I read value.txt and check.sh.\n\nWhich number should it be, 2 or 3?";
const RIGHT = { "value.txt": "2\n" };

const startsOf = (events: Parameters<typeof eventsOf>[0]): number =>
  eventsOf(events, "attempt-dispatched").length;

test("a question is settled by the agent itself where it can: told once that nobody is here", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, {
      goal: [{ print: ASKS }, { write: RIGHT, print: "I took 2." }],
    });
    assert.equal(here.unstuck("run", planFile(here, agent.command, [SUBTASK]), "--trust").code, 0);
    const prompt = agent.promptOf("goal/2");
    assert.match(prompt, /You asked:\n```text\n[^]*Which number should it be, 2 or 3\?\n```/);
    assert.match(prompt, /Nobody is here to answer: take the most reasonable option, say which/);
    assert.equal(startsOf(here.events()), 2);
  }));

test("one it cannot settle reaches the person as it was asked, and the answer reaches the agent", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, {
      goal: [
        { print: ASKS },
        { print: ASKS, exit: 1 },
        { write: RIGHT, print: "done", expectPrompt: "it is the first of them" },
      ],
    });
    assert.equal(here.unstuck("run", planFile(here, agent.command, [SUBTASK]), "--trust").code, 3);
    assert.equal(startsOf(here.events()), 2, "nothing else is tried before the person is asked");
    const { out } = here.unstuck("inbox");
    assert.match(out, /Which number should it be, 2 or 3\?/);
    assert.match(out, /Answer it \(recommended\)/);
    here.unstuck("resolve", "goal/c1", "--retry", "it is the first of them");
    assert.equal(here.unstuck("resume").code, 0);
    const prompt = agent.promptOf("goal/3");
    assert.match(prompt, /You asked:[^]*2 or 3\?[^]*A person answered[^]*it is the first of them/);
    assert.ok(!prompt.includes("Nobody is here"));
  }));

test(
  "the session that asked hears the answer; the question tool of an agent is heard as well",
  inLargeForm("questions"),
  () =>
    inRepository((here) => {
      const question = { question: "Which number?", options: [{ label: "2" }, { label: "3" }] };
      const ask = {
        type: "tool_use",
        id: "q1",
        name: "AskUserQuestion",
        input: { questions: [question] },
      };
      const lines = claudeLines([ask, says("I have asked.")]);
      const agent = typedAgent(here, [
        { lines },
        { lines },
        { lines: claudeLines([says("done")]), write: RIGHT },
      ]);
      const agents = [
        "grounding: false",
        "agents:",
        `  claude: { adapter: claude, command: '${agent.command}' }`,
      ];
      const plan = planFile(here, "claude", [SUBTASK], agents);
      assert.equal(here.unstuck("run", plan, "--trust").code, 3);
      assert.match(here.unstuck("inbox").out, /Which number\?\n +- 2\n +- 3\n/);
      here.unstuck("resolve", "goal/c1", "--retry", "take 2");
      assert.equal(here.unstuck("resume").code, 0);
      const starts = agent.starts();
      assert.deepEqual(
        starts.map(({ args }) => args.includes("--resume")),
        [false, true, true],
      );
      assert.match(starts[1]?.told ?? "", /Nobody is here to answer/);
      assert.match(starts[2]?.told ?? "", /You asked:.*Which number\?.*take 2/);
    }),
);

test("a closing question with green checks is no question", inLargeForm("questions"), () =>
  inRepository((here) => {
    const script = { goal: [{ write: RIGHT, print: "It is 2 now. Should I continue?" }] };
    const plan = planFile(here, here.agent(script), [SUBTASK]);
    assert.equal(here.unstuck("run", plan, "--trust").code, 0);
    assert.deepEqual([startsOf(here.events()), phasesOf(here)], [1, { goal: "verified" }]);
  }),
);

test("a program the agent says is missing is the failure, and its repair reaches the agent", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, {
      goal: [
        { print: "I could not generate it.\n\nbash: protoc: command not found" },
        { write: RIGHT, print: "done" },
      ],
    });
    assert.equal(here.unstuck("run", planFile(here, agent.command, [SUBTASK]), "--trust").code, 0);
    assert.deepEqual(failuresOf(here.events()), ["goal command_not_found"]);
    assert.deepEqual(recoveriesOf(here.events()), ["repair"]);
    assert.match(agent.promptOf("goal/2"), /protoc: command not found/);
  }));
