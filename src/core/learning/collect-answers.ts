/** Reads from a run's recorded events what people answered when an agent's gate had refused something risky (C8). */
import { riskOf } from "../repair/shell-script.ts";
import { NOBODY, UNSTUCK, type Checkpoint } from "../run/checkpoint.ts";
import type { RunEvent } from "../run/decision.ts";
import type { PersonsAnswer } from "./preferences.ts";

/** Takes events in order; a question that no person answered says nothing. */
export function answerCollector(): { add(event: RunEvent): readonly PersonsAnswer[] } {
  const open = new Map<string, Checkpoint>();
  return {
    add(event) {
      if (event.kind === "checkpoint-opened") open.set(event.checkpoint.id, event.checkpoint);
      if (event.kind !== "checkpoint-closed") return [];
      const { context } = open.get(event.checkpoint) ?? {};
      open.delete(event.checkpoint);
      const { kind } = event.answer;
      const yes = kind === "allow-once" || kind === "allow-run" || kind === "allow-always";
      const isPerson = event.by !== NOBODY && event.by !== UNSTUCK;
      if (!isPerson || !(yes || kind === "without")) return [];
      const risks = (context?.refused ?? []).flatMap(({ command }) => riskOf(command) ?? []);
      return [...new Set(risks)].map((risk) => ({ risk, yes }));
    },
  };
}
