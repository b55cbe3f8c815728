// proves: C9
import assert from "node:assert/strict";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import type { ScriptedAttempt } from "../../../src/testing/scripted-agent.ts";
import { repository } from "./repository.ts";
import { branchOf, eventsOf, planFile } from "./runs.ts";

const FILES = {
  "base.txt": "broken\n",
  "check.sh":
    "grep -q mended base.txt && exit 0\necho 'error: base.txt does not compile'\nexit 1\n",
};

const works = (id: string, attempt: number): ScriptedAttempt => ({
  write: {
    [`${id}.txt`]: `${attempt}\n`,
    ...(attempt > 2 ? { "base.txt": "mended\n" } : {}),
  },
  print: `<approach>way ${attempt} of ${id}</approach>`,
});

test(
  "a base that is broken for several subtasks: one mends it, the others wait for that one and go on upon it",
  inLargeForm("run"),
  () => {
    const here = repository(FILES);
    try {
      const ids = ["a", "b", "c"];
      const script = ids.map((id) => [id, [1, 2, 3].map((attempt) => works(id, attempt))] as const);
      const plan = planFile(
        here,
        here.agent(Object.fromEntries(script)),
        ids.map((id) => `id: ${id}, prompt: p, checks: [sh check.sh]`),
        ["grounding: false", "concurrency: 3"],
      );
      const ran = here.unstuck("run", plan, "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      const events = here.events();
      const waited = eventsOf(events, "recovery-chosen").filter(
        ({ chosenBy }) => (chosenBy as { id: string }).id === "broken-base",
      );
      assert.ok(waited.length >= 1, "at least one waited");
      assert.equal(eventsOf(events, "checkpoint-opened").length, 1, "one question for all of them");
      const [closed] = eventsOf(events, "checkpoint-closed");
      assert.equal(closed?.["by"], "unstuck");
      assert.match(ran.out, /fails as the base did before the work began/);
      for (const id of ids)
        assert.equal(here.git("show", `${branchOf(here)}:${id}.txt`).trim(), "3", id);
    } finally {
      here.remove();
    }
  },
);
