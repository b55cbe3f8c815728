// proves: P2, P10
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { onTerminal, WITHOUT_TERMINAL, type TerminalOptions } from "./pseudo-terminal.ts";

const here = repository();
after(() => here.remove());
const skip = WITHOUT_TERMINAL;

const wrong = { write: { "value.txt": "3\n" }, print: "done" };
const right = { write: { "value.txt": "2\n", "check.sh.md": "notes\n" }, print: "done" };
const goal = (words: string, agent: string): readonly string[] => [
  ...["run", "--goal", words, "--agent", agent, "--check", "sh check.sh"],
];

/** What a command shows, once it has ended. */
async function screen(
  args: readonly string[],
  more: Partial<TerminalOptions> = {},
  code = 0,
): Promise<{ readonly text: string; readonly raw: string }> {
  const shown = onTerminal(args, {
    ...{ cwd: here.path, ...more },
    env: { ...here.env, NO_COLOR: "1", TZ: "UTC", PAGER: "cat", ...more.env },
  });
  assert.equal(await shown.ended(), code, shown.text());
  assert.deepEqual(shown.wrapped(), [], "no line is too wide");
  return { text: shown.text(), raw: shown.raw() };
}

const NOTHING_DRAWN = { TERM: "xterm-256color", UNSTUCK_SCREEN_READER: "1", NO_COLOR: "" };

test(
  "before the first run: the one line, a plan, a check-up; outside of a repository: help",
  { skip },
  async () => {
    for (const columns of [40, 80]) {
      const { text } = await screen([], { columns });
      assert.match(
        text,
        /^ {2}unstuck "make the tests pass"[^]*^ {2}unstuck plan[^]*^ {2}unstuck doctor/m,
      );
    }
    assert.match(
      (await screen(["status"])).text,
      /^no runs yet; start one: unstuck "make the tests pass"$/m,
    );
    const outside = join(here.path, "..", "outside");
    mkdirSync(outside);
    assert.match((await screen([], { cwd: outside })).text, /^Usage: unstuck/m);
  },
);

test(
  "the end of a run is its card, for a screen reader without a line drawn twice",
  { skip },
  async () => {
    const agent = here.agent({ goal: [wrong, right] });
    const { text, raw } = await screen(goal("make it two", agent), { env: NOTHING_DRAWN });
    assert.doesNotMatch(raw, /\x1b\[\d*[A-KJ]/, "nothing is moved or erased");
    const [run = ""] = here.runs();
    const card = text.slice(text.indexOf("── run "));
    assert.match(card, /^── run \S+: verified ─+\nVerified: every check passes on the result\.$/m);
    assert.match(card, /^checks +✓ sh check\.sh {2}passed$/m);
    assert.match(card, /^changed +2 files, \+2 -1$/m);
    assert.match(card, /^recovered +1 failed attempt: sent the failing output back \(1\)$/m);
    assert.match(
      card,
      new RegExp(`^ {2}unstuck diff ${run} +see the changes\\n {2}unstuck apply`, "m"),
    );
    const again = (await screen(["status", run])).text;
    const calm = (words: string): string => words.replace(/^took.*$/m, "").trim();
    assert.equal(calm(again), calm(card), "status shows the same card");
  },
);

test(
  "the card and the list fit every terminal, coloured only where colours are wanted",
  { skip },
  async () => {
    const [run = ""] = here.runs();
    const name = run.slice(run.lastIndexOf("-") + 1);
    for (const columns of [40, 80, 200]) {
      const card = await screen(["status", run], { columns });
      assert.match(card.text, /^── run \S+: verified/m);
      assert.ok(card.text.includes(`unstuck apply ${run}`), "a command is never cut");
      const list = await screen(["status"], { columns });
      assert.ok(list.text.includes(`unstuck apply ${columns === 200 ? run : name}`), list.text);
      assert.doesNotMatch(card.raw + list.raw, /\x1b\[\d*m/);
    }
    const coloured = await screen(["status", run], { env: { NO_COLOR: "" } });
    assert.match(coloured.raw, /\x1b\[32mverified/);
    const dumb = await screen(["status"], { env: { NO_COLOR: "", TERM: "dumb" } });
    assert.doesNotMatch(dumb.raw, /\x1b/);
    const alone = await screen([]);
    assert.match(
      alone.text,
      new RegExp(`^ {2}unstuck diff ${name} [^]*unstuck apply ${name} `, "m"),
    );
    assert.equal(here.unstuck("status", run, "--json").code, 0);
  },
);

test(
  "one key leads from a run's card, and from what explains it, to its log",
  { skip },
  async () => {
    const [run = ""] = here.runs();
    const at = (args: readonly string[], more: Partial<TerminalOptions> = {}) =>
      onTerminal(args, {
        ...{ cwd: here.path, ...more },
        env: { ...here.env, NO_COLOR: "1", PAGER: "cat -u", ...more.env },
      });
    const card = at(["status", run], { columns: 40 });
    await card.shows(/^l log · any other key quits$/m);
    card.type("l");
    assert.equal(await card.ended(), 0);
    assert.match(card.text(), /^── run [^]*^── goal\/2 /m);
    assert.doesNotMatch(card.text(), /any other key/, "the line is gone");
    assert.deepEqual(card.wrapped(), []);
    for (const key of ["\r", "\x03"]) {
      const left = at(["explain", run]);
      await left.shows(/^l log · any other key quits$/m);
      left.type(key);
      assert.equal(await left.ended(), 0, left.text());
      assert.match(left.text(), /^All of it: unstuck explain /m);
      assert.doesNotMatch(left.text(), /any other key|── goal/);
    }
    for (const env of [NOTHING_DRAWN, { NO_PAGER: "1" }]) {
      const plain = at(["status", run], { env });
      assert.equal(await plain.ended(), 0, "nothing is waited for");
      assert.doesNotMatch(plain.text(), /any other key/);
    }
  },
);

test(
  "thousands of runs: the newest are listed, no event of an ended one is read",
  { skip },
  async () => {
    const journal = new DatabaseSync(join(here.home, "unstuck.db"), { timeout: 60_000 });
    const [{ repo } = { repo: "" }] = journal.prepare("SELECT repo FROM runs").all() as {
      repo: string;
    }[];
    const insert = journal.prepare(
      `INSERT INTO runs (id, created, repo, title, phase, outcome, seq, changed)
     VALUES (?, ?, ?, 'an old one', 'ended', 'failed', 50, 1)`,
    );
    journal.exec("BEGIN");
    for (let at = 0; at < 3000; at += 1)
      insert.run(`20250101-0000-${at.toString(16).padStart(6, "0")}`, at, repo);
    journal.exec("COMMIT");
    journal.close();
    const { text } = await screen(["status"], { rows: 60 });
    assert.match(text, /^and 2991 older: unstuck status --all$/m);
    assert.match(text, /^\S+ +verified /m);
    assert.equal(here.unstuck("status", "--all").out.trim().split("\n").length, 3002);
  },
);
