/**
 * One key from what a command has shown to the log of its run. Invariants: only where the log would open in a pager and
 * a person is at the keys, so nothing in a script waits for it; it waits a short while only; its line is gone afterwards.
 */
import { styled, textColumns } from "../io.ts";
import { mayPage } from "../pager.ts";
import { showLog } from "./carry-out.ts";
import { ownsTerminal, readKeys } from "./keys.ts";
import { fitted, painted } from "./line.ts";

/** Long enough to read a card; a terminal that nobody sits at gets its prompt back. */
const WAIT_MS = 30_000;

export async function offerLog(run: string): Promise<void> {
  if (!mayPage() || !ownsTerminal()) return;
  const { stdout } = process;
  const words = fitted([["l log · any other key quits", "dim"]], textColumns());
  // First the keys: what is typed before they are read, the terminal itself would show.
  const pressed = nextKey();
  stdout.write(`\n${painted(words, styled)}`);
  const key = await pressed;
  stdout.write("\r\x1b[K\x1b[A");
  if (key === "l") await showLog(run, "");
}

/** What was typed; nothing where it was no text, or nobody typed in time. */
async function nextKey(): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const leave = (): void => resolve(undefined);
  const keys = readKeys(([key]) => resolve(key?.text), leave);
  const late = setTimeout(leave, WAIT_MS);
  process.on("SIGINT", leave).on("SIGTERM", leave);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    process.off("SIGINT", leave).off("SIGTERM", leave);
    keys.stop();
  }
}
