/** What the detector remembers of each call and its result. Invariant: at most 512 calls. */
import type { Origin } from "./event.ts";
import { RecentMap } from "./recent.ts";

export interface Place {
  world: number;
  /** The context in which it was last seen; each compaction starts a new one. */
  context: number;
}

export interface SeenCall extends Place {
  hash: number;
  sequence: number;
  gap: number;
  count: number;
  /** Since the count began: whether other calls came between repeats (`apart`), and never more than one (`dense`). */
  apart: boolean;
  dense: boolean;
  origin: Origin;
  error: string | undefined;
  readonly tool: string;
  poll: boolean;
}

export class CallMemory {
  readonly calls = new RecentMap<SeenCall>(512);
  sequence = 0;
  /** The call that keeps coming back at the moment. */
  spread: SeenCall | undefined;
}
