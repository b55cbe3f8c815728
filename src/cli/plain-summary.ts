/** The end of a run in plain lines, where there is no screen. */
import type { JournalReader } from "../journal/reader.ts";
import { write } from "./io.ts";
import { recordedRun } from "./recorded-run.ts";
import { plain } from "./screen/line.ts";
import { runView } from "./screen/run-view.ts";
import { summaryLines } from "./screen/summary.ts";

const PLAIN_COLUMNS = 100;

export async function writeSummary(journal: JournalReader, run: string): Promise<void> {
  const { state, history } = await recordedRun(journal, run);
  if (state.phase === "new") return;
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : PLAIN_COLUMNS;
  for (const line of summaryLines(runView(state, history, new Map()), columns, Date.now()))
    write(plain(line));
}
