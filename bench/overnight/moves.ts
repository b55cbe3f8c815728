/** Moves that the scenarios' scripted models share: the work, wrong work, and passing faults. */
import { say, shell } from "../../src/testing/model-server/scenario.ts";
import type { Turn } from "../../src/testing/model-server/scenario.ts";
import type { Asked, Scale, Script } from "./scenario.ts";

export const DONE: Turn = say("Done.");
export const RIGHT: Turn = shell("printf '2\\n' > value.txt", "I write 2.");
export const WRONG: Turn = shell("printf '3\\n' > value.txt", "I write 3.");

/** These turns, one after another, then the last word. */
export const doing = (asked: Asked, ...turns: readonly Turn[]): Turn => turns[asked.step] ?? DONE;

export const work: Script = (asked) => doing(asked, RIGHT);

/** Answers the first requests with the fault, the others with the work. */
export const first =
  (count: number, turn: (scale: Scale) => Turn) =>
  (scale: Scale): Script =>
  (asked) =>
    asked.request.number <= count ? turn(scale) : work(asked);

/** While it lasts, every request is answered with the fault. */
export const during =
  (lasts: (scale: Scale) => number, turn: (left: number) => Turn) =>
  (scale: Scale): Script =>
  (asked) => {
    const left = lasts(scale) - asked.seconds;
    return left > 0 ? turn(left) : work(asked);
  };

/** Does this in its first starts, then the work. */
export const atFirst = (starts: number, early: (asked: Asked) => Turn) => (): Script => (asked) =>
  asked.start <= starts ? early(asked) : work(asked);
