/**
 * Guard rails apply to every policy: fatal kinds go to a person without a retry; infrastructure failures wait and never
 * use a rung; continuations and cut-offs are capped.
 */
import type { Refusal } from "../../agent-words/refusal.ts";
import { nextWait } from "../../backoff.ts";
import { defined } from "../../defined.ts";
import { isInfrastructure } from "../../failure.ts";
import { hasTrait, kindName } from "../../kinds.ts";
import { sidegradeOf } from "../../plan/model-ladder.ts";
import type { Plan } from "../../plan/plan.ts";
import type { Choice, PolicySettings } from "../../policy/policy.ts";
import type { Recovery } from "../../recovery.ts";
import { continuesUsedUp, type RecoveryView } from "./possible-recoveries.ts";

export const CUT_OFFS_MAX = 3;

/** A failure with the state of its subtask after it was recorded, scored and checked for circles. */
export interface FailureInContext extends Omit<RecoveryView, "settings" | "notAgain"> {
  readonly treeChanged: boolean;
  readonly counted: boolean;
  /** Why the attempt is a circular fix; undefined if it is not. */
  readonly circular: string | undefined;
  readonly now: number;
  readonly chance: number;
  readonly minuteOfDay?: number;
  /** Called after the guard rails: the choice to wait if another subtask works on the same broken base. */
  readonly heldByBase?: () => Choice | undefined;
  /** Calls that the agent's gate refused and that no person has decided on yet. */
  readonly refused?: readonly Refusal[];
  /** What failed before its first attempt, by name, if known. */
  readonly baseFailing?: readonly string[];
}

export interface GuardView extends Pick<
  FailureInContext,
  "failure" | "subtask" | "treeChanged" | "now" | "chance"
> {
  readonly settings: PolicySettings;
  readonly plan: Pick<Plan, "ladder">;
}

export function guardRail(view: GuardView): Choice | undefined {
  const { failure, subtask, treeChanged } = view;
  if (failure.category === "fatal")
    return guard("fatal", { kind: "ask" }, `${kindName(failure.kind)}: only a person can help`);
  if (failure.kind === "context_exhausted")
    return continuesUsedUp(subtask) === undefined
      ? guard("continue", { kind: "continue" }, "the context is full: hand over to a new session")
      : undefined;
  if (hasTrait(failure.kind, "cut-off")) {
    if (subtask.cutOffs > CUT_OFFS_MAX) return undefined;
    return treeChanged
      ? guard(
          "cut-off",
          { kind: "continue" },
          `${kindName(failure.kind)} with work done: pick up from there`,
        )
      : guard(
          "cut-off",
          { kind: "retry" },
          `${kindName(failure.kind)} before any change: start again`,
        );
  }
  return isInfrastructure(failure) ? waited(view) : undefined;
}

function waited(view: GuardView): Choice | undefined {
  const { failure, subtask, settings, plan, now, chance } = view;
  const { kind, retryAfterMs, heldMs, resetAt, resetIsExact } = failure;
  const streak = subtask.outage?.streak ?? 0;
  if (streak > 0 && settings.wait.once?.includes(kind) === true) return undefined;
  const isLong = settings.wait.sidegrade === true && streak >= settings.wait.delaysMs.length;
  const entry = isLong ? sidegradeOf(plan.ladder, subtask.entry, subtask.entriesUsed) : undefined;
  if (entry !== undefined) {
    const because = "the retries did not help: another model";
    return guard("wait-over", { kind: "sidegrade", entry }, because);
  }
  const wait = nextWait(settings.wait, {
    ...{ streak, now, since: subtask.outage?.since ?? now, chance },
    rateLimited: kind === "rate_limited",
    ...defined({ retryAfterMs, heldMs, resetIsExact }),
    ...(resetAt === undefined ? {} : { resetAt: Date.parse(resetAt) }),
  });
  if (wait !== undefined) {
    const because = `${kindName(kind)}: not the agent's fault, so it does not count`;
    return guard("wait", { kind: "wait", wait }, because);
  }
  return settings.wait.then === "ladder"
    ? undefined
    : guard(
        "wait-over",
        { kind: "ask" },
        `${kindName(kind)}: it outlasted every wait that is allowed`,
      );
}

export const guard = (id: string, recovery: Recovery, because: string): Choice => ({
  recoveries: [recovery],
  chosenBy: { by: "guard", id },
  because,
  considered: [],
});
