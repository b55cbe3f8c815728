/** Rows as lines for a terminal and as the page docs/overnight.md. */
import type { Row } from "./judge.ts";
import type { Outcome } from "./runners.ts";
import type { OvernightAgent, Scale } from "./scenario.ts";

const figures = ({ right, requests, tokens, seconds, intact, orphans }: Outcome): string[] => [
  right ? "yes" : "no",
  String(requests),
  tokens < 1e6 ? `${(tokens / 1000).toFixed(1)} k` : `${(tokens / 1e6).toFixed(1)} M`,
  `${seconds.toFixed(1)} s`,
  intact ? "whole" : "lost",
  String(orphans),
];

export const line = ({ agent, scenario, unstuck, loop, missed }: Row): string =>
  [
    agent.padEnd(7),
    scenario.padEnd(22),
    ...figures(unstuck).map((cell) => cell.padStart(8)),
    " |",
    ...figures(loop).map((cell) => cell.padStart(8)),
    missed.length === 0 ? "" : `  missed: ${missed.join("; ")}`,
  ].join("");

const HEAD = ["right", "requests", "tokens", "time", "user's files", "orphans"];

/** The bars as judge.ts defines them. */
const BARS = [
  "## The bars",
  "",
  "Every row ends right, with the user's files whole and no process left. Beside that:",
  "",
  "- nothing to recover from, or a fault that is over soon: at most 1.3 times the loop's time plus 3 s, no more requests, and tokens as below;",
  "- the loop solves it: at most 1.1 times its tokens, 1.6 times where two subtasks conflict, because the loop runs them one after another;",
  "- the loop does not solve it: fewer tokens than it burnt. Where the service refused the loop until it gave up, it never paid for the work, and 1.1 times the price of undisturbed work comes on top;",
  "- the loop took wrong work for right: no bar of tokens, because it stopped too early.",
  "",
];

/** How the page was made: the command and the date, and the rows it should contain once the night is over. */
export interface Night {
  readonly command: string;
  readonly date: string;
  readonly runs: number;
  readonly scale: Scale;
  /** The pinned version of each participating agent. */
  readonly versions: Readonly<Partial<Record<OvernightAgent, string>>>;
  /** All requested rows, in order. */
  readonly asked: readonly Pick<Row, "agent" | "scenario">[];
  /** The number of rows of a whole night with all agents. */
  readonly whole: number;
}

export function page(rows: readonly Row[], night: Night): string {
  const { scale, versions } = night;
  const cells = (words: readonly string[]): string => `| ${words.join(" | ")} |`;
  const agents = [...new Set(rows.map(({ agent }) => agent))];
  const tables = agents.flatMap((agent) => [
    `## ${agent} ${versions[agent] ?? ""}`.trimEnd(),
    "",
    cells(["scenario", ...HEAD, ...HEAD.map((word) => `loop: ${word}`)]),
    cells(Array.from({ length: 1 + 2 * HEAD.length }, () => "---")),
    ...rows
      .filter((row) => row.agent === agent)
      .map((row) => cells([row.scenario, ...figures(row.unstuck), ...figures(row.loop)])),
    "",
  ]);
  const what = new Map(rows.map((row) => [row.scenario, row.what]));
  return [
    "# A night with faults",
    "",
    `Written by \`${night.command}\` on ${night.date}. ${extent(rows, night)} ${measured(night)}`,
    "",
    "Real agents, a scripted model on the same machine, one repository with uncommitted work of its user; beside Unstuck a plain loop that",
    `runs the agent and tells it what the check said, at most ${scale.loop.turns} times. Servers ask for waits of ${scale.wait} s here, outages last ${scale.outage} s.`,
    "Tokens are counted as a provider bills them: by the length of every request that is answered; a refused one costs nothing, with Unstuck as with the loop.",
    "",
    ...verdict(rows),
    "",
    ...tables,
    ...BARS,
    "## The scenarios",
    "",
    ...[...what].map(([name, text]) => `- **${name}**: ${text}.`),
    "",
  ].join("\n");
}

const measured = ({ runs }: Night): string =>
  runs === 1
    ? "Each row is one run; where that missed a bar, up to three, with their medians and the least time."
    : `Each row is the median of ${runs} runs.`;

/** Which rows it contains: a partial night is always marked as such. */
function extent(rows: readonly Row[], { asked, whole }: Night): string {
  const missing = asked.filter(
    ({ agent, scenario }) => !rows.some((row) => row.agent === agent && row.scenario === scenario),
  );
  const picked =
    asked.length < whole ? `Only ${asked.length} of ${whole} rows were asked for. ` : "";
  if (missing.length === 0)
    return picked === "" ? `All ${whole} rows are here.` : `${picked}All of those are here.`;
  const names = missing.map(({ agent, scenario }) => `${scenario} (${agent})`);
  return `${picked}**Not complete**: ${missing.length} of ${asked.length} rows are missing: ${names.join(", ")}.`;
}

function verdict(rows: readonly Row[]): readonly string[] {
  const short = rows.filter(({ missed }) => missed.length > 0);
  if (short.length === 0) return ["Every row here holds its bars."];
  return [
    `${rows.length - short.length} of ${rows.length} rows hold their bars. The others:`,
    "",
    ...short.map(({ agent, scenario, missed }) => `- ${agent}, ${scenario}: ${missed.join("; ")}`),
  ];
}
