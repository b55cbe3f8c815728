// proves: C7, C8
// What a run's recorded events teach: which moves won and lost, by whom, and what a person said yes or no to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { adaptive } from "../../../src/core/adaptive/adaptive.ts";
import { outcomeCollector } from "../../../src/core/learning/collect-outcomes.ts";
import { causeKey, cellKey, cellOf, isOfCause } from "../../../src/core/learning/counts.ts";
import {
  answerCollector,
  neverDone,
  neverWords,
  readPreferences,
  withAnswer,
  withNever,
  type Preferences,
} from "../../../src/core/learning/preferences.ts";
import {
  NOTHING_LEARNED,
  readLearning,
  teachingCollector,
  withTaught,
} from "../../../src/core/learning/repository-learning.ts";
import type { RepositoryLearning, Taught } from "../../../src/core/learning/repository-learning.ts";
import { lessonId } from "../../../src/core/memory/lesson.ts";
import { NOBODY, UNSTUCK } from "../../../src/core/run/checkpoint.ts";
import type { RunEvent } from "../../../src/core/run/decision.ts";
import { evidenceFor } from "../repair/every-strategy.ts";
import { Driver, NO_PROGRESS, plan, subtask } from "../run/driver.ts";

const one = plan([subtask("a")]);

/** `won move of symptom, tier steps up, by whom`, in order. */
function outcomes({ journal }: Driver): readonly string[] {
  const collector = outcomeCollector();
  return journal
    .flatMap((event) => collector.add(event))
    .map(
      ({ won, move, symptom, tierStep, agent }) =>
        `${won ? "won" : "lost"} ${move} of ${symptom} +${tierStep} ${agent}`,
    );
}

function learned(run: Driver, known = NOTHING_LEARNED, name = "r1"): RepositoryLearning {
  const collector = teachingCollector();
  const taught = run.journal.flatMap((event, index) => collector.add(index + 1, event));
  return withTaught(known, name, taught, { upTo: run.journal.length, now: run.now });
}

const RUNS: readonly [string, (run: Driver) => void, readonly string[]][] = [
  ["a first attempt that passes teaches nothing", (run) => run.green("a"), []],
  [
    "what failed before, and what got there",
    (run) => {
      run.red("a");
      run.red("a");
      run.green("a");
    },
    [
      "lost feedback of verification_failed +0 small",
      "won feedback of verification_failed +0 small",
    ],
  ],
  [
    "an outage says nothing about the move it cut off: the next attempt is judged for it",
    (run) => {
      run.red("a");
      run.fails("a", "server_overloaded", { failure: { origin: "provider" } });
      run.fire("a");
      run.green("a");
    },
    ["won feedback of verification_failed +0 small"],
  ],
  [
    "a wait by itself is no move",
    (run) => {
      run.fails("a", "server_overloaded", { failure: { origin: "provider" } });
      run.fire("a");
      run.green("a");
    },
    [],
  ],
];

for (const [name, play, expected] of RUNS)
  test(name, () => {
    const run = new Driver("standard", one);
    play(run);
    assert.deepEqual(outcomes(run), expected);
  });

test("a stronger model is counted by how many tiers it is above the planned one", () => {
  const run = new Driver("tier-ladder", one);
  while (run.recoveries().at(-1) !== "escalate")
    run.red("a", { remains: { signals: NO_PROGRESS } });
  run.green("a");
  assert.match(outcomes(run).at(-1) ?? "", /^won escalate of \w+ \+1 codex$/);
});

test("a repair counts for the recovery and for the strategy of its chain", () => {
  const run = new Driver("recovery-strategies", one);
  const evidence = evidenceFor("file_not_found", "verify_path");
  run.fails("a", "file_not_found", { failure: { origin: "tool" }, evidence });
  run.green("a");
  assert.deepEqual(outcomes(run), [
    "won repair of file_not_found +0 small",
    "won repair/verify_path of file_not_found +0 small",
  ]);
});

