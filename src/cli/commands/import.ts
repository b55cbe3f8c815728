/**
 * `unstuck import`: attempt history of the source's shape (B8), or episodes (D6), as a run that is over in the
 * journal, so that `status`, `report`, `explain`, `metrics` and `export` show it. The same file is imported once.
 */
import { createHash } from "node:crypto";
import { Command } from "commander";
import { importedEvents } from "../../core/history/imported-run.ts";
import { salvage } from "../../core/history/salvage.ts";
import type { Salvaged } from "../../core/history/salvage.ts";
import { tameLine } from "../../core/foreign-text.ts";
import { eventText } from "../../journal/event-text.ts";
import type { Journal } from "../../journal/journal.ts";
import { refuseInsideAttempt } from "../../operations/inside-attempt.ts";
import { openHome } from "../../operations/home.ts";
import { readInput, UsageError, write, writeJson } from "../io.ts";
import { openUserJournal } from "../../operations/journal.ts";
import { redact } from "../../operations/redaction.ts";
import { count } from "../../core/amounts.ts";

export function command(): Command {
  return new Command("import")
    .summary("take over attempt history or episodes")
    .argument("[file]", "as unstuck export writes it; default: standard input")
    .option("--json", "as JSON")
    .action(async (file: string | undefined, flags: { json?: boolean }) => {
      refuseInsideAttempt("import");
      const text = await readInput(file);
      const name = tameLine(file ?? "standard input", 80);
      const read = salvage(redact(text));
      if ("problem" in read)
        throw new UsageError(
          `${name}: ${read.place === "" ? "" : `${read.place}: `}${read.problem}`,
        );
      const run = `imported-${createHash("sha256").update(text).digest("hex").slice(0, 10)}`;
      const journal = await openUserJournal(openHome());
      try {
        await store(journal, run, name, read);
      } finally {
        await journal.close();
      }
      const attempts = read.subtasks.reduce((sum, subtask) => sum + subtask.attempts.length, 0);
      const { skipped, subtasks, episodes } = read;
      if (flags.json === true)
        return writeJson({
          run,
          subtasks: subtasks.length,
          attempts,
          episodes: episodes.length,
          skipped,
        });
      const told = [count(subtasks.length, "subtask"), count(attempts, "attempt")];
      if (episodes.length > 0) told.push(count(episodes.length, "episode"));
      write(`imported ${told.join(", ")} as run ${run}`);
      if (skipped > 0) write(`left out ${count(skipped, "malformed entry", "malformed entries")}`);
    });
}

async function store(
  journal: Journal,
  run: string,
  name: string,
  { subtasks, episodes }: Salvaged,
): Promise<void> {
  const known = await journal.run(run);
  if (known !== undefined && known.seq > 0)
    throw new UsageError(`${name} has been imported already, as run ${run}`);
  const at = Date.now();
  const title = `imported from ${name}`;
  const events = importedEvents({ run, title, subtasks, episodes, at });
  const last = events.at(-1);
  await journal.describe(run, { repo: "", title, at });
  const claim = await journal.claim(run, at);
  try {
    const appended = await journal.append({
      claim,
      expected: 0,
      events: events.map(eventText),
      taken: [],
      phase: "ended",
      ...(last?.kind === "run-ended" ? { outcome: last.outcome } : {}),
      at,
    });
    if (!appended.ok) throw new UsageError(`${name} is being imported by another process`);
  } finally {
    await journal.release(claim);
  }
}
