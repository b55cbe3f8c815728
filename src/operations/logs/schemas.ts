/** Input and output schemas for reading logs: an attempt's entries, one JSON line each, and the list of attempts. */
import * as z from "zod";
import { flag, list, text, texts } from "../schema-fields.ts";
import { asked } from "../runs/schemas.ts";

/** Epoch milliseconds; absent if it was not recorded. */
const at = z.number().exactOptional();

const ofAttempt = {
  subtask: text,
  /** From 1. */
  attempt: z.number(),
  at,
  /** Done by a subagent, not by the agent itself. */
  inner: z.literal(true).exactOptional(),
};

const call = {
  tool: text,
  /** The call's main argument in one line: a command, a path, a pattern. */
  title: text,
  /** All arguments, as JSON. */
  input: text,
  id: text.exactOptional(),
};

export const logEntry = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("attempt-started"),
    ...ofAttempt,
    agent: text,
    model: text.exactOptional(),
    /** Why there is another attempt, in words. */
    recovery: text.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("message"), ...ofAttempt, text }),
  z.strictObject({ kind: z.literal("thinking"), ...ofAttempt, text }),
  /** Text that is not in the agent's format: the output of a plain command, or standard error. */
  z.strictObject({ kind: z.literal("output"), ...ofAttempt, text }),
  z.strictObject({ kind: z.literal("tool-call"), ...ofAttempt, ...call }),
  z.strictObject({ kind: z.literal("file-change"), ...ofAttempt, ...call, files: texts }),
  z.strictObject({
    kind: z.literal("tool-result"),
    ...ofAttempt,
    /** The call's id, if it is known. */
    id: text.exactOptional(),
    tool: text.exactOptional(),
    title: text.exactOptional(),
    text,
    bytes: z.number(),
    lines: z.number(),
    failed: z.boolean(),
    exitCode: z.number().exactOptional(),
    tookMs: z.number().exactOptional(),
  }),
  z.strictObject({ kind: z.literal("error"), ...ofAttempt, text }),
  /** An event of the agent's session or of its log. */
  z.strictObject({ kind: z.literal("note"), ...ofAttempt, text }),
  z.strictObject({
    kind: z.literal("checks"),
    ...ofAttempt,
    verdict: z.enum(["passed", "failed", "could-not-run"]),
    /** The commands. */
    checks: texts,
    failing: texts,
    headline: text,
    /** The excerpt of their output. */
    text,
  }),
  z.strictObject({
    kind: z.literal("attempt-ended"),
    ...ofAttempt,
    tookMs: z.number().exactOptional(),
    /** What went wrong, in words; absent if nothing did. */
    failure: text.exactOptional(),
  }),
  /** What the run decided or did, while it is followed. */
  z.strictObject({ kind: z.literal("run"), at, subtask: text.exactOptional(), text }),
]);

const attempt = z.strictObject({
  subtask: text,
  attempt: z.number(),
  running: z.boolean(),
  agent: text,
  model: text.exactOptional(),
  startedAt: at,
  endedAt: at,
  failure: text.exactOptional(),
});

export const readLogs = {
  input: z.strictObject({
    run: asked,
    at: text
      .optional()
      .describe("subtask, or subtask/attempt; default: what runs now, or ran last"),
    follow: flag.describe("Goes on with the run, across attempts, until it ends or pauses"),
    list: flag.describe("Tells the attempts only"),
    raw: flag.describe("The agent's own output as it was recorded, instead of entries"),
    tail: z.number().int().min(0).optional().describe("Only the last entries of each attempt"),
    since: z.number().optional().describe("Only what happened from then on; epoch milliseconds"),
  }),
  output: z.strictObject({
    run: text,
    /** Oldest first. */
    attempts: list(attempt),
    /** The attempts whose logs were reported, as `subtask/attempt`. */
    shown: texts,
    /** A process works on the run. */
    goesOn: z.boolean(),
  }),
};

export const readPrompt = {
  input: z.strictObject({ run: asked, at: text.describe("subtask/attempt") }),
  output: z.strictObject({
    run: text,
    subtask: text,
    /** From the subtask's first attempt to the requested one. */
    prompts: list(
      z.strictObject({
        attempt: z.number(),
        /** What was done differently, in words. */
        recovery: text.exactOptional(),
        /** The prompt without secrets; missing if it was not kept. */
        text: text.exactOptional(),
        cut: z.boolean(),
      }),
    ),
  }),
};

export type LogEntry = z.infer<typeof logEntry>;
export type ListedAttempt = z.infer<typeof attempt>;
export type LogsInput = z.infer<typeof readLogs.input>;
