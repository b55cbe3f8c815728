/**
 * The dependency graph of a plan: order, cycles, and dependents, direct and indirect. Invariants: linear in subtasks
 * plus dependencies; independence is transitive.
 */
import type { Subtask } from "./plan.ts";

export interface PlanGraph {
  /** Position of each subtask id in the plan. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** Direct dependents of each subtask, by position. */
  readonly dependents: readonly (readonly number[])[];
}

export type GraphProblem =
  | { readonly kind: "duplicate"; readonly id: string }
  | { readonly kind: "unknown-dependency"; readonly id: string; readonly dependsOn: string }
  | { readonly kind: "cycle"; readonly ids: readonly string[] };

type GraphReading =
  | { readonly ok: true; readonly graph: PlanGraph }
  | { readonly ok: false; readonly problems: readonly GraphProblem[] };

type Node = Pick<Subtask, "id" | "dependsOn">;

export function planGraph(subtasks: readonly Node[]): GraphReading {
  const problems: GraphProblem[] = [];
  const indexOf = new Map<string, number>();
  for (const [index, { id }] of subtasks.entries()) {
    if (indexOf.has(id)) problems.push({ kind: "duplicate", id });
    else indexOf.set(id, index);
  }
  const dependents: number[][] = subtasks.map(() => []);
  for (const [index, { id, dependsOn }] of subtasks.entries()) {
    for (const name of new Set(dependsOn)) {
      const target = indexOf.get(name);
      if (target === undefined) problems.push({ kind: "unknown-dependency", id, dependsOn: name });
      else dependents[target]?.push(index);
    }
  }
  if (problems.length === 0) {
    const cycle = findCycle(subtasks, dependents);
    if (cycle.length > 0) problems.push({ kind: "cycle", ids: cycle });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, graph: { indexOf, dependents } };
}

/** Every subtask that depends on this one, directly or indirectly, in plan order. */
export function transitiveDependents(graph: PlanGraph, id: string): number[] {
  const start = graph.indexOf.get(id);
  const seen = new Set<number>();
  const open = start === undefined ? [] : [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const dependent of graph.dependents[next] ?? []) {
      if (seen.has(dependent)) continue;
      seen.add(dependent);
      open.push(dependent);
    }
  }
  return [...seen].sort((a, b) => a - b);
}

/** Finds a cycle among the subtasks that remain after all others have been ordered. */
function findCycle(subtasks: readonly Node[], dependents: PlanGraph["dependents"]): string[] {
  const unmet = subtasks.map(({ dependsOn }) => new Set(dependsOn).size);
  const ready = unmet.flatMap((count, index) => (count === 0 ? [index] : []));
  const done = new Set<number>();
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    done.add(next);
    for (const dependent of dependents[next] ?? []) {
      const left = (unmet[dependent] ?? 0) - 1;
      unmet[dependent] = left;
      if (left === 0) ready.push(dependent);
    }
  }
  return walkCycle(subtasks.filter((_, index) => !done.has(index)));
}

function walkCycle(rest: readonly Node[]): string[] {
  const inRest = new Map(rest.map((node) => [node.id, node]));
  const path: string[] = [];
  let node = rest[0];
  while (node !== undefined && !path.includes(node.id)) {
    path.push(node.id);
    node = node.dependsOn.map((id) => inRest.get(id)).find((next) => next !== undefined);
  }
  return node === undefined ? path : path.slice(path.indexOf(node.id));
}
