/** The inputs by which a run learns how a task's attempts ended. */
import { makeFailure, type Failure } from "../../core/failure.ts";
import type { Shown } from "./observed.ts";
import { SUBTASK } from "./plan.ts";

const DOWN = makeFailure({
  ...{ kind: "server_overloaded", origin: "provider", because: ["the service is overloaded"] },
});

const usedUp = (until: number): Failure =>
  makeFailure({
    ...{ kind: "rate_limited", origin: "provider", because: ["the quota is used up"] },
    resetAt: new Date(until).toISOString(),
  });

/** Nothing was started: not even its tree was made ready. `until`: when there is quota again. */
export function attemptRefused(number: number, until: number | undefined) {
  const ended = attemptEnded(number, undefined, { usd: 0, timeMs: 0 });
  const remains = { ...ended.remains, treeBefore: "", treeAfter: "" };
  const observed = until === undefined ? DOWN : usedUp(until);
  return { ...ended, outcome: "failed", observed, remains } as const;
}

export function attemptEnded(
  number: number,
  seen: Shown | undefined,
  used: { readonly usd: number; readonly timeMs: number },
) {
  const treeBefore = `before${number}`;
  return {
    kind: "attempt-ended",
    subtask: SUBTASK,
    attempt: number,
    outcome: seen?.failure === undefined ? "finished" : "failed",
    ...(seen?.failure === undefined ? {} : { observed: seen.failure }),
    evidence: {},
    remains: {
      treeBefore,
      treeAfter: seen?.changed === false ? treeBefore : `after${number}`,
      approach: `approach ${number}`,
      signals: seen?.signals ?? { outputNovelty: 1, change: 1, markers: 0, checklist: 0 },
      used,
      session: `s${number}`,
    },
  } as const;
}
