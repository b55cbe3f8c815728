// proves: B1, C3, C4, D1, D6, D8
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inLargeForm, rowsOf } from "../../large-form.ts";
import { chainOf } from "../../../src/core/repair/chains.ts";
import type { Script } from "../../../src/testing/scripted-agent.ts";
import { unstuck } from "../../cli/command.ts";
import { typedOutput } from "./agent-words.ts";
import { recordingAgent } from "./recording-agent.ts";
import { repository, type Repository } from "./repository.ts";
import { eventsOf, failuresOf, phasesOf, planFile, recoveriesOf } from "./runs.ts";

const FILES = {
  "value.txt": "1\n",
  "a.mjs": "export const a = 1;\n",
  "check.sh": "grep -q '^2$' value.txt || { echo 'FAIL value: expected 2'; exit 1; }\n",
};

function inRepository(body: (here: Repository) => void): void {
  const here = repository(FILES);
  try {
    body(here);
  } finally {
    here.remove();
  }
}

const done = { print: "done" };
const NO_GROUNDING = "grounding: false";

/** Subtasks that each have an agent of their own, so that none meets the other's outage; and their plan. */
function apart(here: Repository, scripts: Script): string {
  const ids = Object.keys(scripts);
  const agents = ids.map((id) => `${id}: { command: ${JSON.stringify(here.agent(scripts))} }`);
  const models = ids.map((id, index) => `{ agent: ${id}, tier: ${index + 1} }`);
  const plan = planFile(
    here,
    "",
    ids.map((id, index) => `id: ${id}, prompt: p, tier: ${index + 1}`),
    [
      NO_GROUNDING,
      "policy: hierarchical",
      `agents: { ${agents.join(", ")} }`,
      `models: [${models.join(", ")}]`,
    ],
  );
  writeFileSync(plan, readFileSync(plan, "utf8").replace(/^agent: .*\n/, ""));
  return plan;
}

const LIMITED = { error: "Error: 429 Too Many Requests. Please retry after 1 second.", exit: 1 };
const LOGGED_OUT = { error: "Error: Invalid API key. Please run /login", exit: 1 };

