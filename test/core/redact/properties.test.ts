// proves: U12
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { secretsOf, variablesIn } from "../../../src/core/redact/known-values.ts";
import { redactDeep, redactionOf } from "../../../src/core/redact/redaction.ts";
import { NEAR_MISSES } from "./near-misses.ts";
import { SHAPES } from "./shapes.ts";

const pieces = fc.oneof(
  fc.constantFrom(...SHAPES.map(({ text }) => text)),
  fc.constantFrom(...NEAR_MISSES),
  fc.constantFrom("known-value-1", "PASSWORD=known-value-1", "known-value", "known-value-12"),
  fc.constantFrom("\n", " ", '"', "\\", "\\n", ": ", "=", "x".repeat(9000), "-----BEGIN "),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(""));

function inChunks(text: string, sizes: readonly number[]): string {
  const redactor = redactionOf(["known-value-1"]).stream();
  let out = "";
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    out += redactor.push(text.slice(at, at + size));
    at += size;
  }
  return out + redactor.end();
}

test("V7: however a text is cut, the same comes out", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(texts, sizes, (text, some) => {
      assert.equal(inChunks(text, some), redactionOf(["known-value-1"]).text(text));
    }),
    { numRuns: 300 },
  );
});

test("V7: redacting twice changes nothing more", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const once = redactionOf([]).text(text);
      assert.equal(redactionOf([]).text(once), once);
    }),
    { numRuns: 300 },
  );
});

test("V7: lines of JSON stay JSON, with the same fields", () => {
  const fields = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, inner]) => [name, fields(inner)])
      : "";
  const shaped = fc.constantFrom(...SHAPES.map(({ text }) => text));
  const words = fc.array(fc.oneof(shaped, pieces), { maxLength: 5 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(words, words, fc.boolean(), (a, b, nested) => {
      const inner = { password: b, n: 12345678, token: 1234567890123, list: [a, b] };
      const value = { text: a, deep: nested ? JSON.stringify({ a, inner }) : inner };
      const line = redactionOf([]).text(JSON.stringify(value));
      const read = JSON.parse(line) as typeof value;
      assert.deepEqual(fields(read), fields(value));
      if (typeof read.deep === "string") JSON.parse(read.deep);
    }),
    { numRuns: 300 },
  );
});

test("V7: bytes that are no text come out as they went in", () => {
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 31) % 256));
  const redactor = redactionOf(["øre-og-krone-17"]).bytes();
  const out = redactor.push(bytes.toString("latin1")) + redactor.end();
  assert.deepEqual(Buffer.from(out, "latin1"), bytes);
});

test("V7: equal secrets have equal marks, whatever they are written as; different ones different marks", () => {
  const redaction = redactionOf(secretsOf({ MY_TOKEN: 'plum "pie" & 7 øre' }));
  const [first, ...others] = [
    'plum "pie" & 7 øre',
    JSON.stringify('plum "pie" & 7 øre'),
    encodeURIComponent('plum "pie" & 7 øre'),
    Buffer.from('plum "pie" & 7 øre').toString("base64").replace(/=+$/, ""),
  ].map((text) => /\[secret \d+\]/.exec(redaction.text(`a ${text} b`))?.[0]);
  assert.equal(first, "[secret 1]");
  for (const other of others) assert.equal(other, first);
  const bytes = redaction.bytes();
  const line = Buffer.from('x plum "pie" & 7 øre\n').toString("latin1");
  assert.equal(bytes.push(line), "x [secret 1]\n");
  assert.equal(
    redaction.text("API_KEY=abcdefg1 and API_KEY=abcdefg2"),
    "API_KEY=[secret 2] and API_KEY=[secret 3]",
  );
});

test("V7: an open line is held back up to 16 KB, an open key up to 64 KB", () => {
  const redactor = redactionOf([]).stream();
  let pushed = 0;
  let out = 0;
  for (let round = 0; round < 200; round += 1) {
    out += redactor.push("word ".repeat(200)).length;
    pushed += 1000;
    assert.ok(pushed - out <= 17 * 1024, `${pushed - out}`);
  }
  const open = redactionOf([]).stream();
  open.push(`${"-".repeat(5)}BEGIN PRIVATE KEY${"-".repeat(5)}\n`);
  let held = 0;
  let told = "";
  while (told === "" && held < 200_000) {
    told = open.push("and nothing like a key follows\n");
    held += 31;
  }
  assert.ok(held <= 66 * 1024, `${held}`);
  assert.match(told, /^\[secret 1\]\nand nothing like a key follows/);
});

