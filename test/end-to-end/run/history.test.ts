// proves: B8, B9, J21, J28
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, inputsOf, owner, planFile, recoveriesOf, until } from "./runs.ts";

const PAST = {
  subtasks: {
    value: {
      status: "stuck",
      attempts: [
        {
          ...{ session: 3, timestamp: "2026-01-01T10:00:00Z", approach: "sort it by hand" },
          ...{ success: false, error: "FAIL value: not sorted" },
        },
        {
          ...{ session: 4, timestamp: "2026-01-01T11:00:00Z", approach: "use a heap" },
          ...{ success: false, error: "IndexError: heap" },
        },
      ],
    },
  },
};

function withPast(body: (here: Repository, imported: string) => void): void {
  const here = repository();
  try {
    const file = join(here.path, "past.json");
    writeFileSync(file, JSON.stringify(PAST));
    const { out } = here.unstuck("import", file, "--json");
    body(here, (JSON.parse(out) as { run: string }).run);
  } finally {
    here.remove();
  }
}

test("what failed in imported history is told to the first attempt, and to the next ones before their own", () =>
  withPast((here, imported) => {
    const agent = recordingAgent(here, {
      value: [
        { write: { "value.txt": "3\n" }, print: "<approach>a list</approach>" },
        { write: { "value.txt": "2\n" }, print: "done" },
      ],
    });
    const checked = "id: value, prompt: make it 2, checks: [sh check.sh]";
    const plan = planFile(here, agent.command, [checked], ["grounding: false"]);
    const ran = here.unstuck("run", plan, "--trust", "--history", imported);
    assert.equal(ran.code, 0, ran.out + ran.err);
    const first = agent.promptOf("value/1");
    assert.match(first, /What failed last \(attempt 2\):\n```text\nIndexError: heap\n/);
    assert.match(
      first,
      /: 2, newest first[^]*Attempt 2: use a heap - FAILED[^]*Attempt 1: sort it by hand - FAILED\n {2}Error: FAIL value: not sorted/,
    );
    assert.match(first, /IMPORTANT: Try a DIFFERENT approach than previous attempts\nConsider: /);
    assert.match(
      agent.promptOf("value/2"),
      /: 3, newest first[^]*Attempt 3 \(model tier 1\): a list - FAILED[^]*Attempt 2: use a heap - FAILED\n {2}Error: IndexError/,
    );
  }));

test("a run with nothing to tell, or none at all, is said before anything starts", () =>
  withPast((here, imported) => {
    const agent = here.agent({ other: [{ print: "done" }] });
    const plan = planFile(here, agent, ["id: other, prompt: p"], ["grounding: false"]);
    const before = here.runs().length;
    const nothing = here.unstuck("run", plan, "--trust", "--history", imported);
    assert.equal(nothing.code, 2);
    assert.match(nothing.err, /no failed attempt at a subtask of this plan/);
    const none = here.unstuck("run", plan, "--trust", "--history", "r-none");
    assert.equal(none.code, 2);
    assert.match(none.err, /no run matches "r-none"/);
    assert.equal(here.runs().length, before, "no run was begun");
  }));

test(
  "attempts of an earlier run count where the source counts them; the question and the report say what happened",
  inLargeForm("run"),
  () =>
    withPast((here, imported) => {
      const agent = here.agent({
        value: [{ write: { "value.txt": "3\n" }, print: "<approach>a list</approach>" }],
      });
      const checked =
        'id: value, prompt: make it 2, checks: ["sh check.sh || (echo FAIL v; false)"]';
      const plan = planFile(here, agent, [checked], ["policy: recovery-actions"]);
      const ran = here.unstuck("run", plan, "--trust", "--history", imported);
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.deepEqual(
        recoveriesOf(here.events()),
        ["skip+ask"],
        "two before, and this is the third",
      );
      const [asked] = eventsOf(here.events(), "approval-requested");
      const [tried] = asked?.["attempts"] as Readonly<Record<string, unknown>>[];
      assert.equal(tried?.["approach"], "a list");
      assert.match(String(tried?.["error"]), /FAIL v/);
      const { out } = here.unstuck("report");
      assert.match(out, /### Summary\nOne attempt failed: checks failed/);
      assert.doesNotMatch(out.split("### Attempts Made")[0] ?? "", /rung/);
    }),
);

interface Exported {
  readonly session: number;
  readonly approach: string;
}

test(
  "exported attempts have the session they were made in, and the approach that the report names",
  inLargeForm("run"),
  async () => {
    const here = repository();
    try {
      const agent = here.agent({
        fix: [
          { print: "<approach>a list</approach>" },
          { print: "hm", write: { "value.txt": "3\n" } },
          { hang: true },
          { print: "hm", write: { "value.txt": "4\n" } },
          { write: { "value.txt": "2\n" } },
        ],
      });
      const checked = "id: fix, prompt: make it 2, checks: [sh check.sh]";
      const plan = planFile(here, agent, [checked], ["grounding: false", "policy: tier-ladder"]);
      const first = owner(here.start("run", plan, "--trust"));
      await until(here, (events) => inputsOf(events, "attempt-started").length === 3);
      here.unstuck("stop");
      await first.ended;
      const resumed = here.unstuck("resume");
      assert.equal(resumed.code, 0, resumed.out + resumed.err);
      const { subtasks } = JSON.parse(here.unstuck("export").out) as {
        subtasks: Record<string, { attempts: readonly Exported[] }>;
      };
      const attempts = subtasks["fix"]?.attempts ?? [];
      assert.deepEqual(
        attempts.map(({ session }) => session),
        [1, 1, 2, 2],
        "a session is a sitting: it ends where the run is stopped",
      );
      const report = here.unstuck("report").out;
      assert.equal(attempts[0]?.approach, "a list");
      for (const { approach } of attempts) {
        assert.notEqual(approach, "");
        assert.ok(report.includes(approach), `${approach} in ${report}`);
      }
    } finally {
      here.remove();
    }
  },
);

test("imported attempts have the tier that was told of them: none", inLargeForm("run"), () =>
  withPast((here, imported) => {
    const agent = recordingAgent(here, { value: [{ write: { "value.txt": "2\n" } }] });
    const plan = planFile(here, agent.command, ["id: value, prompt: make it 2"]);
    assert.equal(here.unstuck("run", plan, "--trust", "--history", imported).code, 6);
    assert.doesNotMatch(agent.promptOf("value/1"), /tier/);
    assert.doesNotMatch(here.unstuck("report", imported).out, /tier|first try/);
  }),
);
