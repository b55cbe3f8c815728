/**
 * `unstuck attach`: watches a run that another process works on: a live tree on a terminal, else plain lines or
 * JSON. Invariants: it never writes to the run; it ends with the run, when nobody works on it any more, or with
 * Ctrl-C, which leaves the run alone and says so.
 */
import { Command } from "commander";
import { follow } from "../../engines/follow.ts";
import type { RunRow } from "../../journal/reader.ts";
import { styled, write, writeJson } from "../io.ts";
import { isWorkedOn } from "../lifetime.ts";
import { writeSummary } from "../plain-summary.ts";
import { pinnedOf } from "../pinned.ts";
import { aboutRun } from "../run-command.ts";
import type { About } from "../run-command.ts";
import { lineOf } from "../run-lines.ts";
import { painted } from "../screen/line.ts";
import { hasScreen, watchScreen } from "../screen/watch-screen.ts";

export function command(): Command {
  return new Command("attach")
    .summary("watch a run that goes on elsewhere")
    .description("Watches a run that goes on elsewhere. Ctrl-C ends the watching, not the run.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--json", "every event as a JSON line")
    .action((asked: string | undefined, flags: { json?: boolean }) =>
      aboutRun(asked, (about) => attach(about, flags.json === true)),
    );
}

const OWNER_LOOK_MS = 1000;
const START_LOOK_MS = 200;

async function attach(about: About, json: boolean): Promise<void> {
  const { journal, row } = about;
  const ending = new AbortController();
  let isDetached = false;
  process.on("SIGINT", () => {
    isDetached = true;
    ending.abort();
  });
  await begun(about, ending.signal, json);
  const looking = setInterval(() => void look().catch(() => ending.abort()), OWNER_LOOK_MS);
  const look = async (): Promise<void> => {
    if (!isAtWork(await journal.run(row.id))) ending.abort();
  };
  try {
    if (!ending.signal.aborted) await look();
    if (json || !hasScreen()) await print(about, ending.signal, json);
    else await draw(about, ending.signal, () => isDetached);
  } finally {
    clearInterval(looking);
  }
  const goesOn = isDetached && isAtWork(await journal.run(row.id));
  if (!json && !hasScreen() && !goesOn) await writeSummary(journal, row.id);
  if (!json && goesOn)
    write(`detached; run ${row.id} goes on: ${styled("bold", `unstuck attach ${row.id}`)}`);
}

const isAtWork = (row: RunRow | undefined): boolean => row !== undefined && isWorkedOn(row);

/** A run that was named but not started yet is being prepared: its clone is made and its checks run on the base. */
async function begun({ journal, row }: About, signal: AbortSignal, json: boolean): Promise<void> {
  if (row.seq > 0) return;
  if (!json) write(`run ${row.id} is being prepared`);
  while (!signal.aborted && ((await journal.run(row.id))?.seq ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, START_LOOK_MS));
}

async function draw(
  { home, journal, row }: About,
  signal: AbortSignal,
  isDetached: () => boolean,
): Promise<void> {
  if (((await journal.run(row.id))?.seq ?? 0) === 0) return;
  const { agents } = (await pinnedOf(journal, row.id)).plan;
  const runDir = home.runDir(row.id);
  const watched = { journal, run: row.id, runDir, agents, from: row.seq + 1, signal };
  await watchScreen({ ...watched, staysTree: isDetached }).done;
}

const ROWS_AT_ONCE = 5000;

async function print({ journal, row }: About, signal: AbortSignal, json: boolean): Promise<void> {
  let next = 1;
  const tell = ({ seq, event }: { seq: number; event: Parameters<typeof lineOf>[0] }): void => {
    next = seq + 1;
    const line = json ? undefined : lineOf(event);
    if (json) writeJson({ seq, event });
    else if (line !== undefined) write(painted(line, styled));
  };
  for await (const recorded of follow(journal, row.id, next, signal)) tell(recorded);
  for (;;) {
    const rows = await journal.read(row.id, next, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    for (const recorded of rows) tell(recorded);
  }
}
