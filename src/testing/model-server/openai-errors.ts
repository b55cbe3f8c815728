/** OpenAI's errors, the same for its two APIs. */
import type { Fault } from "./scenario.ts";
import { whole } from "./wire.ts";
import type { Wire } from "./wire.ts";

type ErrorOf = (model: string, retryAfter: number) => readonly [number, string, string, string];

const ERRORS: Readonly<Record<Fault, ErrorOf>> = {
  rate_limited: (model, seconds) => [
    429,
    "requests",
    "rate_limit_exceeded",
    `Rate limit reached for ${model}. Please try again in ${seconds}s.`,
  ],
  usage_limit: (_, seconds) => [
    429,
    "usage_limit_reached",
    "usage_limit_reached",
    `The usage limit has been reached. It resets in ${seconds} seconds.`,
  ],
  overloaded: () => [503, "server_error", "server_is_overloaded", "The servers are overloaded."],
  server_error: () => [500, "server_error", "server_error", "The server had an error."],
  bad_key: () => [401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."],
  no_credit: () => [
    429,
    "insufficient_quota",
    "insufficient_quota",
    "You exceeded your current quota, check your plan and billing details.",
  ],
  no_model: (model) => [
    404,
    "invalid_request_error",
    "model_not_found",
    `The model ${model} does not exist.`,
  ],
  context_full: () => [
    400,
    "invalid_request_error",
    "context_length_exceeded",
    "Your input exceeds the context window of this model.",
  ],
};

export function openaiFault(fault: Fault, model: string, retryAfter: number): Wire {
  const [status, type, code, message] = ERRORS[fault](model, retryAfter);
  const at = Math.ceil(Date.now() / 1000) + retryAfter;
  const isLimit = fault === "usage_limit";
  const resets = isLimit ? { resets_in_seconds: retryAfter, resets_at: at } : {};
  return whole({ error: { message, type, param: null, code, ...resets } }, status, {
    ...(status === 429 ? { "retry-after": String(retryAfter) } : {}),
    ...(isLimit ? usedUp(at) : {}),
  });
}

/** The window of a plan, as Codex is told of it with every answer. */
const usedUp = (resetsAt: number): Readonly<Record<string, string>> => ({
  "x-codex-primary-used-percent": "100",
  "x-codex-primary-window-minutes": "300",
  "x-codex-primary-reset-at": String(resetsAt),
});
