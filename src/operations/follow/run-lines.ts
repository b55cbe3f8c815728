/**
 * One line for each event of a run that a person wants to know about. Every text is sanitized: renderers only have to
 * cut it.
 */
import { refusalText } from "../../core/agent-words/refusal.ts";
import { believedWords } from "../../core/adaptive/choice-words.ts";
import { count, usedText } from "../../core/amounts.ts";
import { waitText } from "../../core/backoff.ts";
import type { CheckOutcome } from "../../core/checks/outcome.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import {
  alertText,
  parkedText,
  recoveryDoes,
  tightBudgetText,
  unenforcedBudgetText,
} from "../../core/report/phrases.ts";
import { circleText } from "../../core/report/decision-sentences.ts";
import { reasonText } from "../../core/report/explanation-parts.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { InputOf } from "../../core/run/input.ts";
import { noteText } from "../../core/run/note.ts";
import { patternName } from "../../core/stuck/pattern-words.ts";
import type { Phase } from "../../core/run/view.ts";
import type { Line, Piece } from "../text.ts";
import type { runView } from "./run-view.ts";

export type { Phase };

export type RunView = ReturnType<typeof runView>;

const FILES_NAMED = 5;

const CHECKS_NAMED = 3;

export const lineOf = (event: RunEvent): Line | undefined =>
  (LINES[event.kind] as ((event: RunEvent) => Line | undefined) | undefined)?.(event);

const line = (...pieces: readonly (string | Piece)[]): Line =>
  pieces.map((piece) => (typeof piece === "string" ? [piece] : piece));

const of = (subtask: string, ...pieces: readonly (string | Piece)[]): Line =>
  line(`[${cleanLine(subtask, 40)}] `, ...pieces);

const reason = (text: string): string => cleanLine(text, 200);

/** The step of the policy, and which use of how many this is. */
const stepText = (id: string, because: string): string =>
  [id, /\((\d{1,4} of \d{1,4})\)/.exec(because)?.[1] ?? ""].filter(Boolean).join(", ");

