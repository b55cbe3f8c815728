/**
 * A run that is killed and resumed, and what must hold of it: for the crash tests and `npm run
 * kill-runs`. The agent writes every 50 ms, leaves a child in a session of its own, and acts on
 * what it is told, so that an attempt that was lost is played again.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refs } from "../../../src/workspace/base/run-folder.ts";
import type { Repository } from "./repository.ts";
import { branchOf, eventsOf, inputsOf, orphansOf, planFile } from "./runs.ts";

/** What has to come out the same, killed or not. */
export interface Result {
  readonly tree: string;
  /** Failures, recoveries and ends by subtask, without those about lost attempts. */
  readonly decisions: Readonly<Record<string, readonly string[]>>;
}

type Events = ReturnType<Repository["events"]>;

/** Where the agents write down each of their starts. */
const startsFile = (here: Repository): string => join(here.path, "..", "starts");

/** Two subtasks at a time, the first of which fails once, and one that needs both. */
export function killPlan(here: Repository, scribbles = 8): string {
  const start = ["sh", "-c", `echo "$UNSTUCK_ATTEMPT" >> '${startsFile(here)}'`];
  const child = ["setsid", "sh", "-c", "sleep 30 &"];
  const work = (id: string) => ({
    run: [start, child],
    scribble: { file: `${id}.log.txt`, times: scribbles },
    print: `<approach>the right way</approach> ${id} done`,
  });
  const bad = ["sh", "-c", 'echo "bad $UNSTUCK_ATTEMPT" > a.txt'];
  const agent = here.agent({
    a: [
      { ...work("a"), run: [start, child, bad], print: "<approach>a guess</approach> done" },
      { ...work("a"), when: "PREVIOUS ATTEMPTS", write: { "a.txt": "good\n" } },
    ],
    b: [{ ...work("b"), write: { "b.txt": "good\n" } }],
    c: [{ ...work("c"), write: { "c.txt": "good\n" } }],
  });
  const subtask = (id: string, after = ""): string =>
    `id: ${id}, prompt: do ${id}, ${after}checks: ["test -f made/ready && sleep 0.1 && grep -q good ${id}.txt"]`;
  const subtasks = [subtask("a"), subtask("b"), subtask("c", "dependsOn: [a, b], ")];
  const setup = 'workspace: { setup: ["mkdir -p made && sleep 0.1 && echo ready > made/ready"] }';
  return planFile(here, agent, subtasks, ["grounding: false", "concurrency: 2", setup]);
}

const RECOVERING = `
if ! test -e "$HOME/busy"; then touch "$HOME/busy"; echo "API Error: 529 overloaded_error" >&2; exit 1; fi
case "$1" in
  *DIFFERENT*) echo "export const a = 2;" > a.mjs;;
  *) echo "broken by $UNSTUCK_ATTEMPT {" > a.mjs;;
esac
echo done`;

/**
 * One subtask that has to wait for its provider, breaks the build, is rolled back, and carries a
 * file of the user's.
 */
export function recoveryPlan(here: Repository): string {
  writeFileSync(join(here.path, ".env"), "KEY=1\n");
  const subtask = 'id: a, prompt: do a, checks: ["test -f .env && node --check a.mjs"]';
  const more = ["grounding: false", "workspace: { carry: [.env] }"];
  return planFile(here, `sh -c '${RECOVERING}' sh {prompt}`, [subtask], more);
}

/** Goes on with the killed run to its end; one that had not begun is begun anew. */
export function resumeToEnd(here: Repository, plan: string): void {
  const resumed = here.unstuck("resume");
  const anew = /has not begun|no runs yet/.test(resumed.err);
  const ended = anew ? here.unstuck("run", plan, "--trust") : resumed;
  assert.equal(ended.code, 0, ended.out + ended.err);
}

export function resultOf(here: Repository): Result {
  const tree = here.git("rev-parse", `${branchOf(here)}^{tree}`).trim();
  return { tree, decisions: decisionsOf(here.events()) };
}

export function decisionsOf(events: Events): Result["decisions"] {
  const found: Record<string, string[]> = {};
  const aboutLost = new Set<string>();
  for (const { event } of events) {
    const subtask = String(event["subtask"]);
    const own = (found[subtask] ??= []);
    if (event.kind === "failure-classified") {
      const { kind } = event["failure"] as { kind: string };
      if (kind === "lost") aboutLost.add(subtask);
      else own.push(kind);
    } else if (event.kind === "recovery-chosen" && !aboutLost.delete(subtask)) {
      const recoveries = event["recoveries"] as { kind: string }[];
      own.push(
        `${recoveries.map(({ kind }) => kind).join("+")} by ${JSON.stringify(event["chosenBy"])}`,
      );
    } else if (event.kind === "subtask-done") own.push(String(event["phase"]));
  }
  return Object.fromEntries(Object.entries(found).filter(([, own]) => own.length > 0));
}

/**
 * Nothing twice, nothing lost, nobody left behind, and the same result as if nothing had happened.
 */
export function assertUnharmed(here: Repository, expected: Result): void {
  const events = here.events();
  const [run = ""] = here.runs();
  assert.deepEqual(resultOf(here), expected);
  const file = startsFile(here);
  const starts = existsSync(file) ? readFileSync(file, "utf8") : "";
  assertNothingTwice(run, events, starts);
  assertSnapshots(here, run, events);
  assert.deepEqual(orphansOf(run), []);
}

const keyOf = ({ subtask, attempt }: Readonly<Record<string, unknown>>): string =>
  `${String(subtask)}/${String(attempt)}`;

/** `starts`: what the agents wrote down of their starts, the id of an attempt a line. */
export function assertNothingTwice(run: string, events: Events, starts: string): void {
  const started = inputsOf(events, "attempt-started").map(keyOf);
  const ended = inputsOf(events, "attempt-ended").map(keyOf);
  assert.deepEqual(started, [...new Set(started)], "an attempt is started once");
  assert.deepEqual(ended, [...new Set(ended)], "an attempt ends once");
  assert.deepEqual(
    started.filter((key) => !ended.includes(key)),
    [],
    "every attempt has an end",
  );
  const really = starts.trim().split("\n");
  const own = really.filter((id) => id.startsWith(`${run}/`)).map((id) => id.slice(run.length + 1));
  assert.deepEqual(own, [...new Set(own)], "no agent was started twice for one attempt");
  assert.deepEqual(
    own.filter((key) => !started.includes(key)),
    [],
    "no agent ran that the journal does not know",
  );
}

/** Each attempt that began has its tree before and after, whole. */
function assertSnapshots(here: Repository, run: string, events: Events): void {
  const clone = join(here.home, "runs", run, "workspace", "clone.git");
  const git = (...args: string[]): string => here.git(`--git-dir=${clone}`, ...args).trim();
  const taken = git("for-each-ref", "--format=%(refname)", refs.snapshots).split("\n");
  const wanted = inputsOf(events, "attempt-started")
    .map(keyOf)
    .flatMap((key) => ["before", "after"].map((when) => refs.snapshot(`${key}/${when}`)));
  assert.deepEqual(
    wanted.filter((ref) => !taken.includes(ref)),
    [],
    "no snapshot is missing",
  );
  assert.equal(git("fsck", "--full", "--no-dangling"), "");
  assert.equal(eventsOf(events, "run-ended").length, 1);
}
