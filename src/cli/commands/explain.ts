/**
 * `unstuck explain`: for any decision of a run what was seen, considered and chosen, and why (U8). Everything it
 * says stands in the journal; nothing is worked out again.
 */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { explainer } from "../../core/report/explanation.ts";
import type { Explanation } from "../../core/report/explained.ts";
import { styled, textColumns, UsageError, write, writeJson } from "../io.ts";
import { recordedEvents } from "../recorded-run.ts";
import { aboutRun } from "../run-command.ts";
import { fitted, painted } from "../screen/line.ts";
import { wrapped } from "../screen/text-width.ts";

interface Flags {
  readonly subtask?: string;
  readonly event?: string;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("explain")
    .summary("why it was decided so")
    .description("Says for each decision of a run what was seen, considered and chosen, and why.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--subtask <id>", "only this subtask")
    .option("--event <n>", "only this decision, as `unstuck explain` numbers them")
    .option("--json", "as JSON lines")
    .action((asked: string | undefined, flags: Flags) => explainRun(asked, flags));
}

async function explainRun(asked: string | undefined, flags: Flags): Promise<void> {
  const wanted = flags.event === undefined ? undefined : Number(flags.event);
  await aboutRun(asked, async ({ journal, row }) => {
    const { explain } = explainer();
    let found = 0;
    for await (const { seq, event } of recordedEvents(journal, row.id)) {
      const explained = explain(seq, event);
      if (explained === undefined || (wanted ?? seq) !== seq) continue;
      if (flags.subtask !== undefined && explained.subtask !== flags.subtask) continue;
      found += 1;
      if (flags.json === true) writeJson({ ...explained, event });
      else write(`${text(explained)}\n`);
    }
    if (found === 0 && flags.json !== true)
      throw new UsageError(
        row.seq === 0
          ? `run ${row.id} has decided nothing yet: it is being prepared`
          : `run ${row.id} has no such decision; unstuck explain ${row.id} lists them`,
      );
  });
}

const LABEL_WIDTH = 12;

function text({ seq, subtask, decision, seen, considered, why }: Explanation): string {
  const name = subtask === undefined ? "run" : tameLine(subtask, 60);
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
