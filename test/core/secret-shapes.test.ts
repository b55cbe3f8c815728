// proves: U12
import assert from "node:assert/strict";
import { test } from "node:test";
import { redactDeep, REDACTED as R, redactor, secretsOf } from "../../src/core/redact.ts";

const redact = redactor([]);
const filler = (length: number): string => "aB3dE6gH".repeat(60).slice(0, length);

/** How a token begins (in two parts, so that no scanner takes this file for a leak), and how long its rest is at least. */
const SHAPES: readonly (readonly [begin: readonly [string, string], least: number])[] = [
  [["s", "k-"], 16],
  [["s", "k-ant-"], 16],
  [["s", "k-or-"], 16],
  [["s", "k-svcacct-"], 16],
  [["gh", "o_"], 20],
  [["gh", "p_"], 20],
  [["gh", "s_"], 20],
  [["gh", "u_"], 20],
  [["gh", "r_"], 20],
  [["github", "_pat_"], 20],
  [["gl", "pat-"], 16],
  [["gl", "cbt-"], 16],
  [["gl", "dt-"], 16],
  [["gl", "rt-"], 16],
  [["xox", "b-"], 10],
  [["xox", "p-"], 10],
  [["AI", "za"], 30],
  [["ya", "29."], 20],
  [["np", "m_"], 20],
  [["h", "f_"], 20],
  [["gs", "k_"], 20],
  [["pp", "lx-"], 20],
  [["lin", "_api_"], 20],
  [["s", "k_live_"], 16],
  [["r", "k_test_"], 16],
];

for (const [[first, second], least] of SHAPES)
  test(`a token that begins with ${first}${second} is known from ${least} characters on`, () => {
    const token = (length: number): string => first + second + filler(length);
    for (const length of [least, least + 1, 60])
      if (length >= least) assert.equal(redact(`use ${token(length)} now`), `use ${R} now`);
    const short = `use ${first}${second}${"a-".repeat(2)} now`;
    assert.equal(redact(short), short);
  });

test("keys of clouds have exactly their length", () => {
  for (const begin of [`AK${"IA"}`, `AS${"IA"}`]) {
    const id = `${begin}ABCDEFGH12345678`;
    assert.equal(redact(`id ${id}.`), `id ${R}.`);
    assert.equal(redact(`id ${id}9`), `id ${id}9`);
    assert.equal(redact(`id ${id.slice(0, -1)}`), `id ${id.slice(0, -1)}`);
  }
});

test("a signed token needs its three parts", () => {
  const [head, body, end] = [`ey${"J"}${filler(10)}`, filler(12), filler(9)];
  assert.equal(redact(`jwt ${head}.${body}.${end}`), `jwt ${R}`);
  assert.equal(redact(`jwt ${head}.${body}`), `jwt ${head}.${body}`);
});

const KEY = "PRIVATE KEY";
test("a private key goes whole, also one that was cut off", () => {
  const key = (name: string, rest: string): string =>
    `-----BEGIN ${name}${KEY}-----\nMII+/=\n${rest}`;
  for (const name of ["", "RSA ", "OPENSSH "]) {
    assert.equal(redact(`a ${key(name, `-----END ${name}${KEY}-----`)} b`), `a ${R} b`);
    assert.equal(redact(`a ${key(name, "cut off")}`), `a ${R}`);
  }
  const open = "-----BEGIN CERTIFICATE-----\nMII";
  assert.equal(redact(open), open);
});

for (const [given, kept] of [
  ["Authorization: Bearer abcdefgh", `Authorization: Bearer ${R}`],
  ["authorization=abcdefgh", `authorization=${R}`],
  ["Proxy-Authorization: Basic abc+/=._~-", `Proxy-Authorization: Basic ${R}`],
  ["authorization : token   abcdefgh1", `authorization : token   ${R}`],
  [`"authorization": "bearer abcdefgh"`, `"authorization": "bearer ${R}"`],
  ["bearer abcdefghijklmnop rest", `bearer ${R} rest`],
  ["BEARER  abc.def+ghi/jkl=mno~pqr-s_t", `BEARER  ${R}`],
  ["postgres://u:pw@h and amqp://:x@h", `postgres://u:${R}@h and amqp://:${R}@h`],
  ["a https://u:p@h b https://v:q@i", `a https://u:${R}@h b https://v:${R}@i`],
  ["API_KEY=abcdefg1", `API_KEY=${R}`],
  ["my-api-key: abcdefg1", `my-api-key: ${R}`],
  ["apikey = abcdefg1", `apikey = ${R}`],
  ["ACCESSKEY=abcdefg1 access_key=abcdefg2", `ACCESSKEY=${R} access_key=${R}`],
  ["secret='abcdefg1'", `secret='${R}'`],
  ["secret_key=abcdefg1;x", `secret_key=${R};x`],
  ["passwd:abcdefg1,", `passwd:${R},`],
  ["AUTH-TOKEN=abcdefg1 accesstoken=abcdefg1", `AUTH-TOKEN=${R} accesstoken=${R}`],
  ["refresh_token=abcdefg1&privatekey=abcdefg1", `refresh_token=${R}&privatekey=${R}`],
  ["credential=abcdefg1 credentials=abcdefg2", `credential=${R} credentials=${R}`],
  ["MY_OWN-TOKEN=abcdefg1 client-secret=abcdefg1", `MY_OWN-TOKEN=${R} client-secret=${R}`],
  ["auth_token=abcdefg1 secretkey=abcdefg1", `auth_token=${R} secretkey=${R}`],
  ["api-key=abcdefg1 api_key=abcdefg1", `api-key=${R} api_key=${R}`],
  ["password=Ab--EF--", `password=${R}`],
  ["token = abcdefghijklmnopqrstuvwx", `token = ${R}`],
  ["password=AbcdEfgh", `password=${R}`],
] as const)
  test(`redacted: ${kept} (${given.length})`, () => assert.equal(redact(given), kept));

