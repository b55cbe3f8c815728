/** `unstuck events`: what is recorded of a run; `--follow` goes on until it ends. Also `attach`: the same for people. */
import { Command } from "commander";
import { follow } from "../../engines/follow.ts";
import type { JournalReader, RunRow } from "../../journal/reader.ts";
import { styled, write, writeJson } from "../io.ts";
import { systemProcesses } from "../../engines/system-processes.ts";
import { pinnedOf } from "../pinned.ts";
import { aboutRun } from "../run-command.ts";
import { lineOf } from "../run-lines.ts";
import { painted } from "../screen/line.ts";
import { hasScreen, watchScreen } from "../screen/watch-screen.ts";

interface Flags {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly from: string;
}

export function command(): Command {
  return new Command("events")
    .summary("what is recorded of a run")
    .description("Prints what is recorded of a run, in the order it happened.")
    .argument("[run]", "id or a part of it; default: the latest")
    .option("--from <n>", "first event", "1")
    .option("--follow", "go on until the run ends")
    .option("--json", "every event as a JSON line")
    .action((asked: string | undefined, flags: Flags) => show(asked, flags));
}

export function attach(): Command {
  return new Command("attach")
    .summary("watch a run that goes on elsewhere")
    .argument("[run]", "id or a part of it; default: the latest")
    .option("--json", "every event as a JSON line")
    .action((asked: string | undefined, flags: { json?: boolean }) =>
      flags.json === true || !hasScreen()
        ? show(asked, { ...flags, follow: true, from: "1" })
        : watch(asked),
    );
}

const OWNER_LOOK_MS = 1000;
const START_LOOK_MS = 200;

/** Until the run ends, nobody works on it any more, or the watching is ended. */
async function watch(asked: string | undefined): Promise<void> {
  await aboutRun(asked, async ({ home, journal, row }) => {
    const ending = new AbortController();
    process.on("SIGINT", () => ending.abort());
    await begun(journal, row, ending.signal);
    if (ending.signal.aborted) return;
    const processes = systemProcesses();
    const look = async (): Promise<void> => {
      const owner = (await journal.run(row.id))?.owner;
      if (owner === undefined || processes.isDead(owner)) ending.abort();
    };
    await look();
    const looking = setInterval(() => void look().catch(() => ending.abort()), OWNER_LOOK_MS);
    const { plan } = await pinnedOf(journal, row.id);
    const runDir = home.runDir(row.id);
    const { signal } = ending;
    const { agents } = plan;
    try {
      await watchScreen({ journal, run: row.id, runDir, agents, from: row.seq + 1, signal }).done;
    } finally {
      clearInterval(looking);
    }
  });
}

/** A run that was named but not started yet is being prepared: its clone is made and its checks run on the base. */
async function begun(journal: JournalReader, row: RunRow, signal: AbortSignal): Promise<void> {
  if (row.seq > 0) return;
  write(`run ${row.id} is being prepared`);
  while (!signal.aborted && ((await journal.run(row.id))?.seq ?? 0) === 0)
    await new Promise((resolve) => setTimeout(resolve, START_LOOK_MS));
}

async function show(asked: string | undefined, flags: Flags): Promise<void> {
  await aboutRun(asked, async ({ journal, row }) => {
    const from = Math.max(1, Number(flags.from) || 1);
    const signal = new AbortController();
    process.on("SIGINT", () => signal.abort());
    const last = flags.follow === true && row.phase !== "ended" ? Infinity : row.seq;
    if (from > last) return;
    for await (const { seq, event } of follow(journal, row.id, from, signal.signal)) {
      const line = flags.json === true ? undefined : lineOf(event);
      if (flags.json === true) writeJson({ seq, event });
      else if (line !== undefined) write(painted(line, styled));
      if (seq >= last) return;
    }
  });
}
