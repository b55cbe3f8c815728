/**
 * Answers a run's question and reports the outcome. Invariants: an answer goes through the run's inbox and its owner
 * takes it; the first answer counts and later ones are told so; only an offered answer is posted; the tree of a subtask
 * that a person takes over is recreated only once the run's owner knows it is taken and will not release it any more.
 */
import { cleanLine } from "../../core/foreign-text.ts";
import { redactDeep } from "../../core/redact/redaction.ts";
import { answerText } from "../../core/report/phrases.ts";
import type { Checkpoint } from "../../core/run/checkpoint.ts";
import type { Answer } from "../../core/run/input.ts";
import { OWN_TREE, subtaskAt } from "../../core/run/state.ts";
import type { Journal } from "../../journal/journal.ts";
import { releasedAs } from "../../workspace/trees/release-slots.ts";
import { asTreeAnswer } from "../../workspace/port-context.ts";
import { readySlot } from "../../workspace/port.ts";
import { slotWorktree } from "../../workspace/git/worktree.ts";
import { treesOf } from "../composition.ts";
import { refuseInsideAttempt } from "../inside-attempt.ts";
import { defined, operation, notNow, ProblemError, type Context } from "../operation.ts";
import { redactionOfRun } from "../redaction.ts";
import { allowAlways, userName } from "../user-config.ts";
import { withHome, workspaceOf, type OpenHome } from "../runs/open-run.ts";
import { findRun } from "../runs/find-run.ts";
import { askedRuns, topUpProblem } from "./review.ts";
import { givenAnswers, isFinal, openQuestions } from "./inbox.ts";
import { sameIncident } from "./same-incident.ts";
import type { AnswerInput, GivenAnswer, OpenQuestion } from "./inbox.ts";
import { recordedRun } from "../runs/recorded.ts";
import { hasLivingOwner } from "../runs/status.ts";
import { wholeStart } from "../runs/started-with.ts";

export { RETRY_METHODS, type RetryMethod } from "../../core/run/retry-method.ts";

export const answerQuestion = operation({
  name: "answer",
  schemas: async () => (await import("../runs/schemas.ts")).answerQuestion,
  run: (context, input) => {
    refuseInsideAttempt("resolve");
    return withHome(async (open) => {
      const { answer } = input;
      const question = await findQuestion(context, open.journal, input);
      const { row, checkpoint } = question;
      if (answer.kind === "manual" && row.fleet === true) throw await notByHand(open, question);
      const ownerAlive = await postAnswer(context, open, question, answer);
      if (answer.kind === "allow-always")
        for (const { command } of checkpoint.context.refused ?? []) allowAlways(command);
      const folder =
        answer.kind === "manual" && !answer.done
          ? await prepareTakenTree(context, open, question)
          : undefined;
      const alike =
        answer.kind === "retry" ? await answerSameIncident(context, open, question) : [];
      return {
        ...{ run: row.id, checkpoint: checkpoint.id, answer, ownerAlive },
        ...defined({ folder, alike: alike.length > 0 ? alike : undefined }),
      };
    });
  },
});

/** What was fixed for one run is retried by all runs that met it; the words were for that one run only. */
const AGAIN: Answer = { kind: "retry", words: "" };

/** Returns the questions that took the answer; those that were answered already or do not offer it stay as they are. */
async function answerSameIncident(
  context: Context,
  open: OpenHome,
  question: OpenQuestion,
): Promise<readonly { readonly run: string; readonly question: string }[]> {
  const took = [];
  for (const other of await sameIncident(open.journal, question)) {
    try {
      await postAnswer(context, open, other, AGAIN);
    } catch (problem) {
      if (problem instanceof ProblemError) continue;
      throw problem;
    }
    took.push({ run: other.row.id, question: other.checkpoint.id });
  }
  return took;
}

interface Asked {
  readonly run?: string | undefined;
  readonly question: string;
  readonly seen?: number | undefined;
}

