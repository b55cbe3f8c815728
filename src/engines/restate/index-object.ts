/** The list of all runs: what each run's object said of itself last. Invariant: an older word never replaces a newer one. */
import { INDEX_OBJECT, type RunHead } from "./messages.ts";
import { DECIDING } from "./run-object.ts";
import type { ObjectContext, ReadContext, Sdk } from "./sdk.ts";

export interface IndexRow {
  readonly run: string;
  readonly head: RunHead;
}

export function indexObject(sdk: Sdk): unknown {
  const shared = sdk.handlers.object.shared;
  return sdk.object({
    name: INDEX_OBJECT,
    options: DECIDING,
    handlers: {
      put: async (ctx: ObjectContext, { run, head }: IndexRow): Promise<void> => {
        const known = await ctx.get<RunHead>(rowKey(run));
        if (known !== null && known.seq > head.seq) return;
        const runs = (await ctx.get<readonly string[]>("runs")) ?? [];
        if (known === null) ctx.set("runs", [...runs, run]);
        ctx.set(rowKey(run), head);
        ctx.set("changes", ((await ctx.get<number>("changes")) ?? 0) + 1);
      },
      changes: shared(async (ctx) => (await ctx.get<number>("changes")) ?? 0),
      list: shared(async (ctx: ReadContext): Promise<readonly IndexRow[]> => {
        const rows: IndexRow[] = [];
        for (const run of (await ctx.get<readonly string[]>("runs")) ?? []) {
          const head = await ctx.get<RunHead>(rowKey(run));
          if (head !== null) rows.push({ run, head });
        }
        return rows;
      }),
    },
  });
}

const rowKey = (run: string): string => `run/${run}`;
