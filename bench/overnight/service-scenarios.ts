/** Nights in which the model service fails: limits, overload, broken answers, a bad key. */
import { fault, shell } from "../../src/testing/model-server/scenario.ts";
import { doing, during, first, RIGHT, work } from "./moves.ts";
import type { NightScenario } from "./scenario.ts";

const FULL = "7f3a-half-done";

export const NO_FAULT: NightScenario = {
  name: "no fault",
  what: "nothing goes wrong",
  bar: "short",
  small: true,
  script: () => work,
};

export const SERVICE_SCENARIOS: readonly NightScenario[] = [
  NO_FAULT,
  {
    name: "no fault, grounding",
    what: "the same with a read-only look at the repository first: its price is shown, and bound by nothing",
    bar: "none",
    grounding: true,
    script: () => work,
  },
  {
    name: "rate limit",
    what: "429 once, with the seconds to wait",
    bar: "short",
    small: true,
    script: first(1, ({ wait }) => fault("rate_limited", wait)),
  },
  {
    name: "three rate limits",
    what: "429 three times, a second each",
    bar: "short",
    script: first(3, () => fault("rate_limited", 1)),
  },
  {
    name: "overloaded once",
    what: "one request meets an overloaded server",
    bar: "short",
    small: true,
    script: first(1, () => fault("overloaded")),
  },
  {
    name: "overloaded",
    what: "the service is overloaded for a minute",
    script: during(
      ({ outage }) => outage,
      () => fault("overloaded"),
    ),
  },
  {
    name: "server errors",
    what: "three requests meet an error 500",
    bar: "short",
    script: first(3, () => fault("server_error")),
  },
  {
    name: "API usage limit",
    what: "the limit of the organization; its end is told in words, to the minute",
    script: apiLimit,
  },
  {
    name: "five-hour limit",
    what: "the limit of a subscription; its end is told",
    script: during(
      ({ wait }) => 2 * wait,
      (left) => fault("usage_limit", Math.ceil(left)),
    ),
  },
  {
    name: "context full",
    what: "the conversation is too long once half of the work is done",
    script: () => (asked) => {
      if (asked.request.number === 1)
        return shell(`echo half > half.txt; echo ${FULL}`, "I am halfway: half.txt is there.");
      if (asked.request.results.some((result) => result.includes(FULL)))
        return fault("context_full");
      return work(asked);
    },
  },
  {
    name: "bad key",
    what: "every request is refused with 401: only a person can help",
    ends: [3],
    small: true,
    script: () => () => fault("bad_key"),
  },
  {
    name: "no credit",
    what: "every request is refused until somebody pays",
    ends: [3],
    script: () => () => fault("no_credit"),
  },
  {
    name: "truncated stream",
    what: "one answer is cut in the middle",
    bar: "short",
    script: first(1, () => ({ kind: "broken", how: "truncated" })),
  },
  {
    name: "connection reset",
    what: "one connection breaks in the middle of an answer",
    bar: "short",
    script: first(1, () => ({ kind: "broken", how: "reset" })),
  },
  {
    name: "malformed answer",
    what: "one answer is half of a JSON document",
    script: first(1, () => ({ kind: "http", status: 200, body: '{"id": "msg_1", "conten' })),
  },
  {
    name: "model hangs",
    what: "one request is never answered",
    script: first(1, () => ({ kind: "silent" })),
  },
  {
    name: "hangs halfway",
    what: "half of the work is done, then a request is never answered",
    script: () => (asked) => {
      if (asked.request.number === 1) return shell("echo half > half.txt", "I am halfway.");
      return asked.request.number === 2 ? { kind: "silent" } : doing(asked, RIGHT);
    },
  },
];

/** Given to the minute, as the API does: lifted at the next full minute that is far enough away. */
function apiLimit(): NightScenario["script"] extends (scale: never) => infer S ? S : never {
  const liftedAt = Math.ceil((Date.now() + 15_000) / 60_000) * 60_000;
  const [day, time = ""] = new Date(liftedAt).toISOString().split("T");
  const message = `You have reached your specified API usage limits. You will regain access on ${day} at ${time.slice(0, 5)} UTC.`;
  const error = { type: "invalid_request_error", message, code: null, param: null };
  const body = JSON.stringify({ type: "error", error });
  return (asked) =>
    asked.request.at < liftedAt ? { kind: "http", status: 400, body } : work(asked);
}
