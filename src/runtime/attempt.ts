/**
 * Runs one attempt, from its tree to its end. Keeps invariants S1 to S3 of the supervisor: the identity is recorded
 * before the agent is released, and any error on the way becomes the attempt's failure.
 */
import { PROBE_IS_WELL_MS } from "../core/breaker.ts";
import { defined } from "../core/defined.ts";
import type { Failure } from "../core/failure.ts";
import { cleanLine } from "../core/foreign-text.ts";
import { standardRules } from "../core/rules/standard.ts";
import type { AttemptSpec, RunningAttempt as Recorded } from "../core/run/attempt.ts";
import type { Command } from "../core/run/command.ts";
import { verdictOf } from "../core/run/decide/attempt-failure.ts";
import { indexOf, OWN_TREE } from "../core/run/state.ts";
import type { SubtaskState } from "../core/run/subtask-state.ts";
import {
  answerOf,
  evidenceOf,
  protectedFilesFailure,
  isFinished,
  NOTHING_USED,
  runtimeFailure,
  overrunFailure,
  attemptRemains,
  remainsFromTree,
  observedFailure,
  usedOf,
} from "./attempt-end.ts";
import { passBreaker, reportToBreaker } from "./breaker.ts";
import { relativeToTree, watchCalls, type CallWatch, noteObservation } from "./call-watch.ts";
import type { RunningAttempt } from "./agent-result.ts";
import type { AttemptTree, OpenTree } from "./ports-workspace.ts";
import { allowedTo } from "./allowed-calls.ts";
import { deliver, perRun, stateOf, type Reply, type RunUnderway } from "./ports.ts";
import { overrunWatch, type OverrunWatch } from "./overrun-watch.ts";
import { makeRoom } from "./slots.ts";
import { treeFor } from "./attempt-slot.ts";
import { permissionRequests, type PermissionRequests } from "./permission-requests.ts";
import { promptFor } from "./prompt.ts";
import { untilDead, retryWhileFull } from "./waiting.ts";

type Start = Extract<Command, { readonly kind: "start" }>;

export async function runAttempt(
  underway: RunUnderway,
  command: Start,
): Promise<Reply | undefined> {
  const { entry } = command.spec;
  const { spokenAt } = stateOf(underway, command.subtask);
  const isAnswered = spokenAt > 0 && spokenAt === command.attempt - 1;
  const closed = await passBreaker(underway, entry, command.id, isAnswered);
  if (closed !== undefined) return failedBefore(command, closed);
  const unwatch = reportHealthyLater(underway, command);
  const reply = await startAndFinish(underway, command).finally(unwatch);
  if (reply?.kind !== "attempt-ended") return reply;
  const failure = failureOf(underway, reply);
  await reportToBreaker(underway, entry, command.id, failure);
  const advice = failure === undefined ? undefined : underway.ports.advise(entry, failure.kind);
  return advice === undefined ? reply : { ...reply, advice };
}

/** Attempts that wait for this probe need not wait for its end: after a while the service counts as well. */
function reportHealthyLater(underway: RunUnderway, { id, spec }: Start): () => void {
  const { clock } = underway.ports;
  return clock.at(clock.now() + PROBE_IS_WELL_MS, () => {
    // An engine that fails here also fails when the attempt's end is delivered, and the error is handled there.
    reportToBreaker(underway, spec.entry, id, undefined).catch(() => {});
  });
}

/** The failure as the core will classify it. Failed checks do not count against the service. */
function failureOf(
  { state, ports }: RunUnderway,
  reply: Extract<Reply, { readonly kind: "attempt-ended" }>,
): Failure | undefined {
  const now = state();
  const plan = now.plan.subtasks[indexOf(now, reply.subtask) ?? -1];
  const ended = { ...reply, at: ports.clock.now(), chance: 0 };
  return plan && verdictOf(ended, plan, standardRules());
}

