/**
 * `unstuck mcp`: the MCP server on standard input and output, and for the person behind it `mcp questions` and
 * `mcp answer`. Invariants: standard output carries protocol messages only; the server ends when its client closes
 * the pipe; an agent may not answer for its person.
 */
import { Command } from "commander";
import { tameLine } from "../../core/foreign-text.ts";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { openHome } from "../../operations/home.ts";
import { inputLines, styled, UsageError, write, writeJson } from "../io.ts";
import { createRpc } from "../mcp/json-rpc.ts";
import { createMcpHandler } from "../mcp/server.ts";
import { openMcpStore } from "../mcp/store.ts";
import type { McpStore } from "../mcp/store.ts";

const LINE_MAX = 8 * 1024 * 1024;

export function command(): Command {
  const mcp = new Command("mcp")
    .summary("tools for an agent, over MCP")
    .description(
      "An MCP server on standard input and output: classify_failure, recovery_plan,\n" +
        "record_attempt, attempt_history, ask_human.",
    )
    .action(serve);
  mcp
    .command("questions")
    .description("what agents ask you")
    .option("--json", "as JSON")
    .action(({ json }: { json?: boolean }) => {
      const open = store().openQuestions();
      if (json === true) return open.forEach(writeJson);
      if (open.length === 0) return write("nobody waits for you");
      for (const { id, cwd, question, options } of open) {
        write(`${styled("bold", id)}  ${tameLine(cwd, 200)}\n  ${tameLine(question, 600)}`);
        if (options.length > 0) write(`  ${options.map((one) => tameLine(one, 100)).join(" · ")}`);
      }
    });
  mcp
    .command("answer")
    .description("answer one; the first answer stands")
    .argument("<id>", "as `mcp questions` shows it")
    .argument("<words>")
    .action(answer);
  return mcp;
}

const store = (): McpStore => openMcpStore(openHome().root, process.cwd());

async function serve(): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError("an MCP client starts this: add the command `unstuck mcp` to your agent");
  const rpc = createRpc(createMcpHandler(store()), writeJson);
  const answers = new Set<Promise<void>>();
  try {
    for await (const { text } of inputLines(undefined, LINE_MAX)) {
      if (text.trim() === "") continue;
      const answering = rpc.line(text).finally(() => answers.delete(answering));
      answers.add(answering);
    }
  } finally {
    rpc.close();
    await Promise.allSettled(answers);
  }
}

/** Marks that agents leave in the environment of what they run. */
const AGENT_MARKS = ["UNSTUCK_ATTEMPT", "CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "OPENCODE"];

function answer(id: string, words: string): void {
  if (AGENT_MARKS.some((name) => (process.env[name] ?? "") !== ""))
    throw new UsageError("an agent may not answer for its person");
  refuseInsideAttempt("mcp answer");
  const questions = store();
  if (questions.question(id) === undefined)
    throw new UsageError(`there is no question ${tameLine(id, 40)}; see: unstuck mcp questions`);
  const given = {
    answer: words.slice(0, 20_000),
    by: process.env["USER"] ?? "somebody",
    answeredAt: new Date().toISOString(),
  };
  if (!questions.answer(id, given)) throw new UsageError(`${id} was answered before`);
  write("answered");
}
