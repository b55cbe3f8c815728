/**
 * `unstuck events` and `unstuck attach`: what is recorded of a run, and watching one that another process works on:
 * a live tree on a terminal, else plain lines or JSON. Ctrl-C ends the watching, leaves the run alone and says so.
 */
import { Command } from "commander";
import { followRun } from "../../operations/runs/follow.ts";
import type { RunHappening } from "../../operations/runs/follow.ts";
import { perform, styled, write } from "../io.ts";
import { printHappening, writeSummary } from "../print-run.ts";
import { hasScreen, runScreen } from "../screen/run-screen.ts";

function interrupted(): AbortSignal {
  const interrupt = new AbortController();
  process.on("SIGINT", () => interrupt.abort());
  return interrupt.signal;
}

export function events(): Command {
  return new Command("events")
    .summary("what is recorded of a run")
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
    .summary("watch a run that goes on elsewhere")
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
