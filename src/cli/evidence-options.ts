/** How `classify` and `suggest` take evidence: flags, a file, whatever is piped in, or one evidence in each line. */
import type { Command } from "commander";
import type { EvidenceInput } from "../operations/advice/advice.ts";
import { inputLines, parseJson, readInput } from "./io.ts";

const FIELDS = ["tool", "command", "exitCode", "signal", "errno", "httpStatus", "message"] as const;

export type EvidenceFlags = { readonly [field in (typeof FIELDS)[number]]?: string } & {
  readonly json?: boolean;
  readonly jsonl?: boolean;
};

export function evidenceOptions(command: Command): Command {
  return command
    .argument("[file]", "a log, or evidence as JSON; default: standard input")
    .option("--tool <name>", "what ran: run_bash, llm, agent_cli, tool_call, http")
    .option("--command <line>", "the command that failed")
    .option("--exit-code <n>", "its exit code")
    .option("--signal <name>", "the signal that ended it")
    .option("--errno <name>", "system error name such as ENOSPC")
    .option("--http-status <n>", "HTTP status")
    .option("--message <text>", "the error message");
}

export async function evidenceInput(
  file: string | undefined,
  flags: EvidenceFlags,
): Promise<EvidenceInput> {
  const given = FIELDS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]));
  const isEnough = given.length > 0 && file === undefined && process.stdin.isTTY;
  const text = isEnough ? "" : await readInput(file);
  return { text, fields: Object.fromEntries(given) as object };
}

/** The lines of `--jsonl`, each with the id it goes by. */
export async function* evidenceLines(
  file: string | undefined,
): AsyncGenerator<{ readonly id: unknown; readonly input: EvidenceInput }> {
  for await (const { line, text } of inputLines(file)) {
    if (text.trim() === "") continue;
    const called = `line ${line}`;
    const fields = parseJson(text, called);
    yield { id: (fields as { id?: unknown } | null)?.id, input: { fields, called } };
  }
}
