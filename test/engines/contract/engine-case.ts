/**
 * What the cases of the engine suite share: the store they run on, an owner that writes down its commands,
 * waiting.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Policy } from "../../../src/core/policy/policy.ts";
import type { Command } from "../../../src/core/run/command.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import type { RunInput } from "../../../src/core/run/input.ts";
import type { Engine, OwnedRun, Perform } from "../../../src/runtime/ports.ts";
import { goodAnswer, POLICY } from "./script.ts";

/** An engine in a process of its own, as far as anyone can tell. */
export interface EngineProcess {
  readonly engine: Engine;
  /** Ends it without a word: nothing is released, and whoever asks learns that it is dead. */
  kill(): Promise<void>;
}

/** A fresh store that several processes share. */
export interface EngineStore {
  start(): Promise<EngineProcess>;
  close(): Promise<void>;
}

/** A title and what has to hold. */
export type EngineCase = readonly [string, (store: EngineStore) => Promise<void>];

type StartCommand = Extract<Command, { readonly kind: "start" }>;
export const RUN = "run-1";
const PATIENCE_MS = 300_000;

export interface Given {
  readonly all: { readonly command: Command; readonly again: boolean }[];
  /** Waits for so many start commands. */
  starts(count: number): Promise<readonly [StartCommand, ...StartCommand[]]>;
}

export async function owning(
  engine: Engine,
  policy: Policy = POLICY,
): Promise<{ readonly run: OwnedRun; readonly given: Given }> {
  const all: { command: Command; again: boolean }[] = [];
  const perform: Perform = (command, again) => void all.push({ command, again });
  const run = await engine.own(RUN, policy, perform);
  const starts = (): StartCommand[] =>
    all.flatMap(({ command }) => (command.kind === "start" ? [command] : []));
  return {
    run,
    given: {
      all,
      async starts(count) {
        await eventually(() => starts().length >= count);
        const [first, ...others] = starts();
        assert.ok(first !== undefined);
        return [first, ...others];
      },
    },
  };
}

/** Answers every command well until the run has ended. */
export async function answerAll(engine: Engine, given: Given): Promise<void> {
  let next = 0;
  while (!given.all.some(({ command }) => command.kind === "end")) {
    await eventually(() => given.all.length > next);
    const command = given.all[next]?.command;
    next += 1;
    const input = command === undefined ? undefined : goodAnswer(command, 5000 + next);
    if (input !== undefined) await engine.deliver(RUN, input);
  }
}

export async function events(engine: Engine): Promise<readonly RunEvent[]> {
  return (await engine.read(RUN, 1, 10_000)).map(({ event }) => event);
}

export const inputsOf = (recorded: readonly RunEvent[]): readonly RunInput[] =>
  recorded.flatMap((event) => (event.kind === "received" ? [event.input] : []));

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !(await holds()); await sleep(5))
    assert.ok(Date.now() < until, "it did not happen in time");
}
