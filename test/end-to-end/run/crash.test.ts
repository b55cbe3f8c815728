// proves: U7, D7, B3, B7
import assert from "node:assert/strict";
import { test } from "node:test";
import { repository, type Repository } from "./repository.ts";
import { assertUnharmed, killPlan, recoveryPlan, resultOf, resumeToEnd } from "./killed-run.ts";
import type { Result } from "./killed-run.ts";

interface Scene {
  readonly files: Readonly<Record<string, string>>;
  readonly plan: (here: Repository) => string;
  /** The boundaries between a decision, its record and its effect; each is died at once. */
  readonly points: readonly string[];
  /** Further ones, for `UNSTUCK_FULL=1 npm test -- run`. */
  readonly more?: readonly string[];
}

const SCENES: Readonly<Record<string, Scene>> = {
  "subtasks side by side": {
    files: { "base.txt": "base\n", ".gitignore": "made/\n" },
    plan: (here) => killPlan(here),
    points: ["after-append#6"],
    more: [
      ...["merge:commit", "lease:written", "publish:packed"],
      ...["open:cloned", "check:filled"],
      ...["open:pinned", "open:based", "claimed", "inbox-taken"],
      ...["before-append#2", "after-perform#2", "snapshot:commit#2", "check:prepared"],
      ...["before-append", "after-append#2", "before-append#5"],
      ...["before-perform#2", "before-perform#4"],
      ...["lease:rescued", "lease:cleaned", "lease:git-moved", "lease:git-made"],
      ...["snapshot:scanned", "snapshot:staged", "snapshot:tree#2"],
      ...["check:cleaned", "check:filled#4", "good:commit"],
    ],
  },
  "a wait and a rollback": {
    files: { "a.mjs": "export const a = 1;\n", ".gitignore": ".env\n" },
    plan: recoveryPlan,
    points: [],
    more: ["restore:written", "timer-fired"],
  },
};

const FULL = process.env["UNSTUCK_FULL"] === "1";

for (const [name, { files, plan: planOf, points, more = [] }] of Object.entries(SCENES)) {
  /** The same run with nobody dying on the way. */
  let unkilled: Result | undefined;
  const expected = (): Result =>
    (unkilled ??= inRepository(files, (here) => {
      const ran = here.unstuck("run", planOf(here), "--trust");
      assert.equal(ran.code, 0, ran.out + ran.err);
      return resultOf(here);
    }));
  test(`${name}: kill -9 at ${more.length} further boundaries`, {
    skip: FULL || more.length === 0 ? false : "the large form: UNSTUCK_FULL=1 npm test -- run",
  });
  for (const point of FULL ? [...points, ...more] : points)
    test(`${name}: kill -9 at ${point}, then resume: the same result, nothing twice, no orphan`, () =>
      inRepository(files, (here) => {
        const plan = planOf(here);
        const first = here.unstuckWith({ UNSTUCK_CRASH_AT: point }, "run", plan, "--trust");
        assert.equal(first.code, null, `it should have died at ${point}: ${first.out}${first.err}`);
        resumeToEnd(here, plan);
        assertUnharmed(here, expected());
      }));
}

function inRepository<T>(files: Scene["files"], body: (here: Repository) => T): T {
  const here = repository(files);
  try {
    return body(here);
  } finally {
    here.remove();
  }
}