/** The open question with this id; if several runs have one, the run must be named. */
async function findQuestion(
  context: Context,
  journal: Journal,
  { run: asked, question: id, seen }: Asked,
): Promise<OpenQuestion> {
  if (asked !== undefined) {
    const row = await findRun(context, journal, asked);
    if (seen !== undefined) await refuseLate(journal, row.id, id, seen);
    if (row.phase === "ended")
      throw notNow(row.id, `run ${row.id} has ended: ${row.outcome ?? ""}`);
  }
  const open = await openQuestions(journal, await askedRuns(context, journal, asked));
  const [found, ...others] = open.filter(({ checkpoint }) => checkpoint.id === id);
  if (found === undefined) {
    const names = open.slice(0, 10).map(({ checkpoint }) => checkpoint.id);
    const hint = names.length > 0 ? `; open: ${names.join(", ")}` : "";
    const where =
      asked === undefined
        ? " in this repository (name a run of another with --run)"
        : ` in run ${cleanLine(asked, 60)}`;
    throw new ProblemError(
      "not-found",
      `there is no open question ${cleanLine(id, 60)}${where}${hint || "; unstuck inbox lists them"}`,
    );
  }
  if (others.length > 0) {
    const runs = [found, ...others].map(({ row }) => row.id).join(", ");
    throw new ProblemError(
      "ambiguous",
      `several runs ask ${cleanLine(id, 60)}; name one with --run: ${runs}`,
    );
  }
  return found;
}

/** A question that was closed since it was read: the error says who answered it. */
async function refuseLate(journal: Journal, run: string, id: string, seen: number): Promise<void> {
  for (const { event } of await journal.read(run, seen + 1, EVENTS_MAX))
    if (event.kind === "checkpoint-closed" && event.checkpoint === id)
      throw lateProblem(run, id, event);
}

const lateProblem = (run: string, id: string, { answer, by }: GivenAnswer): ProblemError =>
  notNow(
    run,
    `${id} of run ${run} was answered already, by ${cleanLine(by, 60)}: ${answerText(answer)}; the first answer stands`,
  );

/** Returns whether a process works on the run and takes the answer at once; otherwise the run has to be resumed. */
async function postAnswer(
  { who = userName() }: Context,
  { home, journal }: OpenHome,
  question: OpenQuestion,
  given: Answer,
): Promise<boolean> {
  const { row, checkpoint } = question;
  const { id: run } = row;
  const answer = redactDeep(given, (text) => redactionOfRun(home.runDir(run)).text(text));
  if (!checkpoint.options.some((option) => option.answer === answer.kind))
    throw new ProblemError(
      "bad-input",
      `${checkpoint.id} of run ${run} offers ${checkpoint.options.map((option) => option.answer).join(", ")}`,
      { run },
    );
  const problem =
    answer.kind === "top-up" ? topUpProblem(checkpoint, answer.by) : wayProblem(checkpoint, answer);
  if (problem !== undefined)
    throw new ProblemError("bad-input", `${checkpoint.id} of run ${run}: ${problem}`, { run });
  /** A question that a person has taken over can still be answered. */
  const comesFirst = (other: AnswerInput): boolean =>
    other.checkpoint === checkpoint.id && (isFinal(other) || !isFinal({ answer }));
  const before = await firstAnswer(journal, question, comesFirst);
  if (before !== undefined) throw lateProblem(run, checkpoint.id, before);
  // The random number distinguishes this answer from an equal one given elsewhere at the same moment.
  const input: AnswerInput = {
    ...{ kind: "checkpoint-answered", checkpoint: checkpoint.id, answer, by: who },
    ...{ at: Date.now(), chance: Math.random() },
  };
  await journal.post(run, input);
  const now = (await journal.run(run)) ?? row;
  const ownerAlive = now.fleet === true ? now.phase !== "paused" : hasLivingOwner(now);
  if (ownerAlive) await isTaken(journal, run, input);
  const first = await firstAnswer(journal, question, comesFirst);
  if (first !== undefined && !isSame(first, input)) throw lateProblem(run, checkpoint.id, first);
  return ownerAlive;
}

