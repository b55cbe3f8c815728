/**
 * The fleet's object: its workers, the commands that wait, and the commands each worker has in hand. Every change is
 * computed by `assign`, one at a time, and stored before anything is sent. Invariant: a worker is lost only when it is
 * reported with proof (`lost`), leaves with nothing in hand, or comes back as another process.
 */
import {
  returned,
  completed,
  afterBeat,
  withLimit,
  withoutLostWorker,
  NEW_FLEET,
  enqueued,
  type Assigned,
} from "./assign.ts";
import {
  isForRunning,
  OVERDUE_MS,
  type BeatAnswer,
  type Errand,
  type FleetLimit,
  type FleetState,
  type GivenBack,
  type GivenMessage,
  type WorkerBeat,
} from "./fleet-messages.ts";
import { FLEET_OBJECT, workerObjectName, type Dispatch, type RunSource } from "./messages.ts";
import { DECIDING } from "./run-object.ts";
import type { ObjectContext, Sdk } from "./sdk.ts";

interface Want {
  readonly run: string;
  readonly seq: number;
  readonly dispatches: readonly Dispatch[];
  readonly source: RunSource;
}

export function fleetObject(sdk: Sdk): unknown {
  return sdk.object({
    name: FLEET_OBJECT,
    // All state is one value that every change needs, so it is sent along with each call.
    options: { ...DECIDING, enableLazyState: false },
    handlers: {
      want: (ctx: ObjectContext, want: Want) =>
        changed(ctx, (state, now) => enqueued(state, { ...want, errands: errandsOf(want) }, now)),
      done: (ctx: ObjectContext, { id, epoch }: { id: string; epoch: string }) =>
        changed(ctx, (state, now) => completed(state, id, epoch, now)),
      back: (ctx: ObjectContext, back: GivenBack) =>
        changed(ctx, (state, now) => returned(state, back, now)),
      lost: (ctx: ObjectContext, { id, epoch }: { id: string; epoch: string }) =>
        changed(ctx, (state, now) => withoutLostWorker(state, id, epoch, now)),
      beat: async (ctx: ObjectContext, word: WorkerBeat): Promise<BeatAnswer> => {
        const { state, now } = await changed(ctx, (state, now) => afterBeat(state, word, now));
        const overdue = Object.values(state.workers)
          .filter(({ beatAt }) => now - beatAt > OVERDUE_MS)
          .map(({ id, epoch, address, beatAt }) => ({ id, epoch, address, beatAt }));
        const given = Object.values(state.given).filter(({ epoch }) => epoch === word.epoch).length;
        return { now, number: state.workers[word.id]?.number ?? 0, given, overdue };
      },
      limit: (ctx: ObjectContext, set: { key: string; limit?: FleetLimit }) =>
        changed(ctx, (state, now) => withLimit(state, set, now)),
      state: sdk.handlers.object.shared(
        async (ctx) => (await ctx.get<FleetState>("fleet")) ?? NEW_FLEET,
      ),
    },
  });
}

async function changed(
  ctx: ObjectContext,
  change: (state: FleetState, now: number) => Assigned,
): Promise<{ readonly state: FleetState; readonly now: number }> {
  const now = await ctx.date.now();
  const stored = (await ctx.get<FleetState>("fleet")) ?? NEW_FLEET;
  const { state, sends } = change(stored, now);
  if (state !== stored) ctx.set("fleet", state);
  for (const { worker, epoch, at: _, ...errand } of sends) {
    const source = stored.sources[errand.run] ?? state.sources[errand.run];
    if (source === undefined) continue;
    const message: GivenMessage = { run: errand.run, epoch, source, errand };
    ctx.objectSendClient({ name: workerObjectName(worker) }, errand.run)["take"]?.(message);
  }
  return { state, now };
}

function errandsOf({ run, seq, dispatches, source }: Want): readonly Errand[] {
  return dispatches.map(({ command, again }) => ({
    ...{ id: command.id, run, seq, kind: command.kind, again },
    ...{ repository: source.url, labels: source.labels },
    ...("subtask" in command ? { subtask: command.subtask } : {}),
    ...(command.kind === "start" ? workedBy(command.spec.entry.agent, source) : {}),
    ...(isForRunning(command.kind) ? { command } : {}),
  }));
}

function workedBy(agent: string, { providers = {} }: RunSource) {
  const named = new Map(Object.entries(providers)).get(agent);
  return { agent, provider: named ?? agent };
}
