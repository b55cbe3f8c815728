/** One row of the judge's tables: checks, a base, a change; what is said of it, and what is left of it once restored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, judge, patched, restored, type Patch, type Texts } from "./trees.ts";

export interface Case {
  readonly name: string;
  readonly checks: readonly string[];
  readonly base: Texts;
  readonly change: Patch;
  /** `edited test a.test.js`; ` (source)` at the end where it is only listed. */
  readonly changes: readonly string[];
  readonly again: boolean;
  /** What still differs from the base in the restored tree. */
  readonly left?: Patch;
  readonly protect?: string;
}

export function proveCases(cases: readonly Case[]): void {
  for (const { name, checks, base, change, changes, again, left = {}, protect } of cases)
    test(name, () => {
      const now = patched(base, change);
      const judgement = judge(checks, base, now, (path) => path === protect);
      const said = judgement.changes.map(
        ({ how, role, path, source }) => `${how} ${role} ${path}${source ? " (source)" : ""}`,
      );
      assert.deepEqual(said, changes);
      assert.equal(judgement.again, again);
      const tree = restored(base, now, judgement);
      assert.deepEqual(difference(base, tree), left);
      assert.equal(judge(checks, base, tree, (path) => path === protect).again, false);
    });
}
