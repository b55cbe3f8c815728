/**
 * The history of a simulated run: everything that happened, in order, as only somebody outside could see it. Plain
 * data: what the properties are judged on.
 */
import type { RunPlan } from "../../../src/core/plan/run-plan.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { Answer, RunInput } from "../../../src/core/run/input.ts";
import type { CheckResult } from "../../../src/core/run/check-result.ts";
import type { ProcessEnd } from "../../../src/runtime/agent-result.ts";

interface OfAttempt {
  /** `run/subtask/attempt`. */
  readonly attemptId: string;
}

export type Happening =
  /** Durable in the journal. */
  | {
      readonly kind: "committed";
      readonly seq: number;
      readonly event: RunEvent;
      readonly by: string;
    }
  /** A delivery was answered: what was said is a promise. */
  | {
      readonly kind: "acknowledged";
      readonly input: RunInput;
      readonly how: "recorded" | "posted" | "ignored";
      readonly by: string;
    }
  /** The owner's state, as it stands after this event. */
  | { readonly kind: "state-seen"; readonly seq: number; readonly frozen: string }
  | { readonly kind: "owner-took"; readonly by: string }
  | { readonly kind: "owner-refused"; readonly by: string }
  | { readonly kind: "owner-left"; readonly by: string }
  | { readonly kind: "owner-died"; readonly by: string; readonly where: string }
  /** Another process believes this living owner dead, and may take the run. */
  | { readonly kind: "death-imagined"; readonly by: string }
  /** What it did before it learned that the run is no longer its own: nobody can promise anything of it. */
  | { readonly kind: "disowned"; readonly by: string; readonly what: string }
  /** The code said that something cannot be. */
  | { readonly kind: "owner-failed"; readonly by: string; readonly problem: string }
  | (OfAttempt & { readonly kind: "agent-started"; readonly by: string; readonly prompt: string })
  | (OfAttempt & { readonly kind: "agent-released"; readonly by: string })
  | (OfAttempt & {
      readonly kind: "agent-ended";
      readonly how: ProcessEnd["kind"] | "guard" | "proven-dead";
      readonly activeMs: number;
    })
  /** What an agent that waited with a call was told. */
  | (OfAttempt & { readonly kind: "permission-heard"; readonly allowed: boolean })
  | { readonly kind: "snapshot-taken"; readonly label: string; readonly tree: string }
  /** What stood in a working tree was put aside for something else. */
  | { readonly kind: "tree-replaced"; readonly slot: string; readonly tree: string }
  /** A working tree was made, or made anew: these stand now. */
  | {
      readonly kind: "tree-made";
      readonly slot: string;
      readonly by: string;
      readonly standing: readonly string[];
    }
  /** The disk refused to give this one back. */
  | { readonly kind: "tree-stays"; readonly slot: string }
  /** Every tree was given back: these are left. */
  | { readonly kind: "trees-gone"; readonly standing: readonly string[] }
  /** The workspace worked in a tree in which processes of these attempts were alive. */
  | {
      readonly kind: "tree-disturbed";
      readonly slot: string;
      readonly by: string;
      readonly living: readonly string[];
    }
  | (OfAttempt & {
      readonly kind: "check-begun";
      readonly by: string;
      readonly cwd: string;
      readonly tree: string;
      /** Checks that still run in the same place. */
      readonly beside: number;
    })
  | (OfAttempt & {
      readonly kind: "check-ended";
      readonly tree: string;
      readonly result: CheckResult["kind"];
    })
  | (OfAttempt & {
      readonly kind: "result-moved";
      readonly by: string;
      readonly from: string;
      readonly to: string;
      readonly tree: string;
    })
  | { readonly kind: "published"; readonly commit: string; readonly tip: string }
  | { readonly kind: "asked-in-vain"; readonly what: string }
  | {
      readonly kind: "answer-given";
      readonly checkpoint: string;
      readonly answer: Answer;
      readonly by: string;
    }
  | { readonly kind: "clock-jumped"; readonly ms: number }
  | { readonly kind: "inbox-left"; readonly inputs: readonly RunInput[] };

/** Time as nobody inside sees it, and the wall clock's. */
export type Happened = Happening & { readonly at: number; readonly wall: number };

export type Ending =
  /** The run ended and its last owner left in order. */
  | { readonly kind: "ended" }
  /** Nothing is left that could ever happen, and the run has not ended. */
  | { readonly kind: "stalled" }
  /** More happened than any run may need. */
  | { readonly kind: "endless" };

export interface History {
  readonly run: string;
  readonly plan: RunPlan;
  readonly happened: readonly Happened[];
  readonly ending: Ending;
}

export interface Violation {
  readonly property: string;
  readonly detail: string;
  /** Index of the happening that shows it. */
  readonly where: number;
}

/** One line for a person who looks for the cause. */
export function lineOf(happened: Happened): string {
  const { at, kind, ...rest } = happened;
  const seconds = (at / 1000).toFixed(3).padStart(12);
  return `${seconds}s ${kind} ${JSON.stringify(brief(rest))}`.slice(0, 400);
}

function brief(value: unknown): unknown {
  if (typeof value === "string") return value.length > 60 ? `${value.slice(0, 60)}...` : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, 5).map(brief);
  const hidden = new Set([
    "wall",
    "plan",
    "pinned",
    "considered",
    "evidence",
    "spec",
    "specs",
    "signals",
  ]);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      hidden.has(name) ? [] : [[name, brief(field)]],
    ),
  );
}
