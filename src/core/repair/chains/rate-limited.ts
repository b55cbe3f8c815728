/** Recovery chain of rate_limited (seeds/2, 9). */
import { again, commandOf, guidance, named, waitStep } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";

const DEFAULT_WAIT_MS = 60_000;
const PAUSE_MS = 5000;

/** The server's word wins over the default of the source. */
function limitWait({ failure, observedAt }: RepairFacts): StepDraft {
  const { retryAfterMs, resetAt } = failure;
  const reset = resetAt === undefined ? Number.NaN : Date.parse(resetAt);
  if (retryAfterMs !== undefined) return waitStep(retryAfterMs);
  if (resetAt === undefined || Number.isNaN(reset)) return waitStep(DEFAULT_WAIT_MS);
  return observedAt === undefined
    ? guidance(`Wait until ${named(resetAt)}`, "The limit has been reset", { waitUntil: resetAt })
    : waitStep(Math.max(0, reset - observedAt));
}

const waitAndRetry = (facts: RepairFacts): readonly StepDraft[] => [
  limitWait(facts),
  again(facts, {
    action: `Run ${commandOf(facts.values)} again`,
    expectedOutcome: "The request is accepted",
  }),
];

const slower = (facts: RepairFacts): readonly StepDraft[] => [
  limitWait(facts),
  guidance(
    `Send fewer requests with ${commandOf(facts.values)}: several in one where the service allows it, and ${PAUSE_MS / 1000} s between two`,
    "The limit is not reached again",
    { pauseMs: PAUSE_MS },
  ),
];

function otherSource({ values: { host }, has, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const source = host === undefined ? "the service" : named(host);
  const use = guidance(
    `Take the data from somewhere else than ${source}`,
    "The data, without another request",
  );
  const look: StepDraft = {
    action: `Look for data that makes the request to ${source} needless`,
    tool: "read_dir",
    args: { dir: sandboxRoot },
    expectedOutcome: "A file with the data",
  };
  return has("read_dir") ? [look, use] : [use];
}

export const rateLimited: Chain = {
  rows: [
    {
      name: "wait_and_retry",
      priority: 1,
      confidence: 0.9,
      tools: ["original"],
      steps: waitAndRetry,
    },
    {
      name: "reduce_request_frequency",
      priority: 2,
      confidence: 0.8,
      tools: ["original"],
      steps: slower,
    },
    { name: "use_alternative_source", priority: 3, confidence: 0.6, tools: [], steps: otherSource },
  ],
  questions: ({ host }) => {
    const service = host === undefined ? "the service" : named(host);
    return [
      `Shall the work wait until the limit of ${service} is reset?`,
      `If not: is there another account, plan or source that may be used instead of ${service}?`,
    ];
  },
};
