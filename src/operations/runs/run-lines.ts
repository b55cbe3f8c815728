/**
 * A run in lines, from the same events every screen reads. One line per thing a person wants to know; what is
 * foreign is tamed.
 */
import { usedWords } from "../../core/amounts.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { waitWords } from "../../core/backoff.ts";
import type { RunEvent } from "../../core/run/decision.ts";
import type { InputOf } from "../../core/run/input.ts";
import { noteWords } from "../../core/run/note.ts";
import { recoveryWords, tightWords, unheldWords } from "../../core/report/phrases.ts";
import { reasonWords } from "../../core/report/explained.ts";
import type { Line } from "../text.ts";

const REASON_CHARS = 200;
const FILES_NAMED = 5;
const CHECKS_NAMED = 3;

/** The line for an event, or nothing where it is of no interest to a person. */
export const lineOf = (event: RunEvent): Line | undefined =>
  attemptLine(event) ?? outcomeLine(event);

function attemptLine(event: RunEvent): Line | undefined {
  switch (event.kind) {
    case "received":
      if (event.input.kind === "baseline-ended") return baseLine(event.input);
      return event.input.kind === "attempt-ended" ? touchedLine(event.input) : undefined;
    case "baseline-dispatched":
      return [
        ["Running checks on the base commit first, to spot failures that were already there"],
      ];
    case "final-check-dispatched":
      return [["checking the result itself once more, as it will be published"]];
    case "attempt-dispatched": {
      const { entry, recovery } = event.spec;
      const model = entry.model === undefined ? entry.agent : `${entry.agent} ${entry.model}`;
      const why = recovery === undefined ? "" : `, ${recovery}`;
      return [
        [`${name(event.subtask)} attempt ${event.attempt} started (${cleanLine(model, 60)}${why})`],
      ];
    }
    case "failure-classified": {
      const { kind } = event.failure;
      const counted = event.counted ? "" : ", uncounted";
      return [[`${name(event.subtask)} `], [kind, "red"], [`${counted}: ${reasonWords(event)}`]];
    }
    case "recovery-chosen":
      return [
        [`${name(event.subtask)} `],
        [event.recoveries.map(recoveryWords).join(" + "), "cyan"],
        [`: ${cleanLine(event.because, REASON_CHARS)}`],
      ];
    case "checks-dispatched":
      return event.round === 1
        ? [[`${name(event.subtask)} checking`]]
        : [[`${name(event.subtask)} checking again before the code is blamed`]];
    case "wait-scheduled":
      return [
        [
          `${name(event.subtask)} waits until ${new Date(event.dueAt).toISOString()} (${cleanLine(waitWords(event.reason), 80)})`,
        ],
      ];
    case "wait-shortened":
      return [[`${name(event.subtask)} waits no longer: the service is back`]];
    default:
      return undefined;
  }
}

function outcomeLine(event: RunEvent): Line | undefined {
  switch (event.kind) {
    case "subtask-done":
      if (event.unanswered !== undefined)
        return [
          [`${name(event.subtask)} `],
          ["gave no answer", "yellow"],
          [`, the others go on: ${cleanLine(event.unanswered, REASON_CHARS)}`],
        ];
      return [
        [`${name(event.subtask)} `],
        [event.phase, event.phase === "unverified" ? "yellow" : "green"],
        ...(event.notes ?? []).map(
          (note, index) => [`${index === 0 ? ": " : "; "}${noteWords(note)}`] as const,
        ),
      ];
    case "subtask-confirmed":
      return [
        [`${name(event.subtask)} `],
        ["verified", "green"],
        [": what it left failing was mended by others"],
      ];
    case "subtask-parked":
      if (event.phase === "asking") return undefined; // its question says it
      return [
        [`${name(event.subtask)} `],
        [event.phase, "yellow"],
        [`: ${cleanLine(event.reason, REASON_CHARS)}`],
      ];
    case "circular-fix-seen":
      return [
        [`${name(event.subtask)} goes in circles: ${cleanLine(event.because, REASON_CHARS)}`],
      ];
    case "attempt-interrupted":
      return [
        [
          `${name(event.subtask)} attempt ${event.attempt} interrupted: ${cleanLine(event.reason, REASON_CHARS)}`,
        ],
      ];
    case "attempt-cut-off":
      return [[`${name(event.subtask)} attempt ${event.attempt} is put aside, uncounted`]];
    case "run-paused":
      return [["run "], ["paused", "bold"], [`: ${cleanLine(event.reason, REASON_CHARS)}`]];
    case "checkpoint-opened":
      return [["?", "bold"], [` ${cleanLine(event.checkpoint.question, REASON_CHARS)}`]];
    case "checkpoint-joined":
      return [
        [`${name(event.subtask)} waits for the answer to ${cleanLine(event.checkpoint, 60)}`],
      ];
    case "run-ended":
      return [["run "], [event.outcome, "bold"], [`: ${cleanLine(event.reason, REASON_CHARS)}`]];
    case "budget-warned":
      return [
        ...(event.subtask === undefined ? [] : [[`${name(event.subtask)} `] as const]),
        [
          event.subtask === undefined
            ? event.of === "recovery"
              ? "budget of recovery"
              : "budget of the run"
            : "budget",
          "yellow",
        ],
        [`: ${usedWords(event.measure, event.spent, event.limit)}`],
      ];
    case "budget-unheld":
      return [["note", "yellow"], [`: ${unheldWords(event)}`]];
    case "budget-tight":
      return [["budget of the run", "yellow"], [`: ${tightWords(event)}`]];
    default:
      return undefined;
  }
}

/** U13: work that changed what the plan protects deserves a second look. */
function touchedLine({ subtask, attempt, remains }: InputOf<"attempt-ended">): Line | undefined {
  const files = remains.protectedFiles ?? [];
  if (files.length === 0) return undefined;
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : "";
  const named = files.slice(0, FILES_NAMED).map((file) => cleanLine(file, 60));
  return [
    [`${name(subtask)} `],
    ["note", "yellow"],
    [`: attempt ${attempt} changed files that the plan protects: ${named.join(", ")}${more}`],
  ];
}

/** What the checks say of the base, before anybody has worked on it. */
function baseLine({ outcomes }: InputOf<"baseline-ended">): Line {
  const said = Object.entries(outcomes).map(([check, outcome]) => {
    const items = outcome.kind === "failed" && outcome.items.length > 0 ? outcome.items.length : 0;
    const count = items === 0 ? "" : ` (${items} failing)`;
    return `${cleanLine(check, 60)} ${BASE_WORDS[outcome.kind]}${count}`;
  });
  const few = said.length <= CHECKS_NAMED ? said.join(", ") : tally(Object.values(outcomes));
  return [["on the base: "], [few || "nothing could be checked"]];
}

/** How many checks say what, where naming each would be a wall of text. */
function tally(outcomes: readonly { readonly kind: keyof typeof BASE_WORDS }[]): string {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  const counts = kinds.map((kind) => {
    const number = outcomes.filter((outcome) => outcome.kind === kind).length;
    return `${number} ${TALLY_WORDS[kind]}`;
  });
  return `of ${outcomes.length} checks ${counts.join(", ")}`;
}

const TALLY_WORDS = {
  passed: "pass already",
  failed: "fail",
  "could-not-run": "cannot run",
  "timed-out": "do not end in time",
} as const;

const BASE_WORDS = {
  passed: "passes already",
  failed: "fails",
  "could-not-run": "cannot run",
  "timed-out": "does not end in time",
} as const;

const name = (subtask: string): string => `[${cleanLine(subtask, 40)}]`;
