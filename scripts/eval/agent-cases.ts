/**
 * Reads the rows of agents/faults.json with their captured outputs and accepted kinds. A row without a fixture falls
 * back to the tail of output in the row itself.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export interface AgentCase {
  readonly cli: string;
  readonly fault: string;
  readonly accepted: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly killedAfterMs: number | null;
  /** Whether the task's file existed afterwards: what a check would have seen. */
  readonly made: boolean;
}

interface Row {
  readonly cli: string;
  readonly fault: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly killedByHarnessAfterMs: number | null;
  readonly stdoutTail?: string;
  readonly stderrTail?: string;
  readonly helloCreated?: boolean;
}

export type AgentCases =
  | { readonly ok: true; readonly cases: readonly AgentCase[] }
  | { readonly ok: false; readonly problem: string };

export function agentCasesIn(folder: string): AgentCases {
  const root = resolve(folder, "agents");
  try {
    const rows = JSON.parse(readFileSync(join(root, "faults.json"), "utf8")) as readonly Row[];
    const kinds = JSON.parse(readFileSync(join(root, "expected-kinds.json"), "utf8")) as Readonly<
      Record<string, readonly string[]>
    >;
    return { ok: true, cases: rows.map((row) => caseOf(root, row, kinds[row.fault] ?? [])) };
  } catch (error) {
    return {
      ok: false,
      problem: `no agent rows at ${root}: set UNSTUCK_CASES (${(error as Error).message})`,
    };
  }
}

function caseOf(root: string, row: Row, accepted: readonly string[]): AgentCase {
  const stem = join(root, "fixtures", `${row.cli}-${row.fault}`.replaceAll(/[^\w.-]/g, "_"));
  const dashed = join(root, "fixtures", `${row.cli}-${row.fault.replaceAll(/\W/g, "_")}`);
  return {
    cli: row.cli,
    fault: row.fault,
    accepted,
    stdout: textAt([`${dashed}.stdout.jsonl`, `${stem}.stdout.jsonl`], row.stdoutTail),
    stderr: textAt([`${dashed}.stderr.txt`, `${stem}.stderr.txt`], row.stderrTail),
    exitCode: row.exitCode,
    signal: row.signal,
    killedAfterMs: row.killedByHarnessAfterMs,
    made: row.helloCreated === true,
  };
}

function textAt(paths: readonly string[], tail = ""): string {
  for (const path of paths)
    try {
      return readFileSync(path, "utf8");
    } catch {
      continue;
    }
  return tail;
}
