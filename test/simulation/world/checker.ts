/**
 * The Checker port of one simulated process: what a subtask's checks say of a tree, now and then wrongly or not at
 * all. Invariant: "passed" is said only of a tree that satisfies the checks; a check runs on after the death of
 * its owner until something ends it.
 */
import type { CheckOutcome } from "../../../src/core/checks/outcome.ts";
import type { CheckResult } from "../../../src/core/run/check-result.ts";
import type { CheckRequest, Checker } from "../../../src/runtime/ports-workspace.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { Machine } from "./machine.ts";
import type { SimulatedProcess } from "./process.ts";
import { MENDED, treeHash, type Tree } from "./tree.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface Bench {
  readonly run: string;
  readonly machine: Machine;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly record: (happening: Happening) => void;
  readonly treeIn: (cwd: string) => Tree;
  readonly flakyRate: number;
  readonly brokenRate: number;
  readonly brokenBase: boolean;
}

const CHECK_MS_MAX = 90_000;

export function simulatedChecker(bench: Bench, process: SimulatedProcess): Checker {
  const { machine, time, chance, record } = bench;
  const passed = new Set<string>();
  const keyOf = (tree: string, checks: CheckRequest["checks"]): string =>
    [tree, ...checks.map(({ run }) => run)].join("\n");
  const play = async <T>(
    { attemptId, tree: { cwd }, stop }: CheckRequest,
    said: (tree: Tree) => T,
    broken: (message: string) => T,
    kindOf: (result: T) => CheckResult["kind"],
  ): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<T>();
    await process.effect("check start", () => {
      const tree = bench.treeIn(cwd);
      const hash = treeHash(tree);
      const beside = machine.workingIn(cwd).length;
      record({ kind: "check-begun", attemptId, by: process.name, cwd, tree: hash, beside });
      const end = (result: T): void => {
        cancel();
        machine.remove(living);
        stop.removeEventListener("abort", stopped);
        record({ kind: "check-ended", attemptId, tree: hash, result: kindOf(result) });
        if (process.alive()) resolve(result);
      };
      const stopped = (): void => end(broken("stopped"));
      const living = { attemptId, cwd, working: () => true, end: () => end(broken("killed")) };
      const cancel = time.after(chance.between(50, CHECK_MS_MAX), () => end(said(tree)));
      stop.addEventListener("abort", stopped);
      machine.add(living, process);
    });
    return promise;
  };
  return {
    async check(ask) {
      const result = await play(
        ask,
        (tree) => resultOf(bench, ask, tree),
        couldNotRun,
        ({ kind }) => kind,
      );
      const key = keyOf(ask.memory?.tree ?? "", ask.checks);
      if (result.kind === "passed" && ask.memory?.fresh !== true) passed.add(key);
      return result;
    },
    known: (tree, checks) => (passed.has(keyOf(tree, checks)) ? { kind: "passed" } : undefined),
    async baseline(ask) {
      const outcomes = await play<readonly CheckOutcome[]>(
        ask,
        (tree) => ask.checks.map((check) => outcomeOf(bench, [check], tree)),
        (detail) => ask.checks.map(() => ({ kind: "could-not-run", why: "killed", detail })),
        (all) => (all.every(({ kind }) => kind === "passed") ? "passed" : "failed"),
      );
      const ran = { stdout: "", stderr: "", durationMs: 1 };
      return Object.fromEntries(
        ask.checks.flatMap(({ run }, index) => {
          const outcome = outcomes[index];
          return outcome === undefined ? [] : [[run, { ...ran, outcome }]];
        }),
      );
    },
  };
}

function outcomeOf(bench: Bench, checks: CheckRequest["checks"], tree: Tree): CheckOutcome {
  if (bench.chance.happens(bench.brokenRate))
    return { kind: "could-not-run", why: "command-not-found", detail: "checkit: not found" };
  const items = failingIn(bench, checks, tree);
  return items.length === 0 ? { kind: "passed" } : { kind: "failed", items, complete: true };
}

/** Whose work a check is about: `checkit <subtask> <number>`. */
const subtasksIn = (checks: CheckRequest["checks"]): readonly string[] => [
  ...new Set(checks.map(({ run }) => run.split(" ")[1] ?? "")),
];

function failingIn(
  { brokenBase }: Bench,
  checks: CheckRequest["checks"],
  tree: Tree,
): readonly string[] {
  const halves = Object.entries(tree).filter(([name, text]) => name.startsWith("half-") && text);
  const missing = subtasksIn(checks).filter(
    (id) => tree[`${id}.work`]?.startsWith("good") !== true,
  );
  return [
    ...missing.map((id) => `${id} works`),
    ...(halves.length > 1 ? ["halves fit together"] : []),
    ...(missing.length === 0 && halves.length <= 1 && brokenBase && tree[MENDED] === undefined
      ? [BASE_ITEM]
      : []),
  ];
}

function resultOf(bench: Bench, ask: CheckRequest, tree: Tree): CheckResult {
  const { chance, flakyRate, brokenRate } = bench;
  if (chance.happens(brokenRate)) return couldNotRun("sh: 1: checkit: not found");
  const items = failingIn(bench, ask.checks, tree);
  if (items.length === 1 && items[0] === BASE_ITEM) return BASE_FAILS;
  const works = items.every((item) => !item.endsWith(" works"));
  const names = [...items, ...(works && chance.happens(flakyRate) ? ["flaky one"] : [])];
  if (names.length === 0) return { kind: "passed" };
  const evidence = evidenceOf(chance, tree, ask.subtask, names);
  return { kind: "failed", failing: names, evidence };
}

const BASE_ITEM = "the base compiles";

const BASE_FAILS: CheckResult = {
  kind: "failed",
  failing: [BASE_ITEM],
  evidence: { exitCode: 2, stdout: "src/base.ts(1,1): error TS1005: ';' expected." },
  onBase: true,
};

function evidenceOf(chance: Chance, tree: Tree, subtask: string, failing: readonly string[]) {
  const work = tree[`${subtask}.work`] ?? "";
  const stdout = work.includes("uncompiled")
    ? `src/${subtask}.ts(${chance.between(1, 99)},7): error TS2304: Cannot find name '${work}'.`
    : failing.map((name) => `not ok - ${name} (${work})`).join("\n");
  return { exitCode: 1, stdout, command: "checkit", tool: "run_bash" };
}

const couldNotRun = (message: string): CheckResult => ({
  kind: "could-not-run",
  evidence: { message, exitCode: 127, stderr: message, command: "checkit" },
});
