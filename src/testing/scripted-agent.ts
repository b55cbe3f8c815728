/**
 * An agent that follows a script, as a separate program started by the `command` agent. Usage: node scripted-agent.ts
 * <script.json> <prompt>. The script lists for each subtask what its attempts do, in order; the last one is repeated.
 * Like every agent, it learns its subtask and attempt from UNSTUCK_* variables.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** One attempt. Fields are carried out in this order. */
export interface ScriptedAttempt {
  /** Use this attempt, whatever its number, if the prompt contains this text. */
  readonly when?: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly append?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  /** Commands, each as a list of words. Failures are ignored, as an agent might. */
  readonly run?: readonly (readonly string[])[];
  /** A file rewritten every 50 ms, this many times: it contains a counter and ends with the last number. */
  readonly scribble?: { readonly file: string; readonly times: number };
  readonly print?: string;
  readonly error?: string;
  /** A line printed again and again, with pauses, until the agent is stopped. */
  readonly repeat?: string;
  readonly sleepMs?: number;
  readonly hang?: boolean;
  readonly signal?: NodeJS.Signals;
  readonly exit?: number;
  /**
   * The prompt must contain this text, otherwise the agent exits with 99: lets a test check what the agent was told.
   */
  readonly expectPrompt?: string;
}

export type Script = Readonly<Record<string, readonly ScriptedAttempt[]>>;

const wait = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

function play(attempt: ScriptedAttempt, prompt: string): number {
  if (attempt.expectPrompt !== undefined && !prompt.includes(attempt.expectPrompt)) {
    process.stderr.write(`the prompt does not say: ${attempt.expectPrompt}\n`);
    return 99;
  }
  for (const [file, text] of Object.entries(attempt.write ?? {})) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [file, text] of Object.entries(attempt.append ?? {})) appendFileSync(file, text);
  for (const file of attempt.remove ?? []) rmSync(file, { recursive: true, force: true });
  for (const [program = "true", ...args] of attempt.run ?? [])
    spawnSync(program, args, { stdio: "inherit" });
  for (let time = 1; time <= (attempt.scribble?.times ?? 0); time += 1) {
    writeFileSync(attempt.scribble?.file ?? "", `${time}\n`);
    wait(50);
  }
  if (attempt.print !== undefined) process.stdout.write(`${attempt.print}\n`);
  if (attempt.error !== undefined) process.stderr.write(`${attempt.error}\n`);
  while (attempt.repeat !== undefined) {
    process.stdout.write(`${attempt.repeat}\n`);
    wait(30);
  }
  if (attempt.sleepMs !== undefined) wait(attempt.sleepMs);
  while (attempt.hang === true) wait(1000);
  if (attempt.signal !== undefined) process.kill(process.pid, attempt.signal);
  return attempt.exit ?? 0;
}

const [scriptFile = "", prompt = ""] = process.argv.slice(2);
const script = JSON.parse(readFileSync(scriptFile, "utf8")) as Script;
const subtask = process.env["UNSTUCK_SUBTASK"] ?? "";
const number = Number((process.env["UNSTUCK_ATTEMPT"] ?? "").split("/").at(-1)) || 1;
const attempts = script[subtask] ?? [{ print: `looked at ${subtask}` }];
const told = attempts.find(({ when }) => when !== undefined && prompt.includes(when));
const inOrder = attempts.filter(({ when }) => when === undefined);
process.exitCode = play(told ?? inOrder[Math.min(number, inOrder.length) - 1] ?? {}, prompt);
