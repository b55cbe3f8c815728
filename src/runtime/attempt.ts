/**
 * One attempt, from its tree to its end. Keeps S1 to S3 of the supervisor: the identity is recorded before the
 * agent is let go; whatever fails on the way becomes the attempt's failure.
 */
import { cleanLine } from "../core/foreign-text.ts";
import { PROBE_IS_WELL_MS } from "../core/breaker.ts";
import type { Subtask } from "../core/plan/plan.ts";
import type { Command } from "../core/run/command.ts";
import type { AttemptSpec, RunningAttempt as Recorded } from "../core/run/attempt.ts";
import { indexOf, OWN_TREE } from "../core/run/state.ts";
import { verdictOf } from "../core/run/decide/attempt-failure.ts";
import { standardRules } from "../core/rules/standard.ts";
import type { SubtaskState } from "../core/run/state.ts";
import type { RunningAttempt } from "./ports-agent.ts";
import type { OpenTree, AttemptTree } from "./ports-workspace.ts";
import { entering, leaving } from "./breaker.ts";
import { untilDead, withRoom } from "./waiting.ts";
import { mutationInput, promptFor, rewriteGoal } from "./prompt.ts";
import {
  answerOf,
  evidenceOf,
  forbiddenOf,
  isFinished,
  NOTHING_USED,
  observedOf,
  remainsOf,
  remainsOfTree,
  seen,
  usedOf,
} from "./attempt-end.ts";
import { freeSlot, makeRoom } from "./slots.ts";
import { deliver, stateOf } from "./ports.ts";
import type { Reply, RunUnderway } from "./ports.ts";
import type { Failure } from "../core/failure.ts";

type Start = Extract<Command, { readonly kind: "start" }>;

export async function runAttempt(
  supervised: RunUnderway,
  command: Start,
): Promise<Reply | undefined> {
  const { entry } = command.spec;
  const closed = await entering(supervised, entry, command.id);
  if (closed !== undefined) return failedBefore(command, closed);
  const unwatch = wellAfterAWhile(supervised, command);
  const reply = await attempted(supervised, command).finally(unwatch);
  if (reply?.kind !== "attempt-ended") return reply;
  const failure = failureOf(supervised, reply);
  await leaving(supervised, entry, command.id, failure);
  const advice = failure === undefined ? undefined : supervised.ports.advise(entry, failure.kind);
  return advice === undefined ? reply : { ...reply, advice };
}

/** Who waits for what this attempt finds need not wait for its end. */
function wellAfterAWhile(supervised: RunUnderway, { id, spec }: Start): () => void {
  const { clock } = supervised.ports;
  return clock.at(clock.now() + PROBE_IS_WELL_MS, () => {
    // An engine that fails here fails for the attempt's end as well, and that is where it is answered.
    leaving(supervised, spec.entry, id, undefined).catch(() => {});
  });
}

/** As the core will judge it; what the checks find is not the service's doing. */
function failureOf(
  supervised: RunUnderway,
  reply: Extract<Reply, { readonly kind: "attempt-ended" }>,
): Failure | undefined {
  const plan = planOf(supervised, reply);
  return plan === undefined
    ? undefined
    : verdictOf({ ...reply, at: supervised.ports.clock.now(), chance: 0 }, plan, standardRules());
}

async function attempted(supervised: RunUnderway, command: Start): Promise<Reply | undefined> {
  const { ports } = supervised;
  const place = placeOf(supervised, command);
  await makeRoom(supervised, place.slot);
  const tree = await ports.workspace.begin(place, command.spec.tree);
  if (!tree.ok) return failedBefore(command, tree.failure);
  const started = await startAgent(supervised, command, place, tree.value);
  if ("failure" in started) return failedBefore(command, started.failure);
  const { attempt } = started;
  const key = `${command.subtask}/${command.attempt}`;
  supervised.running.set(key, { attempt, loop: undefined });
  await deliver(supervised, {
    kind: "attempt-started",
    subtask: command.subtask,
    attempt: command.attempt,
    slot: place.slot,
    identity: attempt.identity,
  });
  if (supervised.stop.aborted) attempt.stop("the owner lets go");
  else if (known(supervised, command)?.interrupted === true) attempt.stop("interrupted");
  else attempt.release();
  return ended(supervised, command, place, attempt, key);
}

async function startAgent(
  supervised: RunUnderway,
  command: Start,
  place: AttemptTree,
  tree: OpenTree,
): Promise<{ readonly attempt: RunningAttempt } | { readonly failure: Failure }> {
  const { ports, plan, run } = supervised;
  const { subtask, spec, cap } = command;
  const agent = ports.agent(spec.entry.agent);
  const details = plan.subtasks[subtask];
  if (agent === undefined || details === undefined)
    return { failure: seen("agent_missing", `there is no agent ${spec.entry.agent}`) };
  const attemptId = command.id;
  const watch = ports.loopWatch();
  const folder = await ports.attemptFolder(attemptId);
  const at = { run, subtask, attemptId, slot: slotNumber(place.slot) };
  const input = mutationInput(supervised.state(), plan, subtask, spec);
  const asked = { place: at, folder, stop: supervised.stop };
  const rewritten = await rewriteGoal(ports.askModel, spec, input, asked);
  const started = await agent.start({
    place: at,
    prompt: promptFor(supervised.state(), plan, subtask, spec, { cwd: tree.cwd, rewritten }),
    ...(spec.entry.model === undefined ? {} : { model: spec.entry.model }),
    thinking: spec.thinking,
    permissions: plan.permissions.full ? "full" : "edit",
    checks: details.checks.map((check) => check.run),
    cap,
    ...turnsOf(plan.agents[spec.entry.agent]),
    ...sessionOf(stateOf(supervised, subtask), spec),
    cwd: tree.cwd,
    folder,
    env: tree.env,
    limits: { idleMs: details.idleMs, totalMs: Math.min(details.totalMs, cap.timeMs ?? Infinity) },
    treeMark: () => ports.workspace.mark(place),
    onStep: (step) => {
      const verdict = watch(step);
      if (verdict === undefined) return;
      const running = supervised.running.get(`${subtask}/${command.attempt}`);
      if (verdict.level === "stuck" && running !== undefined) running.loop = verdict.pattern;
      const { attempt } = command;
      // An engine that fails here fails for the attempt's end as well, and that is where it is answered.
      deliver(supervised, { kind: "loop-seen", subtask, attempt, ...verdict }).catch(() => {});
    },
  });
  return started.ok ? started : { failure: seen("agent_missing", started.problem) };
}

