/** One finding of `unstuck doctor`: its state, and the command that fixes it. */
import type { Finding } from "./schemas.ts";

export type { Finding };

export const ok = (what: string, words: string): Finding => ({ what, state: "ok", words });

/** A run can start although something is missing. */
export const warning = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "warning", words, fix },
});

/** No run can start. */
export const problem = (what: string, words: string, fix: string): Finding => ({
  ...{ what, state: "problem", words, fix },
});
