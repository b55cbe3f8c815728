/** Input and output schemas of a run's outline: what a page needs to draw it. */
import * as z from "zod";
import type { Budget } from "../../core/budget.ts";
import type { Phase } from "../../core/run/view.ts";
import { data, list, text, texts, word } from "../schema-fields.ts";
import { ofRun } from "../runs/schemas.ts";

/** Epoch milliseconds. */
const at = z.number();

export const outlineRun = {
  input: ofRun,
  output: z.strictObject({
    run: text,
    goal: text,
    /** Missing for a run that has not begun. */
    startedAt: at.exactOptional(),
    /** The time of the last event: up to then everything here is known. */
    at,
    /** It has ended or is paused, or no process works on it. */
    stopped: z.boolean(),
    /** It will not continue. */
    ended: z.boolean(),
    paused: z.boolean(),
    subtasks: list(
      z.strictObject({
        id: text,
        prompt: text,
        phase: word<Phase>(),
        dependsOn: texts,
        /** All failures and the recoveries from them. */
        story: text,
        attempts: list(
          z.strictObject({
            attempt: z.number(),
            startedAt: at.exactOptional(),
            endedAt: at.exactOptional(),
            agent: text.exactOptional(),
            model: text.exactOptional(),
            /** What was done differently, in words; a first attempt has none. */
            recovery: text.exactOptional(),
            branch: text.exactOptional(),
            /** Why it failed, as a short name and as a line. */
            failure: z.strictObject({ name: text, words: text }).exactOptional(),
            used: data<Budget>(),
            succeeded: z.boolean(),
          }),
        ),
        waits: list(z.strictObject({ from: at, until: at, reason: text })),
      }),
    ),
    questions: list(
      z.strictObject({
        id: text,
        /** Missing if it concerns the whole run. */
        subtask: text.exactOptional(),
        /** Subtasks waiting for the same answer. */
        also: texts,
        question: text,
        askedAt: at,
        closedAt: at.exactOptional(),
        /** The answer, and the person who gave it. */
        answer: text.exactOptional(),
      }),
    ),
    /** What was down or at its limit for all subtasks, and which ones waited for it. */
    incidents: list(z.strictObject({ name: text, from: at, until: at, subtasks: texts })),
  }),
};
