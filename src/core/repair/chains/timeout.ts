/** Recovery chain of timeout (seeds/2, 4). */
import { hashText } from "../../hash.ts";
import { again, commandOf, guidance, shellStep, wordsScript } from "../chain.ts";
import type { Chain, RepairFacts, StepDraft } from "../chain.ts";
import { sh } from "../shell-script.ts";
import { OWN_TIMEOUT } from "../value-patterns.ts";
import type { RepairValues } from "../values.ts";

const ASSUMED_TIMEOUT_MS = 15_000;
const MAX_TIMEOUT_MS = 24 * 3_600_000;
const MAX_ITEMS = 10;
const MAX_LOTS = 10;

const limitOf = ({ timeoutMs }: RepairValues): number => timeoutMs ?? ASSUMED_TIMEOUT_MS;
const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/**
 * Program and options, and the two or more operands behind them that can be handed over in smaller
 * lots.
 */
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
    again(facts, {
      action: `Run it on ${lot.length} of ${items.length} items, part ${index + 1}`,
      expectedOutcome,
      script: wordsScript([...head, ...lot]),
    }),
  );
}

/** Lots of ten, of half where there are fewer than twenty; never more than ten lots. */
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
  const longer =
    limited === undefined ? undefined : `timeout ${options}${doubled / 1000} ${limited}`;
  return [
    again(facts, {
      action: `Run ${commandOf(values)} again with ${seconds(doubled)} instead of ${seconds(limitOf(values))}`,
      expectedOutcome: `It ends within ${seconds(doubled)}`,
      args: { timeout_ms: doubled },
      ...(longer !== undefined && { script: sh`bash -c ${longer}` }),
    }),
  ];
}

function incremental({ values }: RepairFacts): readonly StepDraft[] {
  const { command } = values;
  if (command === undefined) return [];
  const { head, items } = operands(values);
  const script =
    items.length > 0
      ? `${sh`printf '%s\\0' ${items}`} | xargs -0 -n 1 ${wordsScript(head)}`
      : sh`set -o pipefail; log=$(mktemp); echo "output: $log"; bash -c ${command} 2>&1 | tee -- "$log"`;
  return [
    shellStep(
      items.length > 0
        ? "Hand over one item at a time"
        : "Keep the output while it comes, so that a cut loses nothing",
      script,
      "Results appear one after the other",
    ),
  ];
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
    {
      name: "reduce_scope",
      priority: 1,
      confidence: 0.8,
      tools: ["original"],
      steps: smallerScope,
    },
    {
      name: "increase_timeout",
      priority: 2,
      confidence: 0.6,
      tools: ["original"],
      steps: longerLimit,
    },
    {
      name: "stream_results",
      priority: 3,
      confidence: 0.7,
      tools: ["run_bash"],
      steps: incremental,
    },
    {
      name: "background_execution",
      priority: 4,
      confidence: 0.5,
      tools: ["run_bash"],
      steps: inBackground,
    },
  ],
  questions: (values) => [
    `Is it normal that ${commandOf(values)} takes longer than ${seconds(limitOf(values))}? How long may it take?`,
    `Which part of the work of ${commandOf(values)} is really needed?`,
  ],
};
