/**
 * `unstuck status`, `attach`, `events`: the runs, watching one that another process works on, and what is recorded of
 * it: a live tree on a terminal, else plain lines or JSON. Ctrl-C ends the watching, leaves the run alone and says so.
 */
import { Command } from "commander";
import { followRun } from "../../operations/runs/follow.ts";
import type { RunHappening } from "../../operations/runs/follow.ts";
import type { RunView } from "../../operations/runs/run-view.ts";
import { listRuns, readRun } from "../../operations/runs/status.ts";
import { count, cleanLine } from "../../operations/text.ts";
import { perform, styled, write, writeJson } from "../io.ts";
import { painted, plain } from "../screen/line.ts";
import { hasScreen, runScreen } from "../screen/run-screen.ts";
import { summaryLines } from "../screen/summary.ts";

export function status(): Command {
  return new Command("status")
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
        `${id}  ${state.padEnd(20)} ${cleanLine(title, 60)}`,
        ...(all && repository !== "" ? [`in ${cleanLine(repository, 200)}`] : []),
        ...(branch === undefined ? [] : [`on ${cleanLine(branch, 60)}`]),
        ...(folderIsGone ? ["its folder is gone"] : []),
      ].join("  "),
    );
  if (elsewhere !== "") write(`${elsewhere}: unstuck status --all`);
}

async function showRun(asked: string, json: boolean): Promise<void> {
  const run = await perform(readRun, { run: asked });
  if (json) return writeJson(run);
  const { id, branch, spentWords, outcome } = run;
  write(`${styled("bold", id)}  ${run.state}  ${cleanLine(run.title, 60)}`);
  const started = branch === undefined ? "" : ` on ${cleanLine(branch, 60)}`;
  write(
    `repository ${cleanLine(run.repository, 100)}${started}, ` +
      (run.folderIsGone
        ? `its folder is gone: unstuck clean ${id}`
        : `${(run.diskBytes / 1e6).toFixed(1)} MB on disk`),
  );
  if (spentWords.length > 0) write(`used ${spentWords.join(" · ")}`);
  for (const { words } of run.unheld) write(words);
  if (outcome?.reason !== undefined) write(cleanLine(outcome.reason, 300));
  for (const subtask of run.subtasks) {
    const { phase, lastFailure, wakesAt, question, unansweredWords } = subtask;
    const isDone = phase === "verified" || phase === "answered";
    const failure = lastFailure === undefined || isDone ? "" : `, last ${lastFailure}`;
    const tries = count(subtask.attempts, "attempt");
    write(`  ${phase.padEnd(10)} ${cleanLine(subtask.id, 40)}  ${tries}${failure}`);
    const more = [
      ...(wakesAt === undefined ? [] : [`waits until ${wakesAt}`]),
      ...(unansweredWords === undefined ? [] : [unansweredWords]),
      ...subtask.notes.map(({ words }) => words),
      ...(question === undefined ? [] : [`? ${question}`]),
    ];
    for (const words of more) write(`             ${words}`);
  }
}

export function events(): Command {
  return new Command("events")
    .description("Prints what is recorded of a run, in the order it happened.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--from <n>", "first event", "1")
    .option("--follow", "go on until the run ends")
    .option("--json", "every event as a JSON line")
    .action(
      async (
        run: string | undefined,
        flags: { readonly follow?: boolean; readonly json?: boolean; readonly from: string },
      ) => {
        const from = Math.max(1, Number(flags.from) || 1);
        const until = flags.follow === true ? "ended" : "now";
        await perform(
          followRun,
          { run, from, until },
          {
            signal: interrupted(),
            on: (happening) => printHappening(happening, flags.json === true),
          },
        );
      },
    );
}

export function attach(): Command {
  return new Command("attach")
    .description("Watches a run that goes on elsewhere. Ctrl-C ends the watching, not the run.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--json", "every event as a JSON line")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      const json = flags.json === true;
      const signal = interrupted();
      const screen = json || !hasScreen() ? undefined : runScreen();
      const on = (happening: RunHappening): void => {
        if (happening.kind === "preparing" && !json)
          write(`run ${happening.run} is being prepared`);
        else if (screen === undefined) printHappening(happening, json);
        else screen.take(happening);
      };
      const view = json ? undefined : screen === undefined ? "end" : "live";
      const input = {
        run: asked,
        until: "unattended",
        onlyNews: screen !== undefined,
        view,
      } as const;
      const followed = await perform(followRun, input, { signal, on }).finally(() =>
        screen?.end(signal.aborted),
      );
      const { run } = followed;
      const goesOn = signal.aborted && followed.goesOn;
      if (!json && screen === undefined && !goesOn) writeSummary(followed.view);
      if (!json && goesOn)
        write(`detached; run ${run} goes on: ${styled("bold", `unstuck attach ${run}`)}`);
    });
}

function interrupted(): AbortSignal {
  const interrupt = new AbortController();
  process.on("SIGINT", () => interrupt.abort());
  return interrupt.signal;
}

const PLAIN_COLUMNS = 100;

export function printHappening(happening: RunHappening, json: boolean): void {
  if (happening.kind !== "recorded") return;
  const { seq, event, line } = happening;
  if (json) writeJson({ seq, event });
  else if (line !== undefined) write(painted(line, styled));
}

/** Nothing of a run that has not begun. */
export function writeSummary(view: RunView | undefined): void {
  if (view === undefined) return;
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : PLAIN_COLUMNS;
  for (const line of summaryLines(view, columns, Date.now())) write(plain(line));
}