for (const text of [
  "authorization: short12",
  "bearer abcdefghijklmno",
  "bearer of good news, everyone",
  "https://host/u:p@h",
  "https://user@host/x",
  "a://b c:d@e",
  "password=abcdef1",
  "password=abcdefgh",
  "password=abcdefghijklmnopqrstuvw",
  "password=Abcdefgh",
  "password=abcdEFGH",
  "secret=/home/u/key1",
  "secret=~/key12345",
  "secret=./key12345",
  "secret=C:\\keys\\key1",
  "secret=$SECRET_1",
  "secret=%SECRET_1%",
  "secret=process.env.KEY_1",
  "secret=os.environ_KEY_1",
  "secret=f(key12345)",
  "token: [redacted]",
  "mytokens=abcdefg1",
])
  test(`kept as it is: ${text}`, () => assert.equal(redact(text), text));

test("what stands inside a value may look like a path or a variable", () => {
  assert.equal(redact("secret=abc/def.1~2"), `secret=${R}`);
  assert.equal(redact("secret=abcdef$1%"), `secret=${R}`);
  assert.equal(redact("secret=x:process.env1"), `secret=${R}`);
  assert.equal(redact("secret=x:os.environ1"), `secret=${R}`);
  assert.equal(redact("secret=aC:\\keys1"), `secret=${R}`);
});

test("of the environment only variables named like secrets are taken", () => {
  const value = (name: string): readonly string[] => secretsOf({ [name]: "v" });
  for (const name of ["A_KEY", "TOKEN", "MY_SECRET", "db_password", "PASSWD", "AWS_CREDENTIALS"])
    assert.deepEqual(value(name), ["v"], name);
  for (const name of ["KEYBOARD", "TOKENS_USED", "HOME", "SECRETARY", "PASSWORD_FILE"])
    assert.deepEqual(value(name), [], name);
  assert.deepEqual(value("CREDENTIAL"), ["v"]);
});

test("of the user's own values the longest goes first, and words, paths and short ones stay", () => {
  const own = redactor([
    "abcdefg1",
    "abcdefg1-long2",
    "abcdefg1",
    "short12",
    "wordonly",
    "/srv/k1234",
  ]);
  assert.equal(own("abcdefg1-long2 abcdefg1 abcdefg1"), `${R} ${R} ${R}`);
  assert.equal(own("short12 wordonly /srv/k1234"), "short12 wordonly /srv/k1234");
});

test("a mark of one's own is made from the secret, with nothing of what stands around it", () => {
  const marked = redactor(["abcdefg1"], (secret) => `<${secret}>`);
  const token = `np${"m_"}${filler(20)}`;
  const key = `-----BEGIN ${KEY}-----MII-----END ${KEY}-----`;
  for (const [given, kept] of [
    ["own abcdefg1.", "own <abcdefg1>."],
    ["Authorization: Basic abcdefgh x", "Authorization: Basic <abcdefgh> x"],
    ["bearer abcdefghijklmnop x", "bearer <abcdefghijklmnop> x"],
    ["https://bob:hunter2@host/x", "https://bob:<hunter2>@host/x"],
    [`use ${token} now`, `use <${token}> now`],
    [`a ${key} b`, `a <${key}> b`],
    ["password: 'corr3ct-horse'", "password: '<corr3ct-horse>'"],
  ] as const)
    assert.equal(marked(given), kept);
});

test("deep: names by which things are found again stay, all other texts are read", () => {
  const text = "PASSWORD=abc12345";
  const names = ["kind", "subtask", "slot", "identity", "session", "signature"];
  const trees = ["treeBefore", "treeAfter", "commit", "checkpoint"];
  const kept = Object.fromEntries([...names, ...trees].map((name) => [name, text]));
  const fact = { ...kept, error: text, deep: [[{ words: text }], text], none: null, no: undefined };
  assert.deepEqual(redactDeep(fact, redact), {
    ...kept,
    error: `PASSWORD=${R}`,
    deep: [[{ words: `PASSWORD=${R}` }], `PASSWORD=${R}`],
    none: null,
    no: undefined,
  });
  assert.equal(redactDeep(text, redact), `PASSWORD=${R}`);
  for (const value of [7, true, null, undefined]) assert.equal(redactDeep(value, redact), value);
});
