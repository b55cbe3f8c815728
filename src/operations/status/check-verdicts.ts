/**
 * The verdict of each check of a run, from recorded data. Pure. Invariants: a check is "passed" only if a subtask that
 * has it is done without reservations; of several subtasks the worst verdict counts; failures of the base are never
 * called new.
 */
import type { CheckOutcome } from "../../core/checks/outcome.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import type { SubtaskPast } from "../../core/history/run-history.ts";
import type { CheckPlan } from "../../core/plan/run-plan.ts";
import type { Note } from "../../core/run/note.ts";
import type { Phase } from "../../core/run/view.ts";
import type { Card } from "./card-schema.ts";

type CheckRow = Card["checks"][number];
type Said = Pick<CheckRow, "verdict" | "words">;

export interface CheckedSubtask {
  readonly id: string;
  readonly phase: Phase;
  readonly notes: readonly Note[];
  readonly checks: readonly CheckPlan[];
  readonly past: SubtaskPast | undefined;
}

interface Base {
  readonly outcomes: Readonly<Record<string, CheckOutcome>>;
  readonly dropped: readonly string[];
}

/** From the best to the worst. */
const RANKS: readonly CheckRow["verdict"][] = [
  ...(["passed", "no worse", "left out", "not run", "doubtful", "failed"] as const),
];

export function checkVerdicts(subtasks: readonly CheckedSubtask[], base: Base): CheckRow[] {
  const rows = new Map<string, CheckRow>();
  for (const subtask of subtasks)
    for (const check of subtask.checks) {
      const said = verdictOf(subtask, check, base);
      const known = rows.get(check.run);
      if (known?.verdict === said.verdict && known.words === said.words)
        rows.set(check.run, { ...known, subtasks: [...known.subtasks, subtask.id] });
      else if (known === undefined || RANKS.indexOf(said.verdict) > RANKS.indexOf(known.verdict))
        rows.set(check.run, { check: cleanLine(check.name, 200), ...said, subtasks: [subtask.id] });
    }
  return [...rows.values()];
}

function verdictOf(subtask: CheckedSubtask, check: CheckPlan, base: Base): Said {
  if (base.dropped.includes(check.run))
    return { verdict: "left out", words: "left out, as you said: it cannot run here" };
  const before = base.outcomes[check.run];
  const isDone = subtask.phase === "verified" || subtask.phase === "unverified";
  return isDone ? doneVerdict(subtask, check, before) : openVerdict(subtask, check);
}

function doneVerdict(
  { notes }: CheckedSubtask,
  check: CheckPlan,
  before: CheckOutcome | undefined,
): Said {
  const known = before?.kind === "failed" ? before : undefined;
  const still = notes.find(
    (note) =>
      note.kind === "failed-before" &&
      known !== undefined &&
      (known.items.length === 0 || note.items.some((item) => known.items.includes(item))),
  );
  if (still?.kind === "failed-before") {
    const number = still.items.length;
    return still.allowed === true
      ? { verdict: "no worse", words: `already failing before, no worse (${number} failing)` }
      : { verdict: "failed", words: `${number} still failing, as before the work` };
  }
  const fewer = notes.find((note) => note.kind === "fewer-tests" && note.check === check.name);
  if (fewer?.kind === "fewer-tests" && fewer.allowed !== true)
    return { verdict: "doubtful", words: `passed, but ran ${fewer.now} of ${fewer.before} tests` };
  if (notes.some((note) => note.kind === "own-tests" && note.allowed !== true))
    return { verdict: "doubtful", words: "passed, but only with the tests it edited" };
  if (before?.kind === "passed") {
    const isAll = notes.some((note) => note.kind === "passed-before");
    return { verdict: "passed", words: `passed, as before${isAll ? ": proves nothing new" : ""}` };
  }
  return { verdict: "passed", words: "passed" };
}

const NAMED = 3;

function openVerdict({ past, checks }: CheckedSubtask, check: CheckPlan): Said {
  const last = [...(past?.attempts.values() ?? [])].findLast(({ failing }) => failing.length > 0);
  if (last === undefined) return { verdict: "not run", words: "no result yet" };
  const isWhole = last.failing.includes(check.name);
  if (!isWhole && checks.length > 1) return { verdict: "not run", words: "no result yet" };
  const items = last.failing.filter((item) => item !== check.name);
  if (items.length === 0) return { verdict: "failed", words: "failed" };
  const named = items.slice(0, NAMED).map((item) => cleanLine(item, 60));
  const more = items.length > NAMED ? ", …" : "";
  return {
    verdict: "failed",
    words: `failed: ${items.length} failing (${named.join(", ")}${more})`,
  };
}
