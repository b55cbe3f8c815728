/** All policies that can be compared, in the order of the table. */
import type { World } from "../world/world.ts";
import { ADAPTIVE } from "./adaptive.ts";
import { clairvoyant } from "./clairvoyant.ts";
import type { Contestant } from "./contestant.ts";
import { FIXED, PRESET_CONTESTANTS } from "./fixed.ts";
import { isSmall, oracle } from "./oracle.ts";
import { BY_SYMPTOM } from "./symptoms.ts";
import { unseeing } from "./unseeing.ts";

export const CONTESTANTS: readonly Contestant[] = [
  ...FIXED,
  ...PRESET_CONTESTANTS,
  ...BY_SYMPTOM,
  ...ADAPTIVE,
  clairvoyant,
  unseeing,
  oracle,
];

const IN_SMALL_WORLDS = [oracle, unseeing];

/** Those that can play in all of these worlds. */
export const fitFor = (worlds: readonly World[]): readonly Contestant[] =>
  CONTESTANTS.filter(
    (contestant) => !IN_SMALL_WORLDS.includes(contestant) || worlds.every(isSmall),
  );
