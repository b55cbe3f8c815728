/**
 * How the laboratory's agent behaves. Its chance of success depends on what reached it, never on the name Unstuck gives
 * to that; its luck depends on seed, task, attempt and what reached it, so that two policies that do the same get the
 * same. Pure.
 */
import { pick, streamOf, type Stream } from "../../src/simulator/random.ts";
import { isCured, sentencesOf, whatReached, type Reached } from "./reached.ts";
import { filled, type Task } from "./tasks.ts";
import type { World } from "./world.ts";

/** A task's own files. */
export interface Tree {
  /** One line per item, `name=value`; empty before any work. */
  readonly lines: readonly string[];
  /** Something an earlier attempt left, on which later ones stumble. */
  readonly leftover: boolean;
}

/** One start, as the laboratory counts it. */
export interface Start {
  readonly task: string;
  readonly tier: number;
  readonly cost: number;
  readonly solved: boolean;
  readonly reached: Reached;
  readonly sentences: readonly string[];
}

export interface Behaved {
  readonly start: Start;
  readonly tree: Tree;
  readonly end:
    | { readonly kind: "crash"; readonly says: string; readonly exit: number }
    | { readonly kind: "said"; readonly text: string; readonly looped: boolean };
}

interface Met {
  readonly prompt: string;
  readonly tier: number;
  readonly tree: Tree;
  /** Its earlier starts, in order. */
  readonly before: readonly Start[];
}

export function behave(world: World, task: Task, met: Met): Behaved {
  const { prompt, tier, tree, before } = met;
  const heard = new Set(before.flatMap(({ sentences }) => sentences));
  const { newWords } = world;
  const { leftover } = tree;
  const reached = whatReached({ task, prompt, heard, tier, newWords, leftover });
  const same = before.filter((start) => keyOf(start.reached) === keyOf(reached)).length;
  const next = streamOf(task.seed, task.number, before.length, hashOf(keyOf(reached)));
  const isLucky = next() < chanceOf(world, task, reached) * world.again ** same;
  const solved = before.length > 0 && isLucky;
  const cost = world.prices[tier - 1] ?? 1;
  const start = { task: task.id, tier, cost, solved, reached, sentences: sentencesOf(prompt) };
  return {
    start,
    ...(solved ? solvedEnd(world, task, tree, next) : failedEnd(world, task, tree, next)),
  };
}

function chanceOf(world: World, { cause }: Task, reached: Reached): number {
  const { cured, otherwise, lift } = world.causes[cause];
  const chance = isCured(cause, reached) ? cured : otherwise;
  const odds = (chance / (1 - chance)) * Math.exp(lift[reached.tier - 1] ?? 0);
  return odds / (1 + odds);
}

type End = Omit<Behaved, "start">;

function solvedEnd({ texts }: World, task: Task, tree: Tree, next: Stream): End {
  const lines = task.items.map(({ name, want }) => `${name}=${want}`);
  return { tree: { ...tree, lines }, end: said(one(texts.done, next)) };
}

const said = (text: string, looped = false) => ({ kind: "said", text, looped }) as const;

function failedEnd({ texts, causes }: World, task: Task, before: Tree, next: Stream): End {
  const { ends, items } = causes[task.cause];
  const tree = task.cause === "pollution" ? { ...before, leftover: true } : before;
  const end = pick(ends, next());
  if (end === "crash") return { tree, end: { kind: "crash", ...one(texts.crashes, next) } };
  if (end === "no-change") return { tree, end: said(one(texts.unchanged, next)) };
  const changed = { ...tree, lines: linesAfter(task, tree, pick(items, next()), next) };
  switch (end) {
    case "blocked":
      return { tree: changed, end: said(filled(one(texts.blocked, next), { tool: task.tool })) };
    case "asks":
      return { tree: changed, end: said(task.unknown.asks) };
    case "gives-up":
      return { tree: changed, end: said(task.unknown.givesUp) };
    default:
      return { tree: changed, end: said(one(texts.done, next), end === "loop") };
  }
}

/** Other wrong values than before, in the same, fewer, more or other places. */
function linesAfter(
  task: Task,
  tree: Tree,
  change: "same" | "unmoved" | "fewer" | "more" | "other",
  next: Stream,
): readonly string[] {
  if (change === "unmoved" && tree.lines.length > 0) return tree.lines;
  const wrong = wrongIn(task, tree);
  const [first] = wrong;
  const spare = task.items.findIndex((_, index) => !wrong.has(index));
  const isLess = change === "fewer" ? wrong.size > 1 : change === "other" && spare >= 0;
  if (isLess && first !== undefined) wrong.delete(first);
  if ((change === "more" || change === "other") && spare >= 0) wrong.add(spare);
  return task.items.map(({ name, want }, index) => {
    const value = wrong.has(index) ? want + 100 + Math.floor(next() * 800) : want;
    return `${name}=${value}`;
  });
}

/** The items the work gets wrong; a first attempt gets two of them wrong. */
export function wrongIn({ items }: Task, { lines }: Tree): Set<number> {
  if (lines.length === 0) return new Set([1, 2]);
  const indexes = items.map((_, index) => index);
  return new Set(
    indexes.filter((index) => lines[index] !== `${items[index]?.name}=${items[index]?.want}`),
  );
}

const one = <T>(list: readonly T[], next: Stream): T => list[Math.floor(next() * list.length)] as T;

const keyOf = (reached: Reached): string => Object.values(reached).join(" ");

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
