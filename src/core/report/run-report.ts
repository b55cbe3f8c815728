/**
 * The report of a whole run in Markdown: summary, subtasks, attempts, failures, recoveries, costs, open questions.
 * Invariants: bounded; foreign text is escaped or fenced; each subtask that needs a person has its escalation report.
 */
import { PRICES_DATE } from "../prices.ts";
import { count, knownAmount, type Spending } from "../amounts.ts";
import type { Measure, UnenforcedBudget } from "../budget.ts";
import { escapeMarkdown } from "../foreign-text.ts";
import { tookMs } from "../history/run-history.ts";
import type { RecoveryMetrics } from "../history/recovery-metrics.ts";
import type { Checkpoint } from "../run/checkpoint.ts";
import { KIND_WORDS } from "../kind-words.ts";
import { RECOVERY_WORDS, type RecoveryName } from "../recovery.ts";
import { noteText } from "../run/note.ts";
import { noAnswerText, storyText, unenforcedBudgetText } from "./phrases.ts";
import { attemptLines, needsPerson, subtaskReport } from "./subtask-report.ts";
import type { ReportedSubtask } from "./escalation-report.ts";

export interface ReportedRun extends Spending {
  readonly run: string;
  readonly goal: string;
  readonly outcome: string;
  readonly reason: string;
  readonly durationMs: number;
  readonly subtasks: readonly ReportedSubtask[];
  /** The cost is partly estimated: tokens times list price. */
  readonly estimated: boolean;
  /** Budgets that could not be enforced for some agents. */
  readonly unheld: readonly UnenforcedBudget[];
  readonly metrics: RecoveryMetrics;
  /** Open questions of the run and its subtasks. */
  readonly questions: readonly Checkpoint[];
}

/** A report is for reading: of more subtasks than this, the rest is only counted. */
const SUBTASKS_MAX = 200;
const ESCALATIONS_MAX = 20;

export function runReport(run: ReportedRun): string {
  const troubled = run.subtasks.filter(({ past }) => past.events.length > 0);
  const parked = run.subtasks.filter(needsPerson);
  return [
    `# Run ${escapeMarkdown(run.run, 80)}: ${run.outcome}`,
    escapeMarkdown(run.goal, 400),
    `## Summary\n${summary(run)}`,
    `## Subtasks\n${subtaskTable(run.subtasks)}`,
    `## Attempts\n${attempts(troubled)}`,
    `## Failures\n${failures(run.subtasks)}`,
    `## Recoveries\n${recoveries(run.metrics)}`,
    `## Costs\n${costs(run)}`,
    `## Needs a Person\n${questions(run.questions)}`,
    ...parked.slice(0, ESCALATIONS_MAX).map((subtask) => subtaskReport(subtask).trimEnd()),
    ...(parked.length > ESCALATIONS_MAX
      ? [`(${parked.length - ESCALATIONS_MAX} more subtasks need a person)`]
      : []),
    "",
  ].join("\n\n");
}

function summary({ subtasks, outcome, reason, durationMs }: ReportedRun): string {
  const all = subtasks.flatMap(({ past }) => [...past.attempts.values()]);
  const uncounted = all.filter(({ counted }) => !counted).length;
  const states = [...Map.groupBy(subtasks, ({ phase }) => phase)];
  return [
    `- Outcome: ${outcome}${reason === "" ? "" : ` (${escapeMarkdown(reason)})`}`,
    `- Subtasks: ${states.map(([phase, { length }]) => `${length} ${phase}`).join(", ")}`,
    `- Attempts: ${all.length}${uncounted === 0 ? "" : ` (${uncounted} not counted)`}`,
    `- Time: ${seconds(durationMs)}`,
  ].join("\n");
}

