/** The simulator can see: each planted bug is found within 500 seeds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddedEngine } from "../../src/engines/embedded.ts";
import { inLargeForm } from "../large-form.ts";
import { PLANTED_BUGS } from "./bugs/all.ts";
import { findingText, firstFinding, replayLine } from "./simulator.ts";

const SEEDS = 500;

test("there are at least ten planted bugs", () => {
  assert.ok(Object.keys(PLANTED_BUGS).length >= 10);
});

const SMALL = ["duplicate-answer-accepted", "forgotten-command", "words-garbled"];

for (const bug of Object.keys(PLANTED_BUGS))
  test(
    `${bug} is found within ${SEEDS} seeds`,
    SMALL.includes(bug) ? {} : inLargeForm("simulation"),
    async () => {
      const options = { makeEngine: embeddedEngine, bug };
      const found = await firstFinding({ from: 1, seeds: SEEDS }, options);
      assert.ok(found !== undefined, `${bug} was not found`);
      const text = findingText(found, options);
      assert.ok(text.endsWith(replayLine(found.seed, options)), text);
      assert.match(text, new RegExp(`--from ${found.seed} --seeds 1 --bug ${bug}$`));
    },
  );
