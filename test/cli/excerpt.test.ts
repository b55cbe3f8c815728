// proves: U20
import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOutput } from "../../src/operations/advice/excerpt.ts";
import { unstuck } from "./command.ts";

const OUTPUT = [
  "> shop@1.0.0 test",
  "✔ adds (1ms)",
  "✖ takes the tax (2ms)",
  "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
  "  100 !== 119",
  "      at TestContext.<anonymous> (file:///repo/test/tax.test.js:7:10)",
  "ℹ fail 1",
].join("\n");

const ITEM = {
  name: "takes the tax",
  message: "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 100 !== 119",
  expected: "119",
  got: "100",
  place: "/repo/test/tax.test.js:7:10",
};

interface Told {
  readonly id?: unknown;
  readonly kind: string;
  readonly headline: string;
  readonly excerpt: string;
  readonly items: readonly object[];
}

test("excerpt: what was piped in, without banner and passing tests", () => {
  const { code, out } = unstuck(["excerpt"], { input: OUTPUT });
  assert.equal(code, 0);
  assert.match(out, /^✖ takes the tax \(2ms\)\n/);
  assert.match(out, /100 !== 119/);
  assert.doesNotMatch(out, /shop@1|✔/);
});

test("excerpt --json: kind, headline, excerpt and the failing items as data", () => {
  const told = JSON.parse(unstuck(["excerpt", "--json"], { input: OUTPUT }).out) as Told;
  assert.deepEqual(Object.keys(told), ["kind", "headline", "excerpt", "items"]);
  assert.equal(told.kind, "verification_failed");
  assert.equal(
    told.headline,
    "✖ takes the tax | Expected values to be strictly equal: 100 !== 119",
  );
  assert.deepEqual(told.items, [ITEM]);
});

test("excerpt --jsonl: one answer for each line, with the line's id; other fields are ignored", () => {
  const lines = [
    { id: "a", command: "npm test", exitCode: 1, stdout: OUTPUT, stderr: "", label: 3 },
    { id: 2, command: "npx tsc", exitCode: 2, stdout: "a.ts(1,2): error TS1005: ';' expected." },
    { id: "gone", command: "vitest", exitCode: 127, stderr: "sh: 1: vitest: not found" },
    { id: "slow", command: "npm test", exitCode: 124, stdout: "waiting", stderr: null },
    { id: "fine", exitCode: 0, stdout: "✔ adds (1ms)" },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n\n`;
  const { code, out } = unstuck(["excerpt", "--jsonl", "--budget", "400"], { input });
  assert.equal(code, 0);
  const told = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
  assert.deepEqual(
    told.map(({ id, kind }) => [id, kind]),
    [
      ["a", "verification_failed"],
      [2, "broken_build"],
      ["gone", "cannot_run"],
      ["slow", "timeout"],
      ["fine", "passed"],
    ],
  );
});

test("excerpt: bad input is refused with its place, exit 2", () => {
  for (const [args, input, says] of [
    [
      ["--jsonl"],
      '{"id":1,"stdout":"x"}\n{"stdout":3}\n',
      /line 2, field stdout: expected a string/,
    ],
    [["--jsonl"], "no json\n", /line 1 is not JSON/],
    [["--jsonl"], "[1]\n", /line 1: expected a JSON object/],
    [["--budget", "many"], "x", /--budget takes a number/],
    [["--budget", "1"], "x", /--budget takes a number/],
    [["/no/such/file"], "", /\/no\/such\/file/],
  ] as const) {
    const { code, err } = unstuck(["excerpt", ...args], { input });
    assert.equal(code, 2, args.join(" "));
    assert.match(err, says);
  }
});

test("excerpt: secrets are left out, and nothing is nothing", () => {
  const key = `sk-${"ant"}-api03-${"Ab3dE6g".repeat(12)}`;
  const { out } = unstuck(["excerpt"], { input: `Error: refused with ${key}` });
  assert.match(out, /Error: refused with/);
  assert.ok(!out.includes(key));
  const nothing = unstuck(["excerpt"], { input: "" });
  assert.deepEqual([nothing.code, nothing.out], [0, "Nothing in it says anything failed.\n"]);
});

test("the operation's answer has the shape it says, of long output too", async () => {
  const { output } = await excerptOutput.schemas();
  const stdout = `${"✔ fine (1ms)\n".repeat(350_000)}${OUTPUT}`;
  const result = await excerptOutput.run({ cwd: "." }, { fields: { stdout } });
  assert.ok(result.ok);
  assert.deepEqual(output.parse(result.value).items, [ITEM]);
});
