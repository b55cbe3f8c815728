/**
 * Events and inputs as text rows, checked when written and again when read. Invariants: a row of a newer version, or
 * one that lacks what its kind needs, is an error, never a guess; the tables name every kind, which the compiler
 * enforces.
 */
import type { RunEvent } from "../core/run/decision.ts";
import type { RunInput } from "../core/run/input.ts";
import { JournalError } from "./error.ts";
import { ROW_VERSION, inputProblem, unmetNeed, type Needs } from "./row-text.ts";

/** Far above any real event: long output belongs in transcripts. */
const TEXT_MAX = 16 * 1024 * 1024;

declare const checked: unique symbol;

/** JSON of an event or input that passed the check. */
export type RowText = string & { readonly [checked]: true };

const EVENT_NEEDS: Needs<RunEvent> = {
  received: ["input"],
  "failure-classified": ["subtask", "attempt", "failure", "counted", "verdict", "error", "failing"],
  "progress-scored": ["subtask", "attempt", "score", "state", "progressed", "recovered"],
  "circular-fix-seen": ["subtask", "because", "ban"],
  "recovery-chosen": ["subtask", "recoveries", "chosenBy", "because", "considered", "usesRung"],
  "attempt-queued": ["subtask", "specs"],
  "attempt-dispatched": ["subtask", "attempt", "spec", "cap", "from", "at"],
  "checks-dispatched": ["subtask", "attempt", "round"],
  "merge-queued": ["subtask", "attempt"],
  "merge-dispatched": ["subtask", "attempt"],
  "wait-scheduled": ["subtask", "timer", "dueAt", "reason", "spec", "since"],
  "wait-shortened": ["subtask", "timer", "dueAt"],
  "nudge-sent": ["subtask", "attempt", "words"],
  "permission-settled": ["subtask", "attempt", "request", "call", "allowed"],
  "attempt-interrupted": ["subtask", "attempt", "reason"],
  "attempt-cut-off": ["subtask", "attempt", "spec"],
  "exploration-started": ["subtask", "branches"],
  "branch-moved": ["subtask", "attempt", "branch", "score", "ended"],
  "exploration-ended": ["subtask"],
  "subtask-done": ["subtask", "attempt", "phase"],
  "subtask-confirmed": ["subtask", "notes"],
  "subtask-parked": ["subtask", "phase", "reason"],
  "subtask-blocked": ["subtask", "reason", "independent"],
  "approval-requested": ["subtask", "checkpoint"],
  "checkpoint-opened": ["checkpoint"],
  "checkpoint-joined": ["subtask", "checkpoint", "of"],
  "checkpoint-followed": ["subtask", "checkpoint", "answer"],
  "expiry-scheduled": ["subtask", "checkpoint", "timer", "dueAt"],
  "checkpoint-taken": ["checkpoint", "by", "subtask"],
  "checkpoint-closed": ["checkpoint", "answer", "by"],
  "alert-raised": ["subtask", "alert", "severity"],
  "fell-through": ["subtask", "failure", "at"],
  "episode-recorded": ["episode"],
  "budget-warned": ["measure"],
  "budget-unheld": ["measure", "agents"],
  "budget-tight": ["measure", "limit", "running"],
  "baseline-dispatched": ["round"],
  "final-check-dispatched": ["round"],
  "run-paused": ["pause", "by", "reason"],
  "run-ended": ["outcome", "reason"],
};

export const eventText = (event: RunEvent): RowText => written(event, eventProblem);

export const inputText = (input: RunInput): RowText => written(input, inputProblem);

/** `place` names the row in the error. */
export const readEvent = (v: number, text: string, place: string): RunEvent =>
  read(v, text, place, eventProblem) as RunEvent;

export const readInput = (v: number, text: string, place: string): RunInput =>
  read(v, text, place, inputProblem) as RunInput;

function eventProblem(value: unknown): string | undefined {
  const problem = unmetNeed(value, EVENT_NEEDS);
  if (problem !== undefined) return problem;
  const { kind, input } = value as { kind: string; input?: unknown };
  return kind === "received" ? inputProblem(input) : undefined;
}

function written(value: unknown, problemOf: (value: unknown) => string | undefined): RowText {
  const problem = problemOf(value);
  if (problem !== undefined)
    throw new JournalError("invalid", `This cannot be recorded: ${problem}.`);
  const text = JSON.stringify(value);
  if (text.length > TEXT_MAX)
    throw new JournalError(
      "invalid",
      `This cannot be recorded: ${text.length} characters, ${TEXT_MAX} are allowed. Shorten it.`,
    );
  return text as RowText;
}

type Row = Readonly<Record<string, unknown>>;

/** Converts rows of older versions to today's form: one step per version, newest last. */
const UPGRADES: readonly ((row: Row) => Row)[] = [stopsAsCancels, rulesAsData];

/** Before version 2 a stop was the end of a run. */
function stopsAsCancels(row: Row): Row {
  const { kind, input, outcome } = row;
  if (kind === "stop-requested") return { ...row, kind: "cancel-requested" };
  if (kind === "received") return { ...row, input: stopsAsCancels((input ?? {}) as Row) };
  return kind === "run-ended" && outcome === "stopped" ? { ...row, outcome: "cancelled" } : row;
}

/** Before version 3 what chose a recovery was one string: `guard:wait`, `structure:re-ask` or the id of a rung. */
function rulesAsData(row: Row): Row {
  const { kind, rule, ...rest } = row;
  if (kind !== "recovery-chosen" || typeof rule !== "string") return row;
  const [, by = "rung", id = rule] = /^(guard|structure):(.*)$/s.exec(rule) ?? [];
  return { kind, ...rest, chosenBy: { by, id } };
}

function read(
  v: number,
  text: string,
  place: string,
  problemOf: (value: unknown) => string | undefined,
): unknown {
  if (v > ROW_VERSION)
    throw new JournalError(
      "newer-version",
      `${place} was written by a newer Unstuck (row version ${v}, this one knows ${ROW_VERSION}). ` +
        "Update Unstuck; nothing was changed.",
    );
  let value: unknown;
  let problem: string | undefined;
  try {
    const row = JSON.parse(text) as Row;
    value = v === ROW_VERSION ? row : UPGRADES.slice(v - 1).reduce((old, step) => step(old), row);
    problem = problemOf(value);
  } catch (error) {
    problem = error instanceof Error ? error.message : "it cannot be parsed";
  }
  if (problem !== undefined)
    throw new JournalError(
      "damaged",
      `${place} cannot be read: ${problem}. Nothing was changed; restore the journal from a backup.`,
    );
  return value;
}
