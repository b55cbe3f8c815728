/** `unstuck resume`: takes up a run where it stood, after a crash, a stop of the machine, or a pause. */
import { Command } from "commander";
import { resumeAll, resumeRun } from "../../operations/runs/resume.ts";
import { perform, write } from "../io.ts";
import { workInTerminal } from "../work-in-terminal.ts";

interface Flags {
  readonly all?: boolean;
  readonly onlyCutOff?: boolean;
  readonly retry?: string;
  readonly words?: string;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("resume")
    .summary("go on with a run")
    .description(
      "Goes on with a run where it stood. What was under way is proven dead first and reported as lost.",
    )
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--all", "every run that can go on, each in a process of its own")
    .option("--only-cut-off", "with --all: not what a person stopped; what the service does")
    .option("--retry <subtask>", "let a subtask that ended unverified try on")
    .option("--words <text>", "with --retry: what to tell the agent")
    .option("--json", "events as JSON lines")
    .action(async (run: string | undefined, flags: Flags) => {
      const { all, onlyCutOff, retry, words, json } = flags;
      if (all !== true) {
        process.exitCode = await workInTerminal(json === true, (view, how) =>
          perform(resumeRun, { run, retry, words, view }, how),
        );
        return;
      }
      const { resumed } = await perform(resumeAll, { onlyCutOff });
      for (const id of resumed) write(`resumed ${id}`);
      if (resumed.length === 0) write("no run can go on");
    });
}
