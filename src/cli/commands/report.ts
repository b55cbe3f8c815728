/** `unstuck report`: a report of a run for people or programs, in the format they read. */
import type { Command } from "commander";
import { cleanLine } from "../../operations/text.ts";
import { commandOnRun, perform, write, writeJson, type Flags } from "../io.ts";
import { UsageError } from "../read-input.ts";

const FORMATS = ["md", "html", "json", "junit"] as const;

type ReportFlags = Flags<{
  subtask?: string;
  format?: string;
  github?: boolean;
}>;

export function report(): Command {
  return commandOnRun("report")
    .description(
      "Prints what came of a run: to read (md), as one HTML file to attach anywhere (html), as data (json), or for a CI system that shows test results (junit).",
    )
    .option("--subtask <id>", "only this subtask")
    .option("--format <format>", "md (the default), html, json or junit")
    .option("--github", "add it to the summary of this GitHub Actions step")
    .option("--json", "as JSON, the Markdown included")
    .action(show);
}

async function show(run: string | undefined, flags: ReportFlags): Promise<void> {
  const { subtask, github = false } = flags;
  const format = formatOf(flags);
  if (github) {
    const { addStepSummary } = await import("../../operations/report/step-summary.ts");
    const { added, cut } = await perform(addStepSummary, { run, subtask });
    const words = added ? "added the report to this step's summary" : "this step's summary is full";
    if (format === undefined) return write(cut && added ? `${words}, shortened` : words);
  }
  const { reportRun } = await import("../../operations/report/report.ts");
  const form = format === "html" || format === "junit" ? format : undefined;
  const reported = await perform(reportRun, { run, subtask, format: form });
  if (format === "json") writeJson(reported);
  else write((reported.html ?? reported.junit ?? reported.markdown).trimEnd());
}

function formatOf({ json, format }: ReportFlags): (typeof FORMATS)[number] | undefined {
  const known = FORMATS.find((name) => name === format);
  if (format !== undefined && known === undefined)
    throw new UsageError(
      `--format: expected md, html, json or junit, got ${cleanLine(format, 40)}`,
    );
  if (json !== true) return known;
  if ((known ?? "json") !== "json")
    throw new UsageError(`give --json or --format ${known}, not both`);
  return "json";
}
