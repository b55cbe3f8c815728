/**
 * How `classify` and `suggest` take evidence: flags, a file, or whatever is piped in. Invariant: a log that is
 * piped in just works; JSON that names evidence fields is read as evidence.
 */
import type { Command } from "commander";
import type { Evidence, EvidenceReading } from "../core/evidence.ts";
import { evidenceNow, evidenceOfText } from "./evidence-text.ts";
import { parseJson, readInput, UsageError } from "./io.ts";

export interface EvidenceFlags {
  readonly tool?: string;
  readonly command?: string;
  readonly exitCode?: string;
  readonly signal?: string;
  readonly errno?: string;
  readonly httpStatus?: string;
  readonly message?: string;
}

const FIELDS = ["tool", "command", "exitCode", "signal", "errno", "httpStatus", "message"] as const;

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

export async function evidenceFrom(
  file: string | undefined,
  flags: EvidenceFlags,
): Promise<Evidence> {
  const given = Object.fromEntries(
    FIELDS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
  const enough = Object.keys(given).length > 0 && file === undefined && process.stdin.isTTY;
  const text = enough ? "" : await readInput(file);
  return checked(evidenceOfText(text, given), "evidence");
}

/** One line of `--jsonl`. */
export function evidenceFromLine(
  text: string,
  line: number,
): { readonly id: unknown; readonly evidence: Evidence } {
  const value = parseJson(text, `line ${line}`);
  const evidence = checked(evidenceNow(value), `line ${line}`);
  return { id: (value as { id?: unknown }).id, evidence };
}

function checked(reading: EvidenceReading, place: string): Evidence {
  if (reading.ok) return reading.evidence;
  const field = reading.field === "" ? "" : `, field ${reading.field}`;
  throw new UsageError(`${place}${field}: ${reading.problem}`);
}
