/**
 * One turn of a run's object: inputs are decided with the core's `decide`, and the results are stored and sent when the
 * turn is closed. Invariants: what is set and sent depends only on the stored state and the inputs, so a turn repeated
 * after a crash does exactly the same; timers are the engine's delayed messages, set once, with the decision that
 * requested them; the list of events only grows.
 */
import type { Policy } from "../../core/policy/policy.ts";
import type { Command } from "../../core/run/command.ts";
import type { RunInput } from "../../core/run/input.ts";
import { runSummary } from "../../core/run/run-summary.ts";
import { ROW_VERSION } from "../../journal/row-text.ts";
import { decideAll } from "../run-inputs.ts";
import {
  FLEET_OBJECT,
  INDEX_OBJECT,
  ONLY,
  RUN_OBJECT,
  workerObjectName,
  type Delivered,
  type Dispatch,
  type Perform,
  type RowsFrom,
  type RunHead,
} from "./messages.ts";
import { markAfter, policyIn, type KnownRun, type RunStates } from "./run-states.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

export interface Deciding {
  readonly sdk: Sdk;
  readonly states: RunStates;
  /** Overrides the policy named by the run's plan. */
  readonly policyFor: (run: string) => Policy | undefined;
}

export const NEW_HEAD: RunHead = {
  v: 1,
  seq: 0,
  mark: "",
  chunks: [1],
  created: 0,
  changed: 0,
  repo: "",
  title: "",
  phase: "new",
  claims: 0,
  waiting: 0,
};

/**
 * Size of a stored chunk of events: short because it is rewritten with every input, long because it is read as a whole.
 */
const CHUNK_CHARS = 48 * 1024;

export const chunkKey = (first: number): string => `events/${first}`;

export interface Chunk {
  readonly v: number;
  readonly rows: readonly string[];
}

export interface RunTurn {
  readonly head: () => RunHead;
  readonly known: () => KnownRun;
  change(head: Partial<RunHead>): void;
  take(input: RunInput): Delivered;
  /** All events from this one on, if they are in memory. */
  rowsFrom(seq: number): RowsFrom | undefined;
  dispatch(dispatches: readonly Dispatch[]): void;
  close(): Promise<void>;
}

export async function openTurn(ctx: ObjectContext, deciding: Deciding): Promise<RunTurn> {
  const run = ctx.key;
  const stored = (await ctx.get<RunHead>("head")) ?? NEW_HEAD;
  let head = stored;
  let first = head.chunks.at(-1) ?? 1;
  let chunk = (await ctx.get<Chunk>(chunkKey(first))) ?? { v: ROW_VERSION, rows: [] };
  let known = await deciding.states.at(run, head);
  const written = new Map<number, Chunk>();
  const open: Dispatch[] = [];

  const append = (texts: readonly string[]): void => {
    const length = chunk.rows.reduce((sum, row) => sum + row.length, 0);
    if (chunk.rows.length > 0 && (length > CHUNK_CHARS || chunk.v !== ROW_VERSION)) {
      first = head.seq + 1;
      chunk = { v: ROW_VERSION, rows: [] };
      head = { ...head, chunks: [...head.chunks, first] };
    }
    chunk = { ...chunk, rows: [...chunk.rows, ...texts] };
    written.set(first, chunk);
  };

  return {
    head: () => head,
    known: () => known,
    change: (more) => void (head = { ...head, ...more }),
    dispatch: (dispatches) => void open.push(...dispatches),
    take(input) {
      const named = known.policy ?? policyIn(input);
      const policy = deciding.policyFor(run) ?? named;
      if (policy === undefined) return { recorded: false, error: `run ${run} has no policy` };
      const { after, events, outcomes } = decideAll(known.state, [{ input }], policy);
      const [outcome] = outcomes;
      if (outcome === undefined || "error" in outcome)
        return { recorded: false, error: String((outcome?.error as Error | undefined)?.message) };
      const { delivery, commands } = outcome;
      if (!delivery.recorded) return delivery;
      append(events);
      const mark = markAfter(head.mark, events);
      head = { ...head, mark, seq: head.seq + events.length, changed: input.at };
      known = { seq: head.seq, mark, state: after, policy: named };
      open.push(...commands.map((command) => ({ command, again: false })));
      return { recorded: true, seq: head.seq };
    },
    rowsFrom: (seq) =>
      seq < first
        ? undefined
        : { from: seq, rows: chunk.rows.slice(seq - first).map((text) => ({ v: chunk.v, text })) },
    async close() {
      for (const [at, value] of written) ctx.set(chunkKey(at), value);
      if (head.seq > stored.seq) {
        const { phase, outcome } = known.state;
        // A run resumed after its end no longer has an outcome.
        const { outcome: _, ...rest } = head;
        head = {
          ...{ ...rest, phase, summary: runSummary(known.state) },
          ...(outcome === undefined ? {} : { outcome: outcome.kind }),
        };
        ctx.objectSendClient({ name: INDEX_OBJECT }, ONLY)["put"]?.({ run, head });
      }
      if (head !== stored) ctx.set("head", head);
      deciding.states.keep(run, known);
      await sendOut(ctx, deciding.sdk, head, open, head.seq > stored.seq);
    },
  };
}

/** In the order of the decisions: messages from one object to another arrive in order. */
async function sendOut(
  ctx: ObjectContext,
  sdk: Sdk,
  { owner, source, seq }: RunHead,
  open: readonly Dispatch[],
  isNews: boolean,
): Promise<void> {
  const run = ctx.key;
  const timers = open.flatMap(({ command, again }) =>
    command.kind === "timer" && !again ? [command] : [],
  );
  const now = timers.length > 0 ? await ctx.date.now() : 0;
  for (const timer of timers) sendTimer(ctx, sdk, timer, now);
  const dispatches = open.filter(({ command }) => command.kind !== "timer");
  const message = { run, seq, dispatches };
  if (source !== undefined && dispatches.length > 0)
    ctx.objectSendClient({ name: FLEET_OBJECT }, ONLY)["want"]?.({ ...message, source });
  // An owner is sent all news: its state is what it works from.
  else if (owner !== undefined && (isNews || dispatches.length > 0))
    ctx
      .objectSendClient({ name: workerObjectName(owner.id) }, run)
      ["perform"]?.({ ...message, claim: owner.claim } satisfies Perform);
}

export type Timer = Pick<
  Extract<Command, { readonly kind: "timer" }>,
  "subtask" | "timer" | "dueAt"
>;

export function sendTimer(
  ctx: ObjectContext,
  sdk: Sdk,
  { subtask, timer, dueAt }: Timer,
  now: number,
): void {
  const later = sdk.rpc.sendOpts({ delay: Math.max(0, dueAt - now) });
  ctx.objectSendClient({ name: RUN_OBJECT }, ctx.key)["fire"]?.({ subtask, timer, dueAt }, later);
}
