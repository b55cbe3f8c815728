/**
 * `unstuck mcp`: the MCP server on standard input and output; `mcp questions` and `mcp answer` for the user.
 * Invariants: standard output carries protocol messages only; the server ends when its client closes the pipe.
 */
import { Command } from "commander";
import { createRpc, messageLines } from "../../mcp/json-rpc.ts";
import { createMcpHandler } from "../../mcp/server.ts";
import { agentQuestions, answerAgent } from "../../operations/notes/notes.ts";
import { cleanLine } from "../../operations/text.ts";
import { perform, styled, write, writeJson, type Flags } from "../io.ts";
import { inputChunks, UsageError } from "../read-input.ts";

const LINE_MAX = 8 * 1024 * 1024;

export function mcp(): Command {
  const command = new Command("mcp")
    .description(
      "An MCP server on standard input and output: classify_failure, recovery_plan,\n" +
        "record_attempt, attempt_history, ask_human.",
    )
    .action(serve);
  command
    .command("questions")
    .description("what agents ask you")
    .option("--json", "as JSON")
    .action(async ({ json }: Flags) => {
      const open = await perform(agentQuestions, {});
      if (json === true) return open.forEach(writeJson);
      if (open.length === 0) return write("nothing needs you");
      for (const { id, cwd, question, options } of open) {
        write(`${styled("bold", id)}  ${cleanLine(cwd, 200)}\n  ${cleanLine(question, 600)}`);
        if (options.length > 0) write(`  ${options.map((one) => cleanLine(one, 100)).join(" · ")}`);
      }
    });
  command
    .command("answer")
    .description("answer one; the first answer stands")
    .argument("<id>", "as `mcp questions` shows it")
    .argument("<words>")
    .option("--json", "as JSON")
    .action(async (id: string, words: string, { json }: Flags) => {
      const answered = await perform(answerAgent, { id, words });
      if (json === true) writeJson(answered);
      else write("answered");
    });
  return command;
}

async function serve(): Promise<void> {
  if (process.stdin.isTTY)
    throw new UsageError("an MCP client starts this: add the command `unstuck mcp` to your agent");
  const rpc = createRpc(createMcpHandler({ cwd: process.cwd() }), writeJson);
  const answers = new Set<Promise<void>>();
  try {
    for await (const text of messageLines(inputChunks(undefined), LINE_MAX)) {
      if (text === undefined) rpc.refuse(`a line of more than ${LINE_MAX} bytes was left out`);
      if (text === undefined || text.trim() === "") continue;
      const answering = rpc.line(text).finally(() => answers.delete(answering));
      answers.add(answering);
    }
  } finally {
    rpc.close();
    await Promise.allSettled(answers);
  }
}
