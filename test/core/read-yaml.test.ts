// proves: A9, E11
// In part: settings are checked on load, and every problem names its line, its path and what would
// be right.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { stringify } from "yaml";
import { z } from "zod";
import { checkYaml, parseYaml, type Problem } from "../../src/core/read-yaml.ts";

const SHAPE = z.strictObject({
  name: z.string().optional(),
  colour: z
    .enum("red orange yellow green blue indigo violet black white grey brown pink teal".split(" "))
    .optional(),
  list: z.array(z.strictObject({ size: z.number() })).optional(),
  either: z
    .union([
      z.enum(["never", "always"]),
      z.strictObject({ after: z.strictObject({ days: z.number() }) }),
    ])
    .optional(),
  deep: z
    .union([
      z.strictObject({ a: z.number() }),
      z.strictObject({ a: z.strictObject({ b: z.number() }) }),
    ])
    .optional(),
});

function problems(text: string): readonly Problem[] {
  const source = parseYaml(text);
  if (!source.ok) return source.problems;
  const reading = checkYaml(source.value, SHAPE);
  return reading.ok ? [] : reading.problems;
}

function only(text: string): Problem {
  const [problem, ...others] = problems(text);
  assert.ok(problem !== undefined, text);
  assert.deepEqual(others, []);
  return problem;
}

test("what is right is read", () => {
  const source = parseYaml("name: a\nlist:\n  - size: 1\n");
  assert.ok(source.ok);
  assert.deepEqual(checkYaml(source.value, SHAPE), {
    ok: true,
    value: { name: "a", list: [{ size: 1 }] },
  });
});

test("an unknown setting is named with its whole path and its own line", () => {
  assert.deepEqual(only("name: a\ncolor: red\n"), {
    line: 2,
    column: 1,
    path: "color",
    message: 'unknown setting "color": did you mean colour?',
  });
  const inner = only("list:\n  - size: 1\n  - size: 2\n    siez: 3\n");
  assert.deepEqual([inner.line, inner.column, inner.path], [4, 5, "list.1.siez"]);
  assert.match(inner.message, /did you mean size\?/);
  const far = only("name: a\nwhatever: 1\n");
  assert.equal(
    far.message,
    'unknown setting "whatever": known are name, colour, list, either, deep',
  );
});

test("a wrong word: the nearest one, else the first twelve that are allowed", () => {
  assert.equal(only("colour: gren\n").message, '"gren" is not allowed here: did you mean green?');
  assert.equal(
    only("colour: 7\n").message,
    "7 is not allowed here: one of red, orange, yellow, green, blue, indigo, violet, black, " +
      "white, grey, brown, pink",
  );
});

test("of several forms the one that came closest is spoken of", () => {
  const word = only("either: alwais\n");
  assert.match(word.message, /did you mean always\?/);
  const nested = only("name: x\ndeep:\n  a:\n    b: text\n");
  assert.deepEqual([nested.line, nested.path], [4, "deep.a.b"]);
  assert.match(nested.message, /expected a number/);
});

test("a value that is missing is looked for where it should be", () => {
  const missing = only("name: a\nlist:\n  - {}\n");
  assert.deepEqual([missing.line, missing.path], [3, "list.0.size"]);
  assert.match(missing.message, /expected a number/);
  assert.deepEqual([only("").line, only("").column], [1, 1]);
  assert.deepEqual([only("\n\n- a\n").line, only("\n\n- a\n").column], [3, 1]);
});

test("text that is no YAML names the line and column of the mistake, without a picture of it", () => {
  const source = parseYaml("name: a\nlist: [1, 2\ncolour: red\n");
  assert.ok(!source.ok);
  const [first] = source.problems;
  assert.ok(first !== undefined);
  assert.ok(first.line >= 2 && first.column >= 1, JSON.stringify(first));
  assert.ok(!first.message.includes("\n"), first.message);
});

test("a key that is set twice names both lines, at any depth", () => {
  const twice = only("name: a\nlist:\n  - size: 1\nname: b\n");
  assert.deepEqual([twice.line, twice.column], [4, 1]);
  assert.equal(twice.message, '"name" is set twice, first on line 1: keep one of them');
  assert.equal(only("list:\n  - size: 1\n    size: 2\n").line, 3);
  assert.deepEqual(problems("list: [{size: 1}, {size: 2}]\n"), [], "one key in two maps");
});

/** What the reader of YAML finds, in our words, where the mistake is made and not where it is noticed. */
const SYNTAX: readonly (readonly [text: string, place: string, message: RegExp])[] = [
  ["name: a\nlist:\n\t- size: 1\n", "3:1", /indented with a tab: use spaces/],
  ["name: 'a\ncolour: red\n", "1:7", /quote is not closed/],
  ['name: "a\ncolour: red\n', "1:7", /quote is not closed/],
  ["name: a\nlist: [{size: 1}\n", "2:7", /bracket is not closed: add \]/],
  ["name: a\neither: {after: 1\n", "2:9", /bracket is not closed: add \}/],
  ["name: fix: it\n", "1:7", /needs quotes/],
  ["name: @a\n", "1:7", /needs quotes/],
  ["name: *.ts\n", "1:7", /put \*\.ts in quotes/],
  ['name: "\\d"\n', "1:8", /single quotes/],
  ["name: a\ncolour red\n", "2:1", /":" is missing/],
  ["name: a\n---\nname: b\n", "2:1", /second document/],
];
for (const [text, place, message] of SYNTAX)
  test(`not YAML: ${JSON.stringify(text)}`, () => {
    const problem = only(text);
    assert.equal(`${problem.line}:${problem.column}`, place);
    assert.match(problem.message, message);
  });

