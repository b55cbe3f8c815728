/** `unstuck explain` and `unstuck report`: why each decision was made, and a run or a subtask in Markdown. */
import { Command } from "commander";
import type { OutputOf } from "../../operations/operation.ts";
import { explainRun } from "../../operations/runs/history.ts";
import { reportRun } from "../../operations/runs/report.ts";
import { tameLine } from "../../operations/text.ts";
import { perform, styled, textColumns, UsageError, write, writeJson } from "../io.ts";
import { fitted, painted } from "../screen/line.ts";
import { wrapped } from "../screen/text-width.ts";

interface Flags {
  readonly subtask?: string;
  readonly event?: string;
  readonly json?: boolean;
}

export function explain(): Command {
  return new Command("explain")
    .summary("why it was decided so")
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

export function report(): Command {
  return new Command("report")
    .summary("a run or a subtask as Markdown")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--subtask <id>", "only this subtask")
    .option("--json", "as JSON, the Markdown included")
    .action(async (run: string | undefined, { subtask, json }: Omit<Flags, "event">) => {
      const reported = await perform(reportRun, { run, subtask });
      if (json === true) writeJson(reported);
      else write(reported.markdown);
    });
}