test("chosen by cause, an outcome is shared out as the choice recorded it; else it is not", () => {
  const partsUnder = (policy: ConstructorParameters<typeof Driver>[0]) => {
    const run = new Driver(policy, one);
    run.red("a");
    run.red("a");
    run.green("a");
    const collector = outcomeCollector();
    const chosen = run.journal.flatMap((event) =>
      event.kind === "recovery-chosen" ? [event.outcome] : [],
    );
    const taught = run.journal.flatMap((event) => collector.add(event));
    return { chosen, parts: taught.map(({ byCause }) => byCause), known: learned(run).counts };
  };
  const { chosen, parts, known } = partsUnder(adaptive());
  assert.deepEqual(parts, [chosen[0]?.failed, chosen[1]?.worked]);
  assert.ok((parts[1]?.["mistake"] ?? 0) > 0.1, JSON.stringify(parts));
  assert.equal(cellOf(known, causeKey("mistake", "feedback", 0)).lost, chosen[0]?.failed.mistake);
  assert.deepEqual(partsUnder("standard").parts, [undefined, undefined]);
  assert.ok(!Object.keys(partsUnder("standard").known.cells).some(isOfCause));
});

test("read again from the start, a run teaches nothing twice; what came since is added", () => {
  const run = new Driver("standard", plan([subtask("a"), subtask("b", { dependsOn: ["a"] })]));
  run.red("a");
  run.green("a");
  const once = learned(run);
  assert.deepEqual(learned(run, once), once);
  assert.deepEqual(readLearning(JSON.stringify(once)), once);
  run.red("b");
  run.green("b");
  const both = learned(run, readLearning(JSON.stringify(once)));
  const name = { symptom: "verification_failed", move: "feedback", tierStep: 0, agent: "small" };
  assert.equal(cellOf(once.counts, cellKey(name)).won, 1);
  assert.equal(cellOf(both.counts, cellKey(name)).won, 1.98);
  assert.deepEqual(both.counts, learned(run).counts);
});

const damaged = ["", "{", "null", "[]", '{"counts":{"version":9},"taken":{"r":"x"},"lessons":[1]}'];
for (const text of damaged)
  test(`a store that holds ${JSON.stringify(text)} is nothing learned`, () =>
    assert.deepEqual(readLearning(text), NOTHING_LEARNED));

type Said = "without" | "allow-once" | "allow-always" | "skip";

/** The agent's gate refuses a command, and a person answers. */
function refused(command: string, said: readonly Said[]): readonly string[] {
  let known = NOTHING_LEARNED;
  for (const [index, kind] of said.entries()) {
    const run = new Driver("standard", one);
    run.red("a", { remains: { refused: [{ tool: "Bash", command }] } });
    const asked = run.of("a").checkpoint;
    assert.ok(asked?.context.refused !== undefined);
    run.answer(asked.id, { kind });
    known = learned(run, known, `r${index}`);
  }
  return neverDone(readPreferences(JSON.parse(JSON.stringify(known.preferences))));
}

const ANSWERS: readonly [string, readonly Said[], readonly string[]][] = [
  ["sudo apt-get update", ["without"], []],
  ["sudo apt-get update", ["without", "without"], ["sudo"]],
  ["npm install left-pad", ["without", "without"], ["install"]],
  ["npm install left-pad", ["without", "without", "allow-once"], []],
  ["npm install left-pad", ["allow-always", "allow-always", "allow-always"], []],
  ["npm install left-pad", ["without", "skip", "skip"], []],
  ["make docs", ["without", "without"], []],
];

for (const [command, said, expected] of ANSWERS)
  test(`${command}: ${said.join(", ")} means never ${expected.join() || "nothing"}`, () =>
    assert.deepEqual(refused(command, said), expected));

test("an answer teaches once for each risk, and only where a person gave it", () => {
  const commands = ["sudo rm -rf build", "npm install x", "sudo ls", "make"];
  const refusals = commands.map((command) => ({ tool: "Bash", command }));
  const opened = {
    kind: "checkpoint-opened",
    checkpoint: { id: "c", context: { refused: refusals } },
  };
  const taught = (kind: string, by: string, ...before: readonly object[]) => {
    const collector = answerCollector();
    const closed = { kind: "checkpoint-closed", checkpoint: "c", answer: { kind }, by };
    return [...before, closed, closed].flatMap((event) => collector.add(event as RunEvent));
  };
  assert.deepEqual(taught("without", "alice", opened), [
    { risk: "sudo", yes: false },
    { risk: "install", yes: false },
  ]);
  for (const kind of ["allow-once", "allow-run", "allow-always"])
    assert.equal(taught(kind, "alice", opened)[0]?.yes, true, kind);
  for (const [kind, by] of [
    ["without", NOBODY],
    ["allow-once", UNSTUCK],
    ["skip", "alice"],
  ] as const)
    assert.deepEqual(taught(kind, by, opened), [], `${kind} by ${by}`);
  assert.deepEqual(taught("without", "alice"), [], "a question that was not seen");
});

