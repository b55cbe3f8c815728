/**
 * Builds the card of a run: its outcome, or its current state. Pure: from recorded data and from what was read of its
 * workspace. Invariants: it never throws, whatever the run went through; every foreign text in it is sanitized and
 * bounded.
 */
import { knownAmount, spending } from "../../core/amounts.ts";
import { waitText } from "../../core/backoff.ts";
import { testConvention } from "../../core/checks/judging/test-conventions.ts";
import { defined } from "../../core/defined.ts";
import { cleanLine } from "../../core/foreign-text.ts";
import { tookMs } from "../../core/history/run-history.ts";
import { vectorItems } from "../../core/persistent-collections.ts";
import type { RunPlan } from "../../core/plan/run-plan.ts";
import { RECOVERY_WORDS } from "../../core/recovery.ts";
import {
  alertText,
  parkedText,
  lastFailureWords,
  noAnswerText,
  unenforcedBudgetText,
} from "../../core/report/phrases.ts";
import { noteText, rulesOutVerified } from "../../core/run/note.ts";
import { isStopped, phases, type Phase } from "../../core/run/view.ts";
import type { FileLines } from "../../workspace/git/read-objects.ts";
import { openCheckpoints, type RecordedRun } from "../runs/recorded.ts";
import { checkVerdicts, type CheckedSubtask } from "./check-verdicts.ts";
import type { Card } from "./card-schema.ts";
import { nextCommands } from "./next-commands.ts";
import type { Standing } from "./run-state.ts";
import { stateSentence } from "./state-sentence.ts";

export interface CardFacts extends RecordedRun {
  readonly run: string;
  readonly standing: Standing;
  /** The checks of each subtask; missing if they are not known. */
  readonly plan?: Pick<RunPlan, "subtasks"> | undefined;
  /** The result compared with the base. `isNew`: the base has no such file. */
  readonly files?: readonly (FileLines & { readonly isNew: boolean })[] | undefined;
  readonly applied: boolean;
  readonly folderIsGone?: boolean;
  readonly now: number;
}

const LARGEST = 8;
const LINE_CHARS = 300;
const DONE: ReadonlySet<Phase> = new Set(["verified", "unverified", "answered"]);

type CardSubtask = CheckedSubtask &
  Pick<Card["subtasks"][number], "attempts" | "words"> & {
    readonly took?: number;
    readonly wakesAt?: number;
  };

export function makeCard(facts: CardFacts): Card {
  const { run, state, history, standing, files, applied, now } = facts;
  const subtasks = subtasksOf(facts);
  const checks = checkVerdicts(subtasks, state.baseline);
  const inPlace = state.plan.inPlace === true;
  const started = history.startedAt ?? history.at;
  const ended = isStopped(state) || standing.state === "interrupted" ? history.at : now;
  const questions = state.phase === "ended" ? [] : openCheckpoints(state);
  return {
    ...{ run, state: standing.state, applied, goal: cleanLine(state.plan.goal, LINE_CHARS) },
    sentence: stateSentence(state, standing, {
      open: questions.length,
      noWorse: checks.some(({ verdict }) => verdict === "no worse"),
    }),
    ...defined({
      waitsUntil:
        standing.waitsUntil === undefined ? undefined : new Date(standing.waitsUntil).toISOString(),
      branch: inPlace || state.phase === "new" ? undefined : `unstuck/${run}`,
      changes: files && changesOf(files),
    }),
    checks,
    subtasks: subtasks.map(shownSubtask),
    unverified: subtasks.flatMap(unverifiedOf),
    editedTests: editedTests(subtasks, files ?? []),
    spent: spending(state),
    tookMs: Math.max(0, ended - started),
    agentsMs: knownAmount(state, "timeMs").amount ?? 0,
    waitedMs: subtasks.reduce((most, { past }) => Math.max(most, waited(past, ended)), 0),
    recovered: recoveredOf(subtasks),
    questions: questions.map(({ id, question }) => ({
      ...{ id: cleanLine(id, 60), question: cleanLine(question, LINE_CHARS) },
    })),
    warnings: [
      ...subtasks.flatMap(({ id, phase, past }) =>
        past?.alert !== undefined && (phase === "asking" || phase === "stuck")
          ? [`${cleanLine(id, 60)}: ${alertText(past.alert)}`]
          : [],
      ),
      ...state.unheld.map(unenforcedBudgetText),
    ],
    next: nextCommands({
      ...{ id: run, state: standing.state, questions: questions.length, applied, inPlace },
      ...{ isEmpty: files?.length === 0, folderIsGone: facts.folderIsGone === true },
      retry: subtasks.find(({ phase, notes }) => phase === "unverified" && notes.length > 0)?.id,
      best: bestAttempt(subtasks),
    }),
  };
}

