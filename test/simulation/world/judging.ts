/**
 * The Commits and CheckTrees ports of one simulated process on the shared repository. Invariants: as the ports': a
 * check tree holds exactly the commit that is asked for and stands beside the slots; one check at a time has it,
 * also of an owner that died.
 */
import type {
  AttemptTree,
  CheckTrees,
  Commit,
  Commits,
  Joined,
  LendRequest,
} from "../../../src/runtime/ports-workspace.ts";
import { CHECK_SLOTS } from "../../../src/runtime/attempt-slot.ts";
import { attempted, type Disk } from "./disk.ts";
import type { SimulatedProcess } from "./process.ts";
import { BASE, type Work } from "./repository.ts";
import { treeHash, type Tree } from "./tree.ts";
import { labelOf } from "./workspace.ts";

const checkFolder = (number: number): string => `checks/${number}`;

export function simulatedCommits(disk: Disk, process: SimulatedProcess): Commits {
  const { repository, contents } = disk;
  const { step, answered } = attempted(disk, process);
  const joinedWork = new Map<string, Work>();
  const named = (commit: string, tree: Tree): Commit => {
    const hash = treeHash(tree);
    contents.set(hash, tree);
    return { commit, tree: hash };
  };
  const ofCommit = (id: string): Commit => named(id, repository.commit(id)?.tree ?? {});
  return {
    ofAttempt: (place) =>
      answered(async () => {
        const { attemptId, tree, base } = await step("commit", () => workOf(disk, process, place));
        return { ...named(`good-${attemptId}`, tree), start: base, markers: [] };
      }),
    join: (place) =>
      answered(async (): Promise<Joined> => {
        const of = await step("commit", () => workOf(disk, process, place));
        const onto = repository.tip();
        const join = await step("join", () => repository.join(of));
        if (join.kind === "conflict") return join;
        joinedWork.set(join.commit, of);
        const there = join.kind === "there";
        return { kind: "joined", ...ofCommit(join.commit), onto, there };
      }),
    advance: ({ commit }) =>
      answered(() =>
        step("advance", () => {
          const of = joinedWork.get(commit);
          if (of !== undefined) repository.advance(of, commit);
        }),
      ),
    base: () => answered(() => step("base", () => ofCommit(BASE))),
    tip: () => answered(() => step("tip", () => ofCommit(repository.tip()))),
  };
}

function workOf(disk: Disk, process: SimulatedProcess, place: AttemptTree): Work {
  const { repository, run, record } = disk;
  const label = labelOf(place, "after");
  const tree = repository.snapshotOf(label);
  if (tree === undefined) {
    record({ kind: "asked-in-vain", what: `the commit of ${label}` });
    throw disk.refusal("unknown", `no snapshot ${label}`);
  }
  const attemptId = `${run}/${place.subtask}/${place.attempt}`;
  return { attemptId, tree, base: repository.slot(place.slot).base, by: process.name };
}

const LOOK_AGAIN_MS = 3000;

const pause = ({ clock }: SimulatedProcess): Promise<void> =>
  new Promise((resolve) => clock.at(clock.now() + LOOK_AGAIN_MS, resolve));

export function simulatedCheckTrees(
  disk: Disk,
  process: SimulatedProcess,
  proveDead: (attemptId: string) => Promise<readonly unknown[]>,
): CheckTrees {
  const { step, answered } = attempted(disk, process);
  const taken = new Set<number>();
  const take = async ({ attemptId }: LendRequest): Promise<number> => {
    let number: number = CHECK_SLOTS.first;
    while (taken.has(number)) number += 1;
    taken.add(number);
    const before = disk.holders.get(number);
    while (before !== undefined && (await proveDead(before)).length > 0) await pause(process);
    disk.holders.set(number, attemptId);
    return number;
  };
  return {
    lend: (ask, work) =>
      answered(async () => {
        const number = await take(ask);
        try {
          const cwd = checkFolder(number);
          await step("fill check tree", () => {
            const tree = disk.contents.get(ask.commit.tree);
            if (tree === undefined)
              disk.record({ kind: "asked-in-vain", what: `a check tree of ${ask.commit.commit}` });
            disk.folders.set(cwd, tree ?? {});
          });
          const value = await work({ cwd, env: {}, slot: number, cold: true });
          return { kind: "lent", value, changed: [] };
        } finally {
          taken.delete(number);
          if (process.alive()) disk.holders.delete(number);
        }
      }),
    judgingFiles: async () => ({ ok: true, value: { changed: [] } }),
    leftOut: async () => ({ ok: true, value: [] }),
    inSlot: ({ slot }, work) => answered(() => work({ cwd: `slots/${slot}`, env: {} })),
    unmetDependencies: async () => ({ ok: true, value: [] }),
  };
}
