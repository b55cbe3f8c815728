/**
 * One of those that are compared: made anew for each world, so that nothing learned in one helps in another. Those that
 * learn see the tasks of a world one after the other.
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
