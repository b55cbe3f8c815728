/**
 * Problems of a plan's subtasks that its schema cannot express: dependencies, tiers without a model, unusable JSON
 * Schemas for answers. Each problem has the path of the value at fault.
 */
import { unknownName } from "../policy/read.ts";
import { schemaProblem } from "../validate/schema.ts";
import { planGraph, type GraphProblem } from "./graph.ts";
import type { ModelEntry } from "./plan.ts";
import { GROUNDING_ID } from "./subtasks.ts";
import type { SubtaskFile } from "./subtask-schema.ts";

interface SubtaskProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** `all`: the subtasks of the file plus the grounding subtask, if one is added. */
export function graphProblems(
  files: readonly SubtaskFile[],
  all: readonly SubtaskFile[],
  lineOf: (path: readonly PropertyKey[]) => number,
): SubtaskProblem[] {
  const ids = files.map(({ id }) => id);
  const reading = planGraph(
    all.map(({ id, dependsOn = [], inputs = [] }) => ({
      id,
      dependsOn: [...dependsOn, ...inputs],
    })),
  );
  const told = new Set<number>();
  const found = (reading.ok ? [] : reading.problems).map((problem): SubtaskProblem => {
    if (problem.kind !== "duplicate") return dependencyProblem(problem, files);
    const first = ids.indexOf(problem.id);
    const index = ids.findIndex((id, at) => id === problem.id && at > first && !told.has(at));
    told.add(index);
    const line = lineOf(["subtasks", first, "id"]);
    return {
      path: ["subtasks", index, "id"],
      message: `the id ${problem.id} is used twice, first on line ${line}: give each subtask its own`,
    };
  });
  const message = `${GROUNDING_ID} is the name of the grounding subtask: choose another`;
  const reserved = all.flatMap(({ id }, at) => (id === GROUNDING_ID && at > 0 ? [at] : []));
  const added = all.length - files.length;
  return [...found, ...reserved.map((at) => ({ path: ["subtasks", at - added, "id"], message }))];
}

function dependencyProblem(
  problem: Exclude<GraphProblem, { readonly kind: "duplicate" }>,
  files: readonly SubtaskFile[],
): SubtaskProblem {
  if (problem.kind === "unknown-dependency") {
    const names = files.map(({ id }) => id).filter((id) => id !== problem.id);
    return {
      path: pathTo(files, problem.id, problem.dependsOn),
      message: unknownName("subtask", problem.dependsOn, names),
    };
  }
  const [of = "", next = of] = problem.ids;
  return {
    path: pathTo(files, of, next),
    message:
      next === of
        ? `the subtask ${of} waits for itself: remove this dependency`
        : `these subtasks wait for each other: ${[...problem.ids, of].join(" -> ")}; remove one of the dependencies`,
  };
}

/** The path at which the subtask names the other one. */
function pathTo(files: readonly SubtaskFile[], id: string, other: string): readonly PropertyKey[] {
  const index = Math.max(
    0,
    files.findIndex((file) => file.id === id),
  );
  const { dependsOn = [], inputs = [] } = files[index] ?? {};
  return dependsOn.includes(other)
    ? ["subtasks", index, "dependsOn", dependsOn.indexOf(other)]
    : ["subtasks", index, "inputs", Math.max(0, inputs.indexOf(other))];
}

export function tierProblems(
  files: readonly SubtaskFile[],
  ladder: readonly ModelEntry[],
): SubtaskProblem[] {
  const tiers = ladder.flatMap(({ tier, disabled }) => (disabled === true ? [] : [tier]));
  if (tiers.length === 0) return [];
  const top = Math.max(...tiers);
  return files.flatMap(({ tier = 1 }, index) =>
    tier <= top
      ? []
      : [
          {
            path: ["subtasks", index, "tier"],
            message:
              `no model has tier ${tier}, the highest is ${top}: write ${top === 1 ? "1" : `1 to ${top}`}, ` +
              `or give a model tier ${tier} under \`models\``,
          },
        ],
  );
}

export const outputProblems = (files: readonly SubtaskFile[]): SubtaskProblem[] =>
  files.flatMap(({ output }, index) => {
    const problem = output === undefined ? undefined : schemaProblem(output);
    if (problem === undefined) return [];
    const inside = problem.place.split("/").slice(1).map(unescaped);
    return [
      {
        path: ["subtasks", index, "output", ...inside],
        message: `not a valid JSON Schema: ${problem.problem}`,
      },
    ];
  });

/** Unescapes a step of a JSON pointer. */
const unescaped = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
