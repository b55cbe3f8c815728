// proves: U6, U7
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
import fc from "fast-check";
import { repository, type Repository } from "../run/repository.ts";
import { fingerprint, objectFiles } from "../../workspace/fixture.ts";
import { DEEDS, HOSTILE_LINES, makeState, remoteOf, tellTale, type Deed } from "./user-state.ts";

/** Cases of each test; many on demand: `UNSTUCK_CASES_COUNT=200 npm test -- user-state`. */
const CASES = Number(process.env["UNSTUCK_CASES_COUNT"] ?? 2);

const FILES = {
  "value.txt": "1\n",
  "a.ts": "a\n",
  "dir/x.ts": "x\n",
  "dir/y.sh": "#!/bin/sh\n",
  ".gitignore": "*.tmp\n",
};

interface Case {
  readonly deeds: readonly Deed[];
  readonly lines: readonly string[];
  readonly withChanges: boolean;
  /** Milliseconds from the start to kill -9; none: the run may finish. */
  readonly killAfter?: number;
}

const AN_ENDED_RUN = fc.record({
  deeds: DEEDS,
  lines: HOSTILE_LINES,
  withChanges: fc.boolean(),
});
const A_KILLED_RUN = fc.record({
  deeds: DEEDS,
  lines: HOSTILE_LINES,
  withChanges: fc.boolean(),
  killAfter: fc.integer({ min: 80, max: 1500 }),
});

test(
  "an ended run leaves the user's repository as it was, but for its pin and its branch",
  inLargeForm("user-state"),
  async () => {
    await fc.assert(fc.asyncProperty(AN_ENDED_RUN, wholeCase), { numRuns: CASES });
  },
);

test(
  "so does a run killed with kill -9 at any moment, and so does resuming it",
  inLargeForm("user-state"),
  async () => {
    await fc.assert(fc.asyncProperty(A_KILLED_RUN, wholeCase), { numRuns: CASES });
  },
);

async function wholeCase(given: Case): Promise<void> {
  const here = repository(FILES);
  try {
    makeState(here, given.deeds);
    const plan = writePlan(here, given.lines);
    const before = everything(here);
    const objects = objectFiles(here.path);
    const words = ["run", plan, "--trust", ...(given.withChanges ? ["--with-changes"] : [])];
    if (given.killAfter !== undefined) {
      await killed(here, words, given.killAfter);
      await unchangedSoon(here, before);
    }
    const ran = given.killAfter === undefined ? here.unstuck(...words) : resumed(here, words);
    assert.equal(ran.code, 0, ran.out + ran.err);
    assert.deepEqual(everything(here), before);
    const there = new Set(objectFiles(here.path));
    assert.deepEqual(
      objects.filter((file) => !there.has(file)),
      [],
      "no object of the user's is gone",
    );
    const branch = here.git("branch", "--list", "unstuck/*", "--format=%(refname:short)").trim();
    assert.equal(here.git("show", `${branch}:made.txt`), "made\n");
    assert.equal(existsSync(tellTale(here)) && readFileSync(tellTale(here), "utf8"), false);
    here.git("fsck", "--full", "--strict", "--no-dangling");
  } finally {
    here.remove();
  }
}

/**
 * The agent's hostile lines, and after them the work that is asked for, in two subtasks at a time.
 */
function writePlan(here: Repository, lines: readonly string[]): string {
  const shell = (line: string): string[] => ["sh", "-c", `{ ${line}; } >/dev/null 2>&1`];
  const work = (file: string) => ({
    write: { "draft.txt": "draft\n" },
    run: [...lines.map(shell), shell(`echo made > ${file}`)],
    print: "done",
  });
  const agent = here.agent({ make: [work("made.txt")], also: [work("also.txt")] });
  const plan = join(here.path, "..", "plan.yaml");
  const subtask = (id: string, file: string): string =>
    `  - { id: ${id}, prompt: do ${id}, checks: ["grep -q made ${file}"] }\n`;
  writeFileSync(
    plan,
    `agent: ${JSON.stringify(agent)}\ngrounding: false\nconcurrency: 2\nsubtasks:\n` +
      subtask("make", "made.txt") +
      subtask("also", "also.txt"),
  );
  return plan;
}

/**
 * Checkout, index, stash, refs, reflogs, settings and hooks of the repository, and all of its
 * remote.
 */
function everything(here: Repository): Record<string, string> {
  const own = Object.entries(fingerprint(here.path)).filter(
    ([path]) => !/^\.git\/refs\/(unstuck\/[^/]+\/base|heads\/unstuck\/[^/]+)$/.test(path),
  );
  const remote = Object.entries(fingerprint(remoteOf(here)));
  const named = remote.map(([path, hash]): [string, string] => [`remote ${path}`, hash]);
  return Object.fromEntries([...own, ...named]);
}

async function killed(here: Repository, words: readonly string[], after: number): Promise<void> {
  const owner = here.start(...words);
  const gone = new Promise((resolve) => owner.on("exit", resolve));
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, after))]);
  owner.kill("SIGKILL");
  await gone;
}

/** A git that the dead owner had started may still be at work for a moment. */
async function unchangedSoon(here: Repository, before: Record<string, string>): Promise<void> {
  for (let look = 0; look < 600; look += 1) {
    try {
      return assert.deepEqual(everything(here), before);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  assert.deepEqual(everything(here), before);
}

/** Goes on with the killed run; one that had not begun is begun anew. */
function resumed(here: Repository, words: readonly string[]): ReturnType<Repository["unstuck"]> {
  const ran = here.unstuck("resume");
  return /has not begun|no runs yet/.test(ran.err) ? here.unstuck(...words) : ran;
}
