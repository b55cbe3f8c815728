/** A run in a home of its own, as far as a shell that completes its names looks at it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openJournal } from "../../../src/journal/journal.ts";
import { pretendedProcess } from "../../journal/journals.ts";

interface RecordedRun {
  readonly id: string;
  readonly repo: string;
  readonly title: string;
  readonly subtasks?: readonly string[];
}

/** With two attempts of `login`. */
export async function appendRun(
  home: string,
  { id, repo, title, subtasks = ["login", "logout"] }: RecordedRun,
): Promise<void> {
  const folder = join(home, "runs", id);
  for (const attempt of ["1", "2"])
    mkdirSync(join(folder, "attempts", "login", attempt), { recursive: true });
  const plan = { subtasks: Object.fromEntries(subtasks.map((name) => [name, {}])) };
  writeFileSync(join(folder, "plan.json"), JSON.stringify(plan));
  const journal = await openJournal({
    ...{ path: join(home, "unstuck.db"), processes: pretendedProcess(1) },
  });
  await journal.describe(id, { repo, title, at: 1 });
  await journal.close();
}
