// proves: U21
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { waitingAgent } from "../../end-to-end/questions/waiting-agent.ts";
import { inLargeForm } from "../../large-form.ts";
import { onTerminal, WITHOUT_TERMINAL, type TerminalOptions } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

const terminal = (args: readonly string[], more: Partial<TerminalOptions> = {}) =>
  onTerminal(args, { cwd: here.path, ...more, env: { ...here.env, NO_COLOR: "1", ...more.env } });

const ASKED = /waits for\s+your\s+permission\s+to use `npm\s+install\s+left-pad`\.\s+Allow\s+it\?/;

/** The question comes while the agent waits; a key answers it, and the same attempt goes on. */
async function answeredByKey(columns: number, rows: number): Promise<void> {
  const { plan, heard } = waitingAgent(here);
  const before = heard().length;
  const run = terminal(["run", plan, "--trust"], { columns, rows });
  await run.shows(/^ ▸ goal +running[^]*└ waits for your permission: npm in/m);
  await run.shows(/1 question for you: press a to answer/);
  run.type("a");
  await run.shows(ASKED);
  await run.shows(/^ {2}a {2}Allow it once \(recommended\)/m);
  await run.shows(/^ {2}If nobody answers by \d\d:\d\d, it is\s+refused\./m);
  run.type("a");
  assert.equal(await run.ended(), 0, run.text());
  assert.match(run.text(), /^\[goal\] allowed: npm install left-pad$/m);
  assert.match(run.text(), /1 attempt$/m);
  assert.deepEqual(run.wrapped(), []);
  assert.deepEqual(
    heard()
      .slice(before)
      .map((one) => one.heard),
    ["go"],
  );
}

test("40 columns: a key allows the call that an agent waits with", { skip }, () =>
  answeredByKey(40, 20),
);

test("80 and 200 columns: the same", inLargeForm("cli", skip), async () => {
  await answeredByKey(80, 24);
  await answeredByKey(200, 24);
});

test(
  "without redraw the question says how to answer it from another terminal",
  inLargeForm("cli", skip),
  async () => {
    for (const env of [{ TERM: "dumb" }, { UNSTUCK_SCREEN_READER: "1" }]) {
      const run = terminal(["run", waitingAgent(here).plan, "--trust"], { columns: 80, env });
      await run.shows(/^\? The agent of subtask goal waits [^]*Answer: unstuck review$/m);
      const review = terminal(["review"], { columns: 80, env });
      await review.shows(ASKED);
      await review.shows(/^ {2}4\. Go on without it/m);
      review.type("1\r");
      await review.ended();
      assert.equal(await run.ended(), 0, run.text());
      assert.match(run.text(), /^\[goal\] allowed: npm install left-pad$/m);
    }
  },
);
