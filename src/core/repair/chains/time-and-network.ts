/** The recovery chains of timeout, network_error and rate_limited. */
import { hashText } from "../../hash.ts";
import {
  again,
  commandOf,
  guidance,
  named,
  namedOr,
  shellStep,
  toolStep,
  waitStep,
  wordsScript,
} from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sandboxPath } from "../sandbox-path.ts";
import { sh } from "../shell-script.ts";
import { OWN_TIMEOUT, type RepairValues } from "../values.ts";
import { mirrorUrl, safeUrl } from "../web-address.ts";

const FIRST_DELAY_MS = 5000;

function backoff(facts: RepairFacts): readonly StepDraft[] {
  const { command } = facts.values;
  const action = `Try ${commandOf(facts.values)} again`;
  const expectedOutcome = "The connection is made";
  if (!facts.originalIsShell || command === undefined)
    return [waitStep(FIRST_DELAY_MS), again(facts, action, expectedOutcome)];
  const script = `for delay in 5 10 20; do sleep "$delay"; ${sh`bash -c ${command}`} && exit 0; done; exit 1`;
  return [again(facts, `${action} after 5, 10 and 20 s`, expectedOutcome, { script })];
}

const DOWNLOADERS = new Set(["curl", "wget"]);

function otherHost(facts: RepairFacts): readonly StepDraft[] {
  const { url, words = [], program = "" } = facts.values;
  const at = words.findIndex((word) => safeUrl(word) === url && !/[?#]/.test(word));
  const mirror = url === undefined ? undefined : mirrorUrl(url);
  if (!facts.originalIsShell || !DOWNLOADERS.has(program) || at < 0 || mirror === undefined)
    return [];
  return [
    again(
      facts,
      `Fetch the same content from ${named(new URL(mirror).hostname)}`,
      "The download ends with exit code 0",
      { script: wordsScript(words.toSpliced(at, 1, mirror)) },
    ),
  ];
}

function cached({ values: { url }, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const name = url === undefined ? "" : new URL(url).pathname.split("/").at(-1);
  const file = sandboxPath(sandboxRoot, name ?? "");
  const look = "Look for data that was downloaded before";
  if (file === undefined)
    return [toolStep("read_dir", look, { dir: sandboxRoot }, "A file with the data")];
  return [
    toolStep("read_dir", look, { dir: sandboxRoot }, `${named(file)} is listed`),
    toolStep(
      "read_file",
      `Use ${named(file)} instead of downloading it`,
      { file },
      "The data, perhaps older than the original",
    ),
  ];
}

export const networkError: Chain = {
  rows: [
    { name: "retry_with_backoff", confidence: 0.7, tools: ["original"], steps: backoff },
    {
      name: "try_alternative_host",
      confidence: 0.6,
      tools: ["original"],
      needs: "a download with curl or wget from a host that has a mirror",
      steps: otherHost,
    },
    { name: "use_cached_data", confidence: 0.5, tools: ["read_file", "read_dir"], steps: cached },
  ],
  askConfidence: 0.8,
  questions: ({ host, url }) => {
    const what = namedOr(host ?? url, "the network");
    return [
      `Can this machine reach ${what}? Is a proxy, a firewall or a VPN in the way?`,
      `If not: from where else may the data of ${what} be taken?`,
    ];
  },
};

const DEFAULT_WAIT_MS = 60_000;
const PAUSE_MS = 5000;

/** The server's value takes precedence over the source document's default. */
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
  again(facts, `Run ${commandOf(facts.values)} again`, "The request is accepted"),
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
  const source = namedOr(host, "the service");
  const use = guidance(
    `Take the data from somewhere else than ${source}`,
    "The data, without another request",
  );
  const look = toolStep(
    "read_dir",
    `Look for data that makes the request to ${source} needless`,
    { dir: sandboxRoot },
    "A file with the data",
  );
  return has("read_dir") ? [look, use] : [use];
}

export const rateLimited: Chain = {
  rows: [
    { name: "wait_and_retry", confidence: 0.9, tools: ["original"], steps: waitAndRetry },
    { name: "reduce_request_frequency", confidence: 0.8, tools: ["original"], steps: slower },
    { name: "use_alternative_source", confidence: 0.6, tools: [], steps: otherSource },
  ],
  questions: ({ host }) => {
    const service = namedOr(host, "the service");
    return [
      `Shall the work wait until the limit of ${service} is reset?`,
      `If not: is there another account, plan or source that may be used instead of ${service}?`,
    ];
  },
};

const ASSUMED_TIMEOUT_MS = 15_000;
const MAX_TIMEOUT_MS = 24 * 3_600_000;
const MAX_ITEMS = 10;
const MAX_LOTS = 10;

const limitOf = ({ timeoutMs }: RepairValues): number => timeoutMs ?? ASSUMED_TIMEOUT_MS;
const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** The program with its options, and the two or more operands after them that can be split into batches. */
function operands({ words = [] }: RepairValues): {
  head: readonly string[];
  items: readonly string[];
} {
  const firstItem = words.findIndex(
    (word, index) => index > 0 && /[/.]/.test(word) && !word.startsWith("-"),
  );
  const items = firstItem < 0 ? [] : words.slice(firstItem);
  const isList = items.length > 1 && items.every((word) => !word.startsWith("-"));
  return isList ? { head: words.slice(0, firstItem), items } : { head: words, items: [] };
}

function smallerScope(facts: RepairFacts): readonly StepDraft[] {
  const { values } = facts;
  const { head, items } = operands(values);
  const expectedOutcome = `This part ends within ${seconds(limitOf(values))}`;
  if (!facts.originalIsShell || items.length === 0)
    return [
      guidance(
        `Give ${commandOf(values)} less to do: at most ${MAX_ITEMS} files, tests or records at a time, part after part`,
        expectedOutcome,
        { maxItems: MAX_ITEMS },
      ),
    ];
  return lotsOf(items).map((lot, index) =>
    again(
      facts,
      `Run it on ${lot.length} of ${items.length} items, part ${index + 1}`,
      expectedOutcome,
      { script: wordsScript([...head, ...lot]) },
    ),
  );
}

/** Batches of ten, or of half the items if there are fewer than twenty; at most ten batches. */
function lotsOf(items: readonly string[]): readonly (readonly string[])[] {
  const size = Math.max(
    Math.min(MAX_ITEMS, Math.ceil(items.length / 2)),
    Math.ceil(items.length / MAX_LOTS),
  );
  return Array.from({ length: Math.ceil(items.length / size) }, (_, lot) =>
    items.slice(lot * size, (lot + 1) * size),
  );
}

function longerLimit(facts: RepairFacts): readonly StepDraft[] {
  const { values } = facts;
  const doubled = Math.min(2 * limitOf(values), MAX_TIMEOUT_MS);
  const [, options, , , limited] = OWN_TIMEOUT.exec(values.command ?? "") ?? [];
  const script =
    limited === undefined
      ? {}
      : { script: sh`bash -c ${`timeout ${options}${doubled / 1000} ${limited}`}` };
  return [
    again(
      facts,
      `Run ${commandOf(values)} again with ${seconds(doubled)} instead of ${seconds(limitOf(values))}`,
      `It ends within ${seconds(doubled)}`,
      { args: { timeout_ms: doubled }, ...script },
    ),
  ];
}

function incremental({ values }: RepairFacts): readonly StepDraft[] {
  const { command } = values;
  if (command === undefined) return [];
  const { head, items } = operands(values);
  const [action, script] =
    items.length > 0
      ? [
          "Hand over one item at a time",
          `${sh`printf '%s\\0' ${items}`} | xargs -0 -n 1 ${wordsScript(head)}`,
        ]
      : [
          "Keep the output while it comes, so that a cut loses nothing",
          sh`set -o pipefail; log=$(mktemp); echo "output: $log"; bash -c ${command} 2>&1 | tee -- "$log"`,
        ];
  return [shellStep(action, script, "Results appear one after the other")];
}

function inBackground({ values, sandboxRoot }: RepairFacts): readonly StepDraft[] {
  const { command } = values;
  if (command === undefined) return [];
  const folder = `unstuck-${hashText(`${sandboxRoot}\n${command}`)}`;
  const pollSeconds = Math.min(300, Math.max(5, Math.floor(limitOf(values) / 2000)));
  return [
    shellStep(
      `Start ${commandOf(values)} in the background`,
      sh`dir="\${TMPDIR:-/tmp}"/${folder}; mkdir -m 700 -- "$dir" && { nohup sh -c ${'bash -c "$1" >"$2/output" 2>&1; echo $? >"$2/exit"'} sh ${command} "$dir" >/dev/null 2>&1 & }`,
      "The command runs on while other work is done",
    ),
    shellStep(
      "Look for its result",
      sh`dir="\${TMPDIR:-/tmp}"/${folder}; left=${pollSeconds}; while [ ! -f "$dir/exit" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done; tail -n 50 -- "$dir/output"; exit "$(cat -- "$dir/exit")"`,
      "The last lines of its output and its exit code; still running if there is no exit code",
    ),
  ];
}

export const timeout: Chain = {
  rows: [
    { name: "reduce_scope", confidence: 0.8, tools: ["original"], steps: smallerScope },
    { name: "increase_timeout", confidence: 0.6, tools: ["original"], steps: longerLimit },
    {
      name: "stream_results",
      confidence: 0.7,
      tools: ["run_bash"],
      needs: "the command that took too long",
      steps: incremental,
    },
    {
      name: "background_execution",
      confidence: 0.5,
      tools: ["run_bash"],
      needs: "the command that took too long",
      steps: inBackground,
    },
  ],
  questions: (values) => [
    `Is it normal that ${commandOf(values)} takes longer than ${seconds(limitOf(values))}? How long may it take?`,
    `Which part of the work of ${commandOf(values)} is really needed?`,
  ],
};
