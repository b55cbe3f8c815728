/**
 * The object of one run: its events, its state, and its owner or the fleet. All inputs of the run arrive here, one at a
 * time; reads run concurrently. Invariants: a run worked on by one process decides only while it has an owner, and
 * queues inputs for the next one in order; a run of the fleet decides at once; a claim is taken over only from the
 * owner that the claimant names as dead.
 */
import { defined } from "../../core/defined.ts";
import type { RunInput } from "../../core/run/input.ts";
import { unanswered } from "../embedded.ts";
import {
  INDEX_OBJECT,
  ONLY,
  RUN_OBJECT,
  type Claimed,
  type Delivered,
  type RunHead,
  type RunSource,
  type StoredRow,
  type WorkerProcess,
} from "./messages.ts";
import {
  chunkKey,
  NEW_HEAD,
  openTurn,
  sendTimer,
  type Chunk,
  type Deciding,
  type RunTurn,
  type Timer,
} from "./run-turn.ts";
import type { ObjectContext, ReadContext } from "./sdk.ts";

/** The engine retries undelivered calls soon and for long: these handlers only decide, once per input. */
export const DECIDING = {
  enableLazyState: true,
  journalRetention: 0,
  // Longer than any caller keeps retrying the same request.
  idempotencyRetention: 120_000,
  inactivityTimeout: 60_000,
  abortTimeout: 60_000,
  retryPolicy: { initialInterval: 50, exponentiationFactor: 2, maxInterval: 500 },
} as const;

const waitingKey = (place: number): string => `waiting/${place}`;

export function runObject(deciding: Deciding): unknown {
  const { sdk } = deciding;
  const shared = sdk.handlers.object.shared;
  return sdk.object({
    name: RUN_OBJECT,
    options: DECIDING,
    handlers: {
      deliver: async (ctx: ObjectContext, { input, after }: Delivery): Promise<Delivered> => {
        const turn = await openTurn(ctx, deciding);
        const answer = takeOrKeep(ctx, turn, input);
        await turn.close();
        if (!answer.recorded || after === undefined) return answer;
        return { ...answer, ...defined({ rows: turn.rowsFrom(after + 1) }) };
      },
      fire: async (ctx: ObjectContext, timer: Timer): Promise<void> => {
        const now = await ctx.date.now();
        if (now < timer.dueAt) return sendTimer(ctx, sdk, timer, now);
        const { subtask, timer: id } = timer;
        const chance = ctx.rand.random();
        const turn = await openTurn(ctx, deciding);
        takeOrKeep(ctx, turn, { kind: "timer-fired", subtask, timer: id, at: now, chance });
        await turn.close();
      },
      claim: (ctx: ObjectContext, asked: ClaimAsked) => claimed(ctx, deciding, asked),
      release: async (ctx: ObjectContext, { claim }: { claim: number }): Promise<void> => {
        const head = await ctx.get<RunHead>("head");
        if (head?.owner?.claim !== claim) return;
        const { owner: _, ...free } = head;
        ctx.set("head", free);
      },
      describe: async (ctx: ObjectContext, named: Named): Promise<void> => {
        const head = { ...((await ctx.get<RunHead>("head")) ?? NEW_HEAD), ...named };
        ctx.set("head", head);
        ctx.objectSendClient({ name: INDEX_OBJECT }, ONLY)["put"]?.({ run: ctx.key, head });
      },
      head: shared((ctx) => ctx.get<RunHead>("head")),
      read: shared(read),
    },
  });
}

interface Delivery {
  readonly input: RunInput;
  /** How many events the sender knows. */
  readonly after?: number;
}

/** What the list of runs shows of it; `source`: from now on the fleet works on it. */
interface Named {
  readonly repo: string;
  readonly title: string;
  readonly created: number;
  readonly source?: RunSource;
}

function takeOrKeep(ctx: ObjectContext, turn: RunTurn, input: RunInput): Delivered {
  const { owner, source, waiting } = turn.head();
  if (owner !== undefined || source !== undefined) return turn.take(input);
  ctx.set(waitingKey(waiting), input);
  turn.change({ waiting: waiting + 1 });
  return { recorded: false, posted: true };
}

interface ClaimAsked {
  readonly process: WorkerProcess;
  /** The claim of an owner that is proven dead. */
  readonly over?: number;
}

async function claimed(
  ctx: ObjectContext,
  deciding: Deciding,
  { process, over }: ClaimAsked,
): Promise<Claimed> {
  const turn = await openTurn(ctx, deciding);
  const { owner, claims, waiting } = turn.head();
  if (owner !== undefined && owner.claim !== over) return { ok: false, owner };
  const claim = claims + 1;
  turn.change({ owner: { ...process, claim }, claims: claim, waiting: 0 });
  const open = turn.head().seq > 0 ? unanswered(turn.known().state) : [];
  turn.dispatch(open.map((command) => ({ command, again: true })));
  for (let place = 0; place < waiting; place += 1) {
    const input = await ctx.get<RunInput>(waitingKey(place));
    if (input !== null) turn.take(input);
    ctx.clear(waitingKey(place));
  }
  await turn.close();
  return { ok: true, claim, seq: turn.head().seq };
}

async function read(
  ctx: ReadContext,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<readonly StoredRow[]> {
  const { chunks, seq } = (await ctx.get<RunHead>("head")) ?? NEW_HEAD;
  const rows: StoredRow[] = [];
  const end = Math.min(seq, from + limit - 1);
  for (const [index, first] of chunks.entries()) {
    const next = chunks[index + 1] ?? seq + 1;
    if (next <= from || first > end) continue;
    const chunk = await ctx.get<Chunk>(chunkKey(first));
    for (const [place, text] of (chunk?.rows ?? []).entries())
      if (first + place >= from && first + place <= end) rows.push({ v: chunk?.v ?? 0, text });
  }
  return rows;
}