test("what is read of a person's noes is bounded; what makes no sense is none", () => {
  const read = (sudo: unknown) => readPreferences({ sudo, install: 1, other: 2 });
  assert.deepEqual(read(12), { sudo: 9, install: 1 });
  for (const noes of [0, -1, 1.5, "2", null, NaN]) assert.deepEqual(read(noes), { install: 1 });
  assert.deepEqual(readPreferences([1]), {});
  const many = Array.from({ length: 20 }).reduce<Preferences>(
    (known) => withAnswer(known, { risk: "delete", yes: false }),
    {},
  );
  assert.deepEqual(many, { delete: 9 });
  assert.equal(withNever(one, []), one);
  assert.equal(neverWords(["sudo", "delete"]), "use sudo or delete files");
});

test("two hundred runs are remembered, the newest; how far each was read never goes back", () => {
  const run = (known: RepositoryLearning, name: string, upTo: number) =>
    withTaught(known, name, [], { upTo, now: 0 });
  const many = Array.from({ length: 201 }, (_, at) => `n${at}`).reduce(
    (known, name) => run(known, name, 3),
    NOTHING_LEARNED,
  );
  assert.deepEqual(
    [Object.keys(many.taken).length, many.taken["n0"], many.taken["n1"]],
    [200, undefined, 3],
  );
  assert.equal(run(many, "n1", 2).taken["n1"], 3);
  const stored = JSON.stringify({
    ...many,
    taken: { old: 1, ...many.taken, bad: 1.5, worse: "2" },
  });
  assert.deepEqual(readLearning(stored).taken, many.taken);
  assert.deepEqual(readLearning(undefined), NOTHING_LEARNED);
});

test("an event that was read is not learned from again; lessons and what was said are kept too", () => {
  const outcome = { symptom: "timeout", move: "retry", tierStep: 0, agent: "a", won: true };
  const lesson = {
    signature: "s",
    kind: "timeout",
    error: "",
    summary: "",
    files: [],
    at: 0,
  } as const;
  const taught: readonly Taught[] = [
    { seq: 4, kind: "outcome", outcome: { ...outcome, expected: 0.25 } },
    { seq: 5, kind: "lesson", lesson },
    { seq: 5, kind: "outcome", outcome },
    { seq: 6, kind: "told", id: lessonId("s"), held: true },
    { seq: 6, kind: "duration", duration: { key: "a|1", ms: 7 } },
  ];
  const all = withTaught(NOTHING_LEARNED, "r", taught, { upTo: 6, now: 0 });
  assert.equal(cellOf(all.counts, cellKey(outcome)).won, 1.98);
  assert.deepEqual(all.calibration[2], { said: 0.25, won: 1, cases: 1 });
  assert.ok(all.calibration.every(({ cases }, bin) => bin === 2 || cases === 0));
  assert.deepEqual([all.lessons[0]?.overcome, all.lessons[0]?.held], [1, 1]);
  assert.deepEqual(all.durations, { "a|1": [7] });
  const later = withTaught({ ...NOTHING_LEARNED, taken: { r: 5 } }, "r", taught, {
    upTo: 6,
    now: 0,
  });
  assert.deepEqual([later.counts.cells, later.lessons, later.durations], [{}, [], { "a|1": [7] }]);
});

test("what is never wanted is not asked about again: the failure stands as the checks have it", () => {
  const refusal = { remains: { refused: [{ tool: "Bash", command: "npm install left-pad" }] } };
  const asked = new Driver("standard", one);
  asked.red("a", refusal);
  assert.equal(asked.of("a").phase, "asking");
  const kept = new Driver("standard", withNever(one, ["install"]));
  kept.red("a", refusal);
  assert.deepEqual(kept.recoveries(), ["feedback"]);
  const other = new Driver("standard", withNever(one, ["sudo"]));
  other.red("a", refusal);
  assert.equal(other.of("a").phase, "asking", "another risk is asked about");
  assert.deepEqual(withNever({ ...one, permissions: { install: "allow" } }, ["install"]), {
    ...one,
    never: ["install"],
    permissions: { install: "deny" },
  });
});
