// proves: U12
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { redactDeep, REDACTED, redactor, secretsOf } from "../../src/core/redact.ts";

const redact = redactor([]);
const R = REDACTED;
const key = (begin: string, length = 40): string => begin + "a1B2c3D4".repeat(8).slice(0, length);

/** Put together, so that no scanner takes this file for a leak. */
const AWS = `AK${"IA"}IOSFODNN7ABCDEFG`;
const PRIVATE = "PRIVATE";

const rows: readonly [given: string, kept: string][] = [
  [`401 Incorrect API key provided: ${key("sk-proj-")}.`, `401 Incorrect API key provided: ${R}.`],
  [`x-api-key: ${key("sk-ant-api03-")}`, `x-api-key: ${R}`],
  [`remote: ${key("ghp_", 36)} denied`, `remote: ${R} denied`],
  [`curl -H "Authorization: Bearer ${key("")}" x`, `curl -H "Authorization: Bearer ${R}" x`],
  [`authorization: Basic dXNlcjpwYXNzd29yZA==`, `authorization: Basic ${R}`],
  ["https://bob:hunter2@host/x.git", `https://bob:${R}@host/x.git`],
  ["DATABASE_PASSWORD=corr3ct-horse", `DATABASE_PASSWORD=${R}`],
  ['{"client_secret": "Zk9pQ2w81x"}', `{"client_secret": "${R}"}`],
  [`AWS_ACCESS_KEY_ID ${AWS} used`, `AWS_ACCESS_KEY_ID ${R} used`],
  [`-----BEGIN RSA ${PRIVATE} KEY-----\nMIIabc\nq==\n-----END RSA ${PRIVATE} KEY-----`, R],
  [`jwt ${key("eyJ", 20)}.${key("", 30)}.${key("", 20)} end`, `jwt ${R} end`],
];
for (const [given, kept] of rows)
  test(`redacted: ${kept}`, () => assert.equal(redact(given), kept));

const untouched = [
  "TypeError: Cannot read properties of undefined (reading 'token')",
  "expected token: identifier, got number",
  "password: must be at least 8 characters",
  "tokens: 1234 used of 20000",
  "API_KEY=$OPENAI_API_KEY npm start",
  "const apiKey = process.env.API_KEY",
  "secret: ./secrets/dev.env",
  "commit 3f2a9c1b8e7d6f5a4b3c2d1e0f9a8b7c6d5e4f3a",
  "token=undefined",
  "https://host:8080/path@v2",
  "sk-learn is a package; skim the docs",
  "at file:///app/node_modules/x/key-value.js:12:34",
];
for (const text of untouched)
  test(`kept as it is: ${text}`, () => assert.equal(redact(text), text));

test("values of the user's own secret variables go wherever they stand", () => {
  const secrets = secretsOf({
    MY_TOKEN: "zebra-crossing-99",
    HOME: "/home/zebra1",
    EMPTY_KEY: "",
    DEBUG_TOKEN: "true",
  });
  const own = redactor(secrets);
  assert.equal(own("GET /?q=zebra-crossing-99&x=1"), `GET /?q=${R}&x=1`);
  assert.equal(own("it is true in /home/zebra1"), "it is true in /home/zebra1");
});

test("no planted secret survives, whatever stands around it", () => {
  const planted = [key("sk-proj-"), key("ghp_", 36), AWS, key("glpat-", 20)];
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...planted), fc.string(), (before, secret, after) => {
      const clean = redact(`${before} ${secret} ${after}`);
      assert.ok(!clean.includes(secret), clean);
    }),
  );
});

test("hostile text does not make a pattern explode", { timeout: 20_000 }, () => {
  const units = [
    "password=",
    "eyJaaaaaaaa.",
    `-----BEGIN ${PRIVATE} KEY-----`,
    "bearer ",
    "a_",
    "://a:",
  ];
  for (const unit of units) {
    const text = unit.repeat(200_000 / unit.length);
    assert.ok(redact(text).length <= text.length * 2, unit);
  }
});

test("deep: every text of a recorded fact", () => {
  const fact = {
    kind: "PASSWORD=abc12345",
    list: [{ stderr: "PASSWORD=abc12345" }, 7, null],
    at: 5,
  };
  assert.deepEqual(redactDeep(fact, redact), {
    kind: "PASSWORD=abc12345",
    list: [{ stderr: `PASSWORD=${R}` }, 7, null],
    at: 5,
  });
});
