/** A failure in words for a terminal. */
import { firstMoveOf } from "../core/failure.ts";
import type { Failure } from "../core/failure.ts";

export function describeFailure(
  failure: Failure,
  styled: (style: "bold", words: string) => string,
): string {
  const { kind, category, origin, confidence, because, signature, retryAfterMs, resetAt } = failure;
  const rows = [
    `${styled("bold", kind)}  (${category}, seen at the ${origin})  confidence ${confidence.toFixed(2)}`,
    ...because.map((reason, index) => `${index === 0 ? "because    " : "           "}${reason}`),
    `first move ${firstMoveOf(kind, origin)}`,
    ...(retryAfterMs === undefined ? [] : [`retry in   ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(resetAt === undefined ? [] : [`resets at  ${resetAt}`]),
    `signature  ${signature}`,
  ];
  return rows.join("\n");
}