function subtaskTable(subtasks: readonly ReportedSubtask[]): string {
  const rows = subtasks.slice(0, SUBTASKS_MAX).map(({ id, phase, past }) => {
    const ms = past.endedAt === undefined ? undefined : tookMs(past);
    const took = ms === undefined ? "" : seconds(ms);
    const silent = past.unanswered === undefined ? [] : [noAnswerText(id, past.unanswered)];
    const story = escapeMarkdown(
      [...(past.notes ?? []).map(noteText), storyText(past.events), ...silent]
        .filter((part) => part !== "")
        .join("; "),
    );
    return `| ${escapeMarkdown(id, 80)} | ${phase} | ${past.attempts.size} | ${took} | ${story} |`;
  });
  const leftOut = subtasks.length - rows.length;
  return [
    "| Subtask | State | Attempts | Time | What happened |",
    "|---|---|---|---|---|",
    ...rows,
    ...(leftOut === 0 ? [] : ["", `(${leftOut} more left out)`]),
  ].join("\n");
}

function attempts(troubled: readonly ReportedSubtask[]): string {
  if (troubled.length === 0) return "Every subtask that was started went without a failure.";
  return troubled
    .slice(0, SUBTASKS_MAX)
    .map(({ id, past }) => `### ${escapeMarkdown(id, 80)}\n${attemptLines(past)}`)
    .join("\n\n");
}

function failures(subtasks: readonly ReportedSubtask[]): string {
  const failed = subtasks.flatMap(({ id, past }) =>
    past.events.flatMap((event) =>
      event.kind === "failure" ? [{ id: escapeMarkdown(id, 80), kind: event.failure.kind }] : [],
    ),
  );
  const lines = [...Map.groupBy(failed, ({ kind }) => kind)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([kind, all]) => {
      const names = [...new Set(all.map(({ id }) => id))].slice(0, 10);
      return `- ${KIND_WORDS[kind].name}: ${all.length} (${names.join(", ")})`;
    });
  return lines.length === 0 ? "None" : lines.join("\n");
}

function recoveries(metrics: RecoveryMetrics): string {
  const stages = Object.entries(metrics.stage_success).map(
    ([stage, number]) => `- Resolved once it ${stageWords(stage)}: ${number}`,
  );
  return [
    `- Begun: ${metrics.recovery_triggers}`,
    `- Succeeded: ${metrics.recovery_success}`,
    `- Agent starts for recovery: ${metrics.recovery_iterations}`,
    ...stages,
  ].join("\n");
}

const stageWords = (stage: string): string =>
  RECOVERY_WORDS[stage as RecoveryName]?.did ?? `used ${escapeMarkdown(stage, 80)}`;

function costs(run: ReportedRun): string {
  const line = (label: string, measure: Measure, shown = (amount: number) => amount, unit = "") => {
    const { amount, known, told, attempts, limit } = knownAmount(run, measure);
    if (run.ledger.spent[measure] === undefined && known && limit === undefined) return [];
    const number = amount === null ? "unknown" : `${shown(amount)}${unit}`;
    const least = amount === null || known ? "" : "at least ";
    const most = limit === undefined ? "" : ` of at most ${shown(limit)}${unit}`;
    const who = known ? "" : ` (${told} of ${count(attempts, "attempt")} reported it)`;
    return [`- ${label}: ${least}${number}${most}${who}`];
  };
  const cents = (usd: number): number => Math.round(usd * 100) / 100;
  const inMinutes = (ms: number): number => Math.round(ms / 6000) / 10;
  const about = run.estimated ? ` (estimated, prices of ${PRICES_DATE})` : "";
  const lines = [
    ...line(`US dollars${about}`, "usd", cents),
    ...line("Tokens", "tokens"),
    ...line("Agent time", "timeMs", inMinutes, " min"),
    ...line("Attempts", "attempts"),
    ...run.unheld.map((one) => `- Note: ${escapeMarkdown(unenforcedBudgetText(one))}`),
  ];
  return lines.length === 0 ? "Nothing was spent." : lines.join("\n");
}

function questions(open: readonly Checkpoint[]): string {
  if (open.length === 0) return "Nothing is asked.";
  return open
    .slice(0, SUBTASKS_MAX)
    .map(({ id, question, recommendation, options }) => {
      const [name, asked] = [escapeMarkdown(id, 80), escapeMarkdown(question)];
      const best = options.find(({ answer }) => answer === recommendation)?.label ?? recommendation;
      return `- ${name}: ${asked} Recommended: ${escapeMarkdown(best)}`;
    })
    .join("\n");
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