const LINES: {
  readonly [K in RunEvent["kind"]]?: (
    event: Extract<RunEvent, { readonly kind: K }>,
  ) => Line | undefined;
} = {
  received({ input }) {
    if (input.kind === "baseline-ended") return baseLine(input);
    return input.kind === "attempt-ended" ? touchedLine(input) : undefined;
  },
  "baseline-dispatched": () =>
    line("Running checks on the base commit first, to spot failures that were already there"),
  "final-check-dispatched": () =>
    line("checking the result itself once more, as it will be published"),
  "attempt-dispatched"({ subtask, attempt, spec: { entry } }) {
    const model = entry.model === undefined ? entry.agent : `${entry.agent} ${entry.model}`;
    return of(subtask, `attempt ${attempt} started (${cleanLine(model, 60)})`);
  },
  "failure-classified": (event) =>
    of(
      event.subtask,
      [KIND_WORDS[event.failure.kind].name, "red"],
      `${event.counted ? "" : " (does not count)"}: ${reasonText(event)}`,
    ),
  "recovery-chosen": ({ subtask, recoveries, chosenBy, because, belief }) =>
    of(
      subtask,
      "next: ",
      [recoveries.map(recoveryDoes).join(" and "), "cyan"],
      belief === undefined && chosenBy.by === "rung"
        ? ` (${stepText(chosenBy.id, because)})`
        : `: ${reason(belief === undefined ? because : believedWords(belief))}`,
    ),
  "checks-dispatched": ({ subtask, round }) =>
    of(
      subtask,
      round === 1 ? "running its checks" : "running its checks again before blaming the code",
    ),
  "wait-scheduled"({ subtask, dueAt, reason: why }) {
    const until = new Date(dueAt).toISOString();
    return of(subtask, `waits until ${until} (${cleanLine(waitText(why), 80)})`);
  },
  "wait-shortened": ({ subtask }) => of(subtask, "the service is back"),
  "subtask-done": ({ subtask, phase, unanswered, notes = [] }) =>
    unanswered === undefined
      ? of(
          subtask,
          [phase, phase === "unverified" ? "yellow" : "green"],
          ...notes.map((note, index) => `${index === 0 ? ": " : "; "}${noteText(note)}`),
        )
      : of(subtask, ["gave no answer", "yellow"], `, the others go on: ${reason(unanswered)}`),
  "subtask-confirmed": ({ subtask }) =>
    of(subtask, ["verified", "green"], ": what it left failing was fixed by others"),
  // If it asks, its question is shown instead.
  "subtask-parked": ({ subtask, phase, reason: why }) =>
    phase === "asking" ? undefined : of(subtask, [phase, "yellow"], `: ${reason(parkedText(why))}`),
  "subtask-blocked": ({ independent }) =>
    independent === 0
      ? undefined
      : line(`Continuing with ${count(independent, "independent subtask")}`),
  "alert-raised": (event) => of(event.subtask, [alertText(event), "red"]),
  "circular-fix-seen": ({ subtask, because }) =>
    of(subtask, `goes in circles: ${circleText(because)}`),
  "attempt-interrupted": ({ subtask, attempt, reason: why }) =>
    of(subtask, `attempt ${attempt} interrupted: ${reason(patternName(why))}`),
  "attempt-cut-off": ({ subtask, attempt }) =>
    of(subtask, `attempt ${attempt} is set aside and does not count`),
  "run-paused": ({ reason: why }) => line("run ", ["paused", "bold"], `: ${reason(why)}`),
  "checkpoint-opened": ({ checkpoint: { question, waiting } }) =>
    line(
      ["?", "bold"],
      ` ${reason(question)}${waiting === undefined ? "" : " Answer: unstuck review"}`,
    ),
  "permission-settled": ({ subtask, call, allowed, because }) =>
    because === undefined
      ? of(subtask, allowed ? "allowed" : "refused", `: ${reason(refusalText(call))}`)
      : undefined,
  "checkpoint-joined": ({ subtask, checkpoint }) =>
    of(subtask, `waits for the answer to ${cleanLine(checkpoint, 60)}`),
  "run-ended": ({ outcome, reason: why }) => line("run ", [outcome, "bold"], `: ${reason(why)}`),
  "budget-warned"({ subtask, of: whose, measure, spent, limit }) {
    const used = `: ${usedText(measure, spent, limit)}`;
    if (subtask !== undefined) return of(subtask, ["budget", "yellow"], used);
    return line([`budget of ${whose === "recovery" ? "recovery" : "the run"}`, "yellow"], used);
  },
  "budget-unheld": (event) => line(["note", "yellow"], `: ${unenforcedBudgetText(event)}`),
  "budget-tight": (event) => line(["budget of the run", "yellow"], `: ${tightBudgetText(event)}`),
};

/** U13: work that changed protected files deserves a second look. */
function touchedLine({ subtask, attempt, remains }: InputOf<"attempt-ended">): Line | undefined {
  const files = remains.protectedFiles ?? [];
  if (files.length === 0) return undefined;
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  const named = files.slice(0, FILES_NAMED).map((file) => cleanLine(file, 60));
  const what = `attempt ${attempt} changed files that the plan protects`;
  return of(subtask, ["note", "yellow"], `: ${what}: ${named.join(", ")}${more}`);
}

/** A check's outcome on the base, in the singular and the plural. */
const SAYS: { readonly [kind in CheckOutcome["kind"]]: readonly [one: string, several: string] } = {
  passed: ["passes already", "pass already"],
  failed: ["fails", "fail"],
  "could-not-run": ["cannot run", "cannot run"],
  "timed-out": ["does not end in time", "do not end in time"],
};

/** The outcomes of the checks on the base, before any work; several of them as counts. */
function baseLine({ outcomes }: InputOf<"baseline-ended">): Line {
  const checks = Object.entries(outcomes);
  if (checks.length > CHECKS_NAMED) {
    const counts = Object.entries(Object.groupBy(checks, ([, { kind }]) => kind)).map(
      ([kind, those]) => `${those.length} ${SAYS[kind as CheckOutcome["kind"]][1]}`,
    );
    return line(`on the base: of ${checks.length} checks ${counts.join(", ")}`);
  }
  const said = checks.map(([check, outcome]) => {
    const items = outcome.kind === "failed" ? outcome.items.length : 0;
    const failing = items === 0 ? "" : ` (${items} failing)`;
    return `${cleanLine(check, 60)} ${SAYS[outcome.kind][0]}${failing}`;
  });
  return line(`on the base: ${said.join(", ") || "nothing could be checked"}`);
}
