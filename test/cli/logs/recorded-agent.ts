/** What agents print in the tests of logs: an agent's own lines, as Claude Code writes them, and a plain command's. */

const say = (value: unknown): string => JSON.stringify(value);
const answer = (...content: readonly unknown[]): string =>
  say({ type: "assistant", message: { id: "m", content } });
const use = (id: string, name: string, input: unknown) => ({ type: "tool_use", id, name, input });
const came = (...content: readonly unknown[]): string =>
  say({ type: "user", message: { content } });

export const LONG_PATH = "src/a/rather/long/path/that/does/not/fit/into/forty/columns/module.ts";

/** A session with thoughts, words, one call that fails and two at a time, and a line on standard error. */
export const session = (lastWords: string): string =>
  [
    say({ type: "system", subtype: "init", session_id: "s", model: "m" }),
    answer({ type: "thinking", thinking: "The check wants a two." }),
    answer({
      type: "text",
      text: "I'll look at the tests first, because they say what is wanted.\nThen I'll change value.txt.",
    }),
    answer(use("t1", "Bash", { command: "npm test" })),
    came({
      ...{ type: "tool_result", tool_use_id: "t1", is_error: true },
      content: `Exit code 1\n${"a line \u001b[31mof output\u001b[0m\n".repeat(47)}`,
    }),
    answer(
      use("t2", "Read", { file_path: LONG_PATH }),
      use("t3", "Edit", { file_path: "value.txt" }),
    ),
    came({ type: "tool_result", tool_use_id: "t2", content: "1\n2\n3" }),
    came({ type: "tool_result", tool_use_id: "t3", content: "" }),
    "warning: on standard error",
    answer({ type: "text", text: lastWords }),
    say({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "ok",
      total_cost_usd: 0.01,
    }),
  ].join("\n");

/** For a scripted agent: it works until this file is there, however slow the machine is. */
export const untilThere = (file: string): readonly string[] => [
  ...["sh", "-c", 'until [ -e "$0" ]; do sleep 0.1; done', file],
];
