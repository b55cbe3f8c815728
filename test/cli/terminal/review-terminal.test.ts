// proves: D4, D5, D7, J14
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { eventsOf, phasesOf, planFile } from "../../end-to-end/run/runs.ts";
import { onTerminal, WITHOUT_TERMINAL } from "./pseudo-terminal.ts";
import type { PseudoTerminal, TerminalOptions } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

/** Its own half-made work, and a failure that this policy takes to a person at once. */
const puzzled = {
  write: { "value.txt": "3\n" },
  error: "the flux is not aligned",
  exit: 1,
};
const loggedOut = { error: "Error: Invalid API key. Please run /login", exit: 1 };
const AT_ONCE = ["grounding: false", "policy: hierarchical"];
const right = { write: { "value.txt": "2\n" }, print: "done" };
const CHECKED = "id: a, prompt: make it two, checks: [sh check.sh]";

/** A run that waits for a person; its id. */
function parked(
  next: object = right,
  more: readonly string[] = AT_ONCE,
  first: object = puzzled,
): string {
  const plan = planFile(here, here.agent({ a: [first, next] }), [CHECKED], more);
  const { code, out, err } = here.unstuck("run", plan, "--trust");
  assert.ok(code === 3 || code === 4, out + err);
  return here.runs()[0] ?? "";
}

const review = (run: string, more: Partial<TerminalOptions> = {}): PseudoTerminal =>
  onTerminal(["review", run], {
    cwd: here.path,
    ...more,
    env: { ...here.env, NO_COLOR: "1", ...more.env },
  });

const questionsOf = (run: string): unknown[] =>
  here
    .unstuck("inbox", "--json")
    .out.split("\n")
    .filter((line) => line.includes(run))
    .map((line) => JSON.parse(line) as unknown);

const answersOf = (run: string): unknown[] =>
  eventsOf(here.events(run), "checkpoint-closed").map(({ answer }) => answer);

const resumed = (run: string): number | null => here.unstuck("resume", run).code;

