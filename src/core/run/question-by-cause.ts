/**
 * What a person is asked about a subtask, by its cause: the sentence, the answers in display order, and the recommended
 * one. Invariants: skip, retry and manual are always offered once an attempt has ended; if the person has to do
 * something outside the run, "done, try again" comes first; other agents are data, not names in the code.
 */
import { isShellRefusal, refusalText, type Refusal } from "../agent-words/refusal.ts";
import { isInfrastructure, type Failure } from "../failure.ts";
import { cleanLine } from "../foreign-text.ts";
import { KIND_WORDS } from "../kind-words.ts";
import { hasTrait, type FailureKind } from "../kinds.ts";
import { destructive } from "../shell/destructive.ts";
import { riskOf } from "../repair/shell-script.ts";
import { OWN_AGENT } from "../plan/model-ladder.ts";
import type { Checkpoint, CheckpointOption } from "./checkpoint.ts";

export interface QuestionContext {
  readonly subtask: string;
  readonly failure: Failure;
  readonly attempts: number;
  readonly agent: string;
  /** Another agent in the plan. */
  readonly otherAgent?: string;
  /** The cause that others may share; `base ...` and `check ...` are not the fault of the work. */
  readonly cause?: string;
  readonly asks?: string;
  /** Calls that the agent's gate refused. */
  readonly refused?: readonly Refusal[];
}

export type CauseQuestion = Pick<Checkpoint, "question" | "options" | "recommendation">;

const SKIP: CheckpointOption = { answer: "skip", label: "Skip this subtask" };
const MANUAL: CheckpointOption = { answer: "manual", label: "Handle manually" };
const retry = (label: string): CheckpointOption => ({ answer: "retry", label });
const done = (label: string): CheckpointOption => ({ ...retry(label), bare: true });

/** What has to be done outside the run, and the label of the answer when it is done. */
const OUTSIDE: { readonly [kind in FailureKind]?: readonly [says: string, done: string] } = {
  auth_required: ["The {agent} is not logged in.", "Logged in: try again"],
  auth_expired: ["The login of the {agent} has expired.", "Logged in: try again"],
  billing: ["The account of the {agent} has no credit or plan for this.", "Try again"],
  agent_missing: ["The program of the {agent} cannot be started.", "Installed: try again"],
  disk_full: ["The disk is full.", "Freed space: try again"],
  permission_denied: [
    "Subtask {subtask} was denied access to something it needs.",
    "Granted: try again",
  ],
};

export function questionByCause(asking: QuestionContext): CauseQuestion {
  const { failure, asks, refused = [], cause = "" } = asking;
  const { kind } = failure;
  const outside = OUTSIDE[kind];
  if (refused.length > 0) return refusalQuestion(asking, refused);
  if (asks !== undefined)
    return causeQuestion(
      asking,
      "The agent of subtask {subtask} has a question.",
      retry("Answer it"),
    );
  if (cause.startsWith("base "))
    return causeQuestion(asking, failsAsBase(asking), retry("Say what to do about it"));
  if (cause.startsWith("check "))
    return causeQuestion(
      asking,
      "The checks of subtask {subtask} cannot run.",
      done("Fixed: try again"),
    );
  if (outside !== undefined) return causeQuestion(asking, outside[0], done(outside[1]));
  if (isInfrastructure(failure))
    return causeQuestion(
      asking,
      "The service of the {agent} did not come back.",
      done("Try again"),
    );
  if (kind === "merge_conflict")
    return causeQuestion(asking, CONFLICTS, retry("Say which change stands"));
  if (kind === "unsafe_action")
    return causeQuestion(asking, MAY_DO_HARM, retry("Say how to go on without it"));
  const first = retry("Retry with modifications");
  const question = causeQuestion(asking, `${whatFailed(asking)}.`, first);
  return { ...question, options: [SKIP, first, MANUAL] };
}

