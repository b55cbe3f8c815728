/**
 * Keys of known services that stand in a plan: they would be kept with it, so a person is told once, at the start.
 */
import type { RunPlan } from "../core/plan/run-plan.ts";
import { holdsProviderKey } from "../core/redact/provider-formats.ts";

/** Where they stand, such as `agents.x.command`. */
function placesWithKeys({ agents, subtasks, setup }: RunPlan): readonly string[] {
  const texts: readonly (readonly [string, string])[] = [
    ...Object.entries(agents).map(
      ([name, { command = "" }]) => [`agents.${name}.command`, command] as const,
    ),
    ...Object.entries(subtasks).flatMap(([id, { prompt, checks }]) => [
      [`subtasks.${id}.prompt`, prompt] as const,
      ...checks.map(({ run }) => [`subtasks.${id}.checks`, run] as const),
    ]),
    ...setup.map((command) => ["workspace.setup", command] as const),
  ];
  return [...new Set(texts.filter(([, text]) => holdsProviderKey(text)).map(([place]) => place))];
}

const NAMED = 5;

/** One line, or nothing. */
export function keyWarning(plan: RunPlan): string | undefined {
  const places = placesWithKeys(plan);
  if (places.length === 0) return undefined;
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : "";
  return (
    `warning: what looks like a key stands in ${places.slice(0, NAMED).join(", ")}${more}: it is kept with the run's plan, ` +
    "in a file that only you can read; better name an environment variable there"
  );
}