test(
  "review shows the question with its diff and options; skipping is carried out",
  { skip },
  async () => {
    const run = parked();
    const person = review(run);
    const shown = await person.shows(/^> $|^>$/m);
    for (const words of [
      "question 1 of 1",
      `a/c1  run ${run}`,
      "Subtask a failed (unknown). How should it go on?",
      "  goal       make it two",
      "  attempts   1: unknown → ask",
      "  -1\n  +3",
      "  s  Skip this subtask",
      "  r  Retry with modifications  (recommended)",
      "  m  Handle manually",
      "  d diff · v report · l later · q quit",
    ])
      assert.ok(shown.includes(words), `${words}\nin\n${shown}`);
    person.type("d\r");
    await person.shows(/diff --git[^]*diff --git[^]*> ?$/);
    person.type("v\r");
    await person.shows(/## Stuck Subtask: a[^]*> ?$/);
    person.type("x\r");
    await person.shows(/x is none of the letters[^]*> ?$/);
    person.type("s\r");
    assert.equal(await person.ended(), 0, person.text());
    assert.match(person.text(), /answered\n\n1 of 1 answered\ngo on with: unstuck resume \S+$/m);
    assert.deepEqual(person.wrapped(), []);
    assert.equal(resumed(run), 1);
    assert.deepEqual(phasesOf(here), { a: "skipped" });
  },
);

test(
  "retry with words: they are typed with corrections, and reach the agent",
  { skip },
  async () => {
    const run = parked({ ...right, expectPrompt: "the key is set" });
    const person = review(run);
    await person.shows(/^>/m);
    person.type("r\r");
    await person.shows(/your words for the agent:/);
    person.type("the key is sex\x7ft\r");
    assert.equal(await person.ended(), 0, person.text());
    assert.equal(resumed(run), 0);
    assert.deepEqual(answersOf(run), [{ kind: "retry", words: "the key is set" }]);
  },
);

test("logged out: one key says that it is done, and the agent tries again", { skip }, async () => {
  const run = parked(right, AT_ONCE, loggedOut);
  const person = review(run);
  await person.shows(/The agent is not logged in\.[^]*r {2}Done, try again {2}\(recommended\)/);
  assert.match(person.text(), /do this +Log in or set the key of the service/);
  person.type("r\r");
  assert.equal(await person.ended(), 0, person.text());
  assert.equal(resumed(run), 0);
  assert.deepEqual(answersOf(run), [{ kind: "retry", words: "" }]);
});

test("words pasted in several lines are one answer", { skip }, async () => {
  const run = parked();
  const person = review(run);
  await person.shows(/^>/m);
  person.type("r\r");
  await person.shows(/your words for the agent:/);
  person.type("use the new key\rs\r");
  assert.equal(await person.ended(), 0, person.text());
  const [open] = questionsOf(run) as { given: { answer: unknown } }[];
  assert.deepEqual(open?.given.answer, { kind: "retry", words: "use the new key\ns" });
});

test(
  "by hand: the folder is named, the question stays open, and what is done is checked",
  { skip },
  async () => {
    const run = parked();
    const person = review(run);
    await person.shows(/^>/m);
    person.type("m\r");
    assert.equal(await person.ended(), 0, person.text());
    const text = person.text();
    const [, folder = ""] = /its files:\n(\/[^]*?)\n {2}it is in your hands/.exec(text) ?? [];
    assert.match(text.replaceAll(/\n */g, " "), /unstuck resolve a\/c1 --run \S+ --manual --done/);
    writeFileSync(join(folder.replaceAll("\n", ""), "value.txt"), "2\n");
    const again = review(run);
    await again.shows(/in hands +of [^]*m {2}Handle manually: it is done/);
    again.type("m\r");
    assert.equal(await again.ended(), 0, again.text());
    assert.equal(resumed(run), 0);
    assert.deepEqual(answersOf(run), [{ kind: "manual", done: true }]);
  },
);

test("a top-up raises what is used up, and nothing else", { skip }, async () => {
  const red = { write: { "value.txt": "3\n" }, print: "done" };
  const run = parked(right, ["grounding: false", "budget: { attempts: 1 }"], red);
  const person = review(run);
  await person.shows(/The attempts budget of the run is used up[^]*t {2}Raise the budget/);
  await person.shows(/s {2}End the run here/);
  person.type("t\r");
  await person.shows(/raise by \(attempts=5\):/);
  person.type("minutes=5\r");
  await person.shows(/the attempts budget is what is used up[^]*>/);
  person.type("t\r");
  await person.shows(/raise by[^]*raise by/);
  person.type("attempts=1\r");
  assert.equal(await person.ended(), 0, person.text());
  assert.equal(resumed(run), 0);
  assert.deepEqual(answersOf(run), [{ kind: "top-up", by: { attempts: 1 } }]);
});

for (const [name, ...keys] of [
  ["later", "l\r"],
  ["quit", "q\r"],
  ["Ctrl-D", "\x04"],
  ["Ctrl-C", "\x03"],
  ["Ctrl-C in the middle of an answer", "r\r", "forget ab\x03"],
  ["no words", "r\r", "\r", "q\r"],
  ["keys pasted in one go", "r\rs\rm\r", "q\r"],
] as const)
  test(`${name} leaves everything as it was`, { skip }, async () => {
    const run = parkedOnce();
    const before = { events: here.events(run), questions: questionsOf(run) };
    const person = review(run);
    await person.shows(/^>/m);
    for (const typed of keys) {
      person.type(typed);
      await person.settled();
    }
    assert.equal(await person.ended(), 0, person.text());
    assert.match(person.text(), /0 of 1 answered/);
    assert.doesNotMatch(person.text(), /go on with/);
    assert.deepEqual({ events: here.events(run), questions: questionsOf(run) }, before);
  });

let leftAlone: string | undefined;
const parkedOnce = (): string => (leftAlone ??= parked());

test("two terminals answer at once: one wins, the other is told", { skip }, async () => {
  const run = parked({ ...right, expectPrompt: "the first" });
  const [one, two] = [review(run), review(run)];
  await one.shows(/^>/m);
  await two.shows(/^>/m);
  one.type("r\r");
  await one.shows(/your words/);
  one.type("the first\r");
  assert.equal(await one.ended(), 0);
  two.type("s\r");
  assert.equal(await two.ended(), 0);
  assert.match(one.text(), /1 of 1 answered/);
  assert.match(
    two.text().replaceAll(/\n +/g, " "),
    /a\/c1 of run \S+ was answered already, by .*: retry: the first; the first answer stands[^]*0 of 1 answered/,
  );
  const [open] = questionsOf(run) as { given: { answer: unknown } }[];
  assert.deepEqual(open?.given.answer, { kind: "retry", words: "the first" });
  assert.match(here.unstuck("inbox").out, /answered by .*: retry: the first; go on with: unstuck/);
  const late = here.unstuck("resolve", "a/c1", "--run", run, "--skip");
  assert.deepEqual([late.code, /was answered already/.test(late.err)], [2, true], late.err);
  const third = review(run);
  assert.equal(await third.ended(), 0);
  assert.match(third.text(), /a\/c1 is answered by .*: retry: the first/);
  assert.equal(resumed(run), 0);
});

test(
  "truly at once: exactly one answer counts, and each terminal says the truth",
  { skip },
  async () => {
    const run = parked();
    const people = [review(run), review(run), review(run)];
    await Promise.all(people.map((person) => person.shows(/^>/m)));
    for (const person of people) person.type("s\r");
    await Promise.all(people.map((person) => person.ended()));
    const winners = people.filter((person) => person.text().includes("1 of 1 answered"));
    const losers = people.filter((person) => person.text().includes("was answered already"));
    assert.deepEqual(
      [winners.length, losers.length],
      [1, 2],
      people.map((p) => p.text()).join("\n"),
    );
  },
);

test(
  "80 columns, 40 columns, a dumb terminal: no line is too wide, no code it cannot know",
  { skip },
  async () => {
    const run = parkedOnce();
    for (const [columns, rows] of [
      [80, 24],
      [40, 10],
    ] as const) {
      const person = review(run, { columns, rows, env: { NO_COLOR: "" } });
      await person.shows(/^>/m);
      assert.match(person.raw(), /\x1b\[1m/, "with colours");
      person.type("d\r");
      await person.shows(/(diff --git[^]*){2}> ?$/);
      person.type("v\r");
      await person.shows(/## Stuck Subtask[^]*> ?$/);
      person.type("q\r");
      assert.equal(await person.ended(), 0);
      assert.deepEqual(person.wrapped(), []);
    }
    const plain = review(run);
    await plain.shows(/^>/m);
    plain.type("q\r");
    await plain.ended();
    assert.doesNotMatch(plain.raw(), /\x1b\[[\d;]*m/, "NO_COLOR");
    const dumb = review(run, { env: { TERM: "dumb", NO_COLOR: "" } });
    await dumb.shows(/^>/m);
    dumb.type("d\r");
    await dumb.shows(/(diff --git[^]*){2}> ?$/);
    dumb.type("q\r");
    assert.equal(await dumb.ended(), 0);
    assert.doesNotMatch(dumb.raw(), /\x1b/, "TERM=dumb");
  },
);
