/** What went wrong, as HTTP says it: a status and `{ problem }`, whose message can be shown as it is. */
import type { Result } from "../operations/operation.ts";
import { redact } from "../operations/redaction.ts";

export type Problem = Extract<Result<never>, { readonly ok: false }>["problem"];

const STATUS = {
  "bad-input": 400,
  "not-found": 404,
  ambiguous: 409,
  "not-now": 409,
  "needs-consent": 409,
  "not-allowed": 403,
  failed: 500,
  machine: 500,
  journal: 500,
} as const satisfies Readonly<Record<Problem["code"], number>>;

/** A bug: all of it is told to whoever runs the server. */
export const BROKEN: Problem = {
  code: "failed",
  message: "Unstuck failed to answer this; the terminal of unstuck serve says more",
};

export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** Nothing leaves with a secret in it. */
export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(redact(JSON.stringify(value)), {
    status,
    headers: { ...JSON_TYPE, ...headers },
  });

export const refusal = (
  problem: Problem,
  status: number = STATUS[problem.code],
  headers: Readonly<Record<string, string>> = {},
): Response => json({ problem }, status, headers);
