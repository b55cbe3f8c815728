/** Rows as lines for a terminal and as the page docs/overnight.md. */
import type { Row } from "./judge.ts";
import type { Outcome } from "./runners.ts";
import type { Scale } from "./scenario.ts";

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

export function page(rows: readonly Row[], scale: Scale): string {
  const cells = (words: readonly string[]): string => `| ${words.join(" | ")} |`;
  const agents = [...new Set(rows.map(({ agent }) => agent))];
  const tables = agents.flatMap((agent) => [
    `## ${agent}`,
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
    "Written by `npm run overnight -- --write`. Real agents, a scripted model on the same machine, one repository with uncommitted work of its user; beside Unstuck a plain loop that",
    `runs the agent and tells it what the check said, at most ${scale.loop.turns} times. Servers ask for waits of ${scale.wait} s here, outages last ${scale.outage} s. Tokens are counted by the length of what was asked.`,
    "",
    ...tables,
    "## The scenarios",
    "",
    ...[...what].map(([name, text]) => `- **${name}**: ${text}.`),
    "",
  ].join("\n");
}
