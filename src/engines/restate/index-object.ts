/**
 * The list of all runs: a short summary of each, as its object last reported it. A run that has not ended has its own
 * key, because it changes; ended runs share chunks, so that thousands are read in a few pieces. Invariants: an older
 * report never replaces a newer one; a run is stored in one place only; reading recent changes does not cost more as
 * ended runs accumulate.
 */
import { INDEX_OBJECT, type RunHead } from "./messages.ts";
import { DECIDING } from "./run-object.ts";
import type { ObjectContext, ReadContext, Sdk } from "./sdk.ts";

export interface IndexRow extends Pick<
  RunHead,
  "seq" | "created" | "changed" | "repo" | "title" | "phase" | "outcome" | "summary"
> {
  readonly run: string;
  readonly fleet: boolean;
}

export interface IndexList {
  /** Unordered. */
  readonly rows: readonly IndexRow[];
  /** The number of all runs, including those not in `rows`. */
  readonly total: number;
}

interface Places {
  readonly v: 1;
  /** Runs that have not ended. */
  readonly open: readonly string[];
  /** For ended runs: the size of each chunk, and when one of its runs last changed. */
  readonly chunks: readonly { readonly size: number; readonly newest: number }[];
}

const NOTHING: Places = { v: 1, open: [], chunks: [] };
const CHUNK_ROWS = 100;

const rowKey = (run: string): string => `run/${run}`;
const placeKey = (run: string): string => `place/${run}`;
const chunkKey = (place: number): string => `ended/${place}`;

export function indexObject(sdk: Sdk): unknown {
  const shared = sdk.handlers.object.shared;
  return sdk.object({
    name: INDEX_OBJECT,
    options: DECIDING,
    handlers: { put, changes: shared(changes), list: shared(list) },
  });
}

async function put(
  ctx: ObjectContext,
  { run, head }: { readonly run: string; readonly head: RunHead },
): Promise<void> {
  const place = await ctx.get<number>(placeKey(run));
  const chunk = place === null ? [] : ((await ctx.get<IndexRow[]>(chunkKey(place))) ?? []);
  const open = await ctx.get<IndexRow>(rowKey(run));
  const known = open ?? chunk.find((row) => row.run === run);
  if (known !== undefined && known.seq > head.seq) return;
  ctx.set("changes", (await changes(ctx)) + 1);
  const row = rowOf(run, head);
  const isOpen = head.phase !== "ended";
  if (isOpen) ctx.set(rowKey(run), row);
  if (isOpen && open !== null) return;
  let places = (await ctx.get<Places>("places")) ?? NOTHING;
  const setChunk = (at: number, rows: readonly IndexRow[]): void => {
    ctx.set(chunkKey(at), rows);
    const newest = Math.max(0, ...rows.map(({ changed }) => changed));
    places = { ...places, chunks: places.chunks.with(at, { size: rows.length, newest }) };
  };
  const others = chunk.filter((one) => one.run !== run);
  if (isOpen) {
    places = { ...places, open: [...places.open, run] };
    if (place !== null) setChunk(place, others);
    if (place !== null) ctx.clear(placeKey(run));
  } else if (place !== null) setChunk(place, [...others, row]);
  else {
    if (open !== null) ctx.clear(rowKey(run));
    places = { ...places, open: places.open.filter((one) => one !== run) };
    if ((places.chunks.at(-1)?.size ?? CHUNK_ROWS) >= CHUNK_ROWS)
      places = { ...places, chunks: [...places.chunks, { size: 0, newest: 0 }] };
    const last = places.chunks.length - 1;
    ctx.set(placeKey(run), last);
    setChunk(last, [...((await ctx.get<IndexRow[]>(chunkKey(last))) ?? []), row]);
  }
  ctx.set("places", places);
}

const changes = async (ctx: ReadContext): Promise<number> =>
  (await ctx.get<number>("changes")) ?? 0;

/** `since`: only runs that have not ended, or have changed since then. */
async function list(
  ctx: ReadContext,
  { since = 0 }: { readonly since?: number },
): Promise<IndexList> {
  const { open, chunks } = (await ctx.get<Places>("places")) ?? NOTHING;
  const wanted = chunks.flatMap(({ newest }, place) => (newest >= since ? [place] : []));
  const ended = await Promise.all(wanted.map((place) => ctx.get<IndexRow[]>(chunkKey(place))));
  const going = await Promise.all(open.map((run) => ctx.get<IndexRow>(rowKey(run))));
  const rows = [...ended.flatMap((chunk) => chunk ?? []), ...going.flatMap((row) => row ?? [])];
  return {
    rows: rows.filter(({ changed, phase }) => changed >= since || phase !== "ended"),
    total: chunks.reduce((sum, { size }) => sum + size, open.length),
  };
}

function rowOf(run: string, head: RunHead): IndexRow {
  const { seq, created, changed, repo, title, phase, outcome, summary, source } = head;
  return {
    ...{ run, seq, created, changed, repo, title, phase, fleet: source !== undefined },
    ...(outcome === undefined ? {} : { outcome }),
    ...(summary === undefined ? {} : { summary }),
  };
}
