/**
 * What the workers of one run have produced, in the order they published it: ref changes with the bundles of their
 * objects, and the files of attempts, each by content hash. Invariant: the list only grows, so a reader that knows its
 * position knows what it lacks.
 */
import type { ObjectContext, ReadContext, Sdk } from "./sdk.ts";
import { DECIDING } from "./run-object.ts";

export const REPLICA_OBJECT = "unstuck-replica";

export interface PublishedChange {
  readonly change: unknown;
  /** The blob of the bundle; none if no objects are needed. */
  readonly bundle?: string;
}

export interface AttemptFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface FilePiece extends AttemptFile {
  /** Its offset in the file. */
  readonly from: number;
}

/** `files`: for an attempt that has ended; `pieces`: for a running one. */
export interface KeptFiles {
  readonly files: readonly AttemptFile[] | null;
  readonly pieces: readonly FilePiece[];
}

export function replicaObject(sdk: Sdk): unknown {
  const shared = sdk.handlers.object.shared;
  return sdk.object({
    name: REPLICA_OBJECT,
    options: DECIDING,
    handlers: {
      append: async (ctx: ObjectContext, handed: PublishedChange): Promise<number> => {
        const place = (await ctx.get<number>("length")) ?? 0;
        ctx.set(`change/${place}`, handed);
        ctx.set("length", place + 1);
        return place + 1;
      },
      since: shared(async (ctx: ReadContext, { from }: { from: number }) => {
        const length = (await ctx.get<number>("length")) ?? 0;
        const handed: PublishedChange[] = [];
        for (let place = from; place < length; place += 1) {
          const one = await ctx.get<PublishedChange>(`change/${place}`);
          if (one !== null) handed.push(one);
        }
        return { length, handed };
      }),
      keepFiles: async (
        ctx: ObjectContext,
        { attempt, files }: { attempt: string; files: readonly AttemptFile[] },
      ): Promise<void> => {
        ctx.set(`files/${attempt}`, files);
        ctx.clear(`live/${attempt}`);
      },
      /** Adds what was appended to a file of a running attempt; a piece replaces a shorter one at the same offset. */
      grow: async (
        ctx: ObjectContext,
        { attempt, piece }: { attempt: string; piece: FilePiece },
      ): Promise<void> => {
        const pieces = (await ctx.get<readonly FilePiece[]>(`live/${attempt}`)) ?? [];
        const others = pieces.filter(
          ({ name, from }) => name !== piece.name || from !== piece.from,
        );
        ctx.set(`live/${attempt}`, [...others, piece]);
      },
      files: shared(async (ctx: ReadContext, { attempt }: { attempt: string }) => ({
        files: await ctx.get<readonly AttemptFile[]>(`files/${attempt}`),
        pieces: (await ctx.get<readonly FilePiece[]>(`live/${attempt}`)) ?? [],
      })),
    },
  });
}
