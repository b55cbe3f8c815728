// proves: J9, U1
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyByStandardRules as classify } from "../../../src/core/rules/standard.ts";

const observedAt = Date.UTC(2026, 10, 16, 5, 52);
const REGAIN = "You will regain access on 2026-12-01 at 00:00 UTC.";
const DECEMBER = "2026-12-01T00:00:00.000Z";
const MINUTES = 60_000;

/** What services and agents say at a limit, when it ends (an instant or a delay), and if that is to the second. */
const WAITS: readonly (readonly [text: string, when: string | number, isExact?: true])[] = [
  [`You have reached your specified API usage limits. ${REGAIN}`, DECEMBER],
  [
    `API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"You have ` +
      `reached your specified API usage limits. ${REGAIN}"}}`,
    DECEMBER,
  ],
  [`You have reached your specified workspace API usage limits. ${REGAIN}`, DECEMBER],
  [`You have reached your specified API usage limits.\n${REGAIN}`, DECEMBER],
  ["Claude AI usage limit reached|1794844800", "2026-11-16T16:00:00.000Z", true],
  ["5-hour limit reached ∙ resets 3am", "2026-11-17T03:00:00.000Z"],
  ["Weekly limit reached ∙ resets Nov 20 at 9am (Europe/Berlin)", "2026-11-20T08:00:00.000Z"],
  ["Weekly limit reached ∙ resets Nov 20, 9am", "2026-11-20T09:00:00.000Z"],
  ["Opus weekly limit reached ∙ resets Mon 9am", "2026-11-16T09:00:00.000Z"],
  ["You've hit your limit · resets 9pm (UTC)", "2026-11-16T21:00:00.000Z"],
  ["You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours.", 4_560 * MINUTES],
  [
    "You've hit your usage limit. Visit https://a.example to purchase more credits or try again " +
      "at Nov 18th, 2026 3:05 PM.",
    "2026-11-18T15:05:00.000Z",
  ],
  ["You've hit your usage limit for m. Try again at 4:13 PM.", "2026-11-16T16:13:00.000Z"],
  ["You have exhausted your capacity on this model. Your quota will reset after 5h12m3s.", 18723e3],
  [
    "You exceeded your current quota, please check your plan and billing details.\n" +
      "* Quota exceeded for metric: free_tier_requests, limit: 20\nPlease retry in 22.7s.",
    22_700,
  ],
  [
    '{"error":{"type":"usage_limit_reached","plan_type":"plus","resets_at":1794844800}}',
    "2026-11-16T16:00:00.000Z",
    true,
  ],
  ["Monthly usage limit reached. Resets on December 1.", DECEMBER],
  ["Usage limit reached; resets at 2026-11-16T05:52:08Z", "2026-11-16T05:52:08.000Z", true],
  [
    "usage limit exceeded, available again at 2026-11-16T07:52:08.250+02:00",
    "2026-11-16T05:52:08.250Z",
    true,
  ],
  ["Limit reached. Try again at 14:05:30", "2026-11-16T14:05:30.000Z", true],
  ["Usage limit reached for this plan. Access is restored at 7pm", "2026-11-16T19:00:00.000Z"],
];

const MONEY = [
  "Your credit balance is too low to access the API. Please go to Plans & Billing.",
  "Insufficient balance. Top up, or your plan renews on December 1.",
  "Spending limit reached; resets on Dec 1",
  "Payment required. Your last invoice is unpaid; retry after 2026-12-01",
  "You exceeded your current quota, please check your plan and billing details.",
  "You have reached your specified API usage limits.",
];

const SOURCES = [
  { tool: "agent_cli", field: "message" },
  { tool: "agent_cli", field: "stderr" },
  { tool: "llm", field: "message" },
] as const;

test("a usage limit that names when it ends waits, whoever says it", () => {
  for (const [text, when, isExact] of WAITS)
    for (const { tool, field } of SOURCES) {
      const failure = classify({ tool, [field]: text, observedAt });
      assert.equal(failure.kind, "rate_limited", `${text}: ${failure.because.join("; ")}`);
      assert.equal(failure.resetAt ?? failure.retryAfterMs, when, text);
      assert.equal(failure.resetIsExact, isExact, text);
    }
});

test("where money is missing, no date makes it a wait", () => {
  for (const text of MONEY)
    for (const { tool, field } of SOURCES)
      assert.equal(classify({ tool, [field]: text, observedAt }).kind, "billing", text);
  const typed = {
    tool: "llm",
    observedAt,
    retryAfter: "30",
    providerError: { code: "insufficient_quota" },
    message: "You exceeded your current quota, please check your plan and billing details.",
  };
  assert.equal(classify(typed).kind, "billing");
});
