/**
 * Explains decisions: for each one what was seen, the options with their verdicts, what was chosen and why. Reads
 * recorded events only; nothing is recomputed. Invariants: bounded; foreign text is cleaned; the evidence shown with a
 * decision belongs to the same subtask.
 */
import { refusalText } from "../agent-words/refusal.ts";
import { count } from "../amounts.ts";
import { cleanLine } from "../foreign-text.ts";
import { ruleName, type ChosenBy, type Considered } from "../policy/situation.ts";
import type { Decision, DecisionOf, OfAttempt, RunEvent } from "../run/decision.ts";
import type { RunInput } from "../run/input.ts";
import { believedCauses } from "./believed-causes.ts";
import { classifiedFailure } from "./classified.ts";
import { excerptLines, explained, failureText, only } from "./explanation-parts.ts";
import type {
  Explanation,
  Explanations,
  SubtaskFacts,
  RunFacts,
  ExplanationContent,
} from "./explanation-parts.ts";
import { OUTCOMES } from "./outcome-explanation.ts";
import { answerText, listText, recoveryText } from "./phrases.ts";
import { answerSentence, recoverySentence, waitingSentence } from "./decision-sentences.ts";

export interface Explainer {
  /** Takes the events in order and returns an explanation for decisions that a person may ask about. */
  readonly explain: (seq: number, event: RunEvent) => Explanation | undefined;
}

interface Known extends RunFacts {
  readonly subtasks: Map<string, SubtaskFacts>;
  stop?: string;
}

export function explainer(): Explainer {
  const known: Known = { subtasks: new Map() };
  return {
    explain(seq, event) {
      if (event.kind === "received") return void look(known, event.input);
      const { subtask } =
        event.kind === "checkpoint-opened" ? event.checkpoint : { subtask: undefined, ...event };
      const seen = subtask === undefined ? {} : seenOf(known, subtask);
      const told = explained(EXPLANATIONS, event, seen, known);
      note(seen, event);
      if (told === undefined) return undefined;
      return { seq, ...(subtask === undefined ? {} : { subtask }), ...told };
    },
  };
}

function seenOf({ subtasks }: Known, subtask: string): SubtaskFacts {
  const seen = subtasks.get(subtask) ?? {};
  subtasks.set(subtask, seen);
  return seen;
}

function look(known: Known, input: RunInput): void {
  switch (input.kind) {
    case "run-started":
      for (const plan of input.plan.subtasks) known.subtasks.set(plan.id, { plan });
      return;
    case "loop-seen":
    case "attempt-ended":
    case "checks-ended":
    case "merge-ended":
      Object.assign(seenOf(known, input.subtask), { [SEEN_AS[input.kind]]: input });
      return;
    case "pause-requested":
    case "cancel-requested":
      known.stop = input.reason;
      return;
    case "resume-requested":
      delete known.stop;
      return;
    default:
  }
}

const SEEN_AS = {
  "loop-seen": "loop",
  "attempt-ended": "ended",
  "checks-ended": "checks",
  "merge-ended": "merge",
} as const;

/** Remembers what later explanations for the same subtask refer to. */
function note(seen: SubtaskFacts, event: Decision): void {
  switch (event.kind) {
    case "failure-classified":
      if (seen.failure !== undefined) seen.earlier = seen.failure;
      seen.failure = event;
      delete seen.circle;
      return;
    case "progress-scored":
      seen.score = event;
      return;
    case "recovery-chosen":
      seen.did = event.recoveries;
      return;
    case "circular-fix-seen":
      seen.circle = event.because;
      return;
    case "attempt-dispatched":
      for (const field of ["answer", "merge", "checks"] as const) delete seen[field];
      seen.phase = "under way";
      return;
    case "exploration-started":
      seen.branches = [];
      return;
    case "branch-moved":
      seen.branches = [...(seen.branches ?? []), event];
      return;
    case "checkpoint-closed":
    case "checkpoint-followed":
      seen.answer = event;
      return;
    case "subtask-done":
    case "subtask-parked":
      seen.phase = event.phase;
      return;
    default:
  }
}

