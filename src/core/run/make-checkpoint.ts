/**
 * Builds the questions that a run asks a person, each with context, options, a recommendation and a default. Invariant:
 * every text in them is cleaned and bounded.
 */
import { refusalText, type Refusal } from "../agent-words/refusal.ts";
import { hasTrait, KINDS } from "../kinds.ts";
import { MEASURE_NAMES, spending } from "../amounts.ts";
import type { Budget, Ledger, Measure } from "../budget.ts";
import { defined } from "../defined.ts";
import { isInfrastructure, type Failure } from "../failure.ts";
import { cleanText, cleanLine } from "../foreign-text.ts";
import type { ModelEntry } from "../plan/plan.ts";
import { chainOf } from "../repair/chains.ts";
import { repairPlan } from "../repair/repair-plan.ts";
import { ASK_USER } from "../repair/repair.ts";
import type { BaseProblem } from "./check-result.ts";
import type { CheckpointOption, Checkpoint } from "./checkpoint.ts";
import { waitingCallQuestion, questionByCause, type QuestionContext } from "./question-by-cause.ts";

const LABELS = {
  skip: "Skip this subtask",
  "top-up": "Raise the budget",
  without: "Go on without it",
} as const;

const option = (answer: keyof typeof LABELS): CheckpointOption => ({
  answer,
  label: LABELS[answer],
});

/** The cause of a failure that other subtasks may share; undefined if it concerns only this one. */
export const sharedCause = (failure: Failure, { agent }: ModelEntry): string | undefined =>
  hasTrait(failure.kind, "whole-agent") || isInfrastructure(failure)
    ? `${failure.kind} ${agent}`
    : undefined;

type Context = Checkpoint["context"];

export interface HiccupRequest
  extends
    Pick<Checkpoint, "id" | "expiresAt">,
    QuestionContext,
    Pick<
      Context,
      "goal" | "error" | "attempts" | "best" | "ways" | "advice" | "blocks" | "blocksCount"
    > {}

export function hiccup(request: HiccupRequest): Checkpoint {
  const { id, subtask, failure, error, attempts, best, asks, blocks, blocksCount } = request;
  const { cause, expiresAt, refused } = request;
  // Only a person can fix it: if no command is known that does, say what has to be done.
  const isByHand = hasTrait(failure.kind, "by-hand") && refused === undefined;
  const byHand = isByHand ? KINDS[failure.kind].action : undefined;
  const { advice = byHand } = request;
  const { question, options, recommendation } = questionByCause(request);
  return {
    ...{ id, trigger: "HICCUP", subtask, question },
    context: {
      goal: goalText(request),
      error: cleanText(error, { maxChars: 2000 }),
      kind: failure.kind,
      attempts,
      ...defined({ best, ways: takesWords(options) ? request.ways : undefined }),
      ...((refused ?? asks) === undefined
        ? questionsFor(failure, error)
        : defined({ asks, refused })),
      ...defined({ advice: advice && cleanLine(advice, 300) }),
      blocks,
      blocksCount,
    },
    ...{ options, recommendation },
    default: "skip",
    ...defined({ cause, expiresAt }),
  };
}

/** Whether an answer takes words: not if all that was missing is a fix outside the run. */
const takesWords = (options: readonly CheckpointOption[]): boolean =>
  options.some(({ answer, bare }) => answer === "retry" && bare !== true);

const goalText = ({ goal }: { readonly goal: string }): string =>
  cleanText(goal, { maxChars: 1000 });

const NOBODY_BLOCKED = { blocks: [], blocksCount: 0 };

