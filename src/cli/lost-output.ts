/**
 * What becomes of a command whose output nobody can read any more: a closed pipe, a full disk, a lost terminal.
 * Invariants: a command that changes something goes on to its end and keeps its own exit code; one that only reads
 * ends at once, with 0 for a closed pipe and 1 for a write that failed.
 */
import { withWords } from "../operations/text.ts";
import { EXIT } from "./exit-codes.ts";

let ownedRun: string | undefined;

/** This process works on a run: where it can be seen once this screen is lost. */
export function outliveOutput(run: string): void {
  ownedRun = run;
}

export function watchOutput(onlyReads: boolean): void {
  let isLost = false;
  process.stderr.on("error", () => undefined);
  process.stdout.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    if (isLost) return;
    isLost = true;
    const isClosed = code === "EPIPE" || (code === "EIO" && process.stdout.isTTY);
    if (onlyReads && isClosed) process.exit(EXIT.ok);
    const why = isClosed ? "the output is closed" : `cannot write the output: ${withWords(code)}`;
    const after = ownedRun === undefined ? "" : `; the run goes on: unstuck attach ${ownedRun}`;
    if (!isClosed || ownedRun !== undefined) process.stderr.write(`unstuck: ${why}${after}\n`);
    if (onlyReads) process.exit(EXIT.failed);
  });
}
