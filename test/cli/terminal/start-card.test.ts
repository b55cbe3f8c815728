// proves: U17, U15
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { plain, lineWidth } from "../../../src/cli/screen/line.ts";
import { startCard } from "../../../src/cli/screen/start-card.ts";
import type { PreparedGoal } from "../../../src/operations/goal/schemas.ts";

const from = "package.json";
const PREPARED: PreparedGoal = {
  goal: "make the tests pass",
  repository: "/home/me/shop",
  from: { branch: "main", commit: "a86b91b2c3d4" },
  changesLeftOut: 0,
  agent: {
    agent: "claude",
    title: "Claude Code",
    version: "2.1.42",
    namesCost: true,
    loginMark: "x",
  },
  setup: { commands: ["npm ci"], from: "package-lock.json" },
  checks: [
    { run: "npm run build", from, state: "green", expect: "pass" },
    { run: "npm test", from, state: "red", expect: "pass", items: 3 },
    { run: "npm run types", from, state: "red", expect: "no-worse", items: 12 },
    { run: "sh mine.sh", expect: "pass" },
  ],
  leftOut: [
    { run: "npm run e2e", from, why: "no end after 10m 00s, and it says nothing of a server" },
  ],
  budget: { usd: 10, minutes: 240 },
  ...{ agreed: false, mark: "m", plan: "{}" },
};

const shown = (prepared: PreparedGoal, columns: number, inPlace = false): string =>
  startCard(prepared, { columns, inPlace })
    .map((line) => plain(line).trimEnd())
    .join("\n");

test("at 80 columns every check stands beside what is asked of it", () => {
  assert.equal(
    shown(PREPARED, 80),
    `
goal     make the tests pass
agent    Claude Code 2.1.42, with its own default model
install  npm ci (package-lock.json)
checks   npm run build  passes
         npm test       fails now (3 failures): must pass
         npm run types  already failing: must not get worse
         sh mine.sh     must pass
         npm run e2e    left out: no end after 10m 00s, and it says nothing of a
                        server
budget   at most $10.00, 4h 00m agent time
result   new branch unstuck/… from main (a86b91b); your files stay as they are`.trimStart(),
  );
});

test("at 40 columns it stands below", () => {
  assert.equal(
    shown({ ...PREPARED, checks: PREPARED.checks.slice(1, 3), leftOut: [] }, 40),
    `
goal     make the tests pass
agent    Claude Code 2.1.42, with its
         own default model
install  npm ci (package-lock.json)
checks   npm test
           fails now (3 failures): must
           pass
         npm run types
           already failing: must not get
           worse
budget   at most $10.00, 4h 00m agent
         time
result   new branch unstuck/… from main
         (a86b91b); your files stay as
         they are`.trimStart(),
  );
});

test("what is missing is said: no checks, no login, work in place", () => {
  const { setup: _, ...rest } = PREPARED;
  const bare: PreparedGoal = {
    ...{ ...rest, checks: [], leftOut: [] },
    agent: { agent: "codex", title: "Codex", version: "0.121.0", namesCost: false },
    budget: { attempts: 30, minutes: 240 },
    changesLeftOut: 2,
  };
  const text = shown(bare, 200, true);
  assert.match(text, /^checks {3}none: nothing can be verified\. Name one with --check$/m);
  assert.match(text, /^agent {4}Codex 0\.121\.0, .*; no login seen$/m);
  assert.match(text, /^result {3}in this checkout itself; unstuck undo takes it back$/m);
  assert.match(text, /^budget {3}at most 4h 00m agent time, 30 attempts$/m);
  assert.match(text, /^without {2}2 uncommitted changes; --with-changes takes them along$/m);
  assert.doesNotMatch(text, /install/);
});

test("whatever a repository names: no line too wide, no control character, every command in full", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 120 });
  const command = fc.string({
    unit: fc.constantFrom(..."abc -&'/é語"),
    minLength: 1,
    maxLength: 150,
  });
  fc.assert(
    fc.property(
      text,
      command,
      text,
      fc.integer({ min: 24, max: 200 }),
      (goal, run, why, columns) => {
        const lines = startCard(
          {
            ...{ ...PREPARED, goal, leftOut: [{ run: "x", from, why }] },
            agent: { agent: run, title: run, namesCost: false },
            checks: [{ run, from, state: "red", expect: "no-worse", items: 1 }],
          },
          { columns },
        );
        for (const line of lines) {
          assert.ok(lineWidth(line) <= columns, plain(line));
          assert.doesNotMatch(plain(line), /[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        }
        const said = lines
          .map((line) => plain(line).slice(9))
          .join("")
          .replace(/\s/g, "");
        assert.ok(said.split(run.replace(/\s/g, "")).length > 2, said);
      },
    ),
    { numRuns: 10 },
  );
});