async function ended(
  supervised: RunUnderway,
  command: Start,
  place: AttemptTree,
  attempt: RunningAttempt,
  key: string,
): Promise<Reply | undefined> {
  const { ports, plan } = supervised;
  const result = await attempt.result;
  for (const warning of result.report?.warnings ?? []) warn(supervised, command, warning);
  const loop = supervised.running.get(key)?.loop;
  supervised.running.delete(key);
  if (supervised.stop.aborted) return undefined;
  const { identity } = attempt;
  if (result.survivors.length > 0 && !(await untilDead(supervised, command.id, identity)))
    return undefined;
  const tree = await withRoom(supervised, () => ports.workspace.finish(place));
  if (!tree.ok) return failedBefore(command, tree.failure, usedOf(result));
  const details = plan.subtasks[command.subtask];
  const forbidden = plan.forbidProtected ? forbiddenOf(tree.value) : undefined;
  const isTimeCapped = (command.cap.timeMs ?? Infinity) < (details?.totalMs ?? 0);
  const observed = observedOf(result, loop, isTimeCapped) ?? forbidden;
  return {
    kind: "attempt-ended",
    subtask: command.subtask,
    attempt: command.attempt,
    outcome: isFinished(result) ? "finished" : "failed",
    ...(observed === undefined ? {} : { observed }),
    evidence:
      forbidden === undefined
        ? { ...evidenceOf(result), utcOffsetMinutes: ports.utcOffsetMinutes() }
        : {
            origin: "check",
            message: `${forbidden.because[0]}. Put these files back as they were.`,
          },
    ...(details === undefined ? {} : { answer: answerOf(result, details) }),
    remains: remainsOf(result, tree.value, stateOf(supervised, command.subtask).lastOutput),
  };
}

/** Said once for an agent, however often it starts. */
const warned = new WeakMap<RunUnderway["running"], Set<string>>();

function warn({ running, ports }: RunUnderway, { spec }: Start, warning: string): void {
  const said = warned.get(running) ?? new Set<string>();
  warned.set(running, said);
  const words = `${spec.entry.agent}: ${cleanLine(warning, 300)}`;
  if (!said.has(words)) ports.tell(words);
  said.add(words);
}

/** Found open after a restart: dead by proof, its tree snapshotted, reported lost. */
export async function attemptCutOff(
  supervised: RunUnderway,
  command: Start,
): Promise<Reply | undefined> {
  const { ports } = supervised;
  const open = known(supervised, command);
  if (!(await untilDead(supervised, command.id, open?.identity))) return undefined;
  const slot = open?.slot;
  const tree =
    slot === undefined
      ? undefined
      : await withRoom(supervised, () =>
          ports.workspace.finish({ ...placeOf(supervised, command), slot }),
        );
  return {
    kind: "attempt-ended",
    subtask: command.subtask,
    attempt: command.attempt,
    outcome: "failed",
    observed: seen("lost", "its owner died"),
    evidence: {},
    remains: remainsOfTree(tree?.ok === true ? tree.value : undefined),
  };
}

const turnsOf = ({ turns }: { readonly turns?: number } = {}): { readonly turns?: number } =>
  turns === undefined ? {} : { turns };

/** The session an attempt that keeps its context goes on with; another agent could not read it. */
function sessionOf({ sessions }: SubtaskState, spec: AttemptSpec): { readonly session?: string } {
  const last = sessions[spec.prompt.branch?.id ?? OWN_TREE];
  return spec.context === "keep" && last?.agent === spec.entry.agent ? { session: last.id } : {};
}

/** The attempt as the journal has it; nothing once its end is recorded. */
const known = (supervised: RunUnderway, { subtask, attempt }: Start): Recorded | undefined =>
  stateOf(supervised, subtask).running.find((running) => running.attempt === attempt);

const failedBefore = (command: Start, failure: Failure, used = NOTHING_USED): Reply => ({
  kind: "attempt-ended",
  subtask: command.subtask,
  attempt: command.attempt,
  outcome: "failed",
  observed: failure,
  evidence: { message: failure.because[0] ?? "" },
  remains: remainsOfTree(undefined, used),
});

function placeOf(supervised: RunUnderway, command: Start): AttemptTree {
  const branch = command.spec.prompt.branch?.id;
  const own = stateOf(supervised, command.subtask).slots[branch ?? OWN_TREE];
  return {
    subtask: command.subtask,
    attempt: command.attempt,
    slot: own ?? freeSlot(supervised, `${command.subtask}/${branch ?? OWN_TREE}`),
    ...(branch === undefined ? {} : { branch }),
    ...(planOf(supervised, command)?.readOnly === true ? { discard: true } : {}),
  };
}

function planOf(
  { state }: RunUnderway,
  { subtask }: { readonly subtask: string },
): Subtask | undefined {
  const now = state();
  return now.plan.subtasks[indexOf(now, subtask) ?? -1];
}

const slotNumber = (slot: string): number => Number(slot);
