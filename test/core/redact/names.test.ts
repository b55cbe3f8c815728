// proves: U12
// Which names say that their value is a secret, and which values under such a name are none.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSecretVariable, kindOfName, mayBeSecretName } from "../../../src/core/redact/names.ts";
import { isKnownSecret, isPath, isPlaceholder } from "../../../src/core/redact/placeholders.ts";
import { redactionOf } from "../../../src/core/redact/redaction.ts";

const KINDS: Readonly<Record<string, string>> = {
  password:
    "password dbPassword DB_PASSWD passphrase passwort userPwd passcode smtp_pass sshpass PASSWORD_PROD password.2 PASSWORD_12",
  secret: "secret client_secret clientSecret JWT_SECRET_DEV secret-1 SECRET_VALUE",
  token:
    "token accessToken X-Auth-Token credential credentials bearer api_key apikey APIKEY deploy-key npm_auth basicAuth API_KEY_BASE",
  random: "key KEY key_3 sig X-Amz-Signature",
  authorization: "authorization Proxy-Authorization",
  cookie: "cookie Set-Cookie",
  none:
    "PWD OLDPWD pass bypass compass secretary tokens tokenizer credentialed primary_key publicKey s3_key monkey keyboard " +
    "signature sigs design author cookies prod 2 passwords_x key_1234",
};
for (const [kind, names] of Object.entries(KINDS))
  test(`names of kind ${kind}`, () => {
    for (const name of names.split(" ")) assert.equal(kindOfName(name) ?? "none", kind, name);
  });

test("the quick look at a name's end never misses one", () => {
  const word = fc.constantFrom(
    ..."api db user password passwd pass pwd secret token key apikey auth credentials bearer cookie authorization".split(
      " ",
    ),
    ..."amz signature sig passcode passphrase basicauth accesskey sshpass".split(" "),
  );
  const stage = fc.constantFrom("", "base", "prod", "production", "dev", "value", "1", "12", "123");
  const between = fc.constantFrom("_", "-", ".");
  const casing = fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.replace(/[_.-]([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  fc.assert(
    fc.property(word, word, stage, between, casing, (one, two, end, sign, write) => {
      const name = write([one, two, end].filter((part) => part !== "").join(sign));
      if (kindOfName(name) !== undefined) assert.ok(mayBeSecretName(name, name.length), name);
    }),
    { numRuns: 500 },
  );
  assert.equal(mayBeSecretName("name12", 6), false);
  assert.equal(mayBeSecretName("total", 5), false);
});

test("numbered secrets are hidden, whatever stands before the number", () => {
  for (const name of ["API_KEY_1", "API_KEY_12", "api.key.3", "db-password-123"])
    assert.equal(redactionOf([]).text(`${name}=abcdefg1 x`), `${name}=[secret 1] x`, name);
  assert.equal(redactionOf([]).text("row_12=abcdefg1"), "row_12=abcdefg1");
});

test("of the environment, a variable is secret by any word of its name, unless it is about one", () => {
  const secret =
    "TOKEN MY_TOKEN_X A_KEY KEY_A SECRETS_JSON db_pass DSN SENTRY_DSN MYSQL_PWD GH_AUTH clientSecret";
  const open =
    "PWD OLDPWD TOKEN_FILE KEY_PATH AUTH_URL SECRET_NAME TOKEN_TTL SSH_AUTH_SOCK KEYBOARD MONKEY sig HOME PASSENGER";
  const all = [...secret.split(" "), ...open.split(" ")];
  assert.deepEqual(all.filter(isSecretVariable), secret.split(" "));
});

const split = (values: string): readonly string[] => values.split(" ");

test("what stands in for a value is no secret", () => {
  const placeholders =
    "$TOKEN ${X} $(cat) $$ $ %NAME% <key> {{x}} [x] (x) *** ... … !ref #x process.env.X os.environ os.getenv import.meta env.X " +
    "ENV[x] secrets.X vault:x op://x arn:aws file:x sha256-x sha1:x //x &x xxxx XXX **** ---- ____ aaaa your-key my_key example-token " +
    "change_me put-it todo-x key-goes-here";
  const values =
    "$1abc a$TOKEN sh256-x environment.x yourkey mykey1 your-key-1 key-1-here xxxy %1 here-x secret.X";
  const all = [...split(placeholders), ...split(values)];
  assert.deepEqual(all.filter(isPlaceholder), split(placeholders));
  assert.ok(isPlaceholder(""));
});

test("a path or a file's name is no secret; base64 that looks like one is", () => {
  const paths =
    "/run/secrets/db ./a ../b.c ~/x /a.b C:/keys C:\\keys keys/server.pem a/b/c.json id.pem token.TXT config.ya.yml";
  const values = "a/b/c abc server.exe1 .a ~a C: keys/server.";
  const all = [...split(paths), ...split(values)];
  assert.deepEqual(all.filter(isPath), split(paths));
  const base64 = "/aBcDe1FgH9jK2mN5pQ8rS1tU4vW7xY0";
  assert.equal(isPath(base64), false);
  assert.equal(isPath(base64.toLowerCase()), true);
  assert.equal(isPath(base64.slice(0, 31)), true);
});

test("a known value counts from eight characters on, unless it is a plain word", () => {
  const counts = "abcdefg1 abcdEfgh 12345678 a-b-c-d-e aBCDEFGH ABCDEFGHIJKLMNOPQRSTU";
  const not = "abcdef1 production Production PRODUCTION abcdefghijklmnopqrst ./a/b/c/d xxxxxxxx";
  const all = [...split(counts), ...split(not)];
  assert.deepEqual(all.filter(isKnownSecret), split(counts));
});
