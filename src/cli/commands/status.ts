/** `unstuck status`: the runs of this repository or of all, or one run in detail. */
import { Command } from "commander";
import { listRuns, readRun } from "../../operations/runs/status.ts";
import { count, tameLine } from "../../operations/text.ts";
import { perform, styled, write, writeJson } from "../io.ts";

export function command(): Command {
  return new Command("status")
    .summary("the runs, or one run in detail")
    .argument("[run]", "id or a part of it; default: a list of this repository's")
    .option("--all", "list the runs of all repositories")
    .option("--json", "as JSON")
    .action((run: string | undefined, { all, json }: { all?: boolean; json?: boolean }) =>
      run === undefined ? showList(all === true, json === true) : showRun(run, json === true),
    );
}

async function showList(isAsked: boolean, json: boolean): Promise<void> {
  const { runs, all, elsewhere } = await perform(listRuns, { all: isAsked });
  if (json) return writeJson(runs);
  if (runs.length === 0)
    write(
      `no runs${elsewhere === "" ? "" : " in this repository"} yet: start one with unstuck run`,
    );
  for (const { id, state, title, repository, branch, folderIsGone } of runs)
    write(
      [
        `${id}  ${state.padEnd(20)} ${tameLine(title, 60)}`,
        ...(all && repository !== "" ? [`in ${tameLine(repository, 200)}`] : []),
        ...(branch === undefined ? [] : [`on ${tameLine(branch, 60)}`]),
        ...(folderIsGone ? ["its folder is gone"] : []),
      ].join("  "),
    );
  if (elsewhere !== "") write(`${elsewhere}: unstuck status --all`);
}

async function showRun(asked: string, json: boolean): Promise<void> {
  const run = await perform(readRun, { run: asked });
  if (json) return writeJson(run);
  const { id, branch, spentWords, outcome } = run;
  write(`${styled("bold", id)}  ${run.state}  ${tameLine(run.title, 60)}`);
  const started = branch === undefined ? "" : ` on ${tameLine(branch, 60)}`;
  write(
    `repository ${tameLine(run.repository, 100)}${started}, ` +
      (run.folderIsGone
        ? `its folder is gone: unstuck clean ${id}`
        : `${(run.diskBytes / 1e6).toFixed(1)} MB on disk`),
  );
  if (spentWords.length > 0) write(`used ${spentWords.join(" · ")}`);
  for (const { words } of run.unheld) write(words);
  if (outcome?.reason !== undefined) write(tameLine(outcome.reason, 300));
  for (const subtask of run.subtasks) {
    const { phase, lastFailure, wakesAt, question, unansweredWords } = subtask;
    const isDone = phase === "verified" || phase === "answered";
    const failure = lastFailure === undefined || isDone ? "" : `, last ${lastFailure}`;
    const tries = count(subtask.attempts, "attempt");
    write(`  ${phase.padEnd(10)} ${tameLine(subtask.id, 40)}  ${tries}${failure}`);
    const more = [
      ...(wakesAt === undefined ? [] : [`waits until ${wakesAt}`]),
      ...(unansweredWords === undefined ? [] : [unansweredWords]),
      ...subtask.notes.map(({ words }) => words),
      ...(question === undefined ? [] : [`? ${question}`]),
    ];
    for (const words of more) write(`             ${words}`);
  }
}
