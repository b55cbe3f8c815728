/**
 * Failure: classified evidence, the only way to construct one, and what its kind and origin together mean for recovery.
 */
import type { Origin } from "./evidence.ts";
import { hasTrait, KINDS, type FailureKind } from "./kinds.ts";
import type { Category, FirstMove } from "./kind-traits.ts";
import { signatureOf } from "./classify/signature.ts";

export interface Failure {
  readonly kind: FailureKind;
  readonly category: Category;
  readonly origin: Origin;
  /** Calibrated: nine in ten of the failures classified with 0.9 are right. */
  readonly confidence: number;
  /** The fields or lines that decided, the most decisive first; cleaned, one line each. */
  readonly because: readonly string[];
  /** Hash of the deciding text with paths, numbers, hex, pids, times and durations masked. */
  readonly signature: string;
  /** The same hash for the underlying error, whichever test hit it; absent if the output names no such error. */
  readonly root?: string;
  /** The delay that the server asked for. */
  readonly retryAfterMs?: number;
  /** When a limit resets, as ISO 8601 in UTC. */
  readonly resetAt?: string;
  /** The server gave the reset time to the second. */
  readonly resetIsExact?: true;
  /**
   * Nothing was started because another attempt hit this failure. Wait this long, unless that attempt finds the service
   * healthy sooner.
   */
  readonly heldMs?: number;
}

/** A timeout or network error of a tool inside an attempt is systematic, because its repair chain applies. */
export function categoryOf(kind: FailureKind, origin: Origin): Category {
  return isOfTool(kind, origin) ? "systematic" : KINDS[kind].category;
}

export function firstMoveOf(kind: FailureKind, origin: Origin): FirstMove {
  const first = isOfTool(kind, origin) ? "repair" : KINDS[kind].first;
  // A failed check has to be fixed by the agent's work; no repair chain applies to it.
  return origin === "check" && first === "repair" ? "feedback" : first;
}

const isOfTool = (kind: FailureKind, origin: Origin): boolean =>
  hasTrait(kind, "tool-decides") && !fromModelService(origin);

/**
 * Whether it is an infrastructure failure: of the provider or agent, or of our own disk and git. The attempt waits, and
 * the failure never counts as the agent being stuck.
 */
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
  /** The text that distinguishes this failure from others; defaults to the first reason. */
  readonly signedBy?: string;
}

/** Fills in the derived fields. Confidence is 1 (observed directly) unless given. */
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
