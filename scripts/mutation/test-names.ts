/**
 * Replaces `node:test` in test files while mutants are tried: tests are only recorded here, and the loader of the files
 * runs them, as often as needed, in one process. It provides only what the tests of src/core use of `node:test`;
 * anything else is missing and fails at import.
 */
export interface WrittenTest {
  readonly name: string;
  readonly run: () => unknown;
}

let written: WrittenTest[] = [];
let prefix = "";

export function test(name: string, ...rest: readonly unknown[]): void {
  const run = rest.at(-1) as () => unknown;
  written.push({ name: prefix + name, run });
}

export const it = test;

export function describe(name: string, group: () => void): void {
  const outside = prefix;
  prefix = `${outside}${name} > `;
  group();
  prefix = outside;
}

/** What a file would clean up is in a temporary folder; the next mutant may still need it. */
export function after(): void {}

/** Returns the tests recorded since the last call. */
export function takeTests(): readonly WrittenTest[] {
  const tests = written;
  written = [];
  return tests;
}
