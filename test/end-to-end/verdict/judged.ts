/**
 * What the tests of verdicts share: a run of scripted agents whose prompts and surroundings are kept outside the repository, and
 * what the run says of each subtask afterwards.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Note } from "../../../src/core/run/note.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import type { Ran } from "../../cli/command.ts";
import { repository, type Repository } from "../run/repository.ts";
import { eventsOf, planFile } from "../run/runs.ts";

export type Files = Readonly<Record<string, string>>;

export function inProject(files: Files, body: (here: Repository) => void): void {
  const here = repository(files);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

export interface Ask {
  readonly script: Script;
  /** YAML flow maps without their braces; default: one subtask `a`. */
  readonly subtasks?: readonly string[];
  /** Further lines of the plan: its checks, its workspace. */
  readonly plan: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

type ToldNote = Note & { readonly words: string };

export interface Judged {
  readonly ran: Ran;
  readonly run: string;
  readonly code: number | null;
  readonly outcome: string;
  readonly reason: string;
  phase(subtask?: string): string;
  notes(subtask?: string): readonly ToldNote[];
  /** Kinds of notes, in order of the alphabet. */
  kinds(subtask?: string): readonly string[];
}

/** Keeps prompt, environment and folder of each attempt in `seen/`, then goes on as the scripted agent. */
const KEEPS_WHAT_IT_SEES =
  `sh -c 'at="$HOME/seen/$UNSTUCK_SUBTASK.\${UNSTUCK_ATTEMPT##*/}"; mkdir -p "$HOME/seen"; ` +
  `printf %s "$1" > "$at.prompt"; env > "$at.env"; pwd > "$at.cwd"; shift; exec "$@"' sh {prompt} `;

export function judged(here: Repository, ask: Ask): Judged {
  const agent = KEEPS_WHAT_IT_SEES + here.agent(ask.script);
  const plan = planFile(here, agent, ask.subtasks ?? ["id: a, prompt: mend it"], [
    "grounding: false",
    ...ask.plan,
  ]);
  const ran = here.unstuckWith(ask.env ?? {}, "run", plan, "--trust", ...(ask.args ?? []));
  return told(here, ran);
}

interface Status {
  readonly outcome?: string | { readonly kind: string; readonly reason: string };
  readonly reason?: string;
  readonly subtasks: readonly { id: string; phase: string; notes?: readonly ToldNote[] }[];
}

function told(here: Repository, ran: Ran): Judged {
  const run = /^run (\S+)$/m.exec(ran.err)?.[1] ?? "";
  assert.notEqual(run, "", `no run was started: ${ran.err}${ran.out}`);
  const status = JSON.parse(here.unstuck("status", run, "--json").out) as Status;
  const { outcome } = status;
  const subtask = (id: string) => {
    const found = status.subtasks.find((one) => one.id === id);
    assert.ok(found !== undefined, `no subtask ${id}`);
    return found;
  };
  const notes = (id = "a"): readonly ToldNote[] => subtask(id).notes ?? [];
  return {
    ...{ ran, run, code: ran.code },
    outcome: (typeof outcome === "object" ? outcome.kind : outcome) ?? "",
    reason: status.reason ?? (typeof outcome === "object" ? outcome.reason : ""),
    phase: (id = "a") => subtask(id).phase,
    notes,
    kinds: (id = "a") =>
      notes(id)
        .map(({ kind }) => kind)
        .sort(),
  };
}

/** Asserts a verified end without anything that takes from it. */
export function assertVerified(judged: Judged, subtasks: readonly string[] = ["a"]): void {
  assert.equal(judged.code, 0, judged.ran.out + judged.ran.err);
  assert.equal(judged.outcome, "verified");
  for (const id of subtasks) {
    assert.equal(judged.phase(id), "verified", id);
    const alarms = judged.kinds(id).filter((kind) => ALARMS.has(kind));
    assert.deepEqual(alarms, [], `${id}: ${JSON.stringify(judged.notes(id))}`);
  }
}

const ALARMS: ReadonlySet<string> = new Set(["own-tests", "fewer-tests"]);

/** Asserts what a result that passes by weaker judges only has to say. */
export function assertUnverified(judged: Judged, kind: "own-tests" | "fewer-tests"): void {
  assert.equal(judged.code, 6, judged.ran.out + judged.ran.err);
  assert.equal(judged.outcome, "unverified");
  assert.equal(judged.phase(), "unverified");
  assert.ok(judged.kinds().includes(kind), `notes: ${JSON.stringify(judged.notes())}`);
}

/** What an attempt was told; empty where there was none. */
export function promptOf(here: Repository, attempt: number, subtask = "a"): string {
  const file = join(here.path, "..", "seen", `${subtask}.${attempt}.prompt`);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** All that was kept of the attempts, by file name. */
export function seenByAgents(here: Repository): Files {
  const folder = join(here.path, "..", "seen");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Lines that checks wrote into a file of the home folder. */
export function logged(here: Repository, name = "log"): readonly string[] {
  const file = join(here.path, "..", name);
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

export const startsOf = (here: Repository): number =>
  eventsOf(here.events(), "attempt-dispatched").length;

/** A reason to skip a test that needs these programs; false where all are there. */
export function without(...programs: readonly string[]): string | false {
  const missing = programs.filter((name) => !isInstalled(name));
  return missing.length === 0 ? false : `not installed here: ${missing.join(", ")}`;
}

const isInstalled = (name: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, name))) &&
  spawnSync(name, [name === "go" ? "version" : "--version"]).status === 0;

/** One line, however it was wrapped for a screen. */
export const unwrapped = (text: string): string => text.replace(/\s+/g, " ");
