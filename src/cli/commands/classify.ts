/**
 * `unstuck classify`: evidence in, failure out; for people, `--json`, or `--jsonl` for streams.
 * Imports core/classify and the evidence options.
 */
import { Command } from "commander";
import { classify } from "../../core/classify/classify.ts";
import { firstMoveOf } from "../../core/failure.ts";
import type { Failure } from "../../core/failure.ts";
import { evidenceFrom, evidenceFromLine, evidenceOptions } from "../evidence-options.ts";
import type { EvidenceFlags } from "../evidence-options.ts";
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
      const failure = classify(await evidenceFrom(file, flags));
      if (flags.json === true) writeJson(failure);
      else write(describe(failure));
    });
}

async function classifyLines(file: string | undefined): Promise<void> {
  for await (const { line, text } of inputLines(file)) {
    if (text.trim() === "") continue;
    const { id, evidence } = evidenceFromLine(text, line);
    writeJson({ id, ...classify(evidence) });
  }
}

function describe(failure: Failure): string {
  const { kind, category, origin, confidence, because, signature, retryAfterMs, resetAt } = failure;
  const rows = [
    `${styled("bold", kind)}  (${category}, seen at the ${origin})  confidence ${confidence.toFixed(2)}`,
    ...because.map((reason, index) => `${index === 0 ? "because    " : "           "}${reason}`),
    `first move ${firstMoveOf(kind, origin)}`,
    ...(retryAfterMs === undefined ? [] : [`retry in   ${Math.ceil(retryAfterMs / 1000)} s`]),
    ...(resetAt === undefined ? [] : [`resets at  ${resetAt}`]),
    `signature  ${signature}`,
  ];
  return rows.join("\n");
}
