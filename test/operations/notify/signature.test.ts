// proves: U10
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import {
  answerToken,
  readAnswerToken,
  webhookSignature,
} from "../../../src/operations/notify/signature.ts";

const KEY = "0123456789abcdef";
const GRANT = { run: "r1", question: "a/c1", answer: "skip", expires: 1000 } as const;

test("a token holds what it was made for until it expires, under its own key only, and no two are alike", () => {
  const token = answerToken(KEY, GRANT);
  const read = readAnswerToken(KEY, token, 999);
  assert.ok(read.ok);
  const { once, ...grant } = read.grant;
  assert.deepEqual(grant, GRANT);
  assert.ok(once.length >= 16);
  assert.notEqual(answerToken(KEY, GRANT), token);
  assert.deepEqual(readAnswerToken(KEY, token, 1000), { ok: false, why: "expired" });
  assert.deepEqual(readAnswerToken("another", token, 0), { ok: false, why: "not ours" });
  const [payload = ""] = token.split(".");
  const webhook = createHmac("sha256", KEY).update(payload).digest("base64url");
  assert.deepEqual(readAnswerToken(KEY, `${payload}.${webhook}`, 0), {
    ok: false,
    why: "not ours",
  });
});

test("whatever is changed in a token makes it none, and reading never throws", () => {
  const token = answerToken(KEY, GRANT);
  const other = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(..."ABab09-_.="))
    .filter(([place, sign]) => token[place] !== sign);
  fc.assert(
    fc.property(other, ([place, sign]) => {
      const changed = token.slice(0, place) + sign + token.slice(place + 1);
      assert.equal(readAnswerToken(KEY, changed, 0).ok, false);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => !readAnswerToken(KEY, text, 0).ok));
  for (const text of ["", ".", "..", `${token}.`, `${token}=`, "x".repeat(5000)])
    assert.equal(readAnswerToken(KEY, text, 0).ok, false, text.slice(0, 20));
});

test("a webhook's signature is of the time and the body", () => {
  const signed = webhookSignature("s", "{}", 1_700_000_000_900);
  const mac = createHmac("sha256", "s").update("1700000000.{}").digest("hex");
  assert.equal(signed, `t=1700000000,v1=${mac}`);
});
