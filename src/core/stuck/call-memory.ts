/** What is remembered of calls: each with what it brought. Invariant: at most 512 calls. */
import type { Origin } from "./event.ts";
import { Recent } from "./recent.ts";

export interface Place {
  world: number;
  /** Number of the context this was last seen in: a compaction begins a new one. */
  context: number;
}

export interface Seen extends Place {
  hash: number;
  sequence: number;
  gap: number;
  count: number;
  /** Since the count began: other calls stood between; never more than one. */
  apart: boolean;
  dense: boolean;
  origin: Origin;
  error: string | undefined;
  readonly tool: string;
  poll: boolean;
}

export class Memory {
  readonly calls = new Recent<Seen>(512);
  sequence = 0;
  /** The call that comes back again and again just now. */
  spread: Seen | undefined;
}