const LIMITS = z.strictObject({
  whole: z.int().positive().max(10).optional(),
  text: z.string().min(1).max(3).optional().describe("what it is for"),
  list: z.array(z.string()).min(1).max(1).optional(),
  on: z.boolean().optional(),
  address: z.url().optional(),
  inside: z
    .string()
    .refine((path) => !path.startsWith("/"), "a path inside")
    .optional(),
  named: z.record(z.string().regex(/^[a-z]+$/, "small letters"), z.number()).optional(),
});

/** Every kind of complaint of the schema checker, so that none of its own words is left. */
const WRONG: readonly (readonly [text: string, message: string])[] = [
  ["whole: 1.5", "expected a whole number, got 1.5"],
  ["whole: 0", "must be more than 0, got 0"],
  ["whole: 1e99", "must be at most 10, got 1e+99"],
  ["text: 5", "expected text, got 5 (what it is for)"],
  ["text: ''", "is empty (what it is for)"],
  ["text: abcd", "is longer than 3 characters"],
  ["list: abc", 'expected a list, got "abc": write ["abc"]'],
  ["list: []", "is empty: list at least 1"],
  ["list: [a, b]", "has more than 1 entries"],
  ["on: maybe", 'expected true or false, got "maybe"'],
  ["address: nowhere", '"nowhere" is not allowed here'],
  ["inside: /etc", '"/etc" is not allowed here: a path inside'],
  ["named: {A: 1}", "this name is not allowed: small letters"],
  ["named: 5", "expected settings (name: value), got 5"],
];
for (const [text, message] of WRONG)
  test(`not as the schema wants it: ${text}`, () => {
    const source = parseYaml(text);
    const reading = source.ok ? checkYaml(source.value, LIMITS) : source;
    assert.deepEqual(!reading.ok && reading.problems.map((problem) => problem.message), [message]);
  });

test("a file of exactly the largest size is read, one more is refused", () => {
  const comment = `#${"x".repeat(999_999)}`;
  assert.equal(comment.length, 1_000_000);
  assert.ok(parseYaml(comment).ok);
  assert.deepEqual(parseYaml(`${comment}x`), {
    ok: false,
    problems: [
      { line: 0, column: 0, path: "", message: "the file is larger than 1 MB: make it smaller" },
    ],
  });
});

test("aliases upon aliases are refused with a reason", () => {
  const rows = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
  for (const [index, name] of [..."bcdefg"].entries())
    rows.push(`${name}: &${name} [${Array<string>(10).fill(`*${"abcdefg"[index]}`).join(", ")}]`);
  const source = parseYaml(rows.join("\n"));
  assert.ok(!source.ok);
  assert.match(source.problems[0]?.message ?? "", /alias/i);
  const few = parseYaml("a: &a [1]\nb: [*a, *a]\n");
  assert.ok(few.ok);
  assert.deepEqual(few.value.value, { a: [1], b: [[1], [1]] });
});

test("the place of a path that is not there is that of its nearest parent", () => {
  const source = parseYaml("top:\n  inner:\n    key: 1\n");
  assert.ok(source.ok);
  const { placeOf } = source.value;
  assert.deepEqual(placeOf(["top", "inner", "key"]), { line: 3, column: 10 });
  assert.deepEqual(placeOf(["top", "inner", "other"]), { line: 3, column: 5 });
  assert.deepEqual(placeOf(["nowhere", "at", "all"]), { line: 1, column: 1 });
});

const LIBRARY_WORDS = /Invalid input|Too (?:small|big)|expected .* received|Unrecognized|undefined/;

test("whatever is written, a problem has its place and none of a library's words", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.jsonValue().map((value) => stringify(value)),
      ),
      (text) => {
        const source = parseYaml(text);
        const reading = source.ok ? checkYaml(source.value, LIMITS) : source;
        if (reading.ok) return;
        for (const { line, column, message } of reading.problems) {
          assert.ok(
            line >= 1 && column >= 1 && line <= text.split("\n").length,
            `${line}:${column}`,
          );
          const own = message.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
          assert.doesNotMatch(own, LIBRARY_WORDS);
        }
      },
    ),
    { numRuns: 300 },
  ));

test("as many aliases as fit into a file are looked at in one pass", () => {
  const source = parseYaml(`a: &a 1\nb: [${Array<string>(200_000).fill("*a").join(", ")}, *b]\n`);
  assert.ok(!source.ok);
  assert.deepEqual(
    source.problems.map(({ message }) => message),
    ["put *b in quotes: text that begins with * has another meaning"],
  );
});
