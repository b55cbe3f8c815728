/**
 * A stuck watch simple enough to be predictable: the same words three times in a row are a nudge, six times are
 * stuck.
 */
import type { LoopWatch } from "../../../src/runtime/loop-watch.ts";

const NUDGE_AT = 3;
const STUCK_AT = 6;

export function loopWatch(): LoopWatch {
  let last = "";
  let times = 0;
  return (step) => {
    const text = step.kind === "message" ? step.text : "";
    times = text === last ? times + 1 : 1;
    last = text;
    if (times === NUDGE_AT)
      return { level: "nudge", pattern: "same words", words: "try another way" };
    if (times === STUCK_AT) return { level: "stuck", pattern: "same words", words: "stop" };
    return undefined;
  };
}
