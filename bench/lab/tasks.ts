/**
 * The tasks that a seed draws from a world: a hidden cause, texts, and what the check wants. Everything depends only on
 * world, seed and number, so that policies get the same tasks with the same luck.
 */
import { dirichlet, pick, streamOf, type Stream } from "../../src/simulator/random.ts";
import { CAUSES, type Cause } from "../../src/core/adaptive/causes.ts";
import { type World } from "./world.ts";

export interface Item {
  readonly name: string;
  readonly want: number;
}

export interface Task {
  readonly id: string;
  readonly number: number;
  readonly seed: number;
  readonly cause: Cause;
  readonly goal: string;
  readonly suite: string;
  readonly items: readonly Item[];
  /** How its check prints a failing item. */
  readonly failure: string;
  readonly tool: string;
  readonly unknown: World["texts"]["unknowns"][number];
}

const ITEMS = 4;

export function drawTasks(world: World, seed: number, count: number): readonly Task[] {
  const shares = dirichlet(streamOf(seed, 1), sharesOf(world), world.nearness);
  const causes = shuffled(quotas(shares, count), streamOf(seed, 2));
  return causes.map((cause, index) => drawTask(world, seed, index + 1, cause));
}

const sharesOf = ({ causes }: World): Record<Cause, number> =>
  Object.fromEntries(CAUSES.map((cause) => [cause, causes[cause].share])) as Record<Cause, number>;

/** As many tasks of each cause as its share requires, so that even a few tasks include all causes. */
function quotas(shares: Readonly<Record<Cause, number>>, count: number): readonly Cause[] {
  return Array.from({ length: count }, (_, index) => pick(shares, (index + 0.5) / count));
}

function drawTask({ texts }: World, seed: number, number: number, cause: Cause): Task {
  const next = streamOf(seed, 3, number);
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const thing = one(texts.things);
  const names = shuffled(texts.items, next).slice(0, ITEMS);
  const id = `t${String(number).padStart(2, "0")}`;
  return {
    ...{ id, number, seed, cause },
    goal: filled(one(texts.goals), { thing, item: names[0] ?? "" }),
    suite: `${thing.split(" ").at(-1) ?? "suite"}_${number}`,
    items: names.map((name) => ({ name, want: 10 + Math.floor(next() * 90) })),
    failure: one(texts.failures),
    tool: one(texts.tools),
    unknown: one(texts.unknowns),
  };
}

function shuffled<T>(list: readonly T[], next: Stream): readonly T[] {
  const keyed = list.map((value) => ({ value, at: next() }));
  return keyed.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
}

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
