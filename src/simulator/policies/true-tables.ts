/** The adaptive policy's tables computed from a world: what it would have learned from unlimited experience. */
import type { Cause } from "../../core/adaptive/causes.ts";
import { perRootCause } from "../../core/adaptive/belief.ts";
import { PRIORS } from "../../core/adaptive/priors.ts";
import type {
  Move as TableMove,
  PerCause,
  PerRootCause,
  Symptom as Sign,
  Tables,
} from "../../core/adaptive/tables.ts";
import { logit } from "../world/base-world.ts";
import { ROOT_CAUSES, type RootCause } from "../../core/adaptive/causes.ts";
import { chanceOf, symptomShares, type Move, type Symptom, type World } from "../world/world.ts";
import { afterWandering } from "./options.ts";

/** Never 0 and never 1: what was not foreseen stays possible. */
const bounded = (chance: number): number => Math.min(0.999, Math.max(0.001, chance));

const CLASSES: Readonly<Partial<Record<Sign, readonly Symptom[]>>> = {
  checks: ["fewer-failing", "same-failing", "other-failing", "more-failing"],
  build: ["broken-build"],
  "no-change": ["unchanged"],
  loop: ["looping"],
  missing: ["missing-program"],
  crash: ["crash"],
};

/** Signs that a failed check has, as shares of the failed checks. */
const ITEMS: Readonly<Partial<Record<Sign, Symptom>>> = {
  "same-items": "same-failing",
  "fewer-items": "fewer-failing",
  "more-items": "more-failing",
  "other-items": "other-failing",
};

function symptomTables(world: World): Tables["symptoms"] {
  const all = (symptoms: readonly Symptom[], cause: Cause): number =>
    symptoms.reduce((sum, symptom) => sum + (symptomShares(world, cause)[symptom] ?? 0), 0);
  const checks = CLASSES.checks ?? [];
  const shareOf = (name: Sign, cause: Cause): number => {
    const symptoms = CLASSES[name];
    if (symptoms !== undefined) return all(symptoms, cause);
    const item = ITEMS[name];
    return item === undefined ? 0.5 : all([item], cause) / Math.max(0.001, all(checks, cause));
  };
  const rows = Object.keys(PRIORS.symptoms).map((name): [string, PerCause] => [
    name,
    {
      ...perRootCause((cause) => bounded(shareOf(name as Sign, cause))),
      pollution: bounded(shareOf(name as Sign, "pollution")),
    },
  ]);
  return Object.fromEntries(rows) as Record<Sign, PerCause>;
}

const BRANCHES = 3;

function successTable(world: World): Tables["success"] {
  const per = (move: Move, step: number, of = (chance: number) => chance): PerRootCause =>
    perRootCause((cause) =>
      bounded(of(chanceOf(world, cause, move, step) * afterWandering(world, cause))),
    );
  const rows = Object.entries(PRIORS.success).map(([name, shipped]): [string, PerRootCause] => {
    if (name === "ask") return [name, shipped];
    if (name === "escalate") return [name, per(name, 1)];
    if (name === "think") return [name, per("escalate", 0)];
    if (name === "explore") return [name, per(name, 0, (one) => 1 - (1 - one) ** BRANCHES)];
    return [name, per(name as Move, 0)];
  });
  return Object.fromEntries(rows) as Record<TableMove, PerRootCause>;
}

export function tablesOf(world: World): Tables {
  const { start, later, factor, shows } = world.pollution;
  const total = ROOT_CAUSES.reduce((sum, cause) => sum + world.causes[cause], 0);
  const lift = (cause: RootCause): number =>
    logit(bounded(chanceOf(world, cause, "fresh", 1))) -
    logit(bounded(chanceOf(world, cause, "fresh", 0)));
  const clean = perRootCause(
    (cause) => (world.causes[cause] * (cause === "transient" ? 1 : 1 - start)) / total,
  );
  const pollution = ((total - world.causes.transient) * start) / total;
  return {
    ...PRIORS,
    prior: { ...clean, pollution },
    symptoms: symptomTables(world),
    hides: shows,
    success: successTable(world),
    spoiled: factor,
    tierLift: perRootCause(lift),
    cost: { ...PRIORS.cost, ...world.moveCost, think: world.moveCost.escalate },
    tierPrices: world.tiers.map(({ price }) => price),
    decay: world.decay,
    again: 1,
    pollutes: later,
    fit: {},
    repeatWeight: 1,
    lostWeight: 0.25,
  };
}
