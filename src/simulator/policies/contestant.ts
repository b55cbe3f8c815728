/**
 * A contestant of the comparison: created anew for each world, so that nothing learned in one world helps in another. A
 * contestant that learns sees the tasks of a world in order.
 */
import type { Player, View } from "../play/view.ts";
import type { TaskResult } from "../play/result.ts";
import type { World } from "../world/world.ts";

export interface Contestant {
  readonly id: string;
  /** What it does, in one line. */
  readonly words: string;
  readonly enter: (world: World, seed: number) => Entrant;
}

export interface Entrant {
  readonly playerFor: (view: View) => Player;
  readonly learn?: (result: TaskResult) => void;
}
