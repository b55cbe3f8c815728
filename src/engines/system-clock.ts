/**
 * The Clock port on the machine's clocks. Invariants: a callback is never lost, whatever the wall clock does: it
 * comes when the wall clock says so (also after sleep), or when the time that was left has passed on the steady
 * clock (the wall clock was put back); never before `at` has returned.
 */
import type { Clock } from "../runtime/ports.ts";

export interface TimeSources {
  /** Epoch milliseconds; may jump. */
  readonly wall: () => number;
  /** Milliseconds since anything; never goes back, may stand still while the machine sleeps. */
  readonly steady: () => number;
}

/** Also what a jump of the wall clock, or sleep, can delay a callback by. */
const LOOK_AGAIN_MS = 15_000;
/** Further apart than any correction of a running clock: the wall clock was put back. */
const PUT_BACK_MS = 1000;

export function systemClock(
  { wall, steady }: TimeSources = { wall: Date.now, steady: () => performance.now() },
): Clock {
  return {
    now: wall,
    at(time, callback) {
      const steadyTime = steady() + (time - wall()) + PUT_BACK_MS;
      let timer: NodeJS.Timeout;
      const sleep = (): void => {
        const left = Math.min(time - wall(), steadyTime - steady());
        timer = setTimeout(look, Math.max(0, Math.min(Math.ceil(left), LOOK_AGAIN_MS)));
      };
      const look = (): void => {
        if (time <= wall() || steadyTime <= steady()) callback();
        else sleep();
      };
      sleep();
      return () => clearTimeout(timer);
    },
  };
}
