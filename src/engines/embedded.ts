/**
 * The embedded engine: the contract of runtime/ports.ts on the journal, in one process, nothing to install.
 * Invariants: who does not own a run only posts to its inbox; a claim that leads to nothing is given back.
 */
import type { Engine } from "../runtime/ports.ts";
import { follow } from "./follow.ts";
import { owned } from "./run-owner.ts";
import type { Owned, Surroundings } from "./run-owner.ts";
import { restoredRun } from "./restored.ts";

export type EmbeddedOptions = Omit<Surroundings, "onPoint" | "snapshotSize"> &
  Partial<Pick<Surroundings, "onPoint" | "snapshotSize">>;

const SNAPSHOT_SIZE = 1024 * 1024;

export function embeddedEngine(options: EmbeddedOptions): Engine {
  const surroundings: Surroundings = {
    onPoint: () => {},
    snapshotSize: SNAPSHOT_SIZE,
    ...options,
  };
  const { journal, clock, onPoint, onProblem } = surroundings;
  const runs = new Map<string, Owned>();
  return {
    async deliver(run, input) {
      const here = runs.get(run);
      if (here === undefined) {
        await journal.post(run, input);
        return { recorded: false, posted: true };
      }
      return here.deliver(input);
    },
    read: async (run, from, limit) =>
      (await journal.read(run, from, limit)).map(({ seq, event }) => ({ seq, event })),
    follow: (run, from, signal) => follow(journal, run, from, signal),
    async own(run, policy, perform) {
      const claim = await journal.claim(run, clock.now());
      try {
        onPoint("claimed");
        const restored = await restoredRun(journal, run);
        const onGone = (): void => void runs.delete(run);
        const taken = owned(surroundings, { claim, policy, perform, restored, onGone });
        runs.set(run, taken);
        taken.start();
        return { state: taken.state, release: () => taken.release() };
      } catch (error) {
        await journal.release(claim).catch((problem: unknown) => onProblem(run, problem));
        throw error;
      }
    },
  };
}
