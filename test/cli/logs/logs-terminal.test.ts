// proves: U18, P2, U15
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { repository } from "../../end-to-end/run/repository.ts";
import { isStarted, owner, planFile, until } from "../../end-to-end/run/runs.ts";
import { onTerminal, WITHOUT_TERMINAL } from "../terminal/pseudo-terminal.ts";
import type { PseudoTerminal, TerminalOptions } from "../terminal/pseudo-terminal.ts";
import { session, untilThere } from "./recorded-agent.ts";

const skip = WITHOUT_TERMINAL;
const here = repository();
after(() => here.remove());
let run = "";

before(() => {
  if (skip !== false) return;
  const agent = here.agent({ a: [{ write: { "value.txt": "2\n" }, print: session("Done.") }] });
  const plan = planFile(here, agent, ["id: a, prompt: make it two, checks: [sh check.sh]"]);
  assert.equal(here.unstuck("run", plan, "--trust").code, 0);
  [run = ""] = here.runs();
});

const terminal = (args: readonly string[], more: Partial<TerminalOptions> = {}): PseudoTerminal =>
  onTerminal(args, {
    ...{ cwd: here.path, ...more },
    env: { ...here.env, NO_COLOR: "1", NO_PAGER: "1", ...more.env },
  });

const file = (name: string): string => join(here.home, "..", name);

