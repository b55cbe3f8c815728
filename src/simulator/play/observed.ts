/**
 * What a failed attempt shows: a symptom drawn from the world's tables, expressed as the evidence of attempts and
 * checks that a run receives. Policies see nothing else of a task.
 */
import { makeFailure, type Failure } from "../../core/failure.ts";
import type { CheckResult } from "../../core/run/check-result.ts";
import type { ProgressSignals } from "../../core/progress/progress-score.ts";
import { pick } from "../random.ts";
import { symptomShares, type Symptom, type World } from "../world/world.ts";
import type { Attempted } from "./hidden-state.ts";

export interface Shown {
  readonly symptom: Symptom;
  /** The agent failed by itself; else its checks did. */
  readonly failure?: Failure;
  readonly changed: boolean;
  readonly signals: ProgressSignals;
  readonly failing: readonly string[];
  readonly checks: CheckResult;
}

const MOVED: ProgressSignals = { outputNovelty: 0.7, change: 0.5, markers: 0, checklist: 0 };
const STOOD_STILL: ProgressSignals = { outputNovelty: 0.1, change: 0.05, markers: 0, checklist: 0 };

/** A whole table of shares is the same for every attempt of a world. */
const sharesOf = new WeakMap<World, Map<string, Readonly<Partial<Record<Symptom, number>>>>>();

function shares(world: World, cause: Parameters<typeof symptomShares>[1]) {
  const known = sharesOf.get(world) ?? new Map<string, ReturnType<typeof symptomShares>>();
  sharesOf.set(world, known);
  const found = known.get(cause) ?? symptomShares(world, cause);
  known.set(cause, found);
  return found;
}

/** The symptom of an attempt that did not solve the task; `before`: what the last one left failing. */
export function shown(
  world: World,
  { next, after, cut }: Attempted,
  attempt: number,
  before: readonly string[],
): Shown {
  const hides = next() < world.pollution.shows;
  const drawn = next();
  const cause = after.polluted && hides ? "pollution" : after.task.cause;
  const symptom = cut ? "looping" : pick(shares(world, cause), drawn);
  const failing = failingAfter(symptom, attempt, before);
  const stands = ["same-failing", "looping", "unchanged", "more-failing"].includes(symptom);
  const failure = failureOf(symptom);
  return {
    symptom,
    changed: !["crash", "unchanged", "missing-program"].includes(symptom),
    signals: stands || failure !== undefined ? STOOD_STILL : MOVED,
    failing,
    checks: redChecks(symptom, attempt, failing),
    ...(failure === undefined ? {} : { failure }),
  };
}

export const START_FAILING: readonly string[] = ["t1", "t2", "t3", "t4"];

function failingAfter(
  symptom: Symptom,
  attempt: number,
  before: readonly string[],
): readonly string[] {
  switch (symptom) {
    case "fewer-failing":
      return before.length > 1 ? before.slice(1) : before;
    case "more-failing":
      return [...before, `more${attempt}`];
    case "other-failing":
      return [`other${attempt}`, `another${attempt}`];
    default:
      return before;
  }
}

const CRASH = makeFailure({
  kind: "agent_crash",
  origin: "agent",
  because: ["it exited with 139"],
});
const LOOP = makeFailure({ kind: "looping", origin: "agent", because: ["it repeats one call"] });
const MISSING = makeFailure({
  ...{ kind: "command_not_found", origin: "tool", because: ["sh: 1: protoc: not found"] },
});

function failureOf(symptom: Symptom): Failure | undefined {
  if (symptom === "crash") return CRASH;
  if (symptom === "looping") return LOOP;
  return symptom === "missing-program" ? MISSING : undefined;
}

/** The text of what fails stays the same where the same fails. */
export function redChecks(
  symptom: Symptom,
  attempt: number,
  failing: readonly string[],
): CheckResult {
  const broken = symptom === "broken-build";
  const text = broken ? `does not compile, ${attempt}` : `failing: ${failing.join(", ")}`;
  const signature = symptom === "same-failing" ? text : `${text} of ${attempt}`;
  const excerpt = { headline: text, text, items: [], signature };
  return {
    kind: "failed",
    failing,
    evidence: { exitCode: 1, excerpt: broken ? { ...excerpt, broken: true } : excerpt },
  };
}
