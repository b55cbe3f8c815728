/**
 * The parts of a run that have a start and an end: waits, questions, and incidents, which are waits for a service that
 * is down or at its limit. A decision has the time of the input it follows from. Every text is sanitized and bounded.
 */
import { waitText } from "../../core/backoff.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { KIND_WORDS } from "../../core/kind-words.ts";
import type { FailureKind } from "../../core/kinds.ts";
import { answerText } from "../../core/report/phrases.ts";
import type { DecisionOf, RunEvent } from "../../core/run/decision.ts";
import { defined } from "../operation.ts";

const LINE_CHARS = 300;

interface Waited {
  readonly from: number;
  until: number;
  readonly reason: string;
}

interface SharedWait {
  readonly subtask: string;
  readonly kind: FailureKind;
  /** When the first subtask met it. */
  readonly since: number;
  readonly wait: Waited;
}

interface Asked {
  readonly id: string;
  readonly subtask?: string;
  readonly also: readonly string[];
  readonly question: string;
  readonly askedAt: number;
  readonly closedAt?: number;
  readonly answer?: string;
}

export interface Incident {
  /** What is down or at its limit: "rate limited". */
  readonly name: string;
  readonly from: number;
  readonly until: number;
  readonly subtasks: readonly string[];
}

export function timedThings() {
  const waits = new Map<string, Waited[]>();
  const shared: SharedWait[] = [];
  const questions = new Map<string, Asked>();
  const failures = new Map<string, FailureKind>();
  let now = 0;
  const endWait = (subtask: string, at: number): void => {
    const last = waits.get(subtask)?.at(-1);
    if (last !== undefined && last.until > at) last.until = at;
  };
  const startWait = (event: DecisionOf<"wait-scheduled">): void => {
    const { subtask, dueAt, since, reason: id, ofService } = event;
    const known = waits.get(subtask) ?? [];
    const reason = cleanLine(waitText(id), LINE_CHARS);
    const wait = { from: now, until: dueAt, reason };
    waits.set(subtask, [...known, wait]);
    const kind = failures.get(subtask);
    if (kind !== undefined && (ofService === true || id === "incident"))
      shared.push({ subtask, kind, since: Math.min(since, now), wait });
  };
  return {
    waits,
    questions,
    incidents: (): readonly Incident[] => incidentsIn(shared),
    add(event: RunEvent): void {
      if (event.kind === "received") now = event.input.at;
      else if (event.kind === "failure-classified") failures.set(event.subtask, event.failure.kind);
      else if (event.kind === "wait-scheduled") startWait(event);
      else if (event.kind === "wait-shortened") endWait(event.subtask, event.dueAt);
      else if (event.kind === "attempt-dispatched") endWait(event.subtask, event.at);
      else if (event.kind === "checkpoint-opened") {
        const { id, subtask, question, also = [] } = event.checkpoint;
        const words = cleanLine(question, LINE_CHARS);
        questions.set(id, { id, question: words, askedAt: now, also, ...defined({ subtask }) });
      } else if (event.kind === "checkpoint-joined") {
        const asked = questions.get(event.checkpoint);
        if (asked !== undefined)
          questions.set(asked.id, { ...asked, also: [...asked.also, event.subtask] });
      } else if (event.kind === "checkpoint-closed") {
        const asked = questions.get(event.checkpoint);
        const answer = `${cleanLine(event.by, 60)}: ${answerText(event.answer)}`;
        if (asked !== undefined) questions.set(asked.id, { ...asked, closedAt: now, answer });
      }
    },
  };
}

/** Overlapping waits of one kind are one incident; a subtask whose retry fails stays in the same one. */
function incidentsIn(shared: readonly SharedWait[]): readonly Incident[] {
  const found: { kind: FailureKind; from: number; until: number; subtasks: Set<string> }[] = [];
  const open = new Map<FailureKind, (typeof found)[number]>();
  for (const { subtask, kind, since, wait } of shared.toSorted((a, b) => a.since - b.since)) {
    const known = open.get(kind);
    if (known !== undefined && since <= known.until) {
      known.until = Math.max(known.until, wait.until);
      known.subtasks.add(subtask);
      continue;
    }
    const made = { kind, from: since, until: wait.until, subtasks: new Set([subtask]) };
    open.set(kind, made);
    found.push(made);
  }
  return found.map(({ kind, subtasks, from, until }) => ({
    ...{ name: KIND_WORDS[kind].name, from, until: Math.max(from, until) },
    subtasks: [...subtasks],
  }));
}
