// proves: U11
// Whole outputs of 55 tools: which tests failed and how many ran, however the output is written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readOutcome, type CheckOutcome } from "../../../src/core/checks/outcome.ts";

interface Output {
  readonly id: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}
const OUTPUTS = readFileSync("test/fixtures/check-outputs.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Output);

/** What is read of those whose format is known: the failing tests, and how many ran. */
const READ: { readonly [id: string]: readonly [failing: readonly string[], tests?: number] } = {
  maven: [["com.example.shop.CartTest.totalHasTax"], 7],
  dotnet: [["Shop.Tests.CartTests.TotalHasTax"], 13],
  phpunit: [["App\\Tests\\RepoTest::testFinds", "App\\Tests\\CartTest::testTotalHasTax"], 6],
  rspec: [["spec/cart_spec.rb Cart#total adds the tax"], 4],
  minitest: [[], 4],
  exunit: [[], 4],
  deno: [[], 3],
  bun: [[], 2],
  ava: [[], 1],
  tape: [["should be strictly equal"], 2],
  turbo: [[], 5],
  tox: [["tests/test_cart.py::test_total"], 3],
  cypress: [["cart page > shows the total"], 2],
};

const outcomeOf = ({ exitCode, stdout, stderr }: Output): CheckOutcome =>
  readOutcome({ kind: "exited", code: exitCode }, { stdout, stderr, cut: false });

test("of known runners the failing tests and their number are read, of unknown output nothing", () => {
  for (const output of OUTPUTS) {
    const [items, tests] = READ[output.id] ?? [[]];
    const expected = { kind: "failed", items, complete: true };
    assert.deepEqual(
      outcomeOf(output),
      tests === undefined ? expected : { ...expected, tests },
      output.id,
    );
  }
});

const WRITTEN: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace(/^(\s*)(\S.*)$/gm, "$1\u001b[1;31m$2\u001b[0m"),
  (text) => `> shop@1.0.0 test\n> the runner\n\n${text}\nthe log: FAILED, 12 tests, 3 failures\n`,
];

test("line ends, colours and what else is printed change nothing of it", () => {
  for (const output of OUTPUTS)
    for (const write of WRITTEN)
      assert.deepEqual(
        outcomeOf({ ...output, stdout: write(output.stdout), stderr: write(output.stderr) }),
        outcomeOf(output),
        output.id,
      );
});

test("a pass is a pass whatever it printed, and output that was cut is never complete", () => {
  for (const output of OUTPUTS) {
    const { stdout, stderr } = output;
    const passed = outcomeOf({ ...output, exitCode: 0 });
    assert.equal(passed.kind, "passed", output.id);
    const cut = readOutcome({ kind: "exited", code: 1 }, { stdout, stderr, cut: true });
    assert.ok(cut.kind === "failed" && !cut.complete, output.id);
  }
});
