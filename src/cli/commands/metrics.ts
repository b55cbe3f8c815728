/** `unstuck metrics`: how well recovery works (A10), for a run or over all of them. */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { addMetrics, NO_RECOVERIES } from "../../core/history/recovery-metrics.ts";
import type { RecoveryMetrics } from "../../core/history/recovery-metrics.ts";
import type { Journal } from "../../journal/journal.ts";
import { openHome } from "../../operations/home.ts";
import { write, writeJson } from "../io.ts";
import { openUserJournal } from "../../operations/journal.ts";
import { findRun } from "../find-run.ts";
import { recordedState } from "../run-state.ts";

interface Measured extends RecoveryMetrics {
  readonly runs: number;
}

export function command(): Command {
  return new Command("metrics")
    .summary("how well recovery works")
    .argument("[run]", "id or a part of it; default: all runs together")
    .option("--json", "as JSON")
    .action(async (asked: string | undefined, flags: { json?: boolean }) => {
      const journal = await openUserJournal(openHome());
      try {
        const measured = await measure(journal, asked);
        if (flags.json === true) writeJson(measured);
        else for (const line of described(measured)) write(line);
      } finally {
        await journal.close();
      }
    });
}

async function measure(journal: Journal, asked: string | undefined): Promise<Measured> {
  const rows = asked === undefined ? await journal.runs() : [await findRun(journal, asked)];
  let sum = NO_RECOVERIES;
  for (const { id } of rows) sum = addMetrics(sum, (await recordedState(journal, id)).metrics);
  return { runs: rows.length, ...sum };
}

function described(measured: Measured): readonly string[] {
  const { runs, recovery_triggers: triggers, recovery_success: success } = measured;
  const share = triggers === 0 ? "" : ` (${Math.round((100 * success) / triggers)} %)`;
  const stages = Object.entries(measured.stage_success).toSorted(([, a], [, b]) => b - a);
  return [
    row("runs", runs),
    row("recovery_triggers", triggers),
    `${row("recovery_success", success)}${share}`,
    row("recovery_iterations", measured.recovery_iterations),
    ...(stages.length === 0 ? [] : ["stage_success"]),
    ...stages.map(([stage, number]) => row(`  ${tameLine(stage, 40)}`, number)),
  ];
}

const row = (name: string, number: number): string =>
  `${name.padEnd(24)}${String(number).padStart(6)}`;