test("V7: of the environment, values under a secret's name count from eight characters on, but for paths and words", () => {
  const counts = (name: string, value: string): boolean => secretsOf({ [name]: value }).length > 0;
  for (const name of [
    "A_KEY",
    "TOKEN",
    "MY_SECRET",
    "db_password",
    "SSHPASS",
    "MYSQL_PWD",
    "NPM_AUTH",
  ])
    assert.ok(counts(name, "abcdefg1"), name);
  for (const name of [
    "PWD",
    "OLDPWD",
    "HOME",
    "KEYBOARD",
    "GIT_AUTHOR_NAME",
    "SECRETARY",
    "TOKEN_FILE",
  ])
    assert.ok(!counts(name, "abcdefg1"), name);
  for (const value of [
    "short12",
    "/srv/key/file1",
    "~/key12345",
    "production",
    "DISABLED",
    "$OTHER_1",
  ])
    assert.ok(!counts("A_KEY", value), value);
  for (const value of ["abcdEfgh", "a-b-c-d-e", "12345678", "correct horse"])
    assert.ok(counts("A_KEY", value), value);
  assert.deepEqual(secretsOf({ SENTRY_DSN: "https://abcdef12@host/1" }), ["abcdef12"]);
  assert.deepEqual(variablesIn("# x\nexport A_KEY='abc 123'\nB=2\n"), { A_KEY: "abc 123", B: "2" });
});

test("V7: deep in a value, names by which things are found again stay, all other texts are read", () => {
  const text = "PASSWORD=abc12345";
  const redact = (one: string): string => redactionOf([]).text(one);
  const kept = { kind: text, subtask: text, session: text, treeAfter: text, commit: text };
  assert.deepEqual(
    redactDeep({ ...kept, error: text, deep: [{ words: text }], [`sh ${text}`]: 1 }, redact),
    {
      ...kept,
      error: "PASSWORD=[secret 1]",
      deep: [{ words: "PASSWORD=[secret 1]" }],
      "sh PASSWORD=[secret 1]": 1,
    },
  );
});

for (const unit of [
  "password=$password=",
  'token="$x password=\\"',
  "sk-ghp_glpat-xoxb-AKIA-",
  "-----BEGIN PRIVATE KEY-----\n",
  "https://a:$b@c://",
  "cookie: authorization: bearer ",
  "mysql -p --token -u a:1 ",
  "\\",
  'key="',
])
  test(`V7: linear time for rows of ${JSON.stringify(unit)}`, () => {
    const spent = (chars: number): number => {
      const text = unit.repeat(Math.ceil(chars / unit.length));
      const began = process.cpuUsage();
      redactionOf(["known-value-1"]).text(text);
      return process.cpuUsage(began).user / text.length;
    };
    // A busy machine may slow any one try down, but not all of them.
    const tries = Array.from({ length: 5 }, () => (): number => {
      spent(25_000);
      return spent(200_000) / Math.max(spent(25_000), 0.02);
    });
    assert.ok(tries.some((growth) => growth() < 6));
  });

test("V7: a key right before a PEM key hides neither's end nor its begin, however the text is cut", () => {
  const pem = `${"-".repeat(5)}BEGIN PRIVATE KEY${"-".repeat(5)}\n${"Hn4wBQ8z".repeat(8)}\n`;
  const end = `${"-".repeat(5)}END PRIVATE KEY${"-".repeat(5)}\n`;
  for (const prefix of [
    "pypi-",
    "ghp_",
    "nvapi-",
    "password=",
    "https://hooks.slack.com/services/",
    "eyJhbGciOiJI.Ab3dE6g9.",
  ])
    for (const rest of ["and then it was cut off", end]) {
      const text = `${prefix}${"Ab3dE6g9".repeat(6)}${pem}${rest}`;
      const whole = redactionOf([]).text(text);
      assert.match(whole, /\[secret 1\]\[secret 2\]\n(?:and then it was cut off)?$/);
      assert.doesNotMatch(whole, /Ab3dE6g9|Hn4wBQ8z|PRIVATE/);
      for (let size = 1; size <= text.length; size += 1)
        assert.equal(inChunks(text, [size]), whole);
    }
});
