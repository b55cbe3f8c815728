/** Recovery chains of network_error and rate_limited (seeds/2, 8 and 9). */
import { again, commandOf, guidance, named, waitStep, wordsScript } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sandboxPath } from "../sandbox-path.ts";
import { sh } from "../shell-script.ts";
import { mirrorUrl, safeUrl } from "../web-address.ts";

const FIRST_DELAY_MS = 5000;
const DELAYS_SECONDS = "5 10 20";

function backoff(facts: RepairFacts): readonly StepDraft[] {
  const { values, originalIsShell } = facts;
  const change = {
    action: `Try ${commandOf(values)} again`,
    expectedOutcome: "The connection is made",
  };
  if (!originalIsShell || values.command === undefined)
    return [waitStep(FIRST_DELAY_MS), again(facts, change)];
  return [
    again(facts, {
      ...change,
      action: `${change.action} after 5, 10 and 20 s`,
      script: `for delay in ${DELAYS_SECONDS}; do sleep "$delay"; ${sh`bash -c ${values.command}`} && exit 0; done; exit 1`,
    }),
  ];
}

const DOWNLOADERS = new Set(["curl", "wget"]);

function otherHost(facts: RepairFacts): readonly StepDraft[] {
  const { url, words = [], program = "" } = facts.values;
  const at = words.findIndex((word) => safeUrl(word) === url && !/[?#]/.test(word));
  const mirror = url === undefined ? undefined : mirrorUrl(url);
  if (!facts.originalIsShell || !DOWNLOADERS.has(program) || at < 0 || mirror === undefined)
    return [];
  return [
    again(facts, {
      action: `Fetch the same content from ${named(new URL(mirror).hostname)}`,
      expectedOutcome: "The download ends with exit code 0",
      script: wordsScript(words.toSpliced(at, 1, mirror)),
    }),
  ];
}

function cached({ values: { url }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const name = url === undefined ? "" : new URL(url).pathname.split("/").at(-1);
  const file = sandboxPath(sandboxRoot, name ?? "");
  const list: StepDraft = {
    action: "Look for data that was downloaded before",
    tool: "read_dir",
    args: { dir: sandboxRoot },
    expectedOutcome: file === undefined ? "A file with the data" : `${named(file)} is listed`,
  };
  const read = (path: string): StepDraft => ({
    action: `Use ${named(path)} instead of downloading it`,
    tool: "read_file",
    args: { file: path },
    expectedOutcome: "The data, perhaps older than the original",
  });
  return file === undefined ? [list] : [list, read(file)];
}

export const networkError: Chain = {
  rows: [
    {
      name: "retry_with_backoff",
      priority: 1,
      confidence: 0.7,
      tools: ["original"],
      steps: backoff,
    },
    {
      name: "try_alternative_host",
      priority: 2,
      confidence: 0.6,
      tools: ["original"],
      steps: otherHost,
    },
    {
      name: "use_cached_data",
      priority: 3,
      confidence: 0.5,
      tools: ["read_file", "read_dir"],
      steps: cached,
    },
  ],
  ask: { priority: 4, confidence: 0.8 },
  questions: ({ host, url }) => {
    const where = host ?? url;
    const what = where === undefined ? "the network" : named(where);
    return [
      `Can this machine reach ${what}? Is a proxy, a firewall or a VPN in the way?`,
      `If not: from where else may the data of ${what} be taken?`,
    ];
  },
};

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
