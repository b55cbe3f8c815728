/**
 * Where the values of a plan come from, in the form a person looks for: `unstuck.yaml:4:9`, or the flag. Computed from
 * the plan's text again, because a parsed plan contains values only.
 */
import { isRecord } from "../../core/defined.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { OWN_AGENT } from "../../core/plan/model-ladder.ts";
import { parseYaml } from "../../core/read-yaml.ts";

type Path = readonly PropertyKey[];

export interface PlanPlaces {
  readonly goal: () => string;
  /** By the agent's name in the plan. */
  readonly agent: (name: string) => string;
  /** `index`: among the checks of this subtask. */
  readonly check: (subtask: string, index: number) => string;
}

interface GivenByFlags {
  readonly goal?: string | undefined;
  readonly agent?: string | undefined;
  readonly checks?: readonly string[] | undefined;
}

/** `file`: as the user wrote it; undefined if there is only the command line. */
export function planPlaces(
  file: string | undefined,
  text: string,
  flags: GivenByFlags,
): PlanPlaces {
  if (file === undefined)
    return { goal: () => "--goal", agent: () => "--agent", check: () => "--check" };
  const source = parseYaml(text);
  const { value, placeOf } = source.ok ? source.value : { value: {}, placeOf: undefined };
  const first = (...paths: readonly Path[]): string => {
    const path = paths.find((one) => isThere(value, one)) ?? [];
    const { line, column } = placeOf?.(path) ?? { line: 1, column: 1 };
    return `${cleanLine(file, 300)}:${line}:${column}`;
  };
  return {
    goal: () => (flags.goal === undefined ? first(["goal"]) : "--goal"),
    agent: (name) =>
      flags.agent !== undefined && (name === OWN_AGENT || name === flags.agent)
        ? "--agent"
        : first(
            ...(name === OWN_AGENT ? [["agent"]] : []),
            ["agents", name, "command"],
            ["agents", name],
            ["models", indexIn(value, "models", "agent", name), "agent"],
            ["agent"],
          ),
    check: (subtask, index) => {
      const own = ["subtasks", indexIn(value, "subtasks", "id", subtask), "checks", index];
      return isThere(value, own) || flags.checks === undefined
        ? first([...own, "run"], own, ["checks", index, "run"], ["checks", index])
        : "--check";
    },
  };
}

function isThere(value: unknown, path: Path): boolean {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return false;
    found = Reflect.get(found, key);
  }
  return true;
}

function indexIn(value: unknown, list: string, key: string, wanted: string): number {
  const rows: unknown = isRecord(value) ? value[list] : [];
  return Array.isArray(rows) ? rows.findIndex((row) => isRecord(row) && row[key] === wanted) : -1;
}
