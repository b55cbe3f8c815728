/**
 * Caches states of runs in this process's memory, for the runs it decided on last. Invariant: a state belongs to
 * exactly the events with its mark, whoever recorded them, so a decision made here that never became durable is
 * ignored. What is read to rebuild a state is in no invocation's journal, because it follows from the mark alone.
 */
import { createHash } from "node:crypto";
import { defined } from "../../core/defined.ts";
import { policyOf } from "../../core/adaptive/policy-of.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import type { Policy } from "../../core/policy/policy.ts";
import { fold } from "../../core/run/fold/fold.ts";
import { NEW_RUN } from "../../core/run/new-run.ts";
import type { RunInput } from "../../core/run/input.ts";
import type { RunState } from "../../core/run/state.ts";
import { readEvent } from "../../journal/event-text.ts";
import type { Recorded } from "../../runtime/ports.ts";
import type { Ingress } from "./ingress.ts";
import { RUN_OBJECT, type Delivered, type RowsFrom, type StoredRow } from "./messages.ts";

export interface KnownRun {
  readonly seq: number;
  readonly mark: string;
  readonly state: RunState;
  /** Named by the plan the run was started with. */
  readonly policy: Policy | undefined;
}

export interface RunStates {
  at(run: string, place: Pick<KnownRun, "seq" | "mark">): Promise<KnownRun>;
  keep(run: string, known: KnownRun): void;
}

const KEPT = 200;
const AT_ONCE = 500;

const UNKNOWN_RUN: KnownRun = { seq: 0, mark: "", state: NEW_RUN, policy: undefined };

export function runStates(engine: Ingress): RunStates {
  const known = new Map<string, KnownRun>();
  const keep = (run: string, now: KnownRun): void => {
    known.delete(run);
    known.set(run, now);
    const [oldest] = known.keys();
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  };
  return {
    keep,
    async at(run, place) {
      const last = known.get(run);
      const isThere = (now: KnownRun): boolean => now.seq === place.seq && now.mark === place.mark;
      if (last !== undefined && isThere(last)) return last;
      for (const from of last === undefined ? [UNKNOWN_RUN] : [last, UNKNOWN_RUN]) {
        const now = await brought(engine, run, from, place.seq);
        if (!isThere(now)) continue;
        keep(run, now);
        return now;
      }
      throw new Error(`broken invariant: the events of run ${run} are not those of its head`);
    },
  };
}

export interface FollowedRun {
  readonly state: () => RunState;
  /** The number of events the state includes. */
  readonly seq: () => number;
  /** Settles once the state includes at least this many events; events in `given` need not be read. */
  bring(seq: number, given?: RowsFrom): Promise<void>;
}

/** Reads one after the other, so that the state only moves forward. */
export function followedRun(engine: Ingress, run: string): FollowedRun {
  let known = UNKNOWN_RUN;
  let turn: Promise<void> = Promise.resolve();
  return {
    state: () => known.state,
    seq: () => known.seq,
    bring(seq, given) {
      const mine = turn.then(async () => {
        if (given !== undefined) known = withRows(run, known, given);
        if (known.seq < seq) known = await brought(engine, run, known, seq);
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Rejects, with nothing recorded, if the decision threw. */
export async function deliverTo(
  engine: Ingress,
  run: string,
  input: RunInput,
  after?: number,
): Promise<Exclude<Delivered, { readonly error: string }>> {
  const message = { input, ...defined({ after }) };
  const once = { once: true } as const;
  const answer = await engine.call<Delivered>(RUN_OBJECT, run, "deliver", message, once);
  if ("error" in answer) throw new Error(answer.error);
  return answer;
}

/** Applies rows only if they follow without a gap; others are skipped. */
function withRows(run: string, known: KnownRun, { from, rows }: RowsFrom): KnownRun {
  const read = from > known.seq + 1 ? [] : readRows(run, from, rows);
  return read.filter(({ seq }) => seq > known.seq).reduce(after, known);
}

/** Reads events until the state includes `seq` of them. */
async function brought(
  engine: Ingress,
  run: string,
  from: KnownRun,
  seq: number,
): Promise<KnownRun> {
  let now = from;
  while (now.seq < seq) {
    const limit = Math.min(AT_ONCE, seq - now.seq);
    const rows = await readEvents(engine, run, now.seq + 1, limit);
    if (rows.length === 0) throw new Error(`run ${run} has no event ${now.seq + 1}`);
    for (const row of rows) now = after(now, row);
  }
  return now;
}

function after({ seq, mark, state, policy }: KnownRun, { event, text }: ReadRow): KnownRun {
  const input = event.kind === "received" ? event.input : undefined;
  return {
    seq: seq + 1,
    mark: markAfter(mark, [text]),
    state: fold(state, event),
    policy: policy ?? policyIn(input),
  };
}

export const markAfter = (mark: string, texts: readonly string[]): string =>
  texts.reduce(
    (last, text) => createHash("sha256").update(`${last}\n${text}`).digest("hex").slice(0, 16),
    mark,
  );

/** The policy named by the plan of a start. */
export function policyIn(input: RunInput | undefined): Policy | undefined {
  if (input?.kind !== "run-started") return undefined;
  const { plan } = (input.pinned ?? {}) as { readonly plan?: RunPlan };
  return plan && policyOf(plan.policy);
}

interface ReadRow extends Recorded {
  readonly text: string;
}

export async function readEvents(
  engine: Ingress,
  run: string,
  from: number,
  limit: number,
): Promise<readonly ReadRow[]> {
  const rows = await engine.call<readonly StoredRow[]>(RUN_OBJECT, run, "read", { from, limit });
  return readRows(run, from, rows);
}

const readRows = (run: string, from: number, rows: readonly StoredRow[]): readonly ReadRow[] =>
  rows.map(({ v, text }, index) => {
    const seq = from + index;
    return { seq, text, event: readEvent(v, text, `Event ${seq} of run ${run}`) };
  });