const EXPLANATIONS: Explanations = {
  ...OUTCOMES,
  "circular-fix-seen": ({ because, ban }) => ({
    decision: "a circular fix was seen",
    seen: [cleanLine(because, 300)],
    considered: only("circular fix", ban ? "something else" : "noted"),
    why: ban
      ? "retry and feedback are ruled out: the next recovery has to be a different one"
      : "this policy only records it, or has a rule for it",
  }),
  "recovery-chosen": explainedRecovery,
  "checks-dispatched": (event, seen) => (event.round === 1 ? undefined : checkedAgain(event, seen)),
  "attempt-interrupted": (event, { loop }, { stop }) => ({
    decision: `interrupt attempt ${event.attempt}`,
    seen: [patternOf(event, loop) ?? cleanLine(stop ?? event.reason, 200)],
    considered: only("interrupt", "end the attempt, keep its work"),
    why: cleanLine(event.reason, 300),
  }),
  "nudge-sent": (event, { loop }) => ({
    decision: `nudge attempt ${event.attempt}`,
    seen: [patternOf(event, loop) ?? "it goes in circles"],
    considered: [
      { rung: "nudge", recovery: "a word to the agent", verdict: "chosen" },
      { rung: "interrupt", recovery: "end the attempt", verdict: "only if it goes on like that" },
    ],
    why: `first a word, then an interruption: ${cleanLine(event.words, 300)}`,
  }),
  "permission-settled": ({ attempt, call, allowed, because }) =>
    because === undefined
      ? undefined
      : {
          decision: `${allowed ? "allow" : "refuse"} what attempt ${attempt} waits for`,
          seen: [cleanLine(refusalText(call), 300)],
          considered: only("permission", allowed ? "allowed" : "refused without a question"),
          why: cleanLine(because, 300),
        },
  "checkpoint-opened": asked,
  "checkpoint-joined": (event, { failure }) => {
    const question = cleanLine(event.checkpoint, 80);
    return {
      decision: `wait for the answer to ${question}`,
      seen: [...failureText(failure), `${question} is open`],
      considered: [
        { rung: "join", recovery: `wait for ${question}`, verdict: "chosen" },
        { rung: "ask", recovery: "a question of its own", verdict: "not for the same cause" },
      ],
      why: `${cleanLine(event.of, 80)} met the same cause and asked already: one question, one answer`,
    };
  },
  "checkpoint-followed": ({ checkpoint, answer }) => ({
    decision: `the answer counts for it too: ${answerText(answer)}`,
    seen: [cleanLine(checkpoint, 80)],
    considered: only("joined", "the same answer"),
    why: "it had joined that question",
  }),
  "checkpoint-taken": ({ checkpoint, by }) => ({
    decision: `left to ${cleanLine(by, 60)}, who handles it by hand`,
    seen: [cleanLine(checkpoint, 80)],
    considered: only("answer", "handled by hand"),
    why: "the question stays open until they say that it is done",
  }),
  "checkpoint-closed": (event) => ({
    decision: `the question was answered: ${answerText(event.answer)}`,
    seen: [`${cleanLine(event.checkpoint, 80)}, by ${cleanLine(event.by, 60)}`],
    considered: only("answer", "as answered"),
    why: "the first answer stands",
    ...answerSentence(event),
  }),
};

function checkedAgain(
  { attempt, round }: DecisionOf<"checks-dispatched">,
  { checks }: SubtaskFacts,
): ExplanationContent {
  const failing = checks?.result.kind === "failed" ? checks.result.failing : [];
  const couldNotRun = checks?.result.kind === "could-not-run";
  return {
    decision: `run the checks of attempt ${attempt} again (round ${round})`,
    seen: [couldNotRun ? "a check could not run" : `failing: ${listText(failing) || "a check"}`],
    considered: [
      { rung: "check", recovery: "run it again", verdict: "chosen" },
      { rung: "recovery", recovery: "blame the work", verdict: "only if it fails again" },
    ],
    why: couldNotRun
      ? "a check that cannot run is not a failing check: the work is not blamed"
      : "a check may be flaky: it is run again before blaming the code",
  };
}

