// proves: J8
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import { repository } from "./repository.ts";
import { eventsOf, planFile, recoveriesOf } from "./runs.ts";

const BUILD = "src/a.ts(3,7): error TS2304: Cannot find name 'uncompiled'.";
const CHECK = [
  `if grep -q broken value.txt; then echo "${BUILD}"; exit 2; fi`,
  "grep -q '^2$' value.txt || { echo 'FAIL value.test.js: expected 2'; exit 1; }",
  "",
].join("\n");

test("a broken build on a red base: the next attempt begins with the tree the subtask started from", () => {
  const here = repository({ "value.txt": "1\n", "check.sh": CHECK });
  try {
    const seen = join(here.path, "..", "seen");
    const agent = here.agent({
      fix: [
        { write: { "value.txt": "broken\n", "junk.txt": "left behind\n" }, print: "done" },
        { run: [["sh", "-c", `cp -r . '${seen}'; echo 2 > value.txt`]], print: "done" },
      ],
    });
    const subtask = "id: fix, prompt: make the value 2, checks: [sh check.sh]";
    const ran = here.unstuck("run", planFile(here, agent, [subtask]), "--trust");
    assert.equal(ran.code, 0, ran.err + ran.out);
    assert.deepEqual(recoveriesOf(here.events()), ["fresh"]);
    assert.deepEqual(eventsOf(here.events(), "recovery-chosen")[0]?.["recoveries"], [
      { kind: "fresh", startOf: 1 },
    ]);
    assert.equal(readFileSync(join(seen, "value.txt"), "utf8"), "1\n");
    assert.equal(
      existsSync(join(seen, "junk.txt")),
      false,
      "nothing of the broken attempt is left",
    );
    const { out } = here.unstuck("explain", "--verbose");
    assert.match(out, /the build is broken, which it was not at the start/);
  } finally {
    here.remove();
  }
});

test(
  "a build that was broken before anybody worked is no reason to go back to it",
  inLargeForm("run"),
  () => {
    const here = repository({ "value.txt": "broken\n", "check.sh": CHECK });
    try {
      const agent = here.agent({
        fix: [
          { write: { "note.txt": "looked\n" }, print: "done" },
          { write: { "value.txt": "2\n" }, print: "done" },
        ],
      });
      const subtask = "id: fix, prompt: make the value 2, checks: [sh check.sh]";
      const ran = here.unstuck("run", planFile(here, agent, [subtask]), "--trust");
      assert.equal(ran.code, 0, ran.err + ran.out);
      assert.ok(!recoveriesOf(here.events()).includes("fresh"), ran.out);
    } finally {
      here.remove();
    }
  },
);
