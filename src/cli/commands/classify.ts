/** `unstuck classify`: evidence in, failure out; for people, `--json`, or `--jsonl` for streams. */
import { Command } from "commander";
import { classifyFailure } from "../../operations/advice/advice.ts";
import { describeFailure } from "../../operations/advice/evidence.ts";
import { evidenceInput, evidenceLines, evidenceOptions } from "../evidence-options.ts";
import type { EvidenceFlags } from "../evidence-options.ts";
import { perform, styled, write, writeJson } from "../io.ts";

export function command(): Command {
  return evidenceOptions(new Command("classify"))
    .summary("what kind of failure is this?")
    .description(
      "Says what kind of failure the evidence shows, how sure that is, and which line decided.",
    )
    .option("--json", "one JSON object")
    .option("--jsonl", "each input line is one evidence, each output line its failure")
    .action(async (file: string | undefined, flags: EvidenceFlags) => {
      if (flags.jsonl === true) {
        for await (const { id, input } of evidenceLines(file))
          writeJson({ id, ...(await perform(classifyFailure, input)) });
        return;
      }
      const failure = await perform(classifyFailure, await evidenceInput(file, flags));
      if (flags.json === true) writeJson(failure);
      else write(describeFailure(failure, styled));
    });
}
