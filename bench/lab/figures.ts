/** The results of a policy's tasks, as figures and as a table. Pure. */
import type { Outcome } from "./outcome.ts";

export interface Figures {
  readonly policy: string;
  readonly tasks: number;
  readonly verified: number;
  /** Starts after the first over all tasks, per verified task; and their cost. */
  readonly startsPerSuccess: number;
  readonly costPerSuccess: number;
  readonly questionsRight: number;
  readonly questionsFalse: number;
  /** Starts before the first question on tasks that need a person; null if nothing was asked on any. */
  readonly startsBeforeQuestion: number | null;
  /** Of the right questions: how many contain the agent's own question. */
  readonly withAgentsWords: number;
  readonly verifiedByCause: Readonly<Record<string, string>>;
}

export function figuresOf(policy: string, outcomes: readonly Outcome[]): Figures {
  const verified = outcomes.filter((outcome) => outcome.verified);
  const recoveries = outcomes.flatMap(({ starts }) => starts.slice(1));
  const cost = recoveries.reduce((sum, start) => sum + start.cost, 0);
  const questions = outcomes.flatMap((outcome) => outcome.questions);
  const right = questions.filter((question) => question.right);
  const before = outcomes.flatMap(({ questions: [first] }) =>
    first?.right === true ? first.after : [],
  );
  return {
    policy,
    tasks: outcomes.length,
    verified: verified.length / outcomes.length,
    startsPerSuccess: recoveries.length / verified.length,
    costPerSuccess: cost / verified.length,
    questionsRight: right.length,
    questionsFalse: questions.length - right.length,
    startsBeforeQuestion: median(before),
    withAgentsWords: right.filter(({ agentsWords }) => agentsWords).length,
    verifiedByCause: byCause(outcomes),
  };
}

function byCause(outcomes: readonly Outcome[]): Readonly<Record<string, string>> {
  const groups = Object.groupBy(outcomes, ({ task }) => task.cause);
  return Object.fromEntries(
    Object.entries(groups).map(([cause, list]) => [
      cause,
      `${list.filter(({ verified }) => verified).length}/${list.length}`,
    ]),
  );
}

function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

const HEAD = [
  "policy",
  "verified",
  "starts",
  "cost",
  "asked right",
  "falsely",
  "after starts",
  "own words",
];

/** A Markdown table, which is also readable on a terminal. */
export function table(figures: readonly Figures[]): string {
  const rows = [HEAD, ...figures.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, rule, ...body].join("\n");
}

const cells = (of: Figures): readonly string[] => [
  of.policy,
  `${Math.round(of.verified * 100)} %`,
  of.startsPerSuccess.toFixed(1),
  of.costPerSuccess.toFixed(1),
  String(of.questionsRight),
  String(of.questionsFalse),
  of.startsBeforeQuestion === null ? "-" : String(of.startsBeforeQuestion),
  `${of.withAgentsWords} of ${of.questionsRight}`,
];