test("kinds and categories of what goes wrong with provider and agent", inLargeForm("run"), () =>
  inRepository((here) => {
    const plan = apart(here, {
      limited: [LIMITED, done],
      overloaded: [
        { error: "API Error: 529 overloaded_error: Overloaded. Retry after 1 second.", exit: 1 },
        done,
      ],
      broken: [
        { error: "API Error: 500 Internal server error. Retry after 1 second.", exit: 1 },
        done,
      ],
      crash: [{ signal: "SIGSEGV" }],
      malformed: [{ print: "certainly, here it is" }],
      gone: [],
      expired: [{ error: "OAuth token has expired. Please run /login to sign in again.", exit: 1 }],
      login: [LOGGED_OUT],
    });
    const gone = join(here.home, "..", "gone");
    writeFileSync(gone, "#!/bin/sh\n", { mode: 0o755 });
    const text = readFileSync(plan, "utf8")
      .replace(/ gone: \{ command: .*?" \}/, ` gone: { command: "${gone}" }`)
      .replace("id: malformed,", "id: malformed, output: { type: object },");
    writeFileSync(plan, text);
    const ran = here.unstuck("run", plan, "--trust", "--setup", `rm -f ${gone}`);
    assert.equal(ran.code, 3, ran.out + ran.err);
    const told = eventsOf(here.events(), "failure-classified").map((event) => {
      const { kind, category } = event["failure"] as { kind: string; category: string };
      return `${String(event["subtask"])}: ${kind} ${category}`;
    });
    assert.deepEqual(told, [
      "limited: rate_limited transient",
      "overloaded: server_overloaded transient",
      "broken: server_error transient",
      "crash: agent_crash systematic",
      "malformed: malformed_output systematic",
      "gone: agent_missing fatal",
      "expired: auth_expired fatal",
      "login: auth_required fatal",
    ]);
    const phases = phasesOf(here);
    for (const id of ["limited", "overloaded", "broken"])
      assert.equal(phases[id], "unverified", `${id} was waited for and tried again`);
    const started = eventsOf(here.events(), "attempt-dispatched");
    for (const id of ["gone", "expired", "login"])
      assert.equal(started.filter(({ subtask }) => subtask === id).length, 1, `${id}: no retry`);
  }),
);

test("broken build, failing checks, full context and unknown are told apart", () =>
  inRepository((here) => {
    const agent = here.agent({
      build: [
        { write: { "a.mjs": "export const a = {;\n" }, print: "done" },
        { run: [["git", "checkout", "a.mjs"]] },
      ],
      checks: [{ write: { "value.txt": "3\n" }, print: "done" }, { write: { "value.txt": "2\n" } }],
      full: [
        {
          write: { "half.txt": "half\n" },
          error: "Error: prompt is too long: 210000 tokens > 200000 maximum",
          exit: 1,
        },
        done,
      ],
      odd: [{ error: "zarf gnorped the blivet", exit: 3 }],
    });
    const plan = planFile(
      here,
      agent,
      [
        'id: build, prompt: p, checks: ["node --check a.mjs"]',
        'id: checks, prompt: p, checks: ["sh check.sh"]',
        "id: full, prompt: p",
        "id: odd, prompt: p",
      ],
      [NO_GROUNDING, "policy: recovery-actions"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    assert.deepEqual(failuresOf(here.events()), [
      "build broken_build",
      "checks verification_failed",
      "full context_exhausted",
      "odd unknown",
      "odd unknown",
    ]);
    assert.deepEqual(recoveriesOf(here.events()), [
      "ask",
      "feedback",
      "continue",
      "feedback",
      "ask",
    ]);
  }));

test(
  "a circle is a kind of its own: skipped and asked about, not tried again",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const [a, b] = ["apple", "pear"].map((value) => ({
        write: { "value.txt": `${value}\n` },
        print: `<approach>the ${value} way</approach>`,
      }));
      const other = { ...a, print: "<approach>once more</approach>" };
      const agent = here.agent({ fix: [a ?? {}, b ?? {}, other] });
      const own = "id: fix, prompt: p, checks: ['echo it says $(cat value.txt); sh check.sh']";
      const plan = planFile(here, agent, [own], [NO_GROUNDING, "policy: recovery-actions"]);
      assert.equal(here.unstuck("run", plan, "--trust").code, 3);
      const chosen = eventsOf(here.events(), "recovery-chosen").at(-1);
      assert.match(String(chosen?.["because"]), /^circular fix: /);
      assert.equal(recoveriesOf(here.events()).at(-1), "skip+ask");
      assert.match(
        here.unstuck("inbox").out,
        /going in circles[^]*went back to a fix that had already failed/,
      );
    }),
);

test("an agent that exits 0 and whose result says it failed has failed, with and without checks", () =>
  inRepository((here) => {
    const words = "I could not do it: the widget is not there";
    const failing = { print: typedOutput({ words, failed: true }) };
    const fine = { print: typedOutput({ words: "It is done." }) };
    const agent = here.agent({ free: [failing], checked: [failing], fine: [fine] });
    const plan = planFile(
      here,
      agent,
      [
        "id: free, prompt: p",
        "id: checked, prompt: p, checks: [sh check.sh]",
        "id: fine, prompt: p",
      ],
      [NO_GROUNDING, "policy: hierarchical"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const failed = new Set(
      eventsOf(here.events(), "failure-classified").map(({ subtask }) => subtask),
    );
    assert.deepEqual([...failed], ["free", "checked"]);
    assert.deepEqual(phasesOf(here), { free: "asking", checked: "asking", fine: "unverified" });
    assert.match(here.unstuck("report").out, /the widget is not there/);
  }));

interface Episode {
  readonly id: string;
  readonly time: string;
  readonly goal: string;
  readonly success: boolean;
  readonly cost: number;
  readonly duration: number;
  readonly error: string | null;
  readonly retry_count: number;
  readonly recovery_level: string | null;
}

const MIXED: Script = {
  smooth: [done],
  waited: [LIMITED, done],
  crashed: [{ signal: "SIGSEGV" }, { print: "here" }],
  refused: [LOGGED_OUT],
};

test(
  "each subtask leaves an episode: how it ended, how often it was tried again, how far recovery had to go",
  inLargeForm("run"),
  () =>
    inRepository((here) => {
      const ran = here.unstuck("run", apart(here, MIXED), "--trust");
      assert.equal(ran.code, 3, ran.out + ran.err);
      assert.equal(here.unstuck("resolve", "crashed/c1", "--retry", "have a care").code, 0);
      assert.equal(here.unstuck("resolve", "refused/c1", "--skip").code, 0);
      here.unstuck("resume");
      const lines = here.unstuck("export", "--episodes").out.trim().split("\n");
      const episodes = lines.map((line) => JSON.parse(line) as Episode);
      const last = new Map(episodes.map((episode) => [episode.goal, episode]));
      assert.deepEqual(
        [...last.values()].map(({ goal, success, retry_count, recovery_level, error }) => [
          ...[goal, success, retry_count, recovery_level, error === null],
        ]),
        [
          ["smooth", true, 0, null, true],
          ["waited", true, 1, "same", true],
          ["crashed", true, 1, "clarify", true],
          ["refused", false, 0, "escalate", false],
        ].toSorted(byEndOf([...last.values()])),
      );
      for (const { id, time, cost, duration } of episodes) {
        assert.match(id, /^ep-/);
        assert.ok(Number.isFinite(Date.parse(time)) && duration >= 0 && cost === null, id);
      }
      const ids = episodes.map(({ id }) => id);
      assert.deepEqual(ids, [...new Set(ids)], "no two episodes have the same id");
    }),
);

/** In the order the episodes ended, which a wait may change. */
const byEndOf =
  (episodes: readonly Episode[]) =>
  ([a]: readonly unknown[], [b]: readonly unknown[]): number =>
    episodes.findIndex(({ goal }) => goal === a) - episodes.findIndex(({ goal }) => goal === b);

test("a subtask says how many errors it had and whether it is a hiccup", inLargeForm("run"), () =>
  inRepository((here) => {
    const plan = apart(here, { smooth: [done], waited: [LIMITED, done], refused: [LOGGED_OUT] });
    assert.equal(here.unstuck("run", plan, "--trust").code, 3);
    const [run = ""] = here.runs();
    const { subtasks } = JSON.parse(here.unstuck("status", run, "--json").out) as {
      subtasks: { id: string; errorCount?: number; isHiccup?: boolean }[];
    };
    assert.deepEqual(
      subtasks.map(({ id, errorCount, isHiccup }) => [id, errorCount, isHiccup]),
      [
        ["smooth", 0, false],
        ["waited", 1, false],
        ["refused", 1, true],
      ],
    );
  }),
);

const MISSING_COMMAND = "bash: line 1: jq: command not found";

test("a chain is used in its printed order, no strategy twice, and the question comes last, with its own words", () =>
  inRepository((here) => {
    const agent = recordingAgent(here, { fix: [{ error: MISSING_COMMAND, exit: 127 }] });
    const plan = planFile(
      here,
      agent.command,
      ["id: fix, prompt: p, checks: [sh check.sh]"],
      [NO_GROUNDING, "policy: recovery-strategies", "permissions: { install: allow, sudo: allow }"],
    );
    const ran = here.unstuck("run", plan, "--trust");
    assert.equal(ran.code, 3, ran.out + ran.err);
    const used = eventsOf(here.events(), "recovery-chosen").map((event) => {
      const [first] = event["recoveries"] as { kind: string; strategy?: string }[];
      return first?.strategy?.split("/")[1] ?? first?.kind;
    });
    const printed = chainOf("command_not_found").rows.map(({ name }) => name);
    assert.equal(used.at(-1), "ask");
    assert.deepEqual(
      used.slice(0, -1),
      printed.filter((name) => used.includes(name)),
      "the order of the chain",
    );
    assert.ok(used.length > 2 && used.length <= 5, used.join());
    const suggested = JSON.parse(
      unstuck([
        "suggest",
        "--json",
        "--tool",
        "run_bash",
        "--exit-code",
        "127",
        "--message",
        MISSING_COMMAND,
      ]).out,
    ) as { alternatives: { strategy: string; steps: { args: { questions?: string[] } }[] }[] };
    const asking = suggested.alternatives.find(({ strategy }) => strategy === "ask_user");
    const questions = (asking?.steps ?? []).flatMap(({ args }) => args.questions ?? []);
    assert.ok(
      questions.some((question) => question.includes("`jq`")),
      JSON.stringify(suggested),
    );
    const told = here.unstuck("inbox").out + here.unstuck("report", "--subtask", "fix").out;
    for (const question of questions) assert.ok(told.includes(question), `not asked: ${question}`);
  }));

const ERRORS: Readonly<Record<string, readonly string[]>> = {
  command_not_found: ["--exit-code", "127", "--command", "jq .", "--message", MISSING_COMMAND],
  file_not_found: ["--message", "Error: ENOENT: no such file or directory, open 'src/conf.json'"],
  permission_denied: ["--message", "Error: EACCES: permission denied, open '/etc/thing.conf'"],
  network_error: [
    "--command",
    "curl https://example.com/a",
    "--message",
    "curl: (6) Could not resolve host: example.com",
  ],
  disk_full: ["--errno", "ENOSPC", "--message", "write failed: No space left on device"],
};

const SUGGESTED = rowsOf(
  "run",
  Object.entries(ERRORS).map(([name, words]) => ({ name, words })),
  ["command_not_found", "permission_denied"],
);

interface Suggested {
  readonly strategy: string;
  readonly priority: number;
  readonly steps: readonly { readonly tool: string | null; readonly needsPermission?: string }[];
  readonly alternatives: readonly Omit<Suggested, "alternatives">[];
}

test("suggest: the printed order but for what needs a permission; the question last; four strategies at most", () => {
  for (const { name: kind, words } of SUGGESTED) {
    const asked = ["suggest", "--json", "--tool", "run_bash", ...words];
    const plan = JSON.parse(unstuck(asked).out) as Suggested & { kind: string };
    assert.equal(plan.kind, kind);
    const all = [plan, ...plan.alternatives];
    const names = all.map(({ strategy }) => strategy);
    assert.equal(names.indexOf("ask_user"), names.length - 1, `${kind}: ${names.join()}`);
    assert.equal(new Set(names).size, names.length, `${kind}: ${names.join()}`);
    assert.ok(names.length >= 2 && names.length <= 5, `${kind}: ${names.join()}`);
    const risky = all.map(({ steps }) => steps.some((step) => step.needsPermission !== undefined));
    const automated = all.slice(0, -1);
    const free = automated.filter((_, index) => risky[index] === false);
    const gated = automated.filter((_, index) => risky[index] === true);
    assert.deepEqual(automated, [...free, ...gated], `${kind}: what is free comes first`);
    for (const group of [free, gated]) {
      const priorities = group.map(({ priority }) => priority);
      assert.deepEqual(priorities, priorities.toSorted(), `${kind}: the printed order`);
    }
    const without = unstuck([...asked, "--tools", "read_file,read_dir"]).out;
    assert.ok(without.includes("ask_user") && !/run_bash|write_file/.test(without), without);
  }
});
