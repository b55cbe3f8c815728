/**
 * `unstuck attach`, `events`, `metrics`, `export`, `import`: watching a run that another process works on, its events
 * and the reasons for them, how well recovery works, and exporting and importing histories. A run is a live tree on a
 * terminal, otherwise plain lines or JSON; Ctrl-C only ends the watching, and says so.
 */
import { Command } from "commander";
import { followRun, type RunHappening } from "../../operations/follow/follow.ts";
import type { Card } from "../../operations/status/card-schema.ts";
import { count, cleanLine } from "../../operations/text.ts";
import { commandOnRun, perform, styled, textColumns, write, writeJson, type Flags } from "../io.ts";
import { readInput } from "../read-input.ts";
import { cardLines } from "../screen/card.ts";
import { lineWidth, painted, plain, wrapped } from "../screen/line.ts";
import { hasScreen, runScreen } from "../screen/run-screen.ts";

/** Loads three times what the other commands here need. */
const history = () => import("../../operations/runs/history.ts");

export function events(): Command {
  return commandOnRun("events")
    .description("Prints everything recorded about a run, in the order it happened.")
    .option("--from <n>", "first event", "1")
    .option("--follow", "keep going until the run ends")
    .option("--json", "every event as a JSON line")
    .action(async (run: string | undefined, flags: Flags<{ follow?: boolean; from: string }>) => {
      const from = Math.max(1, Number(flags.from) || 1);
      const until = flags.follow === true ? "ended" : "now";
      const on = (happening: RunHappening): void => printHappening(happening, flags.json === true);
      await perform(followRun, { run, from, until }, { signal: interrupted(), on });
    });
}

export function attach(): Command {
  return commandOnRun("attach")
    .description(
      "Watches a run that another process is working on. Ctrl-C stops watching, not the run.",
    )
    .option("--json", "events as JSON lines, then the result")
    .action(async (asked: string | undefined, { json = false }: Flags) => {
      const signal = interrupted();
      const leave = (): void => void process.emit("SIGINT", "SIGINT");
      const screen = json || !hasScreen() ? undefined : runScreen(process.stdout, leave);
      const on = (happening: RunHappening): void => {
        if (happening.kind === "preparing" && !json)
          write(`run ${happening.run} is being prepared`);
        else if (screen === undefined) printHappening(happening, json);
        else screen.take(happening);
      };
      const [onlyNews, until] = [screen !== undefined, "unattended"] as const;
      const view = onlyNews ? "live" : "end";
      const following = perform(followRun, { run: asked, until, onlyNews, view }, { signal, on });
      const followed = await following.finally(() => screen?.end(signal.aborted));
      if (json) return writeResult(followed);
      const { run, goesOn } = followed;
      if (signal.aborted && goesOn)
        write(`detached; the run continues: ${styled("bold", `unstuck attach ${run}`)}`);
      else writeCard(followed.card);
    });
}

function interrupted(): AbortSignal {
  const interrupt = new AbortController();
  process.on("SIGINT", () => interrupt.abort());
  return interrupt.signal;
}

export function printHappening(happening: RunHappening, json: boolean): void {
  if (happening.kind !== "recorded") return;
  const { seq, event, line } = happening;
  if (json) return writeJson({ seq, event });
  if (line === undefined) return;
  const isWide = lineWidth(line) > textColumns();
  const lines = isWide ? wrapped(plain(line), textColumns()) : [painted(line, styled)];
  for (const words of lines) write(words);
}

/** The last line for programs: a line of `schemas/run-line.schema.json`. */
export const writeResult = (output: object): void => writeJson({ kind: "result", ...output });

/** Writes nothing for a run that has not begun. */
export function writeCard(card: Card | undefined): void {
  if (card === undefined) return;
  for (const line of cardLines(card, textColumns(), Date.now()))
    write(painted(line, styled).trimEnd());
}

export function metrics(): Command {
  return new Command("metrics")
    .argument("[run]", "id or a part of it; default: all runs together")
    .option("--json", "as JSON")
    .action(async (run: string | undefined, { json }: Flags) => {
      const measured = await perform((await history()).measureRecovery, { run });
      if (json === true) return writeJson(measured);
      const { runs, recovery_triggers: triggers, recovery_success: success } = measured;
      const share = triggers === 0 ? "" : ` (${Math.round((100 * success) / triggers)} %)`;
      const stages = Object.entries(measured.stage_success).toSorted(([, a], [, b]) => b - a);
      write(row("runs", runs));
      write(row("recovery_triggers", triggers));
      write(`${row("recovery_success", success)}${share}`);
      write(row("recovery_iterations", measured.recovery_iterations));
      if (stages.length > 0) write("stage_success");
      for (const [stage, number] of stages) write(row(`  ${cleanLine(stage, 40)}`, number));
    });
}

const row = (name: string, number: number): string =>
  `${name.padEnd(24)}${String(number).padStart(6)}`;

export function exportCommand(): Command {
  return commandOnRun("export")
    .option("--episodes", "its episodes instead, one JSON line each")
    .option("--json", "all in one JSON line")
    .action(async (run: string | undefined, { episodes, json }: Flags<{ episodes?: boolean }>) => {
      const exported = await perform((await history()).exportRun, { run, episodes });
      if (json === true) writeJson(exported);
      else if ("history" in exported) write(JSON.stringify(exported.history, null, 2));
      else for (const episode of exported.episodes) write(JSON.stringify(episode));
    });
}

export function importCommand(): Command {
  return new Command("import")
    .argument("[file]", "as unstuck export writes it; default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, { json }: Flags) => {
      const text = await readInput(file);
      const name = cleanLine(file ?? "standard input", 80);
      const imported = await perform((await history()).importRun, { text, name });
      if (json === true) return writeJson(imported);
      const { run, subtasks, attempts, episodes, skipped } = imported;
      const told = [count(subtasks, "subtask"), count(attempts, "attempt")];
      if (episodes > 0) told.push(count(episodes, "episode"));
      write(`imported ${told.join(", ")} as run ${run}`);
      if (skipped > 0) write(`left out ${count(skipped, "malformed entry", "malformed entries")}`);
    });
}
