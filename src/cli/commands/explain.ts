/**
 * `unstuck explain`: for each recovery of a run (or of one subtask), what was seen, what was considered, what was chosen and
 * why (U8). Imports journal and core. Everything it says stands in the journal; nothing is worked out again.
 */
import { Command } from "commander";
import type { DecisionOf } from "../../core/run/decision.ts";
import { styled, write, writeJson } from "../io.ts";
import { aboutRun } from "../run-command.ts";

const ROWS_AT_ONCE = 5000;

export function command(): Command {
  return new Command("explain")
    .summary("why a recovery was chosen")
    .argument("[run]", "id or a part of it; default: the latest")
    .option("--subtask <id>", "only this subtask")
    .option("--json", "as JSON lines")
    .action(async (asked: string | undefined, flags: { subtask?: string; json?: boolean }) => {
      await aboutRun(asked, async ({ journal, row }) => {
        let seen: DecisionOf<"failure-classified"> | undefined;
        for (let from = 1; ;) {
          const rows = await journal.read(row.id, from, ROWS_AT_ONCE);
          if (rows.length === 0) return;
          from += rows.length;
          for (const { seq, event } of rows) {
            if (event.kind === "failure-classified") seen = event;
            if (
              event.kind !== "recovery-chosen" ||
              (flags.subtask ?? event.subtask) !== event.subtask
            )
              continue;
            if (flags.json === true) writeJson({ seq, seen, decision: event });
            else write(`${explained(seq, seen, event)}\n`);
          }
        }
      });
    });
}

function explained(
  seq: number,
  seen: DecisionOf<"failure-classified"> | undefined,
  { subtask, recoveries, rule, because, considered }: DecisionOf<"recovery-chosen">,
): string {
  const failure = seen?.failure;
  return [
    `${styled("bold", `[${subtask}]`)} event ${seq}: ${styled("cyan", recoveries.map(({ kind }) => kind).join(" + "))}`,
    ...(failure === undefined
      ? []
      : [
          `  seen        ${failure.kind} (${failure.category}, ${failure.origin}), confidence ${failure.confidence.toFixed(2)}`,
        ]),
    ...(failure?.because ?? []).map((reason) => `              ${reason}`),
    `  chosen      ${rule}: ${because}`,
    ...considered.map(
      (one, index) =>
        `${index === 0 ? "  considered  " : "              "}${one.rung} (${one.recovery}): ${one.verdict}`,
    ),
  ].join("\n");
}
