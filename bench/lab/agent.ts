/**
 * The laboratory's agent, run as a program: `agent.ts <folder> <tier> <prompt file>`. It behaves as behaviour.ts says,
 * prints what Claude Code would print, so that its cost is reported, and records each start in <folder>.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { behave, type Behaved, type Tree } from "./behaviour.ts";
import { readStarts, startsFile } from "./starts.ts";
import type { Task } from "./tasks.ts";
import type { World } from "./world.ts";

const [folder = "", tierWord = "1", promptFile = ""] = process.argv.slice(2);
const { world, tasks } = JSON.parse(readFileSync(join(folder, "lab.json"), "utf8")) as {
  readonly world: World;
  readonly tasks: readonly Task[];
};
const task = tasks.find(({ id }) => id === process.env["UNSTUCK_SUBTASK"]);
if (task === undefined) throw new Error("no such task");
const work = `src/${task.id}.txt`;
const leftover = `src/${task.id}.partial`;
const behaved = behave(world, task, {
  prompt: readFileSync(promptFile, "utf8"),
  tier: Number(tierWord),
  tree: treeHere(),
  before: readStarts(folder, task),
});
appendFileSync(startsFile(folder, task), `${JSON.stringify(behaved.start)}\n`);
leave(behaved.tree);
end(behaved);

function treeHere(): Tree {
  const text = existsSync(work) ? readFileSync(work, "utf8").trim() : "";
  return { lines: text === "" ? [] : text.split("\n"), leftover: existsSync(leftover) };
}

function leave(tree: Tree): void {
  mkdirSync("src", { recursive: true });
  if (tree.lines.length > 0) writeFileSync(work, `${tree.lines.join("\n")}\n`);
  if (tree.leftover) writeFileSync(leftover, "half done\n");
}

function end({ end: how, start }: Behaved): void {
  if (how.kind === "crash") {
    process.stderr.write(`${how.says}\n`);
    process.exitCode = how.exit;
    return;
  }
  const session = { session_id: "00000000-0000-4000-8000-000000000000" };
  const print = (line: object): void => {
    process.stdout.write(`${JSON.stringify({ ...line, ...session })}\n`);
  };
  const message = (id: string, content: object): void => {
    print({ type: "assistant", message: { id, role: "assistant", content: [content] } });
  };
  print({ type: "system", subtype: "init", tools: ["Bash", "Edit"], model: "lab" });
  // The same call with the same result, several times.
  for (let time = 1; how.looped && time <= 7; time += 1) {
    const input = { command: `grep -n value ${work}` };
    message(`m${time}`, { type: "tool_use", id: `c${time}`, name: "Bash", input });
    const result = { type: "tool_result", tool_use_id: `c${time}`, content: "no match" };
    print({ type: "user", message: { role: "user", content: [result] } });
  }
  message("last", { type: "text", text: how.text });
  const total_cost_usd = start.cost / 100;
  print({ type: "result", subtype: "success", is_error: false, result: how.text, total_cost_usd });
}
