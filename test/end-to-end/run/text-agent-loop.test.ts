// proves: J20
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repository } from "./repository.ts";
import { eventsOf, planFile } from "./runs.ts";

/** Prints words only: the same long block for ever, with another time and number each time. */
const AGENT = `
let turn = 0;
const step = () => {
  turn += 1;
  const lines = Array.from({ length: 40 }, (_, at) => "- not ok " + at + " the queue drains, as the test says");
  const time = new Date(1.8e12 + turn * 1000).toISOString();
  process.stdout.write([time + " attempt " + turn, "I will run the tests again.", ...lines, ""].join("\\n") + "\\n");
  setTimeout(step, 5);
};
step();
`;

test("an agent that only prints words is ended when it prints the same block for ever", () => {
  const here = repository();
  try {
    const program = join(here.path, "..", "agent.cjs");
    writeFileSync(program, AGENT);
    const plan = planFile(
      here,
      `"${process.execPath}" "${program}" {prompt}`,
      ["id: fix, prompt: make the value 2, checks: [sh check.sh], limits: { max_retries: 0 }"],
      ["grounding: false"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const failures = eventsOf(here.events(), "failure-classified") as unknown as readonly {
      readonly failure: { readonly kind: string; readonly because: unknown };
    }[];
    assert.ok(failures.length > 0);
    for (const { failure } of failures) {
      assert.equal(failure.kind, "looping");
      assert.match(JSON.stringify(failure), /the same 42 lines printed \d+ times over/);
    }
  } finally {
    here.remove();
  }
});
