/**
 * The Checker port of one simulated process: what a subtask's checks say of a tree, now and then wrongly or not at all.
 * Imports the port, machine and tree. Invariant: "passed" is said only of a tree that satisfies the checks; a check runs on
 * after the death of its owner until something ends it.
 */
import type { CheckResult } from "../../core/run/input.ts";
import type { CheckAsk, Checker } from "../../runtime/ports-workspace.ts";
import type { Chance } from "./chance.ts";
import type { Happening } from "./history.ts";
import type { Machine } from "./machine.ts";
import type { SimulatedProcess } from "./process.ts";
import { MENDED, treeHash } from "./tree.ts";
import type { Tree } from "./tree.ts";
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
  const { machine, time, chance, record, run } = bench;
  return {
    async check(ask) {
      const { subtask, attempt } = ask.place;
      const { cwd } = ask.tree;
      const attemptId = `${run}/${subtask}/${attempt}`;
      const { promise, resolve } = Promise.withResolvers<CheckResult>();
      await process.effect("check start", () => {
        const tree = bench.treeIn(cwd);
        const hash = treeHash(tree);
        const beside = machine.workingIn(cwd).length;
        record({ kind: "check-begun", attemptId, by: process.name, cwd, tree: hash, beside });
        const end = (result: CheckResult): void => {
          cancel();
          machine.remove(living);
          ask.stop.removeEventListener("abort", stop);
          record({ kind: "check-ended", attemptId, tree: hash, result: result.kind });
          if (process.alive()) resolve(result);
        };
        const stop = (): void => end(couldNotRun("stopped"));
        const living = {
          attemptId,
          cwd,
          working: () => true,
          end: () => end(couldNotRun("killed")),
        };
        const cancel = time.after(chance.between(50, CHECK_MS_MAX), () =>
          end(resultOf(bench, ask, tree)),
        );
        ask.stop.addEventListener("abort", stop);
        machine.add(living, process);
      });
      return promise;
    },
  };
}

function resultOf(
  { chance, flakyRate, brokenRate, brokenBase }: Bench,
  ask: CheckAsk,
  tree: Tree,
): CheckResult {
  if (chance.happens(brokenRate)) return couldNotRun("sh: 1: checkit: not found");
  const { subtask } = ask.place;
  const halves = Object.entries(tree).filter(([name, text]) => name.startsWith("half-") && text);
  const good = tree[`${subtask}.work`]?.startsWith("good") === true;
  const names = [
    ...(good ? [] : [`${subtask} works`]),
    ...(halves.length > 1 ? ["halves fit together"] : []),
    ...(good && chance.happens(flakyRate) ? ["flaky one"] : []),
  ];
  if (names.length === 0 && brokenBase && tree[MENDED] === undefined) return BASE_FAILS;
  if (names.length === 0) return { kind: "passed" };
  return { kind: "failed", failing: names, evidence: evidenceOf(chance, tree, subtask, names) };
}

const BASE_FAILS: CheckResult = {
  kind: "failed",
  failing: ["the base compiles"],
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
