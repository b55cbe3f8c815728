/**
 * Failures that affect every subtask on this machine, such as a full disk, are one incident of the run, whichever agent
 * reports them. The first subtask affected may repair it once while the others wait; if that does not help, all share
 * one question. Invariants: nothing starts while the question is open; without an answer nothing but a repair is tried,
 * whatever the policy.
 */
import { isInfrastructure, type Failure } from "../../failure.ts";
import { hasTrait, type FailureKind, kindName } from "../../kinds.ts";
import { vectorItems } from "../../persistent-collections.ts";
import type { Choice } from "../../policy/policy.ts";
import type { RunState } from "../state.ts";
import type { SubtaskState } from "../subtask-state.ts";
import { guard } from "./guard-rails.ts";
import type { RecoveryView } from "./possible-recoveries.ts";
import type { SubtaskNow, Turn } from "./turn.ts";

const PREFIX = "machine ";

/** The cause that identifies its question; undefined for a failure of the subtask alone. */
export const incidentOf = ({ kind }: Failure): string | undefined =>
  hasTrait(kind, "whole-machine") ? `${PREFIX}${kind}` : undefined;

/** Whether an incident is open: any attempt started now would be affected too. */
export const isHeldByIncident = ({ causes }: Pick<RunState, "causes">): boolean =>
  Object.keys(causes).some((cause) => cause.startsWith(PREFIX));

/** How long the others wait for a repair that is under way. */
const REPAIR_MS = 30_000;

/**
 * The choice to join the question, to wait for the subtask that repairs it, or to ask; undefined while a repair may
 * still be tried.
 */
export function sharedIncident(
  turn: Turn,
  { id, state }: SubtaskNow,
  failure: Failure,
): Choice | undefined {
  const { kind } = failure;
  const cause = incidentOf(failure);
  if (cause === undefined || isInfrastructure(failure)) return undefined;
  const asked = turn.state.causes[cause];
  if (asked !== undefined) return ask(kind, `${asked} has met it too: one answer is for all`);
  const others = vectorItems(turn.state.subtasks).filter((other) => other !== state);
  if (others.some((other) => isRepairing(other, kind)))
    return guard(
      "machine",
      { kind: "wait", wait: { dueAt: turn.input.at + REPAIR_MS, reason: "incident" } },
      `${kindName(kind)}: being repaired for another subtask, so ${id} waits`,
    );
  return others.some((other) => hasRepaired(other, kind))
    ? ask(kind, "a repair did not help")
    : undefined;
}

/**
 * Replaces a choice that would only hit the incident again: anything but a repair. Presets may try as many repairs as
 * their source allows.
 */
export function repairOrAsk(
  { failure, subtask, settings }: Pick<RecoveryView, "failure" | "subtask" | "settings">,
  choice: Choice,
): Choice {
  const { kind } = failure;
  const recovery = choice.recoveries[0]?.kind ?? "";
  if (incidentOf(failure) === undefined || ["wait", "ask", "skip"].includes(recovery))
    return choice;
  const isAgain = settings.structure && hasRepaired(subtask, kind);
  return recovery === "repair" && !isAgain ? choice : ask(kind, "no repair of it is left");
}

const ask = (kind: FailureKind, why: string): Choice =>
  guard("machine", { kind: "ask" }, `${kindName(kind)}: every subtask meets it, and ${why}`);

const isOf = (strategy: string | undefined, kind: string): boolean =>
  strategy?.startsWith(`${kind}/`) === true;

const hasRepaired = ({ strategiesTried }: SubtaskState, kind: string): boolean =>
  strategiesTried.some((strategy) => isOf(strategy, kind));

/** A subtask that waits for a person is not repairing anything. */
const isRepairing = ({ phase, running, next }: SubtaskState, kind: string): boolean =>
  (phase === "running" || phase === "pending") &&
  [...running.map(({ spec }) => spec), ...next].some(({ prompt }) => isOf(prompt.strategy, kind));
