/**
 * Long tables of whole runs have a small form in `npm test` and a large one, `UNSTUCK_FULL=1 npm test`, which CONTRIBUTING names.
 * What the small form leaves out is said, as a test that was skipped.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

export const FULL = process.env["UNSTUCK_FULL"] === "1";

/** For a test that only the large form runs: `test(name, inLargeForm("run"), ...)`. `skip`: why that may skip it too. */
export const inLargeForm = (
  suite: string,
  skip: string | false = false,
): { readonly skip: string | false } => ({
  skip: FULL ? skip : `the large form: UNSTUCK_FULL=1 npm test -- ${suite}`,
});

/** All of a table in the large form, else its rows of these names. */
export function rowsOf<T extends { readonly name: string }>(
  suite: string,
  table: readonly T[],
  names: readonly string[],
): readonly T[] {
  const small = table.filter(({ name }) => names.includes(name));
  assert.equal(small.length, names.length, `no such row: ${names.join(", ")}`);
  if (FULL) return table;
  const left = table.filter((row) => !small.includes(row)).map(({ name }) => name);
  test(`${left.length} further rows: ${left.join("; ")}`, inLargeForm(suite));
  return small;
}
