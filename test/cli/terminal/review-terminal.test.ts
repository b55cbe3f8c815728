// proves: D4, D5, D7, J14, P7
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { inLargeForm } from "../../large-form.ts";
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

/** Where a panel waits for a key. */
const ASKED = /^ {2}.*esc leave it open$/m;

test(
  "review shows the question and its answers by key; skipping is carried out",
  { skip },
  async () => {
    const run = parked();
    const person = review(run);
    const shown = await person.shows(ASKED);
    for (const words of [
      `? a/c1  run ${run} · asked just now`,
      "Subtask a failed with an error that Unstuck does not know.",
      "  │ failed: sh check.sh",
      "  task     make it two",
      "  changed  1 file, +1 -1",
      "  s  Skip this subtask\n     Gives this subtask up; the others go on.",
      "  r  Retry with modifications (recommended)",
      "  m  Handle manually",
      "  d diff · l log · v report · e write in your editor · esc leave it open",
    ])
      assert.ok(shown.includes(words), `${words}\nin\n${shown}`);
    person.type("d");
    await person.shows(/^diff --git[^]*-1\n\+3[^]*esc back$/m);
    person.type("q");
    await person.shows(ASKED);
    person.type("v");
    await person.shows(/## Stuck Subtask: a/);
    person.type("\x1b");
    await person.shows(ASKED);
    person.type("x");
    await person.shows(/x is not one of the keys/);
    person.type("s");
    assert.equal(await person.ended(), 0, person.text());
    assert.match(
      person.text(),
      /a\/c1: answered\n1 of 1 answered\nGo on with: unstuck resume \S+$/m,
    );
    assert.doesNotMatch(person.text(), /Skip this subtask/, "the panel is gone");
    assert.deepEqual(person.wrapped(), []);
    assert.equal(resumed(run), 1);
    assert.deepEqual(phasesOf(here), { a: "skipped" });
  },
);

test(
  "retry with words: typed with corrections or in an editor, they reach the agent",
  { skip },
  async () => {
    const run = parked({ ...right, expectPrompt: "the key is set" });
    const editor = join(here.home, "..", "editor.sh");
    writeFileSync(editor, 'grep -q "failed: sh check.sh" "$1" && echo "the key is sex" > "$1"\n');
    const person = review(run, { env: { EDITOR: `sh ${editor}` } });
    await person.shows(ASKED);
    person.type("e");
    await person.shows(/Your words for the agent:\n {2}> the key is sex▏/);
    person.type("\x7f");
    await person.shows(/> the key is se▏/);
    person.type("t\r");
    assert.equal(await person.ended(), 0, person.text());
    assert.equal(resumed(run), 0);
    assert.deepEqual(answersOf(run), [{ kind: "retry", words: "the key is set" }]);
  },
);

test(
  "logged out: one key says that it is done, and the agent tries again",
  inLargeForm("cli", skip),
  async () => {
    const run = parked(right, AT_ONCE, loggedOut);
    const person = review(run);
    await person.shows(/The agent is not logged in\.[^]*r {2}Logged in: try again \(recommended\)/);
    assert.match(person.text(), /to do +Log in or set the key of the service/);
    person.type("r");
    assert.equal(await person.ended(), 0, person.text());
    assert.equal(resumed(run), 0);
    assert.deepEqual(answersOf(run), [{ kind: "retry", words: "" }]);
  },
);

test(
  "by hand: the folder is named, the question stays open, and what is done is checked",
  { skip },
  async () => {
    const run = parked();
    const person = review(run);
    await person.shows(ASKED);
    person.type("m");
    assert.equal(await person.ended(), 0, person.text());
    const text = person.text();
    const [, folder = ""] =
      /its files:\n(\/[^]*?)\n {2}a\/c1: it is in your hands/.exec(text) ?? [];
    assert.match(text.replaceAll(/\n */g, " "), /unstuck resolve a\/c1 --run \S+ --manual --done/);
    writeFileSync(join(folder.replaceAll("\n", ""), "value.txt"), "2\n");
    const again = review(run);
    await again.shows(/with you +.* is on it by hand[^]*m {2}Done by hand: check it/);
    again.type("m");
    assert.equal(await again.ended(), 0, again.text());
    assert.equal(resumed(run), 0);
    assert.deepEqual(answersOf(run), [{ kind: "manual", done: true }]);
  },
);

test("a top-up raises what is used up, and nothing else", inLargeForm("cli", skip), async () => {
  const red = { write: { "value.txt": "3\n" }, print: "done" };
  const run = parked(right, ["grounding: false", "budget: { attempts: 1 }"], red);
  const person = review(run);
  await person.shows(/The attempt budget of the run is used up[^]*t {2}Raise the budget/);
  await person.shows(/s {2}End the run here/);
  person.type("t");
  await person.shows(/Raise it by \(for example attempts=5\):/);
  person.type("minutes=5\r");
  await person.shows(/the attempt budget is what is used up/);
  person.type("\x15");
  await person.shows(/> ▏/);
  person.type("attempts=1\r");
  assert.equal(await person.ended(), 0, person.text());
  assert.equal(resumed(run), 0);
  assert.deepEqual(answersOf(run), [{ kind: "top-up", by: { attempts: 1 } }]);
});

const SMALL: readonly string[] = ["esc", "Ctrl-C in the middle of an answer"];

/** What is typed, and what is waited for before the next; the last of it ends the review. */
for (const [name, ...keys] of [
  ["esc", ["\x1b"]],
  ["Ctrl-D", ["\x04"]],
  ["Ctrl-C", ["\x03"]],
  [
    "Ctrl-C in the middle of an answer",
    ["r", /words for the agent/],
    ["forget ab", /ab▏/],
    ["\x03"],
  ],
  ["no words", ["r", /words for the agent/], ["\r", /Nothing typed/], ["q"]],
  ["keys pasted in one go", ["srm", /One key at a time/], ["q"]],
] as const)
  test(
    `${name} leaves everything as it was`,
    SMALL.includes(name) ? { skip } : inLargeForm("cli", skip),
    async () => {
      const run = parkedOnce();
      const before = { events: here.events(run), questions: questionsOf(run) };
      const person = review(run);
      await person.shows(ASKED);
      for (const [typed, shows] of keys) {
        person.type(typed);
        if (shows !== undefined) await person.shows(shows);
      }
      assert.equal(await person.ended(), 0, person.text());
      assert.match(person.text(), /0 of 1 answered/);
      assert.doesNotMatch(person.text(), /Go on with/);
      assert.deepEqual({ events: here.events(run), questions: questionsOf(run) }, before);
    },
  );

let leftAlone: string | undefined;
const parkedOnce = (): string => (leftAlone ??= parked());

test(
  "two terminals answer at once: one wins, the other is told",
  inLargeForm("cli", skip),
  async () => {
    const run = parked({ ...right, expectPrompt: "the first" });
    const [one, two] = [review(run), review(run)];
    await one.shows(ASKED);
    await two.shows(ASKED);
    one.type("r");
    await one.shows(/Your words/);
    one.type("the first\r");
    assert.equal(await one.ended(), 0);
    two.type("s");
    await two.shows(/the first answer stands/);
    two.type("q");
    assert.equal(await two.ended(), 0);
    assert.match(one.text(), /1 of 1 answered/);
    assert.match(
      two.text().replaceAll(/\n +/g, " "),
      /a\/c1 of run \S+ was answered already, by .*: retry: the first; the first answer stands[^]*0 of 1 answered/,
    );
    const [open] = questionsOf(run) as { given: { answer: unknown } }[];
    assert.deepEqual(open?.given.answer, { kind: "retry", words: "the first" });
    assert.match(
      here.unstuck("inbox").out,
      /Answered by .*: retry: the first\. Go on with: unstuck/,
    );
    const late = here.unstuck("resolve", "a/c1", "--run", run, "--skip");
    assert.deepEqual([late.code, /was answered already/.test(late.err)], [2, true], late.err);
    const third = review(run);
    assert.equal(await third.ended(), 0);
    assert.match(third.text(), /a\/c1 is answered by .*: retry: the first/);
    assert.equal(resumed(run), 0);
  },
);

test(
  "a screen reader, and a dumb terminal: numbered lines and a prompt, nothing is drawn twice",
  { skip },
  async () => {
    const run = parkedOnce();
    for (const env of [{ UNSTUCK_SCREEN_READER: "1" }, { TERM: "dumb", NO_COLOR: "" }]) {
      const person = review(run, { env });
      await person.shows(/^Your choice: ?$/m);
      assert.match(
        person.text(),
        /1\. Skip this subtask[^]*2\. Retry with modifications \(recommended\)/,
      );
      person.type("d\r");
      await person.shows(/^diff --git[^]*Your choice: ?$/m);
      person.type("2\r");
      await person.shows(/^Your words for the agent: ?$/m);
      person.type("\r");
      await person.shows(/Nothing typed, nothing sent\.\nYour choice: ?$/m);
      person.type("q\r");
      assert.equal(await person.ended(), 0);
      assert.match(person.text(), /0 of 1 answered/);
      assert.deepEqual(person.wrapped(), []);
      assert.doesNotMatch(person.raw(), /\x1b\[\d*A/, "nothing goes up to be written again");
      if (env.TERM !== undefined) assert.doesNotMatch(person.raw(), /\x1b/, "TERM=dumb");
    }
  },
);

test("80, 40 and 200 columns: nothing is too wide, the answers always show", { skip }, async () => {
  const run = parkedOnce();
  for (const [columns, rows] of [
    [80, 24],
    [40, 10],
    [200, 50],
  ] as const) {
    const person = review(run, { columns, rows, env: { NO_COLOR: "" } });
    const shown = await person.shows(/leave it open/);
    assert.match(person.raw(), /\x1b\[1m/, "with colours");
    assert.match(shown, /s {2}Skip this subtask[^]*r {2}Retry with modif[^]*m {2}Handle manually/);
    person.type("q");
    assert.equal(await person.ended(), 0);
    assert.deepEqual(person.wrapped(), []);
  }
  const plain = review(run);
  await plain.shows(ASKED);
  plain.type("q");
  await plain.ended();
  assert.doesNotMatch(plain.raw(), /\x1b\[[\d;]*m/, "NO_COLOR");
  const text = here.unstuck("review", run);
  assert.equal(text.code, 0);
  assert.match(text.out, /unstuck resolve a\/c1 --run \S+ --retry "your words"/);
  const inbox = onTerminal(["inbox"], { cwd: here.path, env: here.env, columns: 40 });
  await inbox.shows(/^Answer now\? \[Y\/n\]/m);
  inbox.type("\r");
  await inbox.shows(/leave it open/);
  inbox.type("q");
  assert.equal(await inbox.ended(), 0);
  assert.deepEqual(inbox.wrapped(), []);
  assert.match(inbox.text(), /unstuck resolve a\/c1 --run \\\n/);
});

test("a run asks on its own screen, and goes on with the answer", { skip }, async () => {
  const script = { a: [puzzled, { ...right, expectPrompt: "make it 2" }] };
  const plan = planFile(here, here.agent(script), [CHECKED], AT_ONCE);
  const run = onTerminal(["run", plan, "--trust"], {
    cwd: here.path,
    env: { ...here.env, NO_COLOR: "1" },
  });
  await run.shows(/│ failed: sh check.sh[^]*esc leave it open$/m);
  run.type("\x1b");
  await run.shows(/1 question for you: press a to answer, q to answer later$/m);
  run.type("a");
  await run.shows(ASKED);
  run.type("r");
  await run.shows(/Your words for the agent:/);
  run.type("make it 2\r");
  assert.equal(await run.ended(), 0, run.text());
  assert.match(run.text(), /a\/c1: answered; the run goes on/);
  assert.deepEqual(run.wrapped(), []);
  assert.deepEqual(answersOf(here.runs()[0] ?? ""), [{ kind: "retry", words: "make it 2" }]);
});

test(
  "a run that is left with its question says how to answer it, and exits with 3",
  { skip },
  async () => {
    const plan = planFile(here, here.agent({ a: [puzzled] }), [CHECKED], AT_ONCE);
    const run = onTerminal(["run", plan, "--trust"], {
      ...{ cwd: here.path, columns: 40, rows: 12 },
      env: { ...here.env, NO_COLOR: "1" },
    });
    await run.shows(/m {2}Handle manually[^]*leave it open/);
    run.type("\x1b");
    await run.shows(/press a to answer/);
    run.type("q");
    assert.equal(await run.ended(), 3, run.text());
    assert.match(run.text(), /unstuck review/);
    assert.deepEqual(run.wrapped(), []);
  },
);
