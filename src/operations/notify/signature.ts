/**
 * Signatures of outgoing webhooks and of the one-time tokens of answer buttons. Invariants: a token states the question
 * and run it is for, its answer and its expiry, and none of this can be changed; signatures are compared in constant
 * time; the two kinds are signed for different purposes and cannot stand in for each other.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { OUTSIDE_ANSWERS } from "../../core/notify/notice.ts";

const hmac = (key: string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Over the time and the body, so that an old message cannot be replayed: `t=1700000000,v1=<hex>`. */
export function webhookSignature(secret: string, body: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`).toString("hex")}`;
}

const grant = z.strictObject({
  run: z.string().min(1).max(200),
  question: z.string().min(1).max(300),
  answer: z.enum(OUTSIDE_ANSWERS),
  /** Epoch milliseconds. */
  expires: z.number(),
  /** A unique value, so that each token counts once. */
  once: z.string().min(16).max(64),
});

export type Grant = z.infer<typeof grant>;

const PURPOSE = "unstuck answer";
const TOKEN_MAX = 2000;

export function answerToken(key: string, given: Omit<Grant, "once">): string {
  const text = JSON.stringify({ ...given, once: randomBytes(16).toString("base64url") });
  const payload = Buffer.from(text).toString("base64url");
  return `${payload}.${hmac(key, `${PURPOSE}.${payload}`).toString("base64url")}`;
}

export type ReadToken =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly why: "not ours" | "expired" };

export function readAnswerToken(key: string, token: string, now: number): ReadToken {
  const parts = token.length > TOKEN_MAX ? [] : token.split(".");
  const [payload = "", signature = ""] = parts;
  const given = Buffer.from(signature, "base64url");
  const wanted = hmac(key, `${PURPOSE}.${payload}`);
  const isSigned =
    parts.length === 2 && given.length === wanted.length && timingSafeEqual(given, wanted);
  // The same bytes have several base64 spellings; only ours is accepted.
  if (!isSigned || given.toString("base64url") !== signature) return { ok: false, why: "not ours" };
  const read = grant.safeParse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  if (!read.success) return { ok: false, why: "not ours" };
  return now < read.data.expires ? { ok: true, grant: read.data } : { ok: false, why: "expired" };
}
