/**
 * The prompt of an attempt exactly as it was kept, with the prompts of the subtask's earlier attempts, so that a face
 * can show what each recovery added. Invariants: bounded; no secrets; missing prompts are skipped.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { cleanLine, cleanText } from "../../core/foreign-text.ts";
import { PROMPT_FILE } from "../../agents/attempt-files.ts";
import { operation, ProblemError } from "../operation.ts";
import { redact } from "../redaction.ts";
import { withRun } from "../runs/open-run.ts";
import { recordedEvents } from "../runs/recorded.ts";
import { attemptBook } from "./attempt-book.ts";
import { attemptFolder } from "./attempt-log.ts";
import { placeOf } from "./choose-attempt.ts";

const PROMPT_BYTES = 256 * 1024;
/** How many earlier attempts are included. */
const BEFORE = 20;

export const readPrompt = operation({
  name: "prompt",
  schemas: async () => (await import("./schemas.ts")).readPrompt,
  run: (context, { run, at }) =>
    withRun(context, run, async ({ home, journal, row, fleet }) => {
      const book = attemptBook();
      for await (const { event } of recordedEvents(journal, row.id)) book.add(event);
      const { subtask, attempt: last } = placeOf(book, at) ?? {};
      const own = book.all().filter((one) => one.subtask === subtask);
      if (subtask === undefined || !own.some(({ attempt }) => attempt === last))
        throw new ProblemError("not-found", `run ${row.id} has no attempt ${cleanLine(at, 80)}`);
      const prompts = [];
      for (const one of own.filter(({ attempt }) => attempt <= (last ?? 0)).slice(-BEFORE - 1)) {
        const folder = attemptFolder(home.runDir(row.id), one);
        await fleet?.bring({ run: row.id, ...one });
        prompts.push({
          attempt: one.attempt,
          ...(one.recovery === undefined ? {} : { recovery: one.recovery }),
          ...(await keptPrompt(join(folder, PROMPT_FILE))),
        });
      }
      return { run: row.id, subtask, prompts };
    }),
});

async function keptPrompt(
  path: string,
): Promise<{ readonly text?: string; readonly cut: boolean }> {
  try {
    const file = await open(path, "r");
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(PROMPT_BYTES), 0, PROMPT_BYTES, 0);
      const text = cleanText(redact(buffer.toString("utf8", 0, bytesRead)), {
        maxChars: PROMPT_BYTES,
      });
      return { text, cut: bytesRead === PROMPT_BYTES };
    } finally {
      await file.close();
    }
  } catch {
    return { cut: false };
  }
}