function subtasksOf({ state, history, plan }: CardFacts): readonly CardSubtask[] {
  const shown = phases(state);
  return vectorItems(state.subtasks).map((own, index): CardSubtask => {
    const id = state.plan.subtasks[index]?.id ?? "";
    const past = history.subtasks.get(id);
    const phase = shown[index] ?? own.phase;
    const failure = lastFailureWords(past?.events ?? []);
    const isGivenUp = phase === "stuck" || phase === "skipped";
    const words = [
      ...own.notes.map(noteText),
      ...(own.unanswered === undefined ? [] : [noAnswerText(id, own.unanswered)]),
      ...(isGivenUp && past?.parked !== undefined ? [parkedText(past.parked)] : []),
      ...(DONE.has(phase) || phase === "blocked" || failure === undefined ? [] : [failure]),
    ];
    return {
      ...{ id, phase, notes: own.notes, checks: plan?.subtasks[id]?.checks ?? [], past },
      ...{
        attempts: own.attempt,
        words: [...new Set(words)].map((one) => cleanLine(one, LINE_CHARS)),
      },
      ...defined({ took: past && tookMs(past), wakesAt: own.timer?.dueAt }),
    };
  });
}

const shownSubtask = (subtask: CardSubtask): Card["subtasks"][number] => ({
  ...{ id: cleanLine(subtask.id, 60), phase: subtask.phase, attempts: subtask.attempts },
  ...{ words: subtask.words, recoveries: recoveriesOf([subtask]) },
  ...defined({
    tookMs: subtask.took,
    wakesAt: subtask.wakesAt === undefined ? undefined : new Date(subtask.wakesAt).toISOString(),
    waitsFor:
      subtask.wakesAt === undefined
        ? undefined
        : cleanLine(waitText(subtask.past?.waitReason ?? ""), 80),
  }),
});

function unverifiedOf({ id, phase, notes, checks, past }: CardSubtask): Card["unverified"] {
  const why = (text: string) => [{ subtask: cleanLine(id, 60), why: cleanLine(text, LINE_CHARS) }];
  if (phase === "unverified") {
    const taken = notes.filter(rulesOutVerified).map(noteText);
    if (taken.length > 0) return why(taken.join("; "));
    return why(checks.length === 0 ? "it has no checks" : "its checks did not verify it");
  }
  if (phase === "stuck" || phase === "skipped")
    return why(parkedText(past?.parked ?? "it was given up"));
  return phase === "blocked" ? why("it waits for a subtask that is not done") : [];
}

function changesOf(files: readonly FileLines[]): NonNullable<Card["changes"]> {
  const size = ({ added, removed }: FileLines): number => added + removed;
  return {
    files: files.length,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
    largest: files
      .toSorted((a, b) => size(b) - size(a))
      .slice(0, LARGEST)
      .map(({ path, added, removed }) => ({ path: cleanLine(path, 200), added, removed })),
  };
}

/** Files that weakened a verdict, and every changed file that is a test by its name or location. */
function editedTests(
  subtasks: readonly CardSubtask[],
  files: NonNullable<CardFacts["files"]>,
): string[] {
  const noted = subtasks.flatMap(({ notes }) =>
    notes.flatMap((note) => (note.kind === "own-tests" ? note.files : [])),
  );
  const byName = files.flatMap(({ path, isNew }) =>
    !isNew && testConvention(path, false) !== undefined ? [path] : [],
  );
  return [...new Set([...noted, ...byName])].map((path) => cleanLine(path, 200));
}

const waited = (past: CheckedSubtask["past"], now: number): number =>
  (past?.waitedMs ?? 0) +
  (past?.waitingSince === undefined ? 0 : Math.max(0, now - past.waitingSince));

/** Only subtasks that succeeded count as recovered. */
function recoveredOf(subtasks: readonly CardSubtask[]): Card["recovered"] {
  const saved = subtasks.filter(({ phase }) => DONE.has(phase));
  const failed = saved.flatMap(({ past }) =>
    [...(past?.attempts.values() ?? [])].filter(({ failure }) => failure !== undefined),
  );
  return { attempts: failed.length, by: recoveriesOf(saved) };
}

/** The recoveries, each once with its number. */
function recoveriesOf(subtasks: readonly CardSubtask[]): Card["recovered"]["by"] {
  const times = new Map<string, number>();
  for (const { past } of subtasks)
    for (const event of past?.events ?? [])
      if (event.kind === "recovery")
        for (const { kind } of event.recoveries)
          if (kind !== "skip" && kind !== "ask") {
            const { did } = RECOVERY_WORDS[kind];
            times.set(did, (times.get(did) ?? 0) + 1);
          }
  return [...times].map(([words, n]) => ({ words, times: n }));
}

/** For the first subtask that was given up: the last attempt that left something. */
function bestAttempt(subtasks: readonly CardSubtask[]): string | undefined {
  for (const { id, phase, past } of subtasks) {
    if (DONE.has(phase)) continue;
    const left = [...(past?.attempts.values() ?? [])].findLast(
      ({ treeBefore, treeAfter = "" }) => treeAfter !== "" && treeAfter !== treeBefore,
    );
    if (left !== undefined && /^[\w.-]+$/.test(id)) return `${id}/${left.attempt}`;
  }
  return undefined;
}
