// proves: U12
// What a name says about its value holds in every way of writing the two, wherever they stand.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { secretsOf, variablesIn } from "../../../src/core/redact/known-values.ts";
import { redactionOf } from "../../../src/core/redact/redaction.ts";
import { NEAR_MISSES } from "./near-misses.ts";
import { SHAPES } from "./shapes.ts";

const MARK = "[secret 1]";
const said = (text: string): string => redactionOf([]).text(text);

const SECRET_NAMES =
  "password DB_PASSWORD dbPassword db-passwd passphrase PASSCODE SMTP_PASS userPwd client_secret " +
  "JWT_SECRET_PROD SECRET_KEY_BASE signing_secret_dev token accessToken X-Auth-Token API_KEY_2 apiKey " +
  "openai.api.key deployKey PRIVATEKEY my_credential credentials bearer basicAuth npm_auth";
const OPEN_NAMES =
  "pass bypass compass primary_key cacheKey s3_key public-key max_tokens tokens tokenizer " +
  "keyboard session signature author password_file secretary prod monkey passenger signed";

/** Letters and digits in no order: what a person would take for a secret. */
const madeUp = fc
  .tuple(
    fc.stringMatching(/^[a-z][A-Z][0-9]$/),
    fc.string({ unit: fc.constantFrom(..."abXY0189zQ7"), minLength: 8, maxLength: 40 }),
  )
  .map((parts) => parts.join(""));

type Way = (name: string, value: string) => string;
const WAYS: readonly Way[] = [
  (name, value) => `${name}=${value}`,
  (name, value) => `${name}: ${value}`,
  (name, value) => `  ${name}  =  ${value}`,
  (name, value) => `export ${name}='${value}'`,
  (name, value) => `${name} := "${value}"`,
  (name, value) => `'${name}' => '${value}',`,
  (name, value) => `["${name}"] = \`${value}\`;`,
  (name, value) => `connect("h", ${name}="${value}", 1)`,
  (name, value) => `${name}=b'${value}'`,
  (name, value) => `if (${name} == "${value}") {`,
  (name, value) => `<${name}>${value}</${name}>`,
  (name, value) => `run --${name} ${value} on`,
  (name, value) => `run --${name}=${value} on`,
  (name, value) => `GET /x?a=1&${name}=${value}&b=2`,
  (name, value) => JSON.stringify({ a: 1, [name]: value, b: [2] }),
  (name, value) => JSON.stringify({ out: `1\n${name}="${value}"\n2` }),
  (name, value) => JSON.stringify({ out: JSON.stringify({ deep: `${name}='${value}'\t` }) }),
];

const way = fc.constantFrom(...WAYS);
const secretName = fc.constantFrom(...SECRET_NAMES.split(" "));

test("V7: a value under a secret's name is taken out, and nothing else, in every way of writing it", () => {
  fc.assert(
    fc.property(way, secretName, madeUp, (write, name, value) => {
      assert.equal(said(write(name, value)), write(name, MARK));
    }),
    { numRuns: 600 },
  );
});

test("V7: under any other name the same value stays", () => {
  const openName = fc.constantFrom(...OPEN_NAMES.split(" "));
  fc.assert(
    fc.property(way, openName, madeUp, (write, name, value) => {
      const text = write(name, value);
      assert.equal(said(text), text);
    }),
    { numRuns: 400 },
  );
});

test("V7: what only stands in for a secret stays, in every way of writing it", () => {
  const standIn = fc.constantFrom(
    ..."$TOKEN ${API_KEY} $(pass) <token> xxxxxxxx ******** ........ your-token-here changeme".split(
      " ",
    ),
    ..."REDACTED null undefined string true process.env.KEY_1 ./keys/server-1.pem /run/secrets/db1 /srv/a+1/key /srv/AbCd1/key".split(
      " ",
    ),
    ..."keys/id_1.pem ~/.ssh/id_1 C:/keys/id1 op://vault/item1 arn:aws:kms:1 secrets.API_KEY1".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(way, secretName, standIn, (write, name, value) => {
      const text = write(name, value);
      assert.equal(said(text), text);
    }),
    { numRuns: 400 },
  );
});

const UPPER = "ABCD1234EFGH5678";
const HEX = "0123456789abcdef".repeat(2);
const LONG = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z7";

