/**
 * The rules that decide before the policy is asked. Guard rails bind every policy: fatal kinds go to a person
 * without a retry; infrastructure waits and never uses a rung; continuations and cut-offs are capped. Structure
 * rules bind only `standard` and `adaptive`: there the kind of failure alone makes the next move obvious.
 */
import { hasTrait } from "../../kinds.ts";
import { nextWait } from "../../backoff.ts";
import { isInfrastructure } from "../../failure.ts";
import type { Failure } from "../../failure.ts";
import type { ModelEntry } from "../../plan/plan.ts";
import { sidegradeOf } from "../../plan/model-ladder.ts";
import type { Choice, PolicySettings } from "../../policy/policy.ts";
import type { Recovery } from "../../recovery.ts";
import type { SubtaskState } from "../state.ts";
import { ruleName } from "../../policy/policy.ts";

const CONTINUES_MAX = 5;
const CONTINUES_TOTAL_MAX = 50;
export const CUT_OFFS_MAX = 3;

export interface GuardView {
  readonly failure: Failure;
  readonly subtask: SubtaskState;
  readonly settings: PolicySettings;
  readonly ladder: readonly ModelEntry[];
  readonly treeChanged: boolean;
  readonly now: number;
  readonly chance: number;
}

export function guardRail(view: GuardView): Choice | undefined {
  const { failure, subtask, treeChanged } = view;
  if (failure.category === "fatal")
    return rule("fatal", { kind: "ask" }, `${failure.kind} needs a person; a retry cannot help`);
  if (failure.kind === "context_exhausted") return continued(subtask);
  if (hasTrait(failure.kind, "cut-off")) {
    if (subtask.cutOffs > CUT_OFFS_MAX) return undefined;
    return treeChanged
      ? rule("cut-off", { kind: "continue" }, `${failure.kind} with work done: go on from it`)
      : rule("cut-off", { kind: "retry" }, `${failure.kind} before any change: start again`);
  }
  return isInfrastructure(failure) ? waited(view) : undefined;
}

/** Why a full context may not be handed over once more; nothing when it may. */
export function continuesUsedUp(subtask: SubtaskState): string | undefined {
  if (subtask.continues >= CONTINUES_MAX)
    return `continued ${CONTINUES_MAX} times without progress`;
  return subtask.continuesTotal >= CONTINUES_TOTAL_MAX
    ? `continued ${CONTINUES_TOTAL_MAX} times`
    : undefined;
}

function continued(subtask: SubtaskState): Choice | undefined {
  if (continuesUsedUp(subtask) !== undefined) return undefined;
  return rule("continue", { kind: "continue" }, "the context is full: hand over to a new session");
}

function waited(view: GuardView): Choice | undefined {
  const { failure, subtask, settings, ladder, now, chance } = view;
  const streak = subtask.outage?.streak ?? 0;
  const other = sidegradeOf(ladder, subtask.entry, subtask.entriesUsed);
  if (
    settings.wait.sidegrade === true &&
    streak >= settings.wait.delaysMs.length &&
    other !== undefined
  )
    return rule(
      "wait-over",
      { kind: "sidegrade", entry: other },
      "the retries did not help: another model",
    );
  const wait = nextWait(settings.wait, {
    streak,
    now,
    since: subtask.outage?.since ?? now,
    chance,
    rateLimited: failure.kind === "rate_limited",
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(failure.heldMs === undefined ? {} : { heldMs: failure.heldMs }),
    ...(failure.resetAt === undefined ? {} : { resetAt: Date.parse(failure.resetAt) }),
  });
  if (wait !== undefined)
    return rule(
      "wait",
      { kind: "wait", wait },
      `${failure.kind} is not the agent's fault: wait, uncounted`,
    );
  return settings.wait.then === "ladder"
    ? undefined
    : rule("wait-over", { kind: "ask" }, `${failure.kind} outlasted every wait that is allowed`);
}

const rule = (name: string, recovery: Recovery, because: string): Choice => ({
  recoveries: [recovery],
  chosenBy: { by: "guard", id: name },
  because,
  considered: [],
});

/** How often checks are run for one attempt when they could not run. */
export const CHECK_ROUNDS_MAX = 3;

/** How often one that ran and failed is, before the code is blamed. */
export const FLAKY_ROUNDS = 2;

const RE_ASK = { by: "structure", id: "re-ask" } as const;

/** At most two immediate re-asks, which cost no attempt; then the answer is malformed for good (E9). */
const RE_ASKS_MAX = 2;

export const isAskedAgain = ({ uses }: SubtaskState): boolean =>
  (uses[ruleName(RE_ASK)] ?? 0) < RE_ASKS_MAX;

export function structureRule(failure: Failure, subtask: SubtaskState): Choice | undefined {
  if (failure.kind === "malformed_output" && isAskedAgain(subtask))
    return {
      recoveries: [{ kind: "retry", remind: "format" }],
      chosenBy: RE_ASK,
      because: "the answer could not be read: ask again with a reminder of the format",
      considered: [],
    };
  if (failure.kind === "broken_build" && subtask.goodCommit !== undefined)
    return {
      recoveries: [{ kind: "fresh", goodCommit: subtask.goodCommit }],
      chosenBy: { by: "structure", id: "broken-build" },
      because: "the build is broken and a good commit is known: start fresh from it",
      considered: [],
    };
  return undefined;
}

/** An attempt that changed nothing and left the checks red has made no progress, whatever it said. */
export function withoutChange(failure: Failure, treeChanged: boolean): Failure {
  if (failure.kind !== "verification_failed" || treeChanged) return failure;
  return {
    ...failure,
    kind: "no_progress",
    because: ["the tree is as it was before the attempt", ...failure.because],
  };
}