/** An impossible way to retry is refused instead of replaced by another. */
function wayProblem({ context }: Checkpoint, answer: Answer): string | undefined {
  const { ways = [] } = context;
  if (answer.kind !== "retry" || answer.how === undefined || ways.includes(answer.how))
    return undefined;
  const possible = ways.length === 0 ? "nothing to choose from" : ways.join(", ");
  return `a retry cannot be "${answer.how}" here; it offers ${possible}`;
}

const isSame = (first: GivenAnswer, own: AnswerInput): boolean =>
  "chance" in first && first.chance === own.chance && "at" in first && first.at === own.at;

const EVENTS_MAX = 100_000;

/**
 * The first answer since the question was read: the earliest recorded answer or end of the question, otherwise the
 * oldest in the inbox.
 */
async function firstAnswer(
  journal: Journal,
  { row, checkpoint }: OpenQuestion,
  comesFirst: (input: AnswerInput) => boolean,
): Promise<GivenAnswer | undefined> {
  for (const { event } of await journal.read(row.id, row.seq + 1, EVENTS_MAX)) {
    if (event.kind === "checkpoint-closed" && event.checkpoint === checkpoint.id)
      return { answer: event.answer, by: event.by };
    if (event.kind !== "received" || event.input.kind !== "checkpoint-answered") continue;
    if (comesFirst(event.input)) return event.input;
  }
  return (await givenAnswers(journal, row.id)).find(comesFirst);
}

const LOOK_MS = 50;
const LOOKS_MAX = 60;

/** Waits until the owner has taken the answer out of the inbox, but not for long: it will in the end. */
async function isTaken(journal: Journal, run: string, input: AnswerInput): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const given = await givenAnswers(journal, run);
    if (!given.some((other) => isSame(other, input))) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Its files are on a worker: they can be fetched here, and given back through the remote. */
async function notByHand(
  { journal }: OpenHome,
  { row, checkpoint: { id, subtask = "" } }: OpenQuestion,
): Promise<ProblemError> {
  const { id: run, repo } = row;
  const { subtasks } = (await recordedRun(journal, run)).history;
  const last = [...(subtasks.get(subtask)?.attempts.keys() ?? [])].at(-1) ?? 1;
  return notNow(
    run,
    `${id} of run ${run} cannot be taken over: its files are on a worker of the fleet\n` +
      `  Get them, in a clone of ${cleanLine(repo, 200)}: unstuck apply ${run} --attempt ${cleanLine(subtask, 60)}/${last}\n` +
      "  Finish and push them there, then answer with --skip, or with --retry and what to do",
  );
}

/** The folder of a subtask that a person takes over, with its last contents; undefined if no attempt ever had one. */
async function prepareTakenTree(
  { tell }: Context,
  { home, journal }: OpenHome,
  { row, checkpoint }: OpenQuestion,
): Promise<string | undefined> {
  const { id: run } = row;
  const { state } = await recordedRun(journal, run);
  const { subtask = "" } = checkpoint;
  const index = state.graph.indexOf.get(subtask);
  const slot = index === undefined ? undefined : subtaskAt(state, index).slots[OWN_TREE];
  const start = await wholeStart(journal, run, home.runDir(run));
  const workspace = await workspaceOf({ journal, row });
  if (start.inPlace === true) return workspace.root;
  if (slot === undefined) return undefined;
  if ((await releasedAs(workspace, slot)) !== undefined) {
    const trees = treesOf(run, workspace, start, redactionOfRun(home.runDir(run)), {
      ...{ now: () => Date.now(), untilDead: () => Promise.resolve() },
      tell: (words) => tell?.(`unstuck: ${words}`),
      stop: new AbortController().signal,
    });
    const made = await asTreeAnswer(workspace, () =>
      readySlot(trees, { subtask, attempt: 0, slot }),
    );
    if (!made.ok) throw notNow(run, `run ${run}: ${made.failure.because[0] ?? ""}`);
  }
  return slotWorktree(workspace, slot).path;
}
