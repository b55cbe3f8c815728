/** `unstuck events`: what is recorded of a run; `--follow` goes on until it ends. */
import { Command } from "commander";
import { follow } from "../../engines/follow.ts";
import { styled, write, writeJson } from "../io.ts";
import { aboutRun } from "../run-command.ts";
import { lineOf } from "../run-lines.ts";
import { painted } from "../screen/line.ts";

interface Flags {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly from: string;
}

export function command(): Command {
  return new Command("events")
    .summary("what is recorded of a run")
    .description("Prints what is recorded of a run, in the order it happened.")
    .argument("[run]", "id or a part of it; default: the latest of this repository")
    .option("--from <n>", "first event", "1")
    .option("--follow", "go on until the run ends")
    .option("--json", "every event as a JSON line")
    .action((asked: string | undefined, flags: Flags) => show(asked, flags));
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
