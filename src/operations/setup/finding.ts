/** One thing that `unstuck doctor` looked at: how it is, and the command that mends it. */
import type { Finding } from "./schemas.ts";

export type { Finding };

export const ok = (what: string, words: string): Finding => ({ what, state: "ok", words });

/** A run can start, and something is missing all the same. */
export const warning = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "warning", words, fix },
});

/** No run can start. */
export const problem = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "problem", words, fix },
});
