/** Input and output of reading logs: an attempt's entries, one JSON line each, and which attempts there are. */
import * as z from "zod";
import { flag, list, text, texts } from "../schema-fields.ts";
import { asked } from "../runs/schemas.ts";

/** Epoch milliseconds; absent where nobody noted it. */
const at = z.number().exactOptional();

const ofAttempt = {
  subtask: text,
  /** From 1. */
  attempt: z.number(),
  at,
  /** What a subagent did, not the agent itself. */
  inner: z.literal(true).exactOptional(),
};

const call = {
  tool: text,
  /** What it is called with, in one line: a command, a path, a pattern. */
  title: text,
  /** All it is called with, as JSON. */
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
  /** Words that are in no format of the agent: what a plain command prints, or standard error. */
  z.strictObject({ kind: z.literal("output"), ...ofAttempt, text }),
  z.strictObject({ kind: z.literal("tool-call"), ...ofAttempt, ...call }),
  z.strictObject({ kind: z.literal("file-change"), ...ofAttempt, ...call, files: texts }),
  z.strictObject({
    kind: z.literal("tool-result"),
    ...ofAttempt,
    /** Of the call, where it is known. */
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
  /** What happened to the agent's session or to its log. */
  z.strictObject({ kind: z.literal("note"), ...ofAttempt, text }),
  z.strictObject({
    kind: z.literal("checks"),
    ...ofAttempt,
    verdict: z.enum(["passed", "failed", "could-not-run"]),
    /** The commands. */
    checks: texts,
    failing: texts,
    headline: text,
    /** The excerpt of what they printed. */
    text,
  }),
  z.strictObject({
    kind: z.literal("attempt-ended"),
    ...ofAttempt,
    tookMs: z.number().exactOptional(),
    /** What went wrong, in words; absent where nothing did. */
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
    /** Those whose logs were told, as `subtask/attempt`. */
    shown: texts,
    /** Somebody works on the run. */
    goesOn: z.boolean(),
  }),
};

export const readPrompt = {
  input: z.strictObject({ run: asked, at: text.describe("subtask/attempt") }),
  output: z.strictObject({
    run: text,
    subtask: text,
    /** From the subtask's first attempt to the one asked for. */
    prompts: list(
      z.strictObject({
        attempt: z.number(),
        /** What was done differently, in words. */
        recovery: text.exactOptional(),
        /** As the agent was told, without secrets; missing where it was not kept. */
        text: text.exactOptional(),
        cut: z.boolean(),
      }),
    ),
  }),
};

export type LogEntry = z.infer<typeof logEntry>;
export type ListedAttempt = z.infer<typeof attempt>;
export type LogsInput = z.infer<typeof readLogs.input>;
