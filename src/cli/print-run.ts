/** A run where there is no screen: what happens in plain lines or JSON, and at the end what came of it. */
import type { RunHappening } from "../operations/runs/follow.ts";
import type { RunView } from "../operations/runs/run-view.ts";
import { styled, write, writeJson } from "./io.ts";
import { painted, plain } from "./screen/line.ts";
import { summaryLines } from "./screen/summary.ts";

const PLAIN_COLUMNS = 100;

export function printHappening(happening: RunHappening, json: boolean): void {
  if (happening.kind !== "recorded") return;
  const { seq, event, line } = happening;
  if (json) writeJson({ seq, event });
  else if (line !== undefined) write(painted(line, styled));
}

/** Nothing of a run that has not begun. */
export function writeSummary(view: RunView | undefined): void {
  if (view === undefined) return;
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : PLAIN_COLUMNS;
  for (const line of summaryLines(view, columns, Date.now())) write(plain(line));
}
