/**
 * Failure: evidence classified. The closed list of kinds and what each means for recovery. Invariant: KINDS is the
 * single list; tables over it are total.
 */
import type { Origin } from "./evidence.ts";

export type Category = "transient" | "systematic" | "fatal";

/** What `standard` tries first for a kind (requirements, "Kinds"). */
export type FirstMove =
  | "wait"
  | "repair"
  | "re-ask"
  | "retry"
  | "continue"
  | "fresh"
  | "feedback"
  | "mutate"
  | "different"
  | "ask";

interface KindFacts {
  readonly category: Category;
  readonly first: FirstMove;
  /** Only the runtime can see it; never the result of `classify`. */
  readonly seenBy: "evidence" | "runtime";
}

const fact = (
  category: Category,
  first: FirstMove,
  seenBy: KindFacts["seenBy"] = "evidence",
): KindFacts => ({
  category,
  first,
  seenBy,
});

export const KINDS = {
  command_not_found: fact("systematic", "repair"),
  tool_not_found: fact("systematic", "repair"),
  permission_denied: fact("systematic", "repair"),
  timeout: fact("transient", "wait"),
  file_not_found: fact("systematic", "repair"),
  invalid_arguments: fact("systematic", "repair"),
  syntax_error: fact("systematic", "repair"),
  network_error: fact("transient", "wait"),
  rate_limited: fact("transient", "wait"),
  disk_full: fact("systematic", "repair"),
  server_overloaded: fact("transient", "wait"),
  server_error: fact("transient", "wait"),
  auth_required: fact("fatal", "ask"),
  auth_expired: fact("fatal", "ask"),
  context_exhausted: fact("systematic", "continue"),
  malformed_output: fact("systematic", "re-ask"),
  agent_crash: fact("systematic", "retry"),
  out_of_memory: fact("systematic", "retry"),
  broken_build: fact("systematic", "fresh"),
  verification_failed: fact("systematic", "feedback"),
  merge_conflict: fact("systematic", "feedback"),
  dependency_error: fact("systematic", "feedback"),
  content_refused: fact("systematic", "mutate"),
  billing: fact("fatal", "ask"),
  unknown: fact("systematic", "retry"),
  agent_missing: fact("fatal", "ask", "runtime"),
  unsafe_action: fact("fatal", "ask", "runtime"),
  hung: fact("transient", "continue", "runtime"),
  interrupted: fact("transient", "continue", "runtime"),
  lost: fact("transient", "continue", "runtime"),
  looping: fact("systematic", "mutate", "runtime"),
  no_progress: fact("systematic", "mutate", "runtime"),
  circular_fix: fact("systematic", "different", "runtime"),
} as const satisfies Record<string, KindFacts>;

export type FailureKind = keyof typeof KINDS;

export const FAILURE_KINDS = Object.keys(KINDS) as readonly FailureKind[];

export interface Failure {
  readonly kind: FailureKind;
  readonly category: Category;
  readonly origin: Origin;
  /** Calibrated: of those said with 0.9, nine in ten are right. */
  readonly confidence: number;
  /** Which field or line decided, most decisive first; tamed one-line texts. */
  readonly because: readonly string[];
  /** Hash of the deciding text with paths, numbers, hex, pids, times and durations masked. */
  readonly signature: string;
  /** The server asked for this delay. */
  readonly retryAfterMs?: number;
  /** ISO 8601 in UTC: when a limit resets. */
  readonly resetAt?: string;
  /** Nothing was started, because another attempt met this: for so long, unless it finds the service well before. */
  readonly heldMs?: number;
}

const TOOL_DEPENDENT: ReadonlySet<FailureKind> = new Set(["timeout", "network_error"]);

/** A timeout or network error of a tool inside an attempt is systematic: its repair chain applies. */
export function categoryOf(kind: FailureKind, origin: Origin): Category {
  return TOOL_DEPENDENT.has(kind) && !fromModelService(origin)
    ? "systematic"
    : KINDS[kind].category;
}

export function firstMoveOf(kind: FailureKind, origin: Origin): FirstMove {
  return TOOL_DEPENDENT.has(kind) && !fromModelService(origin) ? "repair" : KINDS[kind].first;
}

/** Infrastructure: of provider or agent, or our disk and git. It waits and never counts as the agent being stuck. */
export function isInfrastructure({ kind, origin }: Pick<Failure, "kind" | "origin">): boolean {
  if (origin === "workspace") return kind === "disk_full" || kind === "timeout";
  return fromModelService(origin) && categoryOf(kind, origin) === "transient" && !isCutOff(kind);
}

/** The attempt was cut off by something outside its work. */
export function isCutOff(kind: FailureKind): boolean {
  return kind === "hung" || kind === "interrupted" || kind === "lost";
}

const fromModelService = (origin: Origin): boolean => origin === "provider" || origin === "agent";
