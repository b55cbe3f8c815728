/**
 * The ladder policy: walks the rungs in order and takes the first one that applies and is possible. Invariants: `ask`
 * is always reachable as the implicit last rung; the same situation always gives the same choice; skipped rungs are
 * reported with the reason.
 */
import { kindName } from "../kinds.ts";
import type { Recovery, RecoveryName } from "../recovery.ts";
import type { Choice, LadderPolicy, Policy } from "./policy.ts";
import type { Considered, Possibility, Rung, Situation } from "./situation.ts";

export function ladder(data: LadderPolicy): Policy {
  return { name: data.name, settings: data, choose: (situation) => choose(data.rungs, situation) };
}

const LAST_RUNG: Rung = { id: "ask", do: "ask", alert: true };

function choose(rungs: readonly Rung[], situation: Situation): Choice {
  const considered: Considered[] = [];
  for (const rung of [...rungs, LAST_RUNG]) {
    const names = namesOf(rung);
    const unmet = unmetCondition(rung, situation);
    const asked = unmet === undefined ? names.map((name) => situation.possible(name, rung)) : [];
    const refused = unmet ?? asked.flatMap((one) => (one.ok ? [] : one.why))[0];
    considered.push({ rung: rung.id, recovery: names.join(" + "), verdict: refused ?? "chosen" });
    const recoveries = asked.flatMap((one) => (one.ok ? one.recovery : []));
    const notes = asked.flatMap((one) => (one.ok ? notesOf(one) : []));
    if (refused === undefined) return chosen(rung, recoveries, situation, considered, notes);
  }
  throw new Error("broken invariant: ask was refused");
}

function chosen(
  rung: Rung,
  recoveries: readonly Recovery[],
  situation: Situation,
  considered: readonly Considered[],
  notes: readonly string[],
): Choice {
  const used = (situation.uses[rung.id] ?? 0) + 1;
  const times = rung.times === undefined ? "" : ` (${used} of ${rung.times})`;
  return {
    recoveries,
    chosenBy: { by: "rung", id: rung.id },
    because: [
      `${kindName(situation.failure.kind)}: ${rung.id}${times} is the first step of the policy that applies`,
      ...notes.map((note) => `passed over: ${note}`),
    ].join("; "),
    considered,
    ...(rung.loop === true ? { loop: true } : {}),
    ...(rung.logFallThrough === true ? { fallThrough: true } : {}),
    ...(rung.alert === true ? { alert: true } : {}),
  };
}

const namesOf = (rung: Rung): readonly RecoveryName[] =>
  typeof rung.do === "string" ? [rung.do] : rung.do;

function unmetCondition(rung: Rung, situation: Situation): string | undefined {
  const { failure, attempts, stuck, goodCommit, uses } = situation;
  const { kinds, notKinds, categories, ...when } = rung.when ?? {};
  if (kinds !== undefined && !kinds.includes(failure.kind)) return `not for ${failure.kind}`;
  if (notKinds?.includes(failure.kind) === true) return `not for ${failure.kind}`;
  if (categories !== undefined && !categories.includes(failure.category))
    return `not for ${failure.category} failures`;
  if (when.goodCommit !== undefined && when.goodCommit !== goodCommit)
    return goodCommit ? "a good commit is known" : "no good commit is known";
  if (when.stuck !== undefined && when.stuck !== stuck)
    return stuck ? "stuck: no progress" : "not stuck yet";
  if (when.attemptsBelow !== undefined && attempts >= when.attemptsBelow)
    return `${attempts} attempts made, fewer than ${when.attemptsBelow} needed`;
  if (rung.times !== undefined && (uses[rung.id] ?? 0) >= rung.times)
    return `used ${rung.times} of ${rung.times} times`;
  return undefined;
}

const notesOf = ({ note, outcomes }: Extract<Possibility, { readonly ok: true }>) => [
  ...(outcomes === undefined ? [] : [outcomes]),
  ...(note === undefined ? [] : [`passed over: ${note}`]),
];
