/**
 * `unstuck explain`, `report`, `metrics`, `export`, `import`: why it was decided so, a run in Markdown, how well
 * recovery works, and the history of runs out and in.
 */
import { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import {
  explainRun,
  exportRun,
  importRun,
  measureRecovery,
} from "../../operations/runs/history.ts";
import { reportRun } from "../../operations/runs/report.ts";
import { count, cleanLine } from "../../operations/text.ts";
import { perform, readInput, styled, textColumns, UsageError, write, writeJson } from "../io.ts";
import { fitted, painted, wrapped } from "../screen/line.ts";

interface Flags {
  readonly subtask?: string;
  readonly event?: string;
  readonly json?: boolean;
}

export function explain(): Command {
  return new Command("explain")
    .description("Says for each decision of a run what was seen, considered and chosen, and why.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--subtask <id>", "only this subtask")
    .option("--event <n>", "only this decision, as `unstuck explain` numbers them")
    .option("--json", "as JSON lines")
    .action(async (asked: string | undefined, { subtask, event, json }: Flags) => {
      const wanted = event === undefined ? undefined : Number(event);
      const explained = await perform(explainRun, { run: asked, subtask, event: wanted });
      const { run, begun, decisions } = explained;
      if (json === true) return decisions.forEach(writeJson);
      for (const decision of decisions) write(`${decisionText(decision)}\n`);
      if (decisions.length === 0)
        throw new UsageError(
          begun
            ? `run ${run} has no such decision; unstuck explain ${run} lists them`
            : `run ${run} has decided nothing yet: it is being prepared`,
        );
    });
}

type Decision = OutputOf<typeof explainRun>["decisions"][number];

const LABEL_WIDTH = 12;

function decisionText({ seq, subtask, decision, seen, considered, why }: Decision): string {
  const name = subtask === undefined ? "run" : cleanLine(subtask, 60);
  return [
    painted(
      fitted([[`[${name}]`, "bold"], [` ${seq}: `], [decision, "cyan"]], textColumns()),
      styled,
    ),
    ...labelled("seen", seen),
    ...labelled(
      "considered",
      considered.map(({ rung, recovery, verdict }) => `${rung} (${recovery}): ${verdict}`),
    ),
    ...labelled("why", [why]),
  ].join("\n");
}

const labelled = (label: string, texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => wrapped(text, Math.max(LABEL_WIDTH, textColumns() - LABEL_WIDTH - 2)))
    .map((line, index) => `  ${(index === 0 ? label : "").padEnd(LABEL_WIDTH)}${line}`);

export function report(): Command {
  return new Command("report")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--subtask <id>", "only this subtask")
    .option("--json", "as JSON, the Markdown included")
    .action(async (run: string | undefined, { subtask, json }: Omit<Flags, "event">) => {
      const reported = await perform(reportRun, { run, subtask });
      if (json === true) writeJson(reported);
      else write(reported.markdown);
    });
}

export function metrics(): Command {
  return new Command("metrics")
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
      for (const [stage, number] of stages) write(row(`  ${cleanLine(stage, 40)}`, number));
    });
}

const row = (name: string, number: number): string =>
  `${name.padEnd(24)}${String(number).padStart(6)}`;

export function exportCommand(): Command {
  return new Command("export")
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
    .argument("[file]", "as unstuck export writes it; default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, { json }: { json?: boolean }) => {
      const text = await readInput(file);
      const name = cleanLine(file ?? "standard input", 80);
      const imported = await perform(importRun, { text, name });
      if (json === true) return writeJson(imported);
      const { run, subtasks, attempts, episodes, skipped } = imported;
      const told = [count(subtasks, "subtask"), count(attempts, "attempt")];
      if (episodes > 0) told.push(count(episodes, "episode"));
      write(`imported ${told.join(", ")} as run ${run}`);
      if (skipped > 0) write(`left out ${count(skipped, "malformed entry", "malformed entries")}`);
    });
}
