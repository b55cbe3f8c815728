/**
 * `unstuck status`: the runs as a table, or one run as a card. Also the short form that `unstuck` alone shows in a
 * repository, with the commands most useful now.
 */
import { Command } from "commander";
import { listRuns } from "../../operations/runs/status.ts";
import { readRun } from "../../operations/status/read-run.ts";
import { perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { writeCard } from "./watch.ts";
import { commandLines } from "../screen/command-lines.ts";
import { painted, wrapped } from "../screen/line.ts";
import { offerLog } from "../screen/log-key.ts";
import { runTable } from "../screen/run-table.ts";

/** More runs are counted, not listed. */
const LISTED = 10;

/** For `unstuck` alone: the numbers of runs and commands. */
const LISTED_SHORT = 3;
const PROPOSED = 3;

type StatusFlags = Flags<{ readonly all?: boolean; readonly here?: boolean }>;

export function status(): Command {
  return new Command("status")
    .description("Lists the runs, this repository's first, or shows one run as a card.")
    .argument("[run]", "id or a part of it; default: a list")
    .option("--all", "every run of every repository")
    .option("--here", "only this repository's runs")
    .option("--json", "as JSON")
    .action((run: string | undefined, flags: StatusFlags) =>
      run === undefined ? showList(flags) : showRun(run, flags.json === true),
    );
}

async function showList({ all, here, json = false }: StatusFlags): Promise<void> {
  const listing = await perform(listRuns, { all, here, limit: json ? undefined : LISTED });
  if (json) return writeJson(listing);
  const { runs, inside, older, elsewhere } = listing;
  if (runs.length === 0 || (inside && !runs.some((run) => run.here))) {
    const isAlone = runs.length === 0 && elsewhere === "" && here !== true;
    say(`no runs${isAlone ? "" : " in this repository"} yet; start one: ${STARTS[0][0]}`);
  }
  writeTable(runs);
  if (older > 0) say(`and ${older} older: unstuck status --all`);
  const more = runs.some((run) => !run.here) ? "and " : "";
  if (elsewhere !== "") say(`${more}${elsewhere}: unstuck status --all`);
}

/** In a repository: its newest runs and what to do now. Returns false outside one, where there is nothing to show. */
export async function showHere(): Promise<boolean> {
  const { inside, runs, older } = await perform(listRuns, { limit: LISTED_SHORT });
  if (!inside) return false;
  const [first] = runs;
  writeTable(runs);
  if (first === undefined || !first.here) {
    if (first !== undefined) write("");
    writeCommands(STARTS);
  } else {
    if (older > 0) say(`and ${older} older: unstuck status`);
    const proposed = first.next.slice(0, PROPOSED).map(({ command, about }) => [command, about]);
    const name = (command = ""): string => command.replaceAll(first.id, first.name);
    write("");
    writeCommands(proposed.map(([command, about = ""]) => [name(command), about]));
  }
  return true;
}

const STARTS = [
  ['unstuck "make the tests pass"', "start with one line"],
  ["unstuck plan", "let your agent write a plan first"],
  ["unstuck doctor", "check your setup"],
] as const;

function writeTable(runs: Parameters<typeof runTable>[0]): void {
  if (runs.length === 0) return;
  for (const line of runTable(runs, textColumns(), Date.now()))
    write(painted(line, styled).trimEnd());
}

function writeCommands(commands: Parameters<typeof commandLines>[0]): void {
  for (const line of commandLines(commands, textColumns())) write(painted(line, styled));
}

const say = (words: string): void => {
  for (const line of wrapped(words, textColumns())) write(line);
};

async function showRun(asked: string, json: boolean): Promise<void> {
  const run = await perform(readRun, { run: asked });
  if (json) return writeJson(run);
  if (run.card === undefined) return write(`run ${run.id} has not begun: unstuck resume ${run.id}`);
  writeCard(run.card);
  if (run.folderIsGone) return say(`its folder is gone: unstuck clean ${run.id}`);
  if (run.card.subtasks.some(({ attempts }) => attempts > 0)) await offerLog(run.id);
}
