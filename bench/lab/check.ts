/**
 * The check of a task: a shell script that compares the work with what each item wants, and the same output computed
 * without a shell.
 */
import { wrongIn, type Tree } from "./behaviour.ts";
import { filled, type Task } from "./tasks.ts";

const NOTHING = ["is there", "a result", "nothing"] as const;

export const checkCommand = ({ id }: Task): string => `sh checks/${id}.sh`;

/** Prints failures as a test runner would. */
export function checkText(task: Task): string {
  const { id, items } = task;
  const tests = items.map(
    ({ name, want }) =>
      `got=$(sed -n 's/^${name}=//p' "$work")\n` +
      `[ "$got" = ${want} ] || { bad=1; printf '%s\\n' "${failureText(task, name, want, "$got")}"; }`,
  );
  return [
    `work=src/${id}.txt`,
    "bad=0",
    `[ -f "$work" ] || { printf '%s\\n' "${failureText(task, ...NOTHING)}"; exit 1; }`,
    ...tests,
    "exit $bad",
    "",
  ].join("\n");
}

/** What the script prints; empty if it passes. */
export function checkOutput(task: Task, tree: Tree): string {
  if (tree.lines.length === 0) return `${failureText(task, ...NOTHING)}\n`;
  return [...wrongIn(task, tree)]
    .sort((a, b) => a - b)
    .map((index) => {
      const { name = "", want = 0 } = task.items[index] ?? {};
      const got = tree.lines[index]?.slice(name.length + 1) ?? "";
      return `${failureText(task, name, want, got)}\n`;
    })
    .join("");
}

const failureText = (
  { failure, suite }: Task,
  item: string,
  want: string | number,
  got: string,
): string => filled(failure, { suite, item, want: String(want), got });