const patternOf = ({ attempt }: OfAttempt, loop: SubtaskFacts["loop"]): string | undefined =>
  loop?.attempt === attempt ? `pattern: ${cleanLine(loop.pattern, 200)}` : undefined;

function explainedRecovery(
  event: DecisionOf<"recovery-chosen">,
  seen: SubtaskFacts,
): ExplanationContent {
  const what = event.recoveries.map(recoveryText).join(" + ");
  const belief = believedCauses(event);
  return {
    decision: what,
    seen: [...seenText(seen)],
    considered: event.considered.length > 0 ? event.considered : bound(event.chosenBy, what),
    why: `${ruleName(event.chosenBy)}: ${cleanLine(event.because, 300)}`,
    ...recoverySentence(event, seen),
    ...(belief.length === 0 ? {} : { belief }),
    ...(seen.failure === undefined ? {} : { classified: classifiedFailure(seen.failure, seen) }),
  };
}

function seenText({ failure, score, circle }: SubtaskFacts): string[] {
  if (failure === undefined) return ["no failure is recorded"];
  const { kind, category, origin, confidence, because, resetAt, retryAfterMs } = failure.failure;
  const progress = score?.attempt === failure.attempt ? [progressText(score)] : [];
  const sure = `confidence ${confidence.toFixed(2)}${failure.counted ? "" : ", does not count"}`;
  return [
    `attempt ${failure.attempt}: ${kind} (${category}, ${origin}), ${sure}`,
    ...because.map((reason) => cleanLine(reason, 300)),
    ...excerptLines(failure).map((line) => `it said: ${line}`),
    ...(failure.failing.length === 0 ? [] : [`failing: ${listText(failure.failing)}`]),
    ...(resetAt === undefined ? [] : [`resets at ${cleanLine(resetAt, 40)}`]),
    ...(retryAfterMs === undefined
      ? []
      : [`not before ${Math.ceil(retryAfterMs / 1000)} s have passed`]),
    ...progress,
    ...(circle === undefined ? [] : [`circular fix: ${cleanLine(circle, 300)}`]),
  ];
}

const progressText = ({ score, state, progressed }: DecisionOf<"progress-scored">): string =>
  `progress score ${score.toFixed(2)}, ${progressed ? "enough" : "too little"}: ${state.status}`;

/** A guard rail or a structure rule leaves the policy nothing to weigh. */
function bound(rule: ChosenBy, recovery: string): readonly Considered[] {
  const verdict =
    rule.by === "guard"
      ? "chosen; a guard rail binds every policy, its rungs were not asked"
      : "chosen; the kind of failure alone decides, the rungs were not asked";
  return [{ rung: ruleName(rule), recovery, verdict }];
}

function asked({ checkpoint }: DecisionOf<"checkpoint-opened">): ExplanationContent {
  const { context, options, recommendation } = checkpoint;
  return {
    decision: `ask a person (${cleanLine(checkpoint.id, 80)})`,
    seen: [
      cleanLine(context.error, 300),
      `${count(context.attempts, "attempt")} made`,
      ...(context.blocksCount === 0
        ? []
        : [`blocks ${context.blocksCount}: ${listText(context.blocks)}`]),
    ].filter((line) => line !== ""),
    considered: options.map(({ answer, label }) => ({
      rung: answer,
      recovery: label,
      verdict: answer === recommendation ? "recommended" : "offered",
    })),
    why: cleanLine(checkpoint.question, 300),
    ...(checkpoint.waiting === undefined ? {} : waitingSentence(checkpoint)),
  };
}