/** With a secret `*` in it, and the same with one thing less, where there is none. */
const PAIRS: readonly (readonly [secret: string, text: string, harmless: string])[] = [
  [`AKIA${UPPER}`, "use * now", `use AKIA${UPPER}9 now`],
  [`dapi${HEX}`, "use * now", `use dapi${HEX}0 now`],
  [`ghp_${LONG}`, "a.*", `a_ghp_${LONG}`],
  [LONG, "curl --proxy-user bob:* https://h", "curl --proxy-user bob https://h"],
  ["abc", "curl -u bob:* https://h", "curl -u bob:ab https://h"],
  ["1234567", "curl -u bob:* https://h", "curl -u bob:123456 https://h"],
  ["pw1", "mysql -p* app", "mysql -p12 app"],
  ["pw12", "mysqldump -p'*' app", "sort -p'pw12' app"],
  ["pw12", "mariadb --user=x -p* app", "ssh -ppw12 app"],
  ["pw12", "docker login -u bob -p *", "docker run -p 8080:80 image"],
  ["pw12", "redis-cli -h x -a *", "sort -a pw12"],
  ["abcdefg1", "tool --token * x", "tool --token --abcdefg1 x"],
  ["pw12", "machine h login bob password *", "the login bob has a password pw12"],
  [LONG, "Authorization: Bot *", "Authorization: Bearer process.env.TOKEN_1"],
  ["abcdefg1", "Authorization: *", "Authorization: abcdef1"],
  [
    `Credential=${LONG}, Signature=${HEX}`,
    "Authorization: AWS4-HMAC-SHA256 *",
    "Authorization: Digest",
  ],
  [LONG, "authorization=Bearer%20*", "authorization=Bearer%20abcdefghijkl"],
  ["abcdefghijklmno1", "sent bearer * to it", "sent bearer abcdefghijklmn1 to it"],
  ["abc1", "Set-Cookie: sid=*; Path=/", "Set-Cookie: sid=ab1; Path=/"],
  ["a=bcd", "Cookie: *", "Cookie: a=bc"],
  [LONG, "https://canary.discord.com/api/webhooks/12/*", "https://discord.com/api/users/12/x"],
  [LONG, "https://x.webhook.office.com/webhookb2/*", "https://x.office.com/webhookb2/x"],
  ["abcdefghijklmno1", "https://*@host", "https://abcdefghijklmn1@host"],
  ["x1", "https://bob:*@host", "https://bob:@host"],
  ["12a", "password=*", "password=123"],
  ["12a", "db_pass=*", "--pass=12a"],
  ["abcdefg1", '{"out":"token=\\"*"}', '{"out":"token=\\""}'],
  ["abcdefg1", "tool --token=* x", "tool --token,abcdefg1 x"],
  ["abc123", "secret=*", "secret=abc12"],
  ["abcdefg1", "token=*", "token=abcdef1"],
  ["abcDefgh", "token=*", "token=Abcdefgh"],
  ["abcdefghijklmnopqrstuvwx", "token=*", "token=abcdefghijklmnopqrstuvw"],
  ["aB3dE6gH9jK2mN5pQ8rS", "sig=*", "sig=aB3dE6gH9jK2mN5pQ8r"],
  [LONG, "key=*", "key=ab3de6gh9jk2mn5pq8rs1tu4"],
  [LONG, "X-Amz-Signature=*", `signature=${LONG}`],
  ["correct horse", "password='*'", "password='must be long'"],
  ["swordfish", "password: *", "password: swordfish now"],
  ["swordfish", "password = *", "password = swordfish;"],
  ["swordfish", "PASSWORD=*,", "f(password=swordfish, x)"],
  ["sword-fish", "password = *;", "password = secretfish;"],
  ["abcdefg1", "token=*, and more.", "token=$abcdefg1, and more."],
  ["abcdefg1", "token=*.", "token=%abcdefg1%."],
  ['pa"ss 1x', "password='*'", "password='is it \"short\"'"],
  ["it's-1x", 'password="*"', 'password="it\'s too short"'],
  ["abc", "curl -u=bob:* https://h", "curl -u/bob:abc https://h"],
  ["abc", "curl --user bob:* https://h", "curl --users bob:abc https://h"],
  ["abc", "curl -u bob:* https://h", "curl -u :abc https://h"],
  ["pw12", "sshpass -p '*' ssh h", "sshpass -p/pw12 ssh h"],
  ["pw12", "redis-cli -a=* ping", "redis-cli -a/pw12 ping"],
  ["pw12", "helm -n x registry login -p *", "helm -n x upgrade -p pw12"],
  ["abcdefg1", "tool --token '*' x", "tool --token_file 'abcdefg1' x"],
];

test("V7: one thing less and it is no secret", () => {
  for (const [secret, text, harmless] of PAIRS) {
    const [before = "", after = ""] = text.split("*");
    const written = before + secret + after;
    const left = said(written);
    assert.ok(left.startsWith(before + MARK) && left.endsWith(after), left);
    assert.equal(said(harmless), harmless);
  }
});

test("V7: each line is read for itself", () => {
  const line = fc.constantFrom(...NEAR_MISSES, ...SHAPES.map(({ text }) => text));
  const isOneLine = (text: string): boolean => !/\n|-----BEGIN/.test(text);
  fc.assert(
    fc.property(fc.array(line.filter(isOneLine), { maxLength: 6 }), (lines) => {
      const apart = redactionOf([]);
      assert.equal(said(lines.join("\n")), lines.map((one) => apart.text(one)).join("\n"));
    }),
    { numRuns: 200 },
  );
});

test("V7: in a line of any length a secret is found wherever it begins", () => {
  const shape = fc.constantFrom(...SHAPES.filter(({ text }) => text.startsWith("use ")));
  fc.assert(
    fc.property(shape, fc.nat(40), fc.nat(4), ({ text, said: left }, shift, pieces) => {
      const before = `${"word ".repeat(1600 * pieces)}${".".repeat(shift + 70)} `;
      const after = ` ${"word ".repeat(4000)}`;
      assert.equal(said(before + text + after), before + left + after);
    }),
    { numRuns: 100 },
  );
});

