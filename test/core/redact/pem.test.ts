// proves: U12
// Private keys in PEM: the whole key goes, whatever stands around it and however it is written; what is public stays.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { redactionOf } from "../../../src/core/redact/redaction.ts";

const DASHES = "-".repeat(5);
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const key = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 130, maxLength: 400 })
  .map((letters) => `${letters.slice(0, letters.length - (letters.length % 4))}Qw==`);
const inLines = (body: string, width: number): string =>
  body.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";
const pem = (label: string, body: string, width = 64): string =>
  `${DASHES}BEGIN ${label}${DASHES}\n${inLines(body, width)}\n${DASHES}END ${label}${DASHES}`;

const secretLabel = fc.constantFrom(
  ..."PRIVATE KEY,RSA PRIVATE KEY,EC PRIVATE KEY,OPENSSH PRIVATE KEY,ENCRYPTED PRIVATE KEY,PGP PRIVATE KEY BLOCK".split(
    ",",
  ),
);
const publicLabel = fc.constantFrom(
  ..."CERTIFICATE,PUBLIC KEY,RSA PUBLIC KEY,PGP SIGNATURE,PGP SIGNED MESSAGE,X509 CRL,DH PARAMETERS".split(
    ",",
  ),
);
const prose = fc
  .array(fc.constantFrom("the log", "- a list", "---", "BEGIN now", "-----", "a BEGIN -----", ""), {
    maxLength: 4,
  })
  .map((lines) => lines.map((line) => `${line}\n`).join(""));

function inPieces(text: string, size: number): string {
  const redactor = redactionOf([]).stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += redactor.push(text.slice(at, at + size));
  return out + redactor.end();
}

test("V7: a private key goes as a whole, and nothing else; what is public stays", () => {
  fc.assert(
    fc.property(
      prose,
      secretLabel,
      publicLabel,
      key,
      key,
      fc.integer({ min: 1, max: 200 }),
      (around, label, open, one, two, size) => {
        const text = `${around}${pem(label, one)}\n${around}${pem(open, two)}\n${pem(label, two)}${pem(label, one)}\n${around}`;
        const expected = `${around}[secret 1]\n${around}${pem(open, two)}\n[secret 2][secret 1]\n${around}`;
        assert.equal(redactionOf([]).text(text), expected);
        assert.equal(inPieces(text, size), expected);
      },
    ),
    { numRuns: 60 },
  );
});

test("V7: one key has one mark, however its lines are broken", () => {
  fc.assert(
    fc.property(secretLabel, key, (label, body) => {
      const redaction = redactionOf([]);
      const whole = pem(label, body);
      assert.equal(redaction.text(whole), "[secret 1]");
      for (const written of [
        pem(label, body, 76),
        pem(label, body, 1000),
        whole.replaceAll("\n", "\r\n"),
        whole.replaceAll("\n", "\\n"),
        whole.replaceAll("\n", "\\\\n"),
        whole.replaceAll("\n", " "),
        whole.replaceAll("\n", "\n    "),
      ])
        assert.equal(redaction.text(`a ${written} b`), "a [secret 1] b", written);
      assert.equal(
        redaction.text(JSON.stringify({ key: whole, n: 1 })),
        '{"key":"[secret 1]","n":1}',
      );
    }),
    { numRuns: 30 },
  );
});

test("V7: a key that is cut off goes as far as it looks like one; the words after it stay", () => {
  fc.assert(
    fc.property(secretLabel, key, fc.integer({ min: 1, max: 200 }), (label, body, size) => {
      const text = `${DASHES}BEGIN ${label}${DASHES}\n${inLines(body, 64)}`;
      for (const [rest, left] of [
        ["", ""],
        ["\n\nThe build failed.", "\n\nThe build failed."],
        ['", "n": 1}', '", "n": 1}'],
        [`\n${pem("CERTIFICATE", "abcd")}`, `\n${pem("CERTIFICATE", "abcd")}`],
      ] as const) {
        assert.equal(inPieces(text + rest, size), `[secret 1]${left}`);
      }
    }),
    { numRuns: 40 },
  );
});
