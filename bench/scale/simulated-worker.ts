/**
 * Workers of a fleet whose agents only wait and whose checks always pass: the production worker, engine and objects,
 * without git and child processes. Not a benchmark by itself.
 */
import type { Command } from "../../src/core/run/command.ts";
import type { RunInput } from "../../src/core/run/input.ts";
import { unanswered } from "../../src/engines/embedded.ts";
import { fleetWorker, type FleetWorker } from "../../src/engines/restate/fleet-worker.ts";
import { deliverTo, followedRun, type FollowedRun } from "../../src/engines/restate/run-states.ts";
import { loadSdk } from "../../src/engines/restate/sdk.ts";
import { goodAnswer, POLICY } from "../../test/engines/contract/script.ts";
import { SCALE_FOLDER, type Server } from "../../test/scale/server.ts";

export interface SimulatedOptions {
  readonly server: Server;
  readonly name: string;
  readonly slots: number;
  /** Settles when a started agent should end. */
  readonly agent: (run: string) => Promise<void>;
}

export function simulatedWorker(options: SimulatedOptions): Promise<FleetWorker> {
  const { server, name, slots, agent } = options;
  const runs = new Map<string, FollowedRun>();
  return fleetWorker({
    ...{ sdk: loadSdk(SCALE_FOLDER), worker: name, slots, labels: [], version: "bench", blobs: "" },
    ...{ ingressUrls: [server.ingressUrl], adminUrls: [server.adminUrl] },
    ...{ identityKeys: [server.identityKey], policyFor: () => POLICY },
    onProblem: (problem) => console.error(String(problem)),
    async carryOut({ run, errand, engine: { ingress } }) {
      const followed = runs.get(run) ?? followedRun(ingress, run);
      runs.set(run, followed);
      await followed.bring(errand.seq);
      const command = unanswered(followed.state()).find(({ id }) => id === errand.id);
      if (command === undefined) return;
      const deliver = (input: RunInput): Promise<unknown> => deliverTo(ingress, run, input);
      if (command.kind === "start") {
        await deliver(started(command));
        await agent(run);
      }
      const answer = goodAnswer(command, Date.now());
      if (answer !== undefined) await deliver(answer);
    },
  });
}

const started = ({ subtask, attempt }: Extract<Command, { kind: "start" }>): RunInput => ({
  ...{ kind: "attempt-started", subtask, attempt, slot: "1", at: Date.now(), chance: 0.5 },
  identity: { attemptId: `${subtask}/${attempt}`, groupId: 1, startTime: "1", bootId: "bench" },
});
