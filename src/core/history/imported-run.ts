/**
 * Turns imported history into a finished run whose attempts are those of the file, so that every command that reads
 * runs works on it. Invariants: exporting such a run gives back what was imported; nothing in it counts as verified,
 * because it was not verified here.
 */
import { classify } from "../classify/classify.ts";
import type { RuleBook } from "../classify/rule-book.ts";
import { cleanText } from "../foreign-text.ts";
import type { ModelEntry, Plan } from "../plan/plan.ts";
import type { AttemptSpec } from "../run/attempt.ts";
import type { RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import type { HistoryAttempt, SubtaskHistory } from "./attempt-history.ts";
import type { Episode } from "./episode.ts";

export interface Salvaged {
  readonly subtasks: readonly SubtaskHistory[];
  readonly episodes: readonly Episode[];
  /** The number of entries or lines that were skipped. */
  readonly skipped: number;
}

/** The original tier is unknown; 0 is not used otherwise. */
const ENTRY: ModelEntry = { agent: "imported", tier: 0 };

const SPEC: AttemptSpec = {
  entry: ENTRY,
  thinking: false,
  budgetFactor: 1,
  context: "new",
  tree: { kind: "keep" },
  prompt: {},
  iteration: false,
};

interface ImportedRun extends Omit<Salvaged, "skipped"> {
  readonly run: string;
  readonly title: string;
  /** Epoch milliseconds of the import. */
  readonly at: number;
}

export function importedEvents(
  { run, title, subtasks, episodes, at }: ImportedRun,
  rules: RuleBook,
): RunEvent[] {
  const plan: Plan = {
    goal: title,
    subtasks: subtasks.map(({ id }) => ({ id, prompt: "", dependsOn: [], checks: 0 })),
    ladder: [ENTRY],
    concurrency: 1,
    budget: {},
    attemptCap: {},
  };
  const times = subtasks.flatMap(({ attempts }) => attempts.map(timeOf));
  const began = times.reduce((least, time) => Math.min(least, time), at);
  return [
    received({ kind: "run-started", at: began, chance: 0, run, plan }),
    ...subtasks.flatMap((subtask) => subtaskEvents(subtask, rules)),
    ...episodes.map((episode): RunEvent => ({ kind: "episode-recorded", episode })),
    { kind: "run-ended", outcome: outcomeOf(subtasks), reason: "imported history" },
  ];
}

const received = (input: RunInput): RunEvent => ({ kind: "received", input });

const timeOf = ({ timestamp }: HistoryAttempt): number => Date.parse(timestamp) || 0;

const outcomeOf = (subtasks: readonly SubtaskHistory[]): "unverified" | "failed" =>
  subtasks.every(({ status }) => status === "completed") ? "unverified" : "failed";

function subtaskEvents(
  { id, status, attempts, stuckReason }: SubtaskHistory,
  rules: RuleBook,
): RunEvent[] {
  const events = attempts.flatMap((past, index) =>
    attemptEvents({ subtask: id, attempt: index + 1 }, past, rules),
  );
  const attempt = attempts.findLastIndex(({ success }) => success) + 1;
  if (status === "completed")
    events.push({ kind: "subtask-done", subtask: id, attempt, phase: "unverified" });
  if (status === "stuck" || status === "failed")
    events.push({
      kind: "subtask-parked",
      subtask: id,
      phase: status === "stuck" ? "stuck" : "skipped",
      reason: cleanText(stuckReason ?? (status === "failed" ? "failed, as imported" : ""), {
        maxChars: 1000,
      }),
    });
  return events;
}

function attemptEvents(
  named: { readonly subtask: string; readonly attempt: number },
  past: HistoryAttempt,
  rules: RuleBook,
): RunEvent[] {
  const at = timeOf(past);
  const of = { ...named, at, chance: 0 };
  const { session, success } = past;
  const error = cleanText(past.error ?? "", { maxChars: 2000 });
  const evidence = success ? {} : { message: error, origin: "agent" as const };
  const events: RunEvent[] = [
    { kind: "attempt-queued", subtask: named.subtask, specs: [SPEC] },
    { kind: "attempt-dispatched", ...named, spec: SPEC, cap: {}, from: "urgent", at },
    received({ kind: "attempt-started", ...of, slot: ENTRY.agent, identity: { session } }),
    received({
      kind: "attempt-ended",
      ...of,
      outcome: success ? "finished" : "failed",
      evidence,
      remains: {
        treeBefore: "",
        treeAfter: "",
        approach: cleanText(past.approach, { maxChars: 1000 }),
        signals: { outputNovelty: 0, change: 0, markers: 0, checklist: 0 },
        used: {},
      },
    }),
  ];
  if (!success)
    events.push({
      kind: "failure-classified",
      ...named,
      failure: classify(evidence, rules),
      counted: true,
      verdict: true,
      error,
      failing: [],
    });
  return events;
}
