/** What the detector remembers of each call and its result. Invariant: at most 512 calls. */
import type { Origin } from "./event.ts";
import { Recent } from "./recent.ts";

export interface Place {
  world: number;
  /** The context in which it was last seen; each compaction starts a new one. */
  context: number;
}

export interface Seen extends Place {
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

export class Memory {
  readonly calls = new Recent<Seen>(512);
  sequence = 0;
  /** The call that keeps coming back at the moment. */
  spread: Seen | undefined;
}
