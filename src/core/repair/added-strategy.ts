/**
 * Strategies that the caller adds to a chain, placed by the source's bands (C4). Invariants: a strategy that needs
 * an unlisted tool, or that would stand in for ask_user, is not placed; a risky script is seen even if the caller
 * forgot to say so.
 */
import { riskOf } from "./command-line.ts";
import { ASK_USER } from "./repair.ts";
import type { AddedStrategy, RankedStrategy, RepairStep } from "./repair.ts";
import type { ToolBench } from "./tool-names.ts";

export function placed(
  added: readonly AddedStrategy[],
  bench: ToolBench,
): readonly RankedStrategy[] {
  return added
    .filter(({ strategy, steps }) => strategy !== ASK_USER && steps.length > 0)
    .filter(({ steps }) => steps.every(({ tool }) => tool === null || bench.names.includes(tool)))
    .map(({ strategy, confidence, steps }) => {
      const checked = steps.map(withRisk);
      const isRisky = checked.some((step) => step.needsPermission !== undefined);
      const priority = bandOf(confidence, steps.length, isRisky);
      return { priority, strategy, confidence, estimatedIterations: steps.length, steps: checked };
    });
}

function withRisk(step: RepairStep): RepairStep {
  const text = Object.values(step.args).filter((value) => typeof value === "string");
  const needsPermission = step.needsPermission ?? riskOf(text.join("\n"));
  return needsPermission === undefined ? step : { ...step, needsPermission };
}

/**
 * The source's bands: confidence, iterations and risk of a strategy that is not printed in a chain.
 */
function bandOf(confidence: number, iterations: number, isRisky: boolean): number {
  if (confidence < 0.5 || iterations > 5) return 4;
  if (confidence > 0.8 && iterations <= 3 && !isRisky) return 1;
  return confidence >= 0.6 ? 2 : 3;
}
