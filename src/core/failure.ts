/**
 * Failure: evidence classified, the one way to make one, and what its kind and its origin together mean for recovery.
 */
import type { Origin } from "./evidence.ts";
import { hasTrait, KINDS, type FailureKind } from "./kinds.ts";
import type { Category, FirstMove } from "./kind-traits.ts";
import { signatureOf } from "./classify/signature.ts";

export interface Failure {
  readonly kind: FailureKind;
  readonly category: Category;
  readonly origin: Origin;
  /** Calibrated: of those said with 0.9, nine in ten are right. */
  readonly confidence: number;
  /** Which field or line decided, most decisive first; cleaned one-line texts. */
  readonly because: readonly string[];
  /** Hash of the deciding text with paths, numbers, hex, pids, times and durations masked. */
  readonly signature: string;
  /** The same for the error behind it, whichever test met it; absent where the output names no such error. */
  readonly root?: string;
  /** The server asked for this delay. */
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC: when a limit resets. */
  readonly resetAt?: string;
  /** The server named it to the second. */
  readonly resetIsExact?: true;
  /** Nothing was started, because another attempt met this: for so long, unless it finds the service well before. */
  readonly heldMs?: number;
}

/** A timeout or network error of a tool inside an attempt is systematic: its repair chain applies. */
export function categoryOf(kind: FailureKind, origin: Origin): Category {
  return isOfTool(kind, origin) ? "systematic" : KINDS[kind].category;
}

export function firstMoveOf(kind: FailureKind, origin: Origin): FirstMove {
  const first = isOfTool(kind, origin) ? "repair" : KINDS[kind].first;
  // What a check finds is for the work to mend: no chain applies to it.
  return origin === "check" && first === "repair" ? "feedback" : first;
}

const isOfTool = (kind: FailureKind, origin: Origin): boolean =>
  hasTrait(kind, "tool-decides") && !fromModelService(origin);

/** Infrastructure: of provider or agent, or our disk and git. It waits and never counts as the agent being stuck. */
export function isInfrastructure({ kind, origin }: Pick<Failure, "kind" | "origin">): boolean {
  if (origin === "workspace") return kind === "disk_full" || kind === "timeout";
  return (
    fromModelService(origin) &&
    categoryOf(kind, origin) === "transient" &&
    !hasTrait(kind, "cut-off")
  );
}

const fromModelService = (origin: Origin): boolean => origin === "provider" || origin === "agent";

type Needed = "kind" | "origin" | "because";

interface FailureFacts extends Pick<Failure, Needed>, Partial<Omit<Failure, Needed>> {
  /** The text that tells this failure from others; else the first reason. */
  readonly signedBy?: string;
}

/** What was seen for certain, unless the facts say how sure it is. */
export function makeFailure(facts: FailureFacts): Failure {
  const { kind, origin, because, signedBy = because[0] ?? "", ...more } = facts;
  return {
    kind,
    category: categoryOf(kind, origin),
    origin,
    confidence: 1,
    because,
    signature: signatureOf(signedBy),
    ...more,
  };
}