async function startAndFinish(underway: RunUnderway, command: Start): Promise<Reply | undefined> {
  const { ports } = underway;
  const place = treeFor(underway, command);
  await makeRoom(underway, place.slot);
  const tree = await ports.workspace.begin(place, command.spec.tree);
  if (!tree.ok) return failedBefore(command, tree.failure);
  const started = await startAgent(underway, command, place, tree.value);
  if ("failure" in started) return failedBefore(command, started.failure);
  const { attempt, ...watched } = started;
  const { subtask, attempt: number } = command;
  const { settle: permit } = watched.permissions;
  underway.running.set(`${subtask}/${number}`, { attempt, permit, loop: undefined });
  await deliver(underway, {
    ...{ kind: "attempt-started", subtask, attempt: number },
    slot: place.slot,
    identity: attempt.identity,
  });
  if (underway.stop.aborted) attempt.stop("the owner lets go");
  else if (recordedAttempt(underway, command)?.interrupted === true) attempt.stop("interrupted");
  else attempt.release();
  return finishAttempt(underway, command, place, attempt, { ...watched, cwd: tree.value.cwd });
}

interface Started {
  readonly attempt: RunningAttempt;
  readonly overrun: OverrunWatch | undefined;
  readonly permissions: PermissionRequests;
  readonly calls: CallWatch;
  /** Hashes of the tool results the agent has received so far. */
  readonly observations: ReadonlySet<number>;
}

async function startAgent(
  underway: RunUnderway,
  command: Start,
  tree: AttemptTree,
  { cwd, env }: OpenTree,
): Promise<Started | { readonly failure: Failure }> {
  const { ports, plan, run } = underway;
  const { subtask, attempt, spec, cap } = command;
  const { agent: name, model } = spec.entry;
  const agent = ports.agent(name);
  const details = plan.subtasks[subtask];
  if (agent === undefined || details === undefined)
    return { failure: observedFailure("agent_missing", `there is no agent ${name}`) };
  const watch = ports.loopWatch();
  const calls = watchCalls();
  const observations = new Set<number>();
  const overrun = overrunWatch(underway, command, tree);
  const permissions = permissionRequests(underway, command, overrun);
  const folder = await ports.attemptFolder(command.id);
  const place = { run, subtask, attemptId: command.id, slot: Number(tree.slot) };
  const started = await agent.start({
    place,
    prompt: await promptFor(underway, details, spec, { place, folder }, agent),
    ...defined({ model }),
    thinking: spec.thinking,
    permissions: plan.permissions.full ? "full" : "edit",
    checks: details.checks.map((check) => check.run),
    allowed: allowedTo(underway, spec),
    askPermission: permissions.ask,
    cap,
    ...defined({
      turns: plan.agents[name]?.turns,
      session: sessionOf(stateOf(underway, subtask), spec),
    }),
    cwd,
    folder,
    env,
    limits: { idleMs: details.idleMs, totalMs: Math.min(details.totalMs, cap.timeMs ?? Infinity) },
    treeMark: () => ports.workspace.mark(tree),
    onStep: (step) => {
      calls.take(step);
      noteObservation(observations, step);
      overrun?.step(step);
      const verdict = watch(step);
      if (verdict === undefined) return;
      const running = underway.running.get(`${subtask}/${attempt}`);
      if (verdict.level === "stuck" && running !== undefined) running.loop = verdict.pattern;
      // An engine that fails here also fails when the attempt's end is delivered, and the error is handled there.
      deliver(underway, { kind: "loop-seen", subtask, attempt, ...verdict }).catch(() => {});
    },
  });
  if (started.ok) return { attempt: started.attempt, calls, observations, overrun, permissions };
  overrun?.end();
  return { failure: observedFailure("agent_missing", started.problem) };
}

