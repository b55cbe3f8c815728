/** The symptoms of a failed attempt: the class of its failure, and signs in what it left behind. */
import { KINDS, type FailureKind } from "../kinds.ts";
import type { PastAttempt } from "../policy/situation.ts";
import type { FailureClass, Sign } from "./tables.ts";

/** Where category and first move of a kind do not tell. */
const CLASS_OF: { readonly [kind in FailureKind]?: FailureClass } = {
  verification_failed: "checks",
  broken_build: "build",
  no_progress: "no-change",
  looping: "loop",
  circular_fix: "loop",
  dependency_error: "missing",
  invalid_arguments: "format",
  syntax_error: "format",
  malformed_output: "format",
  context_exhausted: "format",
  agent_crash: "crash",
  out_of_memory: "crash",
  hung: "crash",
  interrupted: "crash",
  lost: "crash",
  content_refused: "declined",
  merge_conflict: "conflict",
};

/** What has a repair lacks something; what passes is a service's; what only a person can cure is fatal. */
export function classOf(kind: FailureKind): FailureClass {
  const known = CLASS_OF[kind];
  if (known !== undefined) return known;
  const { category, first } = KINDS[kind];
  if (category === "fatal") return "fatal";
  if (category === "transient") return "service";
  return first === "repair" ? "missing" : "unknown";
}

const SAYS = { asks: "says-asks", unable: "says-unable", done: "says-done" } as const;

/** What still fails says nothing more where nothing could run, nothing was changed, or the work was stopped half-way. */
const TELLS_NO_ITEMS: readonly FailureClass[] = ["build", "no-change", "loop"];

export function signsOf(attempt: PastAttempt): readonly Sign[] {
  const { items, progress, circular, stuck, refused, closing } = attempt;
  const isTold = items !== undefined && !TELLS_NO_ITEMS.includes(classOf(attempt.failure));
  return [
    ...(isTold ? [`${items}-items` as const] : []),
    progress ? "progress" : "no-progress",
    ...(circular ? ["circular" as const] : []),
    ...(stuck === undefined ? [] : ["stuck" as const]),
    ...(refused ? ["refused" as const] : []),
    ...(closing === undefined ? [] : [SAYS[closing]]),
  ];
}

/** It left things otherwise than it found them, or failed otherwise than the one before it. */
export function broughtNews(attempt: PastAttempt, before: PastAttempt | undefined): boolean {
  const { items, progress, failure } = attempt;
  return progress || (items !== undefined && items !== "same") || before?.failure !== failure;
}