/** The question for an agent that waits to make a call that its gate would refuse. */
export function permissionQuestion(
  request: Pick<Checkpoint, "id" | "waiting" | "expiresAt"> &
    Pick<Context, "goal" | "attempts"> & { readonly subtask: string; readonly call: Refusal },
): Checkpoint {
  const { id, subtask, attempts, call, waiting, expiresAt } = request;
  return {
    ...{ id, trigger: "HICCUP", subtask, ...waitingCallQuestion(subtask, call) },
    context: {
      ...{ goal: goalText(request), error: refusalText(call), attempts, refused: [call] },
      ...NOBODY_BLOCKED,
    },
    default: "without",
    ...defined({ waiting, expiresAt }),
  };
}

/** The question about checks that would fail any work, asked before the first attempt. */
export function baseProblems(request: {
  readonly id: string;
  readonly goal: string;
  readonly problems: readonly BaseProblem[];
}): Checkpoint {
  const { id, problems } = request;
  const named = problems.slice(0, 5);
  const lines = named.map(({ check, why, excerpt = "" }) => {
    const printed = cleanText(excerpt, { maxChars: 2000 });
    return `${cleanLine(check, 120)}: ${cleanLine(why, 300)}${printed && `\n${printed}`}`;
  });
  const [first] = problems;
  const what =
    first === undefined || problems.length > 1
      ? `${problems.length} checks cannot judge the work`
      : `${whatCannotBe(first)}: ${cleanLine(first.why, 120)}`;
  return {
    id,
    trigger: "CHECKS",
    question: `${what}. What next?`,
    context: {
      goal: goalText(request),
      error: lines.join("\n"),
      attempts: 0,
      questions: [...new Set(named.map(({ mend }) => cleanLine(mend, 300)))],
      checks: problems.map(({ check }) => check),
      ...NOBODY_BLOCKED,
    },
    options: [
      { answer: "retry", label: "Fixed: run the checks again", bare: true },
      ...(problems.some(({ needed }) => needed === true) ? [] : [option("without")]),
      { answer: "skip", label: "End the run here" },
    ],
    recommendation: "retry",
    default: "skip",
  };
}

const whatCannotBe = ({ needed, check }: BaseProblem): string =>
  needed === true ? "Checks cannot run" : `The check ${cleanLine(check, 80)} cannot judge the work`;

function questionsFor(failure: Failure, error: string): { readonly questions?: readonly string[] } {
  if (chainOf(failure.kind).rows.length === 0) return {};
  const evidence = { tool: "run_bash", message: error };
  const plan = repairPlan({ failure, evidence, tools: [], sandboxRoot: ".", mode: "run" });
  const asking = [plan, ...plan.alternatives].find(({ strategy }) => strategy === ASK_USER);
  const questions = (asking?.steps ?? []).flatMap(({ args }) =>
    Array.isArray(args["questions"]) ? args["questions"].map(String) : [],
  );
  return questions.length === 0
    ? {}
    : { questions: questions.slice(0, 5).map((text) => cleanLine(text, 300)) };
}

export function budgetUsedUp(request: {
  readonly id: string;
  readonly subtask?: string;
  readonly goal: string;
  readonly measure: Measure;
  readonly of: "run" | "subtask" | "recovery";
  readonly attempts: number;
  readonly ledger: Ledger;
  readonly limit: Budget;
}): Checkpoint {
  const { id, subtask, measure, attempts, ledger, limit } = request;
  const of = {
    run: "the run",
    recovery: "recovery",
    subtask: `subtask ${cleanLine(subtask ?? "", 80)}`,
  }[request.of];
  return {
    id,
    trigger: "BUDGET",
    ...defined({ subtask }),
    question: `The ${MEASURE_NAMES[measure]} budget of ${of} is used up. What next?`,
    context: {
      goal: goalText(request),
      error: `budget of ${of}: ${spending({ ledger, limit }, [measure]).join("")} used, too little for another attempt`,
      attempts,
      measure,
      budgetOf: request.of,
      ...NOBODY_BLOCKED,
    },
    options: [
      option("top-up"),
      request.of === "run" ? { answer: "skip", label: "End the run here" } : option("skip"),
    ],
    recommendation: "top-up",
    default: "skip",
  };
}