const COLOURS = /\x1b\[[\d;]*m/;

for (const [columns, message, call, result] of [
  [
    80,
    /^I'll look at the tests first, because they say what is wanted\.\nThen I'll change/m,
    /^▸ Read src\/a\/rather\/long\/path\S*…$/m,
    /^ {2}└ Read src\/a\/rather\/long\/.*…  ✓ 3 lines$/m,
  ],
  [
    40,
    /^I'll look at the tests first, because\nthey say what is wanted\.\nThen I'll change/m,
    /^▸ Read src\/a\/r\S*…$/m,
    /^ {2}└ Read src\/a\/rather\S*…  ✓ 3 lines$/m,
  ],
  [
    200,
    /^I'll look at the tests first, because they say what is wanted\.\nThen I'll change/m,
    /^▸ Read src\/a\/rather\/long\/path\/that\/does\/not\/fit\/into\/forty\/columns\/module\.ts$/m,
    /^ {2}└ Read src\/\S+\/module\.ts  ✓ 3 lines$/m,
  ],
] as const)
  test(
    `logs at ${columns} columns: nothing is too wide, words wrap, calls fold`,
    { skip },
    async () => {
      const screen = terminal(["logs", run], { columns });
      assert.equal(await screen.ended(), 0, screen.text());
      const text = screen.text();
      assert.match(text, message);
      assert.match(text, /^▸ Bash npm test  ✗ exit 1, 48 lines$/m);
      assert.match(text, call);
      assert.match(text, result);
      assert.match(text, /^✓ checks passed: sh check\.sh$/m);
      assert.deepEqual(screen.wrapped(), []);
      assert.doesNotMatch(screen.raw(), COLOURS, "NO_COLOR");
      assert.doesNotMatch(
        screen.raw(),
        /\x1b\[\d*[A-HJK]/,
        "it only ever appends: a screen reader can follow",
      );
    },
  );

test("colours on a terminal; with TERM=dumb no escape code, and no pager", { skip }, async () => {
  const coloured = terminal(["logs", run], { env: { NO_COLOR: "" } });
  assert.equal(await coloured.ended(), 0);
  assert.match(coloured.raw(), COLOURS);
  const dumb = terminal(["logs", run], {
    env: { TERM: "dumb", NO_COLOR: "", NO_PAGER: "", PAGER: "false" },
  });
  assert.equal(await dumb.ended(), 0, dumb.text());
  assert.match(dumb.text(), /^Done\.$/m);
  assert.doesNotMatch(dumb.raw(), /\x1b/);
});

test(
  "a pager: the person's own, else less; none with --no-pager, -f, --json or an empty PAGER",
  { skip },
  async () => {
    const own = { NO_PAGER: "", PAGER: "sed 's/^/> /'" };
    const paged = terminal(["logs", run], { env: own });
    assert.equal(await paged.ended(), 0);
    assert.match(paged.text(), /^> Done\.$/m);
    for (const args of [["--no-pager"], ["-f"], ["--json"]]) {
      const straight = terminal(["logs", run, ...args], { env: own });
      assert.equal(await straight.ended(), 0);
      assert.doesNotMatch(straight.text(), /^> /m, args.join());
    }
    for (const env of [{ PAGER: "" }, { ...own, UNSTUCK_SCREEN_READER: "1" }]) {
      const straight = terminal(["logs", run], { env: { NO_PAGER: "", ...env } });
      assert.equal(await straight.ended(), 0);
      assert.match(straight.text(), /^Done\.$/m);
      assert.doesNotMatch(straight.raw(), /\x1b/, "for a screen reader, nothing but lines");
    }
    const missing = terminal(["logs", run], { env: { NO_PAGER: "", PAGER: "no-such-pager" } });
    assert.equal(await missing.ended(), 2);
    assert.match(
      missing.text(),
      /the pager "no-such-pager" was not found: set PAGER, or add --no-pager/,
    );
  },
);

test("a pager that is left early ends the reading, and is no error", { skip }, async () => {
  const left = terminal(["logs", run, "--full"], { env: { NO_PAGER: "", PAGER: "head -n 1" } });
  assert.equal(await left.ended(), 0, left.text());
  assert.match(left.text(), /^── a\/1/);
  assert.doesNotMatch(left.text(), /Done\./);
});

test(
  "-f on a terminal: what comes is shown as it comes, and Ctrl-C leaves the run alone",
  { skip },
  async () => {
    const agent = here.agent({
      slow: [
        {
          run: [["echo", "working on it"], untilThere(file("go on")), ["echo", "still there"]],
          write: { "value.txt": "2\n" },
        },
      ],
    });
    const plan = planFile(here, agent, ["id: slow, prompt: make it two, checks: [sh check.sh]"]);
    const running = owner(here.start("run", plan, "--trust"));
    await until(here, (events) => here.runs()[0] !== run && isStarted(events));
    const first = terminal(["logs", "-f"], { columns: 40 });
    await first.shows(/^working on it$/m);
    first.type("\x03");
    assert.equal(await first.ended(), 0, first.text());
    assert.match(first.text(), /^the run goes on: unstuck logs \S+ -f$/m);
    assert.deepEqual(first.wrapped(), []);
    assert.equal(running.child.exitCode, null, "the run goes on");
    const second = terminal(["logs", "-f"]);
    await second.shows(/^working on it$/m);
    writeFileSync(file("go on"), "");
    assert.equal(await second.ended(), 0, second.text());
    assert.match(
      second.text(),
      /^working on it\nstill there\n[^]*^✓ checks passed[^]*^the run has stopped: unstuck status/m,
    );
    assert.equal(await running.ended, 0);
  },
);

test(
  "l in the live tree opens the log of what runs, q leads back, and the run ends as ever",
  { skip },
  async () => {
    const agent = here.agent({
      tree: [
        {
          run: [["echo", "words of the agent"], untilThere(file("seen"))],
          write: { "value.txt": "2\n" },
        },
      ],
    });
    const plan = planFile(here, agent, ["id: tree, prompt: make it two, checks: [sh check.sh]"]);
    const screen = terminal(["run", plan, "--trust"]);
    await screen.shows(/^ ▸ tree +running[^]*^ {2}l: what the agent does$/m);
    screen.type("l");
    const log = await screen.shows(/^q: back to the run\n── tree\/1 [^]*^words of the agent$/m);
    assert.doesNotMatch(log, / ▸ tree +running/, "the log has the screen to itself");
    screen.type("x");
    screen.type("q");
    await screen.shows(/^ ▸ tree +running/m);
    writeFileSync(file("seen"), "");
    assert.equal(await screen.ended(), 0, screen.text());
    assert.match(screen.text(), /^── run \S+: verified/m);
    assert.doesNotMatch(screen.text(), /q: back|l: what/);
    assert.deepEqual(screen.wrapped(), []);
  },
);
