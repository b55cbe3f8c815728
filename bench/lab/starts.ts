/** The starts of a task, as its agent recorded them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Start } from "./behaviour.ts";
import type { Task } from "./tasks.ts";

export const startsFile = (folder: string, { id }: Task): string => join(folder, `starts-${id}`);

export function readStarts(folder: string, task: Task): readonly Start[] {
  const file = startsFile(folder, task);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Start);
}
