// proves: C7, C8, U23
// `unstuck stats` and `unstuck memory` on a terminal: nothing is wider than it, whatever its size; no colours where none
// are wanted; the next command is there to copy.
import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { after, before, test } from "node:test";
import { withSaid, NO_CALIBRATION } from "../../../src/core/learning/calibration.ts";
import { NO_COUNTS, withOutcome, type Outcome } from "../../../src/core/learning/counts.ts";
import { NOTHING_LEARNED } from "../../../src/core/learning/repository-learning.ts";
import { lessonId, withLesson } from "../../../src/core/memory/lesson.ts";
import { openJournal } from "../../../src/journal/journal.ts";
import { inLargeForm } from "../../large-form.ts";
import { repository } from "../../end-to-end/run/repository.ts";
import { pretendedProcess } from "../../journal/journals.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());

const outcomes: readonly Omit<Outcome, "agent">[] = [
  ...Array<Omit<Outcome, "agent">>(6).fill({
    ...{ symptom: "verification_failed", move: "feedback", tierStep: 0, won: false },
  }),
  { symptom: "verification_failed", move: "feedback", tierStep: 0, won: true },
  { symptom: "verification_failed", move: "fresh", tierStep: 1, won: true },
  { symptom: "file_not_found", move: "repair/create_missing_file", tierStep: 0, won: true },
  { symptom: "file_not_found", move: "think", tierStep: 0, won: false },
];

before(async () => {
  const journal = await openJournal({
    ...{ path: `${here.home}/unstuck.db`, processes: pretendedProcess(1) },
  });
  const lesson = {
    ...({ signature: "s", kind: "verification_failed", recovery: "fresh" } as const),
    error: "✖ loads the parser\nError: Cannot find module 'yaml-next' \x1b[2J that was asked for",
    summary: "declared yaml-next in the manifest, and imported it by its own name in src/read.js",
    ...{ files: ["package.json", "src/read.js"], at: Date.now() },
  };
  await journal.learned.change(realpathSync(here.path), 1, () =>
    JSON.stringify({
      ...NOTHING_LEARNED,
      counts: outcomes.reduce(
        (all, one) => withOutcome(all, { ...one, agent: "claude" }),
        NO_COUNTS,
      ),
      calibration: withSaid(withSaid(NO_CALIBRATION, 0.34, false), 0.62, true),
      preferences: { install: 2 },
      lessons: withLesson([], lesson),
    }),
  );
  await journal.close();
});

const SIZES: readonly [string, number, Readonly<Record<string, string>>][] = [
  ["80 columns", 80, {}],
  ["40 columns", 40, {}],
  ["200 columns, no colours", 200, { NO_COLOR: "1" }],
  ["a terminal that knows nothing", 80, { TERM: "dumb" }],
];

const SMALL: readonly string[] = ["40 columns", "a terminal that knows nothing"];

for (const [name, columns, more] of SIZES)
  test(
    name,
    SMALL.includes(name) ? { skip: WITHOUT_TERMINAL } : inLargeForm("cli", WITHOUT_TERMINAL),
    async () => {
      const env = { ...here.env, ...more };
      const shown: string[] = [];
      for (const args of [["stats"], ["memory"], ["memory", "show", lessonId("s")]]) {
        const terminal = onTerminal(args, { cwd: here.path, columns, env });
        assert.equal(await terminal.ended(), 0);
        assert.deepEqual(terminal.wrapped(), []);
        if (Object.keys(more).length > 0) assert.doesNotMatch(terminal.raw(), /\x1b\[[\d;]*m/);
        shown.push(terminal.text());
      }
      const [stats = "", memory = "", lesson = ""] = shown;
      assert.match(lesson, /What an agent is told next time/);
      assert.match(lesson, /unstuck memory forget [\da-f]{8}/);
      assert.match(stats, /After: checks failed/);
      assert.match(stats, /\d+ % -> \d+ %\s+worked 1 of 7/);
      assert.match(stats, /repair: create missing file/);
      assert.match(stats, /60 to 70 %\s+worked 1 of 1/);
      assert.match(stats.replaceAll(/\s+/g, " "), /agents here never install software/);
      assert.match(stats, /unstuck stats reset/);
      assert.match(memory, /checks failed: ✖ loads the/);
      assert.match(memory, /unstuck memory show [\da-f]{8}/);
    },
  );
