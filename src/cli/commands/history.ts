/** `unstuck metrics`, `export`, `import`: how well recovery works, and the history of runs out and in. */
import { Command } from "commander";
import { exportRun, importRun, measureRecovery } from "../../operations/runs/history.ts";
import { count, tameLine } from "../../operations/text.ts";
import { perform, readInput, write, writeJson } from "../io.ts";

export function metrics(): Command {
  return new Command("metrics")
    .summary("how well recovery works")
    .argument("[run]", "id or a part of it; default: all runs together")
    .option("--json", "as JSON")
    .action(async (run: string | undefined, { json }: { json?: boolean }) => {
      const measured = await perform(measureRecovery, { run });
      if (json === true) return writeJson(measured);
      const { runs, recovery_triggers: triggers, recovery_success: success } = measured;
      const share = triggers === 0 ? "" : ` (${Math.round((100 * success) / triggers)} %)`;
      const stages = Object.entries(measured.stage_success).toSorted(([, a], [, b]) => b - a);
      write(row("runs", runs));
      write(row("recovery_triggers", triggers));
      write(`${row("recovery_success", success)}${share}`);
      write(row("recovery_iterations", measured.recovery_iterations));
      if (stages.length > 0) write("stage_success");
      for (const [stage, number] of stages) write(row(`  ${tameLine(stage, 40)}`, number));
    });
}

const row = (name: string, number: number): string =>
  `${name.padEnd(24)}${String(number).padStart(6)}`;

export function exportCommand(): Command {
  return new Command("export")
    .summary("a run's attempts or episodes as JSON")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--episodes", "its episodes instead, one JSON line each")
    .action(async (run: string | undefined, { episodes }: { episodes?: boolean }) => {
      const exported = await perform(exportRun, { run, episodes });
      if ("history" in exported) write(JSON.stringify(exported.history, null, 2));
      else for (const episode of exported.episodes) write(JSON.stringify(episode));
    });
}

export function importCommand(): Command {
  return new Command("import")
    .summary("take over attempt history or episodes")
    .argument("[file]", "as unstuck export writes it; default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, { json }: { json?: boolean }) => {
      const text = await readInput(file);
      const name = tameLine(file ?? "standard input", 80);
      const imported = await perform(importRun, { text, name });
      if (json === true) return writeJson(imported);
      const { run, subtasks, attempts, episodes, skipped } = imported;
      const told = [count(subtasks, "subtask"), count(attempts, "attempt")];
      if (episodes > 0) told.push(count(episodes, "episode"));
      write(`imported ${told.join(", ")} as run ${run}`);
      if (skipped > 0) write(`left out ${count(skipped, "malformed entry", "malformed entries")}`);
    });
}