async function finishAttempt(
  underway: RunUnderway,
  command: Start,
  place: AttemptTree,
  { identity, result: ending }: RunningAttempt,
  watched: Omit<Started, "attempt"> & { readonly cwd: string },
): Promise<Reply | undefined> {
  const { ports, plan, running } = underway;
  const key = `${command.subtask}/${command.attempt}`;
  const result = await ending;
  watched.overrun?.end();
  watched.permissions.end();
  for (const warning of result.report?.warnings ?? []) warn(underway, command, warning);
  const { loop, overrun } = running.get(key) ?? {};
  running.delete(key);
  if (underway.stop.aborted) return undefined;
  if (result.survivors.length > 0 && !(await untilDead(underway, command.id, identity)))
    return undefined;
  const tree = await retryWhileFull(underway, () => ports.workspace.finish(place));
  if (!tree.ok) return failedBefore(command, tree.failure, usedOf(result));
  const details = plan.subtasks[command.subtask];
  const forbidden = plan.forbidProtected ? protectedFilesFailure(tree.value) : undefined;
  const isTimeCapped = (command.cap.timeMs ?? Infinity) < (details?.totalMs ?? 0);
  const started = plan.agents[command.spec.entry.agent]?.command;
  const observed =
    overrunFailure(result, overrun) ??
    runtimeFailure(result, loop, isTimeCapped, started) ??
    forbidden;
  return {
    ...endOf(command, isFinished(result) ? "finished" : "failed"),
    ...defined({ observed }),
    evidence:
      forbidden === undefined
        ? { ...relativeToTree(evidenceOf(result), watched.cwd), timeZone: ports.timeZone() }
        : {
            origin: "check",
            message: `${forbidden.because[0]}. Put these files back as they were.`,
          },
    ...defined({ answer: details && answerOf(result, details) }),
    ...defined({ call: relativeToTree(watched.calls.failed(), watched.cwd) }),
    remains: attemptRemains(result, tree.value, stateOf(underway, command.subtask), [
      ...watched.observations,
    ]),
  };
}

const endOf = <O extends "finished" | "failed">({ subtask, attempt }: Start, outcome: O) =>
  ({ kind: "attempt-ended", subtask, attempt, outcome }) as const;

/** Each warning is printed once per agent, however often it starts. */
const warned = perRun(() => new Set<string>());

function warn(underway: RunUnderway, { spec }: Start, warning: string): void {
  const text = `${spec.entry.agent}: ${cleanLine(warning, 300)}`;
  const said = warned(underway);
  if (!said.has(text)) underway.ports.tell(text);
  said.add(text);
}

/** An attempt found open after a restart: it is proven dead, its tree is snapshotted, and it is reported lost. */
export async function closeCutOffAttempt(
  underway: RunUnderway,
  command: Start,
): Promise<Reply | undefined> {
  const { ports } = underway;
  const open = recordedAttempt(underway, command);
  if (!(await untilDead(underway, command.id, open?.identity))) return undefined;
  const slot = open?.slot;
  const tree =
    slot === undefined
      ? undefined
      : await retryWhileFull(underway, () =>
          ports.workspace.finish({ ...treeFor(underway, command), slot }),
        );
  return {
    ...endOf(command, "failed"),
    observed: observedFailure("lost", "its owner died"),
    evidence: {},
    remains: remainsFromTree(tree?.ok === true ? tree.value : undefined),
  };
}

/** The session to resume for an attempt that keeps its context; another agent could not read it. */
function sessionOf({ sessions }: SubtaskState, spec: AttemptSpec): string | undefined {
  const last = sessions[spec.prompt.branch?.id ?? OWN_TREE];
  return spec.context === "keep" && last?.agent === spec.entry.agent ? last.id : undefined;
}

/** The attempt as the journal has it; undefined once its end is recorded. */
const recordedAttempt = (
  underway: RunUnderway,
  { subtask, attempt }: Start,
): Recorded | undefined =>
  stateOf(underway, subtask).running.find((running) => running.attempt === attempt);

const failedBefore = (command: Start, failure: Failure, used = NOTHING_USED): Reply => ({
  ...endOf(command, "failed"),
  observed: failure,
  evidence: { message: failure.because[0] ?? "" },
  remains: remainsFromTree(undefined, used),
});
