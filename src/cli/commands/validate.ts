/**
 * `unstuck validate`: checks a model's answer from standard input against a JSON Schema or a list of tools. Exit 0
 * valid, 1 invalid, 2 bad input.
 */
import { Command } from "commander";
import { validateAnswer } from "../../operations/advice/advice.ts";
import type { AnswerVerdict } from "../../operations/advice/advice.ts";
import { tameLine } from "../../operations/text.ts";
import { EXIT } from "../exit-codes.ts";
import {
  perform,
  readInput,
  readJsonFile,
  styled,
  tell,
  UsageError,
  write,
  writeJson,
} from "../io.ts";

interface Flags {
  readonly schema?: string;
  readonly tools?: string;
  readonly json?: boolean;
}

export function command(): Command {
  return new Command("validate")
    .summary("check a model's answer or tool call")
    .description(
      "Checks an answer that should be JSON, or a tool call, before it is accepted or executed.",
    )
    .argument("[file]", "the answer; default: standard input")
    .option("--schema <file>", "JSON Schema the answer must fit")
    .option("--tools <file>", "tools (own, MCP, Anthropic or OpenAI shape) a call must fit")
    .option("--json", "verdict as one JSON object")
    .action(async (file: string | undefined, flags: Flags) => {
      if (flags.schema !== undefined && flags.tools !== undefined)
        throw new UsageError("--schema and --tools exclude each other");
      const [schema, tools] = [flags.schema, flags.tools].map((name) =>
        name === undefined ? undefined : readJsonFile(name),
      );
      const answer = await readInput(file);
      const verdict = await perform(validateAnswer, { answer, schema, tools, called: flags.tools });
      if (flags.json === true) writeJson(verdict);
      else describe(verdict);
      process.exitCode = verdict.valid ? EXIT.ok : EXIT.failed;
    });
}

/** A valid value goes to standard output as JSON; what is wrong goes to standard error. */
function describe(verdict: AnswerVerdict): void {
  if (verdict.valid) {
    write(JSON.stringify(verdict.value, null, 2));
    if (verdict.repaired) tell(`${styled("yellow", "repaired")}: it was not JSON as it stood`);
    return;
  }
  tell(`${styled("red", "invalid")}: ${tameLine(verdict.error ?? "", 600)}`);
  if (verdict.suggestion !== undefined) tell(`suggestion: ${tameLine(verdict.suggestion, 600)}`);
}