const whatFailed = ({ failure, attempts }: QuestionContext): string =>
  `Subtask {subtask} ${KIND_WORDS[failure.kind].happened}${attempts > 1 ? ` (${attempts} attempts)` : ""}`;
const failsAsBase = (asking: QuestionContext): string =>
  `${whatFailed(asking)}; its checks failed before it started, too.`;
const CONFLICTS = "Subtask {subtask} changed the same lines as another subtask.";
const MAY_DO_HARM = "The agent of subtask {subtask} was about to do something that may cause harm.";

const WITHOUT: CheckpointOption = { answer: "without", label: "Go on without it" };

function refusalQuestion({ subtask }: QuestionContext, refused: readonly Refusal[]): CauseQuestion {
  const question = `The agent of subtask ${cleanLine(subtask, 80)} was not allowed to use ${namesOf(refused)}. Allow it?`;
  const rest = [retry("Say how to go on instead"), MANUAL, SKIP];
  return { question, ...permissionsFor(refused, rest) };
}

/** The agent is still running and waiting, so the answer can only be yes or no. */
export function waitingCallQuestion(subtask: string, call: Refusal): CauseQuestion {
  const question = `The agent of subtask ${cleanLine(subtask, 80)} waits for your permission to use ${namesOf([call])}. Allow it?`;
  return { question, ...permissionsFor([call], []) };
}

const namesOf = (refused: readonly Refusal[]): string =>
  refused.map((one) => `\`${cleanLine(refusalText(one), 300)}\``).join(" and ");

/**
 * Destructive calls are allowed at most once, and those against the machine's own files never. Only a shell command can
 * become a permanent rule.
 */
function permissionsFor(
  refused: readonly Refusal[],
  rest: readonly CheckpointOption[],
): Omit<CauseQuestion, "question"> {
  const once: CheckpointOption = { answer: "allow-once", label: "Allow it once" };
  if (refused.some(({ command }) => destructive(command)?.of === "machine"))
    return { options: [WITHOUT, ...rest], recommendation: "without" };
  if (refused.some(({ command }) => isRisky(command)))
    return { options: [WITHOUT, once, ...rest], recommendation: "without" };
  const longer: readonly CheckpointOption[] = [
    { answer: "allow-run", label: "Allow it in this run" },
    ...(refused.every(isShellRefusal)
      ? [{ answer: "allow-always", label: "Always allow it" } as const]
      : []),
  ];
  return { options: [once, ...longer, WITHOUT, ...rest], recommendation: "allow-once" };
}

/** The first answer is the one most likely to help. */
function causeQuestion(
  asking: QuestionContext,
  says: string,
  first: CheckpointOption,
): CauseQuestion {
  const named = says
    .replace("{subtask}", () => cleanLine(asking.subtask, 80))
    .replace("{agent}", () => agentNamed(asking.agent));
  return {
    question: `${named} What next?`,
    options: [first, ...otherAgentOf(asking), MANUAL, SKIP],
    recommendation: first.answer,
  };
}

/** A command used as the agent has no name of its own and is called "agent". */
const agentNamed = (name: string): string =>
  name === OWN_AGENT ? "agent" : `agent ${cleanLine(name, 40)}`;

/** If the agent's own account, program or service is at fault, another agent avoids it. */
function otherAgentOf({ failure, otherAgent, asks }: QuestionContext): readonly CheckpointOption[] {
  const isOfAgent = hasTrait(failure.kind, "whole-agent") || isInfrastructure(failure);
  return otherAgent === undefined || !isOfAgent || asks !== undefined
    ? []
    : [{ answer: "other-agent", label: `Use another agent: ${cleanLine(otherAgent, 40)}` }];
}

/** Calls that may destroy something are never allowed for longer than once. */
const isRisky = (command: string): boolean =>
  destructive(command) !== undefined || ["sudo", "delete"].includes(riskOf(command) ?? "");
