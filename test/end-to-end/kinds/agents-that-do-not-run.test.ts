// proves: J11, J12
import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository, type Repository } from "../run/repository.ts";
import { eventsOf, failuresOf, planFile, recoveriesOf } from "../run/runs.ts";

function inRepository(body: (here: Repository, beside: string) => void): void {
  const here = repository();
  try {
    body(here, join(here.path, ".."));
  } finally {
    here.remove();
  }
}

const SUBTASK = ["id: a, prompt: p, checks: [sh check.sh]"];

/** An agent that is there when the run starts; its set-up then does this to it. */
function lostLater(beside: string, loss: string): string {
  writeFileSync(join(beside, "agent"), "#!/bin/sh\necho done\n", { mode: 0o755 });
  writeFileSync(join(beside, "lose.sh"), `cd '${beside}' && ${loss}\n`);
  return `"${join(beside, "agent")}" {prompt}`;
}

/** Each makes a thing that is no agent and gives the words that would start it, and what a person is told. */
const NO_AGENTS: Readonly<Record<string, (beside: string) => readonly [string, RegExp]>> = {
  "a file that may not be executed any more": (beside) => [
    lostLater(beside, "chmod -x agent"),
    /EACCES.*chmod \+x/s,
  ],
  "what has become a folder": (beside) => [
    lostLater(beside, "rm -rf agent && mkdir agent"),
    /EACCES.*give the path of a program/s,
  ],
  "a program that is gone": (beside) => [
    lostLater(beside, "rm -f agent"),
    /ENOENT.*install it, or name another agent/s,
  ],
  "a script whose interpreter is not there": (beside) => {
    writeFileSync(join(beside, "agent"), "#!/no/such/interpreter\n");
    chmodSync(join(beside, "agent"), 0o755);
    return [`"${join(beside, "agent")}" {prompt}`, /install it, or name another agent/];
  },
  "a shell that may not start it": (beside) => {
    writeFileSync(join(beside, "agent"), "#!/bin/sh\necho done\n");
    writeFileSync(join(beside, "start.sh"), 'exec "$(dirname "$0")/agent"\n');
    return [`sh "${join(beside, "start.sh")}" {prompt}`, /agent: [Pp]ermission denied/];
  },
};

const SMALL = ["a file that may not be executed any more", "a shell that may not start it"];

for (const [what, make] of Object.entries(NO_AGENTS))
  test(
    `J11: ${what} is a missing agent, asked about at once with what mends it`,
    SMALL.includes(what) ? {} : inLargeForm("kinds"),
    () =>
      inRepository((here, beside) => {
        const [words, told] = make(beside);
        const lose = join(beside, "lose.sh");
        const setup = existsSync(lose) ? ["--setup", `sh '${lose}'`] : [];
        const ran = here.unstuck("run", planFile(here, words, SUBTASK), "--trust", ...setup);
        assert.equal(ran.code, 3, ran.out + ran.err);
        assert.deepEqual(failuresOf(here.events()), ["a agent_missing"]);
        assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 1);
        assert.deepEqual(recoveriesOf(here.events()), ["ask"]);
        assert.match(here.unstuck("inbox").out, told);
      }),
  );

test("J12: an agent that was killed is not said to have run out of memory", () =>
  inRepository((here, beside) => {
    writeFileSync(join(beside, "agent.sh"), "echo working\nkill -9 $$\n");
    const words = `sh "${join(beside, "agent.sh")}" {prompt}`;
    const ran = here.unstuck("run", planFile(here, words, SUBTASK), "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const kinds = new Set(failuresOf(here.events()));
    assert.ok(kinds.has("a agent_crash"), [...kinds].join());
    assert.ok(!kinds.has("a out_of_memory"), [...kinds].join());
    assert.doesNotMatch(here.unstuck("inbox").out, /[Mm]emory/);
  }));