test("V7: of a secret of any length nothing is left, and what follows it stays", () => {
  const lengths = [4000, 4096, 4097, 8192, 16_000, 16_384, 16_385, 24_577, 50_000];
  for (const begin of ["PASSWORD=", 'token: "', "Authorization: Bearer ", "x_key=", "gh" + "p_"])
    for (const length of lengths) {
      const secret = "aB3dE6gH".repeat(length / 8 + 1).slice(0, length);
      for (const size of [1000, 16_384, 100_000]) {
        const redactor = redactionOf([]).stream();
        const text = `a ${begin}${secret} and more\nb\n`;
        let out = "";
        for (let at = 0; at < text.length; at += size)
          out += redactor.push(text.slice(at, at + size));
        out += redactor.end();
        assert.doesNotMatch(out, /aB3dE6gH/, `${begin} ${length} ${size}`);
        assert.match(out, /^a .*\[secret 1\].* and more\nb\n$/, `${begin} ${length} ${size}`);
      }
    }
});

test("V7: of a header of any length nothing is left; the end of its line stays", () => {
  for (const length of [8, 4094, 4095, 4096, 5000, 9000]) {
    const secret = "aB3dE6gH".repeat(length / 8 + 1).slice(0, length);
    for (const end of ["\nb", '"\nb'])
      assert.equal(said(`Cookie: s=${secret}${end}`), `Cookie: ${MARK}${end}`, `${length} ${end}`);
  }
  assert.equal(said("Cookie: s=abcd1; t=2  \nb"), `Cookie: ${MARK}  \nb`);
});

test("V7: a known secret counts from eight characters on, in whichever form", () => {
  for (const known of ["abcd-123", "pie & 7x"])
    for (const text of [known, encodeURIComponent(known), JSON.stringify(known).slice(1, -1)])
      assert.equal(redactionOf([known]).text(`a ${text} b`), `a ${MARK} b`);
  assert.equal(redactionOf(["abcd-12"]).text("a abcd-12 b"), "a abcd-12 b");
});

test("V7: a known secret is found in any text, in any form, and of two that begin together the longer one", () => {
  const secret = fc
    .string({ unit: fc.constantFrom(...'ab1ø"\\/+&% '), minLength: 6, maxLength: 20 })
    .map((text) => `q7${text}x9`);
  const filler = fc.string({ unit: fc.constantFrom(..."q7ab1 .\n"), maxLength: 30 });
  const forms: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify(text).slice(1, -1),
    encodeURIComponent,
    (text) => Buffer.from(text).toString("base64").replace(/=+$/, ""),
    (text) => Buffer.from(text).toString("base64url"),
  ];
  fc.assert(
    fc.property(secret, fc.constantFrom(...forms), filler, filler, (one, form, before, after) => {
      const text = `${before}${form(one)}${after}`;
      const redacted = redactionOf([`${one}-and-more`, one, "another-1"]).text(text);
      assert.equal(redacted, `${before}${MARK}${after}`);
      const among = `${form(one)} token=abcdefg1 ${form(one)} password=${one.replace(/\W/g, "-")}x `;
      const others = redactionOf([one]).text(among);
      assert.match(
        others,
        /^\[secret 1\] token=\[secret 2\] \[secret 1\] password=\[secret \d\]x? $/,
      );
      const longer = redactionOf([one, `${one}-and-more`]).text(`${before}${one}-and-more${after}`);
      assert.equal(longer, `${before}${MARK}${after}`);
    }),
    { numRuns: 200 },
  );
});

test("V7: variables of an .env file are read as a shell would, and give their secrets", () => {
  const value = fc.stringMatching(/^[a-z]{4}[0-9]{4}[A-Za-z0-9]{0,8}$/);
  const line = fc.constantFrom<Way>(
    (name, text) => `${name}=${text}`,
    (name, text) => `  export ${name} = "${text}"  `,
    (name, text) => `${name}='${text}'\r`,
    (name, text) => `${name}="${text}" # the 'old' one: "x"`,
    (name, text) => `${name}=${text} # the old one`,
  );
  fc.assert(
    fc.property(
      line,
      fc.constantFrom("A_KEY", "DB.TOKEN", "npm-auth"),
      value,
      (write, name, text) => {
        const file = `# comment\n\nnot a variable\n${write(name, text)}\nLAST=1`;
        const read = variablesIn(file);
        assert.deepEqual(read, { [name]: text, LAST: "1" });
        assert.deepEqual(secretsOf(read), [text]);
        assert.deepEqual(secretsOf({ [name]: `proto+x://user:${text}@host/x` }), [text]);
        assert.deepEqual(secretsOf({ [name]: `https://host/${text}` }), []);
        assert.deepEqual(secretsOf({ [name]: `${text}\r\n short \n${text}-2` }), [
          text,
          `${text}-2`,
        ]);
      },
    ),
    { numRuns: 100 },
  );
});
