/**
 * The world that ships, around which random worlds are drawn. Shares, prices, decay, pollution and wandering follow
 * published studies of coding agents; where there are none, the number is a guess in round figures and marked as such.
 * Absolute levels depend on these numbers: only differences between policies, over many random worlds, are meaningful.
 */
import type { RootCause } from "../../core/adaptive/causes.ts";
import { MOVES, type Move, type World } from "./world.ts";

const logistic = (value: number): number => 1 / (1 + Math.exp(-value));
export const logit = (share: number): number => Math.log(share / (1 - share));

/** Moved on the scale of odds, so that a chance stays one. */
export const shifted = (share: number, by: number): number =>
  share <= 0 || share >= 1 ? share : logistic(logit(share) + by);

const rounded = (share: number): number => Math.round(share * 1000) / 1000;

/** Without the stronger models: version 1 of the shipped tables, kept here so that tuning those never changes the worlds. */
const FIRST_TIER: Readonly<Record<RootCause, readonly number[]>> = {
  // in the order of MOVES: retry, feedback, repair, mutate, fresh, sidegrade, escalate, explore, continue
  transient: [0.8, 0.72, 0.5, 0.7, 0.75, 0.72, 0.75, 0.75, 0.7],
  mistake: [0.2, 0.58, 0.22, 0.3, 0.36, 0.34, 0.42, 0.3, 0.4],
  misread: [0.06, 0.14, 0.06, 0.52, 0.26, 0.28, 0.3, 0.3, 0.15],
  capability: [0.05, 0.08, 0.05, 0.1, 0.12, 0.16, 0.12, 0.12, 0.1],
  environment: [0.06, 0.16, 0.62, 0.08, 0.07, 0.08, 0.1, 0.08, 0.1],
  person: [0.01, 0.02, 0.03, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02],
};

/** What a stronger model adds, as log-odds on the second and third tier: a guess that only capability gains much. */
const STRONGER: Readonly<Record<RootCause, readonly [number, number]>> = {
  transient: [0, 0],
  mistake: [0.4, 0.7],
  misread: [0.35, 0.65],
  capability: [2.1, 3],
  environment: [0.2, 0.3],
  person: [0.3, 0.4],
};

function successOf(cause: RootCause): Record<Move, number[]> {
  const rows = MOVES.map((move, index): [Move, number[]] => {
    const first = FIRST_TIER[cause][index] ?? 0;
    return [move, [0, ...STRONGER[cause]].map((by) => rounded(shifted(first, by)))];
  });
  return Object.fromEntries(rows) as Record<Move, number[]>;
}

export const BASE_WORLD: World = {
  version: 1,
  name: "base",
  firstSuccess: 0.55,
  difficulty: 0.5,
  causes: {
    transient: 0.22,
    mistake: 0.28,
    misread: 0.17,
    capability: 0.18,
    environment: 0.05,
    person: 0.1,
  },
  success: {
    transient: successOf("transient"),
    mistake: successOf("mistake"),
    misread: successOf("misread"),
    capability: successOf("capability"),
    environment: successOf("environment"),
    person: successOf("person"),
  },
  accuracy: 0.7,
  // Hardly any look belongs to two causes, so that `accuracy` is what it says: how often the look is right.
  symptoms: {
    transient: { crash: 1 },
    mistake: { "fewer-failing": 0.8, "broken-build": 0.2 },
    misread: { "other-failing": 1 },
    capability: { "same-failing": 0.7, looping: 0.3 },
    environment: { "missing-program": 1 },
    person: { unchanged: 1 },
    pollution: { "more-failing": 0.6, "broken-build": 0.4 },
  },
  pollution: { start: 0.2, later: 0.1, factor: 0.2, shows: 0.5 },
  decay: 0.45,
  wandering: { chance: 0.35, length: 3, success: 0.3, seen: 0.8, falseAlarm: 0.05 },
  length: 0.4,
  minutes: 10,
  tiers: [
    { price: 1, models: 2 },
    { price: 2, models: 1 },
    { price: 9, models: 1 },
  ],
  moveCost: {
    retry: 1,
    feedback: 1.1,
    repair: 1.1,
    mutate: 1.1,
    fresh: 1,
    sidegrade: 1.2,
    escalate: 1,
    explore: 1,
    continue: 1,
  },
  checks: { wrongAccepted: 0.03, rightRefused: 0.05 },
  outages: { everyHours: 6, minutes: 12 },
  person: { price: 12, minutes: 40, spread: 1, solves: 0.95, solvesOwn: 0.6 },
};
