/** `unstuck classify`: evidence in, failure out; for people, `--json`, or `--jsonl` for streams. */
import { Command } from "commander";
import { classifyByStandardRules } from "../../core/rules/standard.ts";
import { evidenceFrom, evidenceFromLine, evidenceOptions } from "../evidence-options.ts";
import type { EvidenceFlags } from "../evidence-options.ts";
import { describeFailure } from "../failure-text.ts";
import { inputLines, styled, write, writeJson } from "../io.ts";

interface Flags extends EvidenceFlags {
  readonly json?: boolean;
  readonly jsonl?: boolean;
}

export function command(): Command {
  return evidenceOptions(new Command("classify"))
    .summary("what kind of failure is this?")
    .description(
      "Says what kind of failure the evidence shows, how sure that is, and which line decided.",
    )
    .option("--json", "one JSON object")
    .option("--jsonl", "each input line is one evidence, each output line its failure")
    .action(async (file: string | undefined, flags: Flags) => {
      if (flags.jsonl === true) return classifyLines(file);
      const failure = classifyByStandardRules(await evidenceFrom(file, flags));
      if (flags.json === true) writeJson(failure);
      else write(describeFailure(failure, styled));
    });
}

async function classifyLines(file: string | undefined): Promise<void> {
  for await (const { line, text } of inputLines(file)) {
    if (text.trim() === "") continue;
    const { id, evidence } = evidenceFromLine(text, line);
    writeJson({ id, ...classifyByStandardRules(evidence) });
  }
}
