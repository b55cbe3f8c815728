/**
 * This worker's part in a run of the fleet: a replica of its workspace, its state as known here, and the supervisor
 * that carries out this worker's commands. Invariants: before a command is carried out, the state it follows from and
 * the work it builds on are here; before its answer is delivered, its work is published.
 */
import { join } from "node:path";
import { policyOf } from "../../core/adaptive/policy-of.ts";
import { answeredBy, type Command } from "../../core/run/command.ts";
import type { RunInput } from "../../core/run/input.ts";
import type { Blobs } from "../../engines/blobs/blobs.ts";
import { unanswered } from "../../engines/embedded.ts";
import type { RestateEngine } from "../../engines/restate/engine.ts";
import { isForRunning, type Errand } from "../../engines/restate/fleet-messages.ts";
import { fleetIncidents } from "../../engines/restate/incident-object.ts";
import { RUN_OBJECT, type RunHead, type RunSource } from "../../engines/restate/messages.ts";
import { fleetJournal } from "../../engines/restate/fleet-journal.ts";
import { deliverTo, followedRun } from "../../engines/restate/run-states.ts";
import type { Delivery, Engine, Perform, RunUnderway } from "../../runtime/ports.ts";
import { superviseRun } from "../../runtime/supervisor.ts";
import { forgetResult } from "../../workspace/replica/changes.ts";
import { pushResult } from "../../workspace/replica/remote.ts";
import { portsOf } from "../composition.ts";
import { crashPoint } from "../crash-point.ts";
import type { Home } from "../home.ts";
import { learnFromRun } from "../learning/learn-from-run.ts";
import { recordable, redactionOfRun } from "../redaction.ts";
import { accepted } from "../runs/accepted.ts";
import { startedWith } from "../runs/started-with.ts";
import { uploadGrowing, uploadFiles, type FilesOf } from "./attempt-files.ts";
import { remoteKey } from "./own-remotes.ts";
import { localReplica } from "./local-replica.ts";
import { sharedReplica } from "./shared-replica.ts";

export interface JoinOptions {
  readonly home: Home;
  readonly run: string;
  readonly source: RunSource;
  readonly engine: RestateEngine;
  readonly blobs: Blobs;
  /** The number of this worker in the fleet. */
  readonly number: number;
  readonly tell: (words: string) => void;
}

export interface JoinedRun {
  /** Settles once the command is answered; `begun` is called before anything is done for it. */
  take(errand: Errand, begun: () => void): Promise<void>;
  /** To be called regularly: ends waits for services that are well again. True once the run is over. */
  look(): Promise<boolean>;
  /** Ends work in progress here without an answer. */
  letGo(): void;
}

/** Slots of agents per worker; the numbers between them are for check trees. */
const TREES_PER_WORKER = 200;

