/**
 * A program in the place of a known agent with typed output: it keeps how it was started and what it was told, and
 * plays one scripted attempt after the other. Invented sessions; nothing of a real agent is started.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../run/repository.ts";

export interface PlayedAttempt {
  /** Lines of typed output. */
  readonly lines: readonly unknown[];
  readonly write?: Readonly<Record<string, string>>;
}

export interface TypedAgent {
  /** The words for `command:` of a plan's agent. */
  readonly command: string;
  /** How each start looked: its arguments, and the first line on its standard input. */
  starts(): readonly { readonly args: readonly string[]; readonly told: string }[];
}

export function typedAgent(here: Repository, attempts: readonly PlayedAttempt[]): TypedAgent {
  const folder = join(here.path, "..");
  const script = join(folder, "attempts.json");
  const kept = join(folder, "starts.jsonl");
  const program = join(folder, "typed-agent.mjs");
  writeFileSync(script, JSON.stringify(attempts));
  writeFileSync(
    program,
    [
      'import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";',
      'import { createInterface } from "node:readline";',
      "const [script, kept, ...args] = process.argv.slice(2);",
      'const before = existsSync(kept) ? readFileSync(kept, "utf8").split("\\n").length - 1 : 0;',
      'const all = JSON.parse(readFileSync(script, "utf8"));',
      'createInterface({ input: process.stdin }).once("line", (told) => {',
      '  appendFileSync(kept, JSON.stringify({ args, told }) + "\\n");',
      "  const { lines, write = {} } = all[Math.min(before, all.length - 1)];",
      "  for (const [file, text] of Object.entries(write)) writeFileSync(file, text);",
      "  for (const line of lines) console.log(JSON.stringify(line));",
      "  process.exit(0);",
      "});",
      "",
    ].join("\n"),
  );
  chmodSync(program, 0o755);
  return {
    command: `"${process.execPath}" "${program}" "${script}" "${kept}"`,
    starts: () =>
      (existsSync(kept) ? readFileSync(kept, "utf8").trim().split("\n") : []).map(
        (line) => JSON.parse(line) as { args: string[]; told: string },
      ),
  };
}

const SESSION = "0d9c5f1e-5f4e-4b9a-9d0e-000000000001";

/** What Claude Code prints: its start, its blocks one by one, its result. */
export function claudeLines(
  blocks: readonly unknown[],
  { result = {} }: { readonly result?: Readonly<Record<string, unknown>> } = {},
): readonly unknown[] {
  const message = (content: unknown, role: string) => ({
    ...{ type: role, session_id: SESSION },
    message: { role, content: [content] },
  });
  const isResult = (block: unknown): boolean => (block as { type: string }).type === "tool_result";
  return [
    { type: "system", subtype: "init", session_id: SESSION, tools: [] },
    ...blocks.map((block) => message(block, isResult(block) ? "user" : "assistant")),
    {
      ...{ type: "result", subtype: "success", is_error: false, result: "", session_id: SESSION },
      ...{ total_cost_usd: 0, usage: { input_tokens: 10, output_tokens: 0 }, ...result },
    },
  ];
}

export const says = (text: string): unknown => ({ type: "text", text });
