/**
 * How likely a move is to work on a first failure of a kind according to the tables, before any learning; counted
 * outcomes are compared with it.
 */
import type { FailureKind } from "../kinds.ts";
import { afterSymptom, expected, startBelief } from "./belief.ts";
import { successOf } from "./believed.ts";
import { classOf } from "./symptoms.ts";
import type { Move, Tables } from "./tables.ts";

export function usualChance(
  failure: FailureKind,
  move: Move,
  step: number,
  tables: Tables,
): number {
  const known = classOf(failure);
  const atFirst = afterSymptom(startBelief(tables), known, tables);
  const ground = { class: known, step, inContext: 0, failed: 0 };
  return expected(atFirst, successOf(move, ground, tables));
}