export async function joinRun(options: JoinOptions): Promise<JoinedRun> {
  const { home, run, source, engine, number, blobs } = options;
  const runDir = home.runDir(run);
  const tell = (words: string): void => options.tell(`run ${run}: ${words}`);
  const followed = followedRun(engine.ingress, run);
  const start = await startedWith(engine, run);
  const workspace = await localReplica({ home, run, source, rules: start.rules });
  accepted(run, await forgetResult(workspace));
  const redaction = redactionOfRun(runDir);
  const clean = recordable(redaction);
  const replica = sharedReplica(workspace, { run, engine: engine.ingress, blobs });
  const letGo = new AbortController();
  const running: RunUnderway["running"] = new Map();
  const ranHere = new Set<string>();
  const answers = new Map<string, PromiseWithResolvers<void>>();
  let perform: Perform = () => undefined;

  const filesOf = (id: string): FilesOf => ({
    ...{ engine: engine.ingress, blobs, run, attempt: id },
    folder: join(runDir, "attempts", ...id.split("/").slice(1).map(encodeURIComponent)),
  });
  const deliver = async (input: RunInput): Promise<Delivery> => {
    const id = answeredBy(run, input);
    if (HANDED_ON.has(input.kind)) await replica.handOn();
    if (input.kind === "attempt-ended" && id !== undefined) await uploadFiles(filesOf(id));
    crashPoint(`handed-on:${input.kind}`);
    const answer = await deliverTo(engine.ingress, run, input, followed.seq());
    crashPoint(`delivered:${input.kind}`);
    if (answer.recorded) await followed.bring(answer.seq, answer.rows);
    if (id !== undefined) answers.get(id)?.resolve();
    return answer.recorded ? { recorded: true, state: followed.state() } : answer;
  };
  const local: Engine = {
    ...engine,
    deliver: (_, input) => deliver(input),
    own: async (_, __, given) => {
      perform = given;
      return { state: followed.state, release: () => Promise.resolve() };
    },
  };
  const ports = portsOf({
    ...{ run, runDir, start, workspace, redaction, clean, tell, letGo: letGo.signal },
    keeper: { engine: local, incidents: fleetIncidents(engine.ingress) },
    onLost: () => letGo.abort(),
    // Answers come from other machines.
    presence: () => "elsewhere",
  });
  const { done, heardNews } = await superviseRun(
    {
      ...{ run, plan: start.plan, running, stop: letGo.signal, letGo: () => letGo.abort(), ports },
      firstSlot: number * TREES_PER_WORKER + 1,
    },
    policyOf(start.plan.policy),
  );

  const take: JoinedRun["take"] = async ({ id, seq, again, command: given }, begun) => {
    await followed.bring(seq);
    const command = given ?? openCommand(id);
    if (command === undefined) return;
    // Checks of an attempt that ran here need nothing that others made since.
    if (command.kind !== "check" || !ranHere.has(attemptOf(command))) await replica.takeOver();
    if (command.kind === "start") ranHere.add(attemptOf(command));
    begun();
    if (command.kind === "end") {
      perform(command, again);
      await done;
      // What was learned from the run is available to the next run of its repository.
      await learnFromRun({
        ...{ run, repository: remoteKey(source.url), journal: fleetJournal(engine.ingress) },
        ...{ state: followed.state, now: Date.now },
      })();
      const tip = await ports.commits.tip();
      if (!tip.ok) throw new Error(`run ${run}: ${tip.failure.because[0] ?? "there is no result"}`);
      const pushed = { url: source.url, commit: tip.value.commit, branch: `unstuck/${run}` };
      if (pushed.commit !== workspace.base) accepted(run, await pushResult(workspace, pushed));
      return;
    }
    const answer = Promise.withResolvers<void>();
    const isAnswered = command.kind !== "ask" && !isForRunning(command.kind);
    if (isAnswered) answers.set(id, answer);
    const over = new AbortController();
    if (command.kind === "start") void uploadGrowing(filesOf(id), over.signal);
    perform(command, again);
    if (isAnswered) await Promise.race([answer.promise, done]);
    over.abort();
    answers.delete(id);
  };
  const openCommand = (id: string): Command | undefined =>
    unanswered(followed.state()).find((command) => command.id === id);

  return {
    take,
    async look() {
      const head = await engine.ingress.call<RunHead>(RUN_OBJECT, run, "head");
      await followed.bring(head.seq);
      if (head.phase !== "ended" || answers.size > 0) {
        await heardNews();
        return false;
      }
      await ports.standingTrees.releaseAll();
      return true;
    },
    letGo() {
      letGo.abort();
      for (const { attempt } of running.values()) attempt.stop("its worker lets go");
    },
  };
}

const attemptOf = ({ subtask, attempt }: { subtask: string; attempt: number }): string =>
  `${subtask}/${attempt}`;

/**
 * Work is published before these inputs. This includes an attempt's start: if the worker is lost, its successor needs
 * the tree it started from. What checks produce can be reproduced from the attempt's snapshot.
 */
const HANDED_ON: ReadonlySet<RunInput["kind"]> = new Set<RunInput["kind"]>([
  ...["attempt-started", "attempt-ended", "merge-ended"],
] as const);
