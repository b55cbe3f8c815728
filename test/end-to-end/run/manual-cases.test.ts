// proves: D9, D2, D4, D7
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, planFile } from "./runs.ts";

const TIMEOUT = { error: "API Error: 504 Gateway Timeout. Retry after 1 second.", exit: 1 };
const LOGGED_OUT = { error: "API Error: 401 authentication_error: invalid x-api-key", exit: 1 };
const right = { write: { "value.txt": "2\n" }, print: "done" };

function withRun(script: Script, body: (here: Repository, code: number | null) => void): void {
  const here = repository();
  try {
    const subtask = "id: goal, prompt: make it 2, checks: [sh check.sh]";
    const more = ["grounding: false", "policy: hierarchical"];
    const plan = planFile(here, here.agent(script), [subtask], more);
    body(here, here.unstuck("run", plan, "--trust").code);
  } finally {
    here.remove();
  }
}

describe("the manual test plan of the source, by hand of the command line", () => {
  test(
    "Transient failure recovery: three retries with waits, and the episode counts them",
    inLargeForm("run"),
    () =>
      withRun({ goal: [TIMEOUT, TIMEOUT, TIMEOUT, right] }, (here, code) => {
        assert.equal(code, 0);
        assert.equal(eventsOf(here.events(), "wait-scheduled").length, 3);
        const last = here.unstuck("export", "--episodes").out.trim().split("\n").at(-1) ?? "";
        const { retry_count, success, recovery_level } = JSON.parse(last) as Record<
          string,
          unknown
        >;
        assert.deepEqual(
          { retry_count, success, recovery_level },
          {
            ...{ retry_count: 3, success: true, recovery_level: "same" },
          },
        );
      }),
  );

  test("Escalation to human: a fatal error is asked about at once, as a HICCUP", () =>
    withRun({ goal: [LOGGED_OUT] }, (here, code) => {
      assert.equal(code, 3);
      assert.equal(eventsOf(here.events(), "attempt-dispatched").length, 1, "no retries");
      const [opened] = eventsOf(here.events(), "checkpoint-opened");
      assert.equal((opened?.["checkpoint"] as { trigger: string }).trigger, "HICCUP");
    }));

  test(
    "Resume after checkpoint: a retry with modifications goes on with the person's words",
    inLargeForm("run"),
    () =>
      withRun(
        { goal: [LOGGED_OUT, { ...right, expectPrompt: "use the second key" }] },
        (here, code) => {
          assert.equal(code, 3);
          assert.equal(here.unstuck("resolve", "goal/c1", "--retry", "use the second key").code, 0);
          assert.equal(here.unstuck("resume").code, 0);
        },
      ),
  );
});
